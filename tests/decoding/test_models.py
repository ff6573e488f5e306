"""Models of all families, small and from disk: they load, get their family's prompt, and write texts that
fit.

Real weights are too large for the tests. The families differ in architecture, spelling of tokens, special
tokens, and beginnings and ends of texts, all of which the small models have: configuration, random weights, a
tokenizer of the family's kind.
"""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
import transformers
from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

from fim_lsp.decoding.models.model import ModelError, load_model, locate_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.fim_formats import FIM_FORMATS, FimFormat, fim_format, overridden
from fim_lsp.replay.plan import model_folder
from fim_lsp.runtimes.pytorch import TorchRuntime
from quotient import Language
from tests.models import corpus, save_tiny_model, trained_tokenizer

ARCHITECTURES = {
    "santacoder": "GPTBigCode",
    "mellum": "Llama",
    "starcoder": "GPTBigCode",
    "starcoder2": "Starcoder2",
    "stablecode": "StableLm",
    "granite": "Llama",
    "codegemma": "Gemma",
    "qwen": "Qwen2",
    "deepseek": "Llama",
    "codellama": "Llama",
    "codestral": "Mistral",
    "seedcoder": "Llama",
}
# Families whose tokenizers are of SentencePiece's kind.
PIECES = ("codegemma", "codellama", "codestral")


def specials(known: FimFormat) -> list[str]:
    begin = ["<s>"] if known.name in ("deepseek", *PIECES) else []
    found = [*known.ends[:1], *begin, *known.tokens, *known.ends[1:], *([known.mark] if known.mark else [])]
    return list(dict.fromkeys(found))


def tokenizer_of(known: FimFormat) -> Any:
    """A tokenizer with a family's spelling and special tokens."""
    signs = specials(known)
    if known.name in PIECES:
        tokenizer = Tokenizer(models.BPE(byte_fallback=True, unk_token=signs[0]))
        tokenizer.normalizer = normalizers.Sequence(
            [normalizers.Prepend("\u2581"), normalizers.Replace(" ", "\u2581")]
        )
        tokenizer.decoder = decoders.Sequence(
            [
                decoders.Replace("\u2581", " "),
                decoders.ByteFallback(),
                decoders.Fuse(),
                decoders.Strip(" ", 1, 0),
            ]
        )
        alphabet = [f"<0x{byte:02X}>" for byte in range(256)]
    else:
        tokenizer = Tokenizer(models.BPE())
        tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
        tokenizer.decoder = decoders.ByteLevel()
        alphabet = []
    trainer = trainers.BpeTrainer(
        vocab_size=900,
        special_tokens=[*signs, *alphabet],
        initial_alphabet=[] if alphabet else pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
        max_token_length=16,
    )
    tokenizer.train_from_iterator((line for line in corpus()[6].splitlines(keepends=True)), trainer)
    if alphabet:
        # Single bytes are ordinary tokens, because a trainer cannot be given them otherwise.
        state = json.loads(tokenizer.to_str())
        state["added_tokens"] = [token for token in state["added_tokens"] if token["content"] in signs]
        tokenizer = Tokenizer.from_str(json.dumps(state))
    if "<s>" in signs:
        begin = tokenizer.token_to_id("<s>")
        tokenizer.post_processor = processors.TemplateProcessing("<s> $0", special_tokens=[("<s>", begin)])
    wrapped: Any = transformers.PreTrainedTokenizerFast
    named = {"bos_token": "<s>"} if "<s>" in signs else {}
    return wrapped(
        tokenizer_object=tokenizer, eos_token=signs[0], clean_up_tokenization_spaces=False, **named
    )


def saved(known: FimFormat, folder: Path) -> Path:
    tokenizer = tokenizer_of(known)
    name = ARCHITECTURES[known.name]
    shape = {"num_hidden_layers": 2, "hidden_size": 32, "intermediate_size": 64, "num_attention_heads": 4}
    if name == "GPTBigCode":
        shape = {"n_layer": 2, "n_embd": 32, "n_head": 4, "n_positions": 512}
    else:
        shape |= {"num_key_value_heads": 2, "max_position_embeddings": 512}
    if name == "Gemma":
        shape |= {"head_dim": 8}
    ends = tokenizer.eos_token_id
    config = getattr(transformers, f"{name}Config")(
        vocab_size=len(tokenizer), bos_token_id=None, eos_token_id=ends, pad_token_id=None, **shape
    )
    network = getattr(transformers, f"{name}ForCausalLM")(config)
    network.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.mark.parametrize("known", FIM_FORMATS, ids=lambda known: known.name)
def test_a_family_is_loaded_from_disk_and_fills_in(known: FimFormat, tmp_path: Path) -> None:
    model = load_model(str(saved(known, tmp_path)), RuntimeWishes(device="cpu"), offline=True)
    assert model.fim_format == known
    for text in ("def f(x):\n    return x\n", "  indented", "s = 'é𝒳'\n"):
        ids = model.encode(text)
        assert b"".join(model.token_bytes[token] for token in ids).decode() == text
        assert not {model.prefix, model.suffix} & set(ids)
    left, right = "def f(x):\n    retu", "\n\nprint(f(1))\n"
    recognizer = Language.load("python", version="3.11").recognizer(left, right)
    session = DecodingSession(model)
    for found in (
        session.complete(CompletionRequest(left, right, recognizer, Options(max_tokens=8))) for _ in range(2)
    ):
        ast.parse(left + found[0].text + right)
    assert session.reader.tokens[: len(model.begin)] == list(model.begin)
    assert bool(model.begin) == (known.name in ("deepseek", *PIECES))


# The special tokens of StarCoder's tokenizer, which Granite Code also uses.
STARCODERS = {
    "<|endoftext|>",
    "<fim_prefix>",
    "<fim_middle>",
    "<fim_suffix>",
    "<fim_pad>",
    "<filename>",
    "<reponame>",
}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"model_type": "gpt_bigcode"}, ("starcoder", "suffix-middle-prefix")),
        ({"model_type": "starcoder2"}, ("starcoder2", "prefix-suffix-middle")),
        ({"model_type": "stablelm"}, ("stablecode", "prefix-suffix-middle")),
        (
            {"model_type": "llama", "mlp_bias": True, "attention_bias": True},
            ("granite", "prefix-suffix-middle"),
        ),
        ({"model_type": "llama", "mlp_bias": False}, ("mellum", "suffix-prefix-middle")),
        ({"model_type": "llama"}, ("mellum", "suffix-prefix-middle")),
    ],
)
def test_families_with_the_same_tokens_are_told_apart(
    config: dict[str, Any], expected: tuple[str, str]
) -> None:
    found = fim_format(STARCODERS, config["model_type"], config)
    assert found is not None
    assert (found.name, found.order) == expected


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ({"order": "suffix-prefix-middle"}, "suffix-prefix-middle"),
        ({"format": "starcoder2"}, "prefix-suffix-middle"),
        # Formats that are malformed, or name missing tokens.
        ({"order": "middle"}, "suffix-middle-prefix"),
        ({"prefix": "<none>"}, "suffix-middle-prefix"),
        ("suffix-prefix-middle", "suffix-middle-prefix"),
    ],
)
def test_a_configuration_says_how_its_model_is_asked(said: object, order: str) -> None:
    found = fim_format(STARCODERS, "gpt_bigcode", {"fim": said})
    assert found is not None
    assert found.order == order


def test_nothing_is_loaded_for_a_model_that_is_not_there() -> None:
    told: list[tuple[str, float]] = []
    with pytest.raises(ModelError):
        load_model("/nowhere", on_progress=lambda what, share: told.append((what, share)))
    assert told == []


def test_a_model_that_cannot_fill_in_is_refused(tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    plain = trained_tokenizer(600, ("<|endoftext|>",))
    plain.save_pretrained(tmp_path)
    with pytest.raises(ModelError, match="cannot fill in the middle: its tokenizer has no"):
        load_model(str(tmp_path))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("/nowhere/at/all", "is neither a folder nor a name such as"),
        ("some-model", "is neither a folder nor a name such as"),
        ("some/model", "is not on this machine, and downloads are turned off"),
    ],
)
def test_a_model_that_is_not_there(name: str, message: str, tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    with pytest.raises(ModelError, match=message):
        load_model(name, offline=True)


def test_the_bundled_model_is_asked_for_by_the_name_that_it_is_shown_under() -> None:
    assert locate_model("bundled", True, print) == locate_model(None, True, print)
    assert model_folder("bundled") == model_folder(None)


def test_a_folder_without_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"has no config\.json"):
        load_model(str(tmp_path))


def test_a_device_and_a_number_format_that_are_not_there(tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    with pytest.raises(ModelError, match="no number format"):
        load_model(str(tmp_path), RuntimeWishes(dtype="int8"))
    with pytest.raises(ModelError, match="cannot be brought to the device"):
        load_model(str(tmp_path), RuntimeWishes(device="nonsense"))
    runtime = load_model(str(tmp_path), RuntimeWishes(device="cpu", dtype="bfloat16")).runtime
    assert isinstance(runtime, TorchRuntime)
    assert str(runtime.network.dtype) == "torch.bfloat16"


def test_settings_go_before_what_is_found(tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    model = load_model(str(tmp_path), fim={"order": "prefix-suffix-middle", "ends": ["<fim-pad>"]})
    assert (model.fim_format.order, model.fim_format.ends) == ("prefix-suffix-middle", ("<fim-pad>",))
    with pytest.raises(ModelError, match="has no token '<PRE>'"):
        load_model(str(tmp_path), fim={"prefix": "<PRE>"})


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"format": "nonsense"}, "no FIM format is called 'nonsense'"),
        ({"begin": "x"}, "has no begin"),
        ({"prefix": ""}, "prefix must be a token"),
        ({"order": "middle-first"}, "order must be one of"),
        ({"ends": "x"}, "ends must be a list"),
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        overridden(FIM_FORMATS[0], settings)


def test_a_format_of_the_settings_alone() -> None:
    with pytest.raises(ValueError, match="at least prefix, suffix and order"):
        overridden(None, {"prefix": "<P>"})
    settings: dict[str, object] = {
        "prefix": "<P>",
        "suffix": "<S>",
        "order": "suffix-prefix-middle",
        "middle": None,
    }
    assert overridden(None, settings).tokens == ("<P>", "<S>")
    assert overridden(None, {"format": "qwen"}).name == "qwen"
