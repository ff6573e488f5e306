"""Real tokenizers of every kind, made here: the joined tokens of a vocabulary are the tokenized text."""

import json
import random
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from quotient import Language, Vocabulary
from tests.masks import law, states

tokenizers = pytest.importorskip("tokenizers")

SPECIAL = ["<unk>", "<s>", "</s>"]
TEXTS = [
    "def f(x):\n    return x + 1\n",
    "  x",
    " ",
    "\n\tif é == '数—𝒳':  # ünï\n",
    "a  b   c    d\r\n",
    "<s> is no token in a text",
    "x = '''\n\n  ''' ; y = 1_000.5e-3",
]


def corpus() -> list[str]:
    return [text.decode(errors="ignore")[:8_000] for text in states.python_files()[:6]]


def byte_level() -> Any:
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE())
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    alphabet = tokenizers.pre_tokenizers.ByteLevel.alphabet()
    tokenizer.train_from_iterator(
        corpus(),
        tokenizers.trainers.BpeTrainer(
            vocab_size=600, special_tokens=SPECIAL, initial_alphabet=alphabet, show_progress=False
        ),
    )
    return tokenizer


def sentence_piece_bpe() -> Any:
    """A tokenizer like Llama's: spaces are marked first, and one is put in front."""
    steps = tokenizers.normalizers
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE(unk_token="<unk>"))
    tokenizer.normalizer = steps.Sequence([steps.Prepend("▁"), steps.Replace(" ", "▁")])
    trainer = tokenizers.trainers.BpeTrainer(vocab_size=500, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train_from_iterator([text.replace("\n", " ") for text in corpus()], trainer)
    described = json.loads(tokenizer.to_str())
    described["model"] |= {"byte_fallback": True, "fuse_unk": True}
    vocabulary = described["model"]["vocab"]
    vocabulary |= {f"<0x{byte:02X}>": len(vocabulary) + byte for byte in range(256)}
    described["decoder"] = {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    }
    return tokenizers.Tokenizer.from_str(json.dumps(described))


def sentence_piece_unigram() -> Any:
    pieces = {piece for text in corpus() for piece in text.replace(" ", "▁").split("\n") if len(piece) < 9}
    letters = {letter for piece in pieces for letter in piece} | {"▁"}
    # A character without a piece is written in bytes, and so are line breaks.
    ordered = [
        *SPECIAL,
        *(f"<0x{byte:02X}>" for byte in range(256)),
        *sorted(letters),
        *sorted(pieces - letters),
    ]
    scored = [(piece, -float(index) / 100) for index, piece in enumerate(dict.fromkeys(ordered))]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram(scored, 0, True))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace(split=False)
    tokenizer.decoder = tokenizers.decoders.Sequence(
        [tokenizers.decoders.ByteFallback(), tokenizers.decoders.Metaspace()]
    )
    tokenizer.add_special_tokens(SPECIAL[1:])
    return tokenizer


KINDS = {"byte level": byte_level, "BPE": sentence_piece_bpe, "Unigram": sentence_piece_unigram}


@pytest.mark.parametrize("kind", KINDS)
def test_joined_tokens_are_the_text(kind: str) -> None:
    tokenizer = KINDS[kind]()
    behind = Vocabulary.from_tokenizer(tokenizer)
    first = Vocabulary.from_tokenizer(tokenizer, at_start=True)
    tokenizer.encode_special_tokens = True
    space = b"" if kind == "byte level" else b" "
    for text in TEXTS:
        if kind == "Unigram" and text[0] in " <":
            # Metaspace adds no space in front of an existing one, and so loses it; Unigram reads `<s>` as its
            # token.
            continue
        ids = tokenizer.encode(text, add_special_tokens=False).ids
        assert b"".join(map(behind.token, ids)) == space + text.encode()
        assert first.token(ids[0]) + b"".join(map(behind.token, ids[1:])) == text.encode()
        assert tokenizer.decode(ids) == text
    assert behind.eos == [2]
    assert [behind.token(index) for index in range(3)] == [b"", b"", b""]


@pytest.mark.parametrize("kind", KINDS)
def test_what_was_written_is_allowed(kind: str) -> None:
    tokenizer = KINDS[kind]()
    behind = Vocabulary.from_tokenizer(tokenizer, n_tokens=4_096)
    first = Vocabulary.from_tokenizer(tokenizer, n_tokens=4_096, at_start=True)
    assert len(behind) == 4_096
    text = "import a.b\n\n\nclass A:\n\n    def f(self, é='数'):\n        return [self, 1]\n"
    recognizer = Language.load("python").recognizer()
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    if not first.token(ids[0]):
        # The text is only the space that is dropped, which adds nothing.
        assert kind != "byte level"
        ids = ids[1:]
    for index, token in enumerate(ids):
        vocabulary = behind if index else first
        assert law.is_allowed(recognizer.mask(vocabulary), token)
        assert recognizer.advance_token(vocabulary, token)
    assert law.allowed(recognizer.mask(behind), 4_096) >= {2}
    assert law.differences(recognizer, behind) == []


def test_added_tokens_are_text_unless_they_are_special() -> None:
    tokenizer = byte_level()
    n_before = tokenizer.get_vocab_size()
    tokenizer.add_special_tokens(["<fim-prefix>"])
    tokenizer.add_tokens(["\n\n    Ġ", "def f():"])
    vocabulary = Vocabulary.from_tokenizer(tokenizer)
    added = [vocabulary.token(index) for index in range(n_before, len(vocabulary))]
    assert added == [b"", "\n\n    Ġ".encode(), b"def f():"]


def test_tokenizers_of_transformers() -> None:
    transformers = pytest.importorskip("transformers")
    fast = transformers.PreTrainedTokenizerFast(tokenizer_object=byte_level(), eos_token="<s>")
    vocabulary = Vocabulary.from_tokenizer(fast)
    assert vocabulary.eos == [1]
    text = "x = 'é'\n"
    assert b"".join(map(vocabulary.token, fast(text)["input_ids"])) == text.encode()

    class Slow(transformers.PreTrainedTokenizer):  # type: ignore[misc,name-defined]
        """A byte-level tokenizer that is written in Python."""

        byte_decoder: ClassVar = {"Ġ": 32, "x": 120, "Ã": 195, "©": 169}
        vocabulary: ClassVar = {"x": 0, "Ġx": 1, "Ã": 2, "©": 3, "</s>": 4}
        vocab_size = 5

        def get_vocab(self) -> dict[str, int]:
            return {**self.vocabulary, **self.added_tokens_encoder}

        def _convert_token_to_id(self, token: str) -> int:
            return self.vocabulary[token]

        def _convert_id_to_token(self, index: int) -> str:
            return list(self.vocabulary)[index]

        def _tokenize(self, text: str) -> list[str]:
            return list(text)

    slow = Slow(eos_token="</s>", additional_special_tokens=["<mark>"])
    vocabulary = Vocabulary.from_tokenizer(slow)
    assert [vocabulary.token(index) for index in range(len(vocabulary))] == [
        *(b"x", b" x", b"\xc3", b"\xa9", b"", b""),
    ]
    assert vocabulary.eos == [4]


def test_a_slow_tokenizer_of_sentence_piece() -> None:
    pieces = {"<unk>": 0, "<s>": 1, "</s>": 2, "<0x0A>": 3, "▁": 4, "▁x▁": 5}
    model = SimpleNamespace(
        get_piece_size=lambda: 6,
        is_control=lambda piece: piece in (1, 2),
        is_unknown=lambda piece: piece == 0,
    )
    slow = SimpleNamespace(
        sp_model=model,
        get_vocab=lambda: pieces,
        added_tokens_decoder={},
        eos_token_id=2,
        add_prefix_space=True,
    )
    behind = Vocabulary.from_tokenizer(slow)
    assert [behind.token(index) for index in range(6)] == [b"", b"", b"", b"\n", b" ", b" x "]
    first = Vocabulary.from_tokenizer(slow, at_start=True)
    assert [first.token(index) for index in range(3, 6)] == [b"\n", b"", b"x "]
    assert behind.eos == first.eos == [2]


def test_ids_that_no_token_has_are_never_allowed() -> None:
    tokenizer = byte_level()
    vocabulary = Vocabulary.from_tokenizer(tokenizer, n_tokens=tokenizer.get_vocab_size() + 70)
    mask = Language.load("python").recognizer("# ").mask(vocabulary)
    n_tokens = tokenizer.get_vocab_size()
    assert not any(law.is_allowed(mask, index) for index in range(n_tokens, len(vocabulary)))
    assert random.Random(1).choice(sorted(law.allowed(mask, n_tokens))) > 0
    with pytest.raises(ValueError, match="more than 5"):
        Vocabulary.from_tokenizer(tokenizer, n_tokens=5)
