"""Every version of Python: the corpus of versions, and the verdicts of five judges.

A case names each judge that differs from it, with the versions and the reason. So a difference that
disappears fails as much as a new one.
"""

from __future__ import annotations

import ast
import json
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement, pairwise, zip_longest
from pathlib import Path
from typing import Any

import pytest

from quotient import Language, NoCompletion
from tests.membership import is_member
from tests.reference.oracles import VARIABLE, oracle
from tests.reference.reference import Reference
from tests.reference.statements import names_a_character
from tests.reference.version_table import PAGE, VERSIONS, cases, page_with_tables

CASES = cases()
JUDGES = ("engine", "cuts", "reference", "ruff", "feature_version", "cpython")
every_version = pytest.mark.parametrize("version", VERSIONS)


def expected(case: dict[str, Any], judge: str, version: str) -> bool:
    """The verdict of a judge: that of the case, unless the case names this judge as different."""
    differs = version in case.get(judge, {"versions": ()})["versions"]
    return (version in case["accepted"]) != differs


def wrong(judge: str, version: str, is_accepted: Callable[[dict[str, Any]], bool]) -> list[str]:
    return [case["name"] for case in CASES if is_accepted(case) != expected(case, judge, version)]


def test_the_corpus_is_well_formed() -> None:
    assert len(CASES) >= 400
    for key in ("name", "text"):
        assert not [value for value, n in Counter(case[key] for case in CASES).items() if n > 1]
    for case in CASES:
        assert case["source"]
        assert case["accepted"] == [version for version in VERSIONS if version in case["accepted"]]
        for judge in set(case) - {"name", "construct", "source", "text", "accepted"}:
            assert judge in JUDGES
            assert set(case[judge]["versions"]) <= set(VERSIONS)
            assert case[judge]["why"]


def test_every_version_differs_from_the_one_before() -> None:
    for earlier, later in pairwise(VERSIONS):
        new = [case for case in CASES if later in case["accepted"] and earlier not in case["accepted"]]
        assert len(new) >= 5, later


@every_version
def test_the_engine(version: str) -> None:
    assert not wrong("engine", version, lambda case: is_member("python", case["text"], version=version))


@every_version
def test_the_engine_wherever_a_short_text_is_cut(version: str) -> None:
    assert not faulty_cuts(version, 8)


@pytest.mark.long
@pytest.mark.timeout(1800)
@every_version
def test_the_engine_wherever_a_text_is_cut(version: str) -> None:
    assert not faulty_cuts(version, 30)


def faulty_cuts(version: str, longest: int) -> list[tuple[str, int, int]]:
    """Any part of a text may be typed into a hole; the verdict should be the same."""
    language = Language.load("python", version)
    short = [case for case in CASES if len(case["text"]) <= longest and version not in differences(case)]
    return [
        (case["name"], start, stop)
        for case in short
        for start, stop in combinations_with_replacement(range(len(case["text"]) + 1), 2)
        if is_filling(language, case["text"], start, stop) != (version in case["accepted"])
    ]


def differences(case: dict[str, Any]) -> list[str]:
    """The versions in which the engine is known to be wrong about a text or some of its cuts."""
    return [
        version for field in ("engine", "cuts") for version in case.get(field, {"versions": []})["versions"]
    ]


def is_filling(language: Language, text: str, start: int, stop: int) -> bool:
    try:
        recognizer = language.recognizer(text[:start], text[stop:])
    except NoCompletion:
        return False
    return recognizer.advance(text[start:stop]) and recognizer.is_member()


@every_version
def test_the_reference(version: str) -> None:
    reference = Reference.load(f"python-{version}")

    def is_valid(case: dict[str, Any]) -> bool:
        # The reference does not know the names of characters.
        if names_a_character(case["text"]):
            return expected(case, "reference", version)
        return reference.is_valid(case["text"])

    assert not wrong("reference", version, is_valid)


@cache
def ruff_errors(folder: Path, version: str) -> set[str]:
    """The files in a folder that ruff refuses for a version."""
    target = "py" + version.replace(".", "")
    # One rule has to be selected. It is not about syntax, which ruff always reports.
    command = ["check", "--isolated", "--no-cache", "--select", "F401", "--output-format", "json"]
    ran = subprocess.run(
        [sys.executable, "-m", "ruff", *command, "--target-version", target, str(folder)],
        capture_output=True,
        check=False,
        encoding="utf-8",
    )
    found = json.loads(ran.stdout)
    return {Path(one["filename"]).stem for one in found if one["code"] in (None, "invalid-syntax")}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("versions")
    for number, case in enumerate(CASES):
        (folder / f"case{number}.py").write_bytes(case["text"].encode())
    return folder


@every_version
def test_ruff(version: str, folder: Path) -> None:
    errors = ruff_errors(folder, version)
    numbers = {case["name"]: number for number, case in enumerate(CASES)}
    assert not wrong("ruff", version, lambda case: f"case{numbers[case['name']]}" not in errors)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="what feature_version checks is that of 3.11")
@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10"])
def test_feature_version(version: str) -> None:
    major, minor = map(int, version.split("."))

    def is_parsed(case: dict[str, Any]) -> bool:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                ast.parse(case["text"], feature_version=(major, minor))
            except (SyntaxError, ValueError):
                return False
        return True

    different = wrong("feature_version", version, is_parsed)
    # Since 3.11.9 the check ignores `with`, about which it had been wrong.
    if sys.version_info >= (3, 11, 9):
        different = [name for name in different if not name.startswith("with in brackets")]
    assert not different


@every_version
def test_cpython(version: str) -> None:
    judge = oracle(version)
    if judge is None:
        pytest.skip(f"no CPython {version}: {VARIABLE} does not name one")
    texts = [case["text"] for case in CASES]
    verdicts = dict(zip(texts, judge.verdicts(texts), strict=True))
    assert not wrong("cpython", version, lambda case: verdicts[case["text"]] is True)


# 3.12.10 is the newest release of 3.12. It reads these as 3.13 does, and all others as 3.12.7 does.
MENDED_IN_3_12 = (
    "the inequality of PEP 401",
    "escapes in the source of a field with `=` that are none of text (not in 3.12)",
)


def in_3_12_10(judge: str, case: dict[str, Any]) -> bool:
    return expected(case, judge, "3.13" if case["construct"] in MENDED_IN_3_12 else "3.12")


def test_the_newest_release_of_3_12() -> None:
    language, reference = Language.load("python", "3.12.10"), Reference.load("python-3.12.10")
    judge = oracle("3.12.10")
    given = judge.verdicts([case["text"] for case in CASES]) if judge else []
    for case, verdict in zip_longest(CASES, given):
        text = case["text"]
        assert is_filling(language, text, 0, len(text)) == in_3_12_10("engine", case), text
        if not names_a_character(text):
            assert reference.is_valid(text) == in_3_12_10("reference", case), text
        assert verdict in (None, in_3_12_10("cpython", case)), text


def test_the_page_shows_the_corpus() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == page_with_tables(page), "run python -m tests.reference.version_table"
