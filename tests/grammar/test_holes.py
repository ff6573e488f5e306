"""Holes in texts of any version: the corpus's verdicts are CPython's, and the engine's are the corpus's."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from quotient import Language, NoCompletion
from tests.reference.oracles import VARIABLE, oracle
from tests.reference.version_table import VERSIONS

CORPUS = Path(__file__).parents[1] / "corpus" / "grammar" / "holes.jsonl"


@dataclass(frozen=True, slots=True)
class HoleCase:
    """A line of the corpus, in the format of its README."""

    name: str
    versions: tuple[str, ...]
    left: str
    middle: str
    right: str
    member: bool
    completion: str | None
    why: str


def case_of(line: dict[str, Any]) -> HoleCase:
    return HoleCase(**{**line, "versions": tuple(line["versions"])})


CASES = [case_of(json.loads(line)) for line in CORPUS.read_text("utf-8").splitlines()]
RUNS = [(case, version) for case in CASES for version in case.versions]
each_run = pytest.mark.parametrize(("case", "version"), RUNS, ids=lambda part: getattr(part, "name", part))


def test_the_corpus_is_well_formed() -> None:
    assert len({case.name for case in CASES}) == len(CASES)
    for case in CASES:
        assert set(case.versions) <= set(VERSIONS)
        assert case.why


def witness(case: HoleCase, version: str) -> str | None:
    """The engine's witness, checked against the case; None if the engine says that nothing fits."""
    try:
        recognizer = Language.load("python", version).recognizer(case.left, case.right)
    except NoCompletion:
        return None
    if not recognizer.advance(case.middle):
        return None
    assert recognizer.is_member() == case.member, case.why
    found = recognizer.witness()
    assert (found == "") == case.member
    assert case.completion is not None, case.why
    assert recognizer.advance(case.completion), case.why
    assert recognizer.is_member(), case.why
    return found


@each_run
def test_the_engine(case: HoleCase, version: str) -> None:
    assert (witness(case, version) is None) == (case.completion is None), case.why


@each_run
def test_cpython(case: HoleCase, version: str) -> None:
    judge = oracle(version)
    if judge is None:
        pytest.skip(f"no CPython {version}: {VARIABLE} does not name one")
    texts = [case.left + case.middle + case.right]
    found = [case.completion, witness(case, version)]
    texts += [case.left + case.middle + text + case.right for text in found if text is not None]
    assert judge.verdicts(texts) == [case.member, *(True for _ in texts[1:])]
