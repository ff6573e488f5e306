"""The bundled model's tokens, computed without `tokenizers`, equal those of `tokenizers`."""

from __future__ import annotations

import json
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.byte_pairs import BytePairTokens
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.runtimes.folder import ModelError
from tests.laws.sources import library_text
from tests.thoroughness import n_tries

FORMAT = next(known for known in FIM_FORMATS if known.name == "santacoder")


def ours() -> Callable[[str], list[int]]:
    return BytePairTokens.at(BUNDLED, 8192).encoder(FORMAT)


def theirs() -> Callable[[str], list[int]]:
    tokenizer: Any = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    tokenizer.encode_special_tokens = True
    return lambda text: list(tokenizer.encode(text, add_special_tokens=False).ids)


OURS, THEIRS = ours(), theirs()


def check(text: str) -> None:
    assert OURS(text) == THEIRS(text), text


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "   x",
        "\n\n\n",
        "\t \r\n x\n",
        "a  \n",
        "don't we'll I'm 'tis 'S",
        "x=1234567.89e10 ",
        "<fim-middle> <|endoftext|><fim-prefix>",
        "__init__ _ a_b ___",
        "é数 \u0301a\u200b \u2028 \u3000x \x1c\x1d \x85",
        "½ ² Ⅷ 一二三 ٣٤ 𝟙 ①",
        "😀👩‍👩‍👧 \U0001f1e9\U0001f1ea",
        "-" * 999 + " " * 999 + "a" * 999,
    ],
)
def test_texts_that_are_cut_in_their_own_way(text: str) -> None:
    check(text)


@pytest.mark.parametrize("seed", range(n_tries(8, 20)))
def test_real_files(seed: int) -> None:
    check(library_text(20_000, seed=seed))


@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    check(text.encode(errors="ignore").decode())


def test_every_character_that_both_know() -> None:
    """Each character stands in front of a letter, behind one, between blanks, and twice; several hundred in
    one text."""
    known = (chr(point) for point in range(0x30000) if not 0xD800 <= point < 0xE000)
    assigned = [character for character in known if unicodedata.category(character) not in ("Cn", "Co", "Lo")]
    # Most characters are ideographs and syllables, which all behave alike here.
    assigned += [chr(point) for point in range(0x80, 0x30000, 97) if unicodedata.category(chr(point)) == "Lo"]
    assert len(assigned) > 10_000
    for start in range(0, len(assigned), 500):
        check("".join(f"a{one}b {one} 1{one}{one}\n{one}" for one in assigned[start : start + 500]))


def test_a_long_word_is_no_trap() -> None:
    """Joining its pairs from the left one by one would take minutes."""
    start = time.perf_counter()
    check("ab" * 50_000)
    assert time.perf_counter() - start < 30


@pytest.mark.parametrize(
    "change",
    [
        {"normalizer": {"type": "NFC"}},
        {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": False, "use_regex": True}},
        {"pre_tokenizer": None},
        {"model": {"type": "Unigram"}},
        {"model": None},
    ],
)
def test_other_kinds_are_refused(change: dict[str, Any], tmp_path: Path) -> None:
    for name in ("tokenizer_config.json", "generation_config.json"):
        (tmp_path / name).write_bytes((BUNDLED / name).read_bytes())
    described = json.loads((BUNDLED / "tokenizer.json").read_text(encoding="utf-8"))
    (tmp_path / "tokenizer.json").write_text(json.dumps(described | change), encoding="utf-8")
    with pytest.raises(ModelError, match="of a kind that is not read without PyTorch"):
        BytePairTokens.at(tmp_path, 8192)
