"""Vocabularies of tokenizers, and the cache of tokens' meanings."""

import multiprocessing
from pathlib import Path
from typing import Any

import pytest

from quotient import Language, Vocabulary
from tests.masks import vocabularies

BYTE_LEVEL: dict[str, Any] = {
    "decoder": {"type": "ByteLevel"},
    "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits"}, {"type": "ByteLevel"}]},
    "model": {"type": "BPE", "vocab": {"a": 0, "Ġx": 1, "Ċ": 2, "Ã": 3, "Ã©": 4, "é": 5}},
    "added_tokens": [
        {"id": 6, "content": "<|endoftext|>", "special": True},
        {"id": 8, "content": "<tool é>", "special": False},
    ],
}

SENTENCE_PIECE: dict[str, Any] = {
    "decoder": {
        "type": "Sequence",
        "decoders": [
            {"type": "Replace", "pattern": {"String": "▁"}, "content": " "},
            {"type": "ByteFallback"},
            {"type": "Fuse"},
            {"type": "Strip", "content": " ", "start": 1, "stop": 0},
        ],
    },
    "pre_tokenizer": None,
    "model": {
        "type": "BPE",
        "byte_fallback": True,
        "vocab": {"<s>": 0, "</s>": 1, "<0x0A>": 2, "▁x": 3, "▁▁": 4},
    },
    "added_tokens": [
        {"id": 0, "content": "<s>", "special": True},
        {"id": 1, "content": "</s>", "special": True},
    ],
}


def texts(vocabulary: Vocabulary) -> list[bytes]:
    return [vocabulary.token(index) for index in range(len(vocabulary))]


def test_byte_level_spelling() -> None:
    vocabulary = vocabularies.from_description(BYTE_LEVEL)
    expected = [b"a", b" x", b"\n", b"\xc3", "é".encode(), b"\xe9", b"", b"", "<tool é>".encode()]
    assert texts(vocabulary) == expected
    assert vocabulary.eos == [6]


def test_sentence_piece_spelling() -> None:
    vocabulary = vocabularies.from_description(SENTENCE_PIECE)
    assert texts(vocabulary) == [b"", b"", b"\n", b" x", b"  "]
    assert vocabulary.eos == [1]


def test_metaspace_spelling() -> None:
    description = SENTENCE_PIECE | {"decoder": {"type": "Metaspace", "replacement": "▁"}}
    assert texts(vocabularies.from_description(description))[3] == b" x"


def test_a_spelling_without_bytes_is_refused() -> None:
    description = BYTE_LEVEL | {
        "decoder": {"type": "WordPiece"},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
    }
    with pytest.raises(ValueError, match="no bytes"):
        vocabularies.from_description(description)
    with pytest.raises(TypeError, match="not str"):
        Vocabulary.from_tokenizer("tokenizer")


@pytest.mark.parametrize("name", vocabularies.available()[1:])
def test_real_tokens_decode_to_their_bytes(name: str) -> None:
    tokenizers = pytest.importorskip("tokenizers")
    description = vocabularies.description(name)
    tokenizer = tokenizers.Tokenizer.from_str(description)
    vocabulary = Vocabulary.from_tokenizer(tokenizer)
    assert texts(vocabulary) == texts(vocabularies.load(name))
    text = "def f(x):\n    return 'é—数' + x  # ...\n"
    ids = tokenizer.encode(text).ids
    assert b"".join(vocabulary.token(index) for index in ids) == text.encode()


def fresh() -> Vocabulary:
    made = vocabularies.made(500)
    special = [index for index in range(len(made)) if not made.token(index) and index not in made.eos]
    return Vocabulary(texts(made), eos=made.eos, special=special)


def mask(vocabulary: Vocabulary) -> list[int]:
    python = Language.load("python")
    found = [python.recognizer(left).mask(vocabulary).tolist() for left in ("", "x = ", "if x:\n  ", "f'{")]
    return [word for words in found for word in words]


def test_what_was_prepared_is_taken_from_the_cache(tmp_path: Path) -> None:
    python = Language.load("python")
    expected = mask(fresh())
    first, second = fresh(), fresh()
    assert not first.prepare(python, tmp_path)
    assert second.prepare(python, tmp_path)
    assert first.fingerprint == second.fingerprint
    assert mask(first) == mask(second) == expected
    assert [path.suffix for path in tmp_path.iterdir()] == [".masks"]


def test_another_vocabulary_or_language_has_another_file(tmp_path: Path) -> None:
    assert not fresh().prepare(Language.load("python"), tmp_path)
    assert not fresh().prepare(Language.load("json"), tmp_path)
    tokens = texts(fresh())
    assert not Vocabulary([*tokens[1:], tokens[0]]).prepare(Language.load("python"), tmp_path)
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize("damage", ["torn", "flipped", "empty", "longer", "ragged"])
def test_damaged_files_are_ignored_and_written_anew(tmp_path: Path, damage: str) -> None:
    json = Language.load("json")
    assert not fresh().prepare(json, tmp_path)
    [path] = tmp_path.iterdir()
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(
        {
            "torn": content[: middle // 4 * 4],
            "flipped": content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :],
            "empty": b"",
            "longer": content + bytes(4),
            "ragged": content[:-1],
        }[damage]
    )
    assert not fresh().prepare(json, tmp_path)
    assert fresh().prepare(json, tmp_path)


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not fresh().prepare(Language.load("json"), tmp_path / "file")


def _prepare(cache: Path) -> list[int]:
    vocabulary = fresh()
    vocabulary.prepare(Language.load("python"), cache)
    return mask(vocabulary)


def test_processes_may_prepare_at_the_same_time(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(3) as pool:
        found = pool.map(_prepare, [tmp_path] * 6)
    assert all(words == found[0] for words in found)
    assert [path.suffix for path in tmp_path.iterdir()] == [".masks"]
