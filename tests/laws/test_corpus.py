"""The corpus: its verdicts are CPython's, and the engine's are the corpus's."""

import json
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from quotient import Language, NoCompletion
from tests.laws.oracle import parses

CORPUS = Path(__file__).parents[1] / "corpus"
IS_HOST_OF_THE_CORPUS = sys.version_info[:2] == (3, 11)


@dataclass(frozen=True, slots=True)
class CorpusCase:
    """A line of the corpus, as its README describes it."""

    name: str
    left: str
    middle: str
    right: str
    member: bool
    completable: bool
    completion: str | None
    why: str


def cases() -> list[CorpusCase]:
    """Read every case of every file."""
    lines = [line for path in sorted(CORPUS.glob("*.jsonl")) for line in path.read_text("utf-8").splitlines()]
    return [CorpusCase(**json.loads(line)) for line in lines]


CASES = cases()


@pytest.fixture(scope="module")
def language() -> Language:
    return Language.load("python", version="3.11")


def test_names_are_unique() -> None:
    assert len({case.name for case in CASES}) == len(CASES)


@pytest.mark.skipif(not IS_HOST_OF_THE_CORPUS, reason="the verdicts are those of CPython 3.11")
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_verdicts_are_those_of_the_parser(case: CorpusCase) -> None:
    assert parses(case.left + case.middle + case.right) == case.member
    assert case.completable == (case.completion is not None)
    if case.completion is not None:
        assert parses(case.left + case.middle + case.completion + case.right)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_engine_agrees(language: Language, case: CorpusCase) -> None:
    try:
        recognizer = language.recognizer(case.left, case.right)
    except NoCompletion:
        assert not case.completable, case.why
        return
    assert recognizer.advance(case.middle) == case.completable, case.why
    if case.completable:
        assert recognizer.is_member() == case.member, case.why
        assert (recognizer.witness() == "") == case.member
    if case.completion is not None:
        assert recognizer.advance(case.completion), case.why
        assert recognizer.is_member(), case.why


@pytest.mark.skipif(not IS_HOST_OF_THE_CORPUS, reason="witnesses are judged by CPython 3.11")
@pytest.mark.parametrize("case", [case for case in CASES if case.completable], ids=lambda case: case.name)
def test_witness_parses(language: Language, case: CorpusCase) -> None:
    recognizer = language.recognizer(case.left, case.right)
    assert recognizer.advance(case.middle), case.why
    assert parses(case.left + case.middle + recognizer.witness() + case.right)
