"""The reference and CPython agree on single constructs, real files, damaged files and invented texts."""

from __future__ import annotations

import ast
import contextlib
import doctest
import json
import random
import re
import sys
import sysconfig
import textwrap
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import regex  # type: ignore[import-untyped]

from tests.reference.fillings import (
    CONTEXTS,
    TEXT_CONTEXTS,
    Context,
    TextContext,
    fillings,
    text_fillings,
)
from tests.reference.fuzz import SOURCES, Judged
from tests.reference.oracles import oracle
from tests.reference.reference import Reference
from tests.reference.statements import CORPUS, is_parsed, names_a_character
from tests.thoroughness import n_tries

REFERENCE = Reference.load("python-3.11")
CASES = [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]
CONSTRUCTS = sorted({case["name"].rpartition("-")[0] for case in CASES})
STANDARD_LIBRARY = Path(sysconfig.get_path("stdlib"))
needs_3_11 = pytest.mark.skipif(
    sys.version_info[:2] != (3, 11), reason="the grammar is that of CPython 3.11, the judge must be too"
)


def cases_of(construct: str) -> list[dict[str, str | bool]]:
    return [case for case in CASES if case["name"].rpartition("-")[0] == construct]


@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_reference_gives_the_verdict_of_every_case(construct: str) -> None:
    wrong = [case for case in cases_of(construct) if REFERENCE.is_valid(str(case["text"])) != case["valid"]]
    assert not wrong


@needs_3_11
@pytest.mark.parametrize("construct", CONSTRUCTS)
def test_cpython_gives_the_verdict_of_every_case(construct: str) -> None:
    wrong = [case for case in cases_of(construct) if is_parsed(str(case["text"])) != case["valid"]]
    assert not wrong


def test_every_construct_has_cases_of_both_kinds() -> None:
    assert len(CASES) > 3000
    for construct in CONSTRUCTS:
        assert {case["valid"] for case in cases_of(construct)} == {True, False}, construct


def standard_library() -> Iterator[tuple[Path, str]]:
    """The text of the standard library's files, tests included, without other packages."""
    for path in sorted(STANDARD_LIBRARY.rglob("*.py")):
        if "site-packages" not in path.parts:
            try:
                yield path, path.read_bytes().decode("utf-8")
            except UnicodeDecodeError:
                continue


def files_of_discord(files: list[tuple[Path, str]]) -> list[Path]:
    return [path for path, text in files if REFERENCE.is_valid(text) != is_parsed(text)]


@needs_3_11
def test_a_slice_of_the_standard_library() -> None:
    files = [(path, text) for path, text in standard_library() if len(text) < 20_000]
    assert not files_of_discord(random.Random(1).sample(files, n_tries(20, 60)))


@needs_3_11
@pytest.mark.long
@pytest.mark.timeout(1800)
def test_the_whole_standard_library() -> None:
    files = list(standard_library())
    assert len(files) > 1500
    assert not files_of_discord(files)


def snippets() -> set[str]:
    """The strings in the standard library's files: many contain code that its tests want refused."""
    found: set[str] = set()
    for _, text in standard_library():
        if not is_parsed(text):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) < 20_000:
                found.add(node.value)
                found.add(textwrap.dedent(node.value))
                with contextlib.suppress(ValueError):
                    examples = doctest.DocTestParser().get_examples(node.value)
                    found.update(example.source for example in examples)
    # Half a surrogate pair cannot occur in a file.
    return {text for text in found if not re.search("[\ud800-\udfff]", text)}


@needs_3_11
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::SyntaxWarning")
def test_texts_inside_the_standard_library() -> None:
    texts = {text for text in snippets() if not names_a_character(text) and not is_too_deep(text)}
    assert len(texts) > 50_000
    assert not [text for text in texts if REFERENCE.is_valid(text) != is_parsed(text)]


def is_too_deep(text: str) -> bool:
    """Whether CPython gives up for lack of stack, which says nothing about the language."""
    try:
        is_parsed(text)
    except (MemoryError, RecursionError):
        return True
    return False


def disagreements(judged: Iterator[Judged]) -> list[str]:
    judge = oracle("3.11")
    assert judge
    return list(judge.disagreements(judged))


@needs_3_11
@pytest.mark.parametrize("source", SOURCES)
def test_spoilt_and_invented_texts(source: Callable[[Reference, int, int], Iterator[Judged]]) -> None:
    assert not disagreements(source(REFERENCE, 3_000, 2))


@needs_3_11
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("source", SOURCES)
def test_many_spoilt_and_invented_texts(source: Callable[[Reference, int, int], Iterator[Judged]]) -> None:
    assert not disagreements(source(REFERENCE, 200_000, 3))


@needs_3_11
@pytest.mark.parametrize("context", CONTEXTS)
def test_every_short_filling(context: Context) -> None:
    assert not disagreements(fillings(REFERENCE, context, 3))


@needs_3_11
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("context", CONTEXTS)
def test_every_longer_filling(context: Context) -> None:
    assert not disagreements(fillings(REFERENCE, context, 5))


@needs_3_11
@pytest.mark.parametrize("context", TEXT_CONTEXTS)
def test_every_short_text(context: TextContext) -> None:
    assert not disagreements(text_fillings(REFERENCE, context, 3))


@needs_3_11
@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("context", TEXT_CONTEXTS)
def test_every_longer_text(context: TextContext) -> None:
    assert not disagreements(text_fillings(REFERENCE, context, 5))


@needs_3_11
def test_names_are_those_of_this_python() -> None:
    """The terminal's definition with the newest Unicode tables, for all characters.

    `\\p{Age=14.0}`, which the regex package lacks, stands for the characters in this Python's tables.
    """
    characters = [chr(code) for code in range(sys.maxunicode + 1) if not 0xD800 <= code < 0xE000]
    known = "".join(one for one in characters if unicodedata.category(one) != "Cn")
    starting = set(regex.findall(r"[_\p{XID_Start}]", known))
    continuing = set(regex.findall(r"(?V1)[\p{XID_Continue}--[\u200C\u200D\u30FB\uFF65]]", known))
    assert starting == {one for one in characters if one.isidentifier()}
    assert continuing == {one for one in characters if ("a" + one).isidentifier()}
