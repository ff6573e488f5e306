"""The corpus: its verdicts are CPython's, and the engine's are the corpus's."""

import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from quotient import Language, NoCompletion
from tests.laws.oracle import parses

CORPUS = Path(__file__).parents[1] / "corpus"
IS_HOST_OF_THE_CORPUS = sys.version_info[:2] == (3, 11)
# One test for each file, which names all its failing cases. With one test for each case, pytest would take
# many times as long as the engine.
each_file = pytest.mark.parametrize("name", sorted(path.stem for path in CORPUS.glob("*.jsonl")))


@dataclass(frozen=True, slots=True)
class CorpusCase:
    """A line of the corpus, in the format of its README."""

    name: str
    left: str
    middle: str
    right: str
    member: bool
    completable: bool
    completion: str | None
    why: str


def cases(name: str) -> list[CorpusCase]:
    """Read every case of a file."""
    lines = (CORPUS / f"{name}.jsonl").read_text("utf-8").splitlines()
    return [CorpusCase(**json.loads(line)) for line in lines]


def faults(cases: Iterable[CorpusCase], check: Callable[[CorpusCase], None]) -> dict[str, str]:
    """The failures of a check, by the names of the cases."""
    found = {}
    for case in cases:
        try:
            check(case)
        except AssertionError as error:
            found[case.name] = f"{case.why} {error}"
    return found


@pytest.fixture(scope="module")
def language() -> Language:
    return Language.load("python", version="3.11")


def test_names_are_unique() -> None:
    names = [case.name for path in CORPUS.glob("*.jsonl") for case in cases(path.stem)]
    assert len(set(names)) == len(names) > 1_000


@pytest.mark.skipif(not IS_HOST_OF_THE_CORPUS, reason="the verdicts are those of CPython 3.11")
@each_file
def test_verdicts_are_those_of_the_parser(name: str) -> None:
    def check(case: CorpusCase) -> None:
        assert parses(case.left + case.middle + case.right) == case.member
        assert case.completable == (case.completion is not None)
        if case.completion is not None:
            assert parses(case.left + case.middle + case.completion + case.right)

    assert faults(cases(name), check) == {}


@each_file
def test_engine_agrees(language: Language, name: str) -> None:
    def check(case: CorpusCase) -> None:
        try:
            recognizer = language.recognizer(case.left, case.right)
        except NoCompletion:
            assert not case.completable
            return
        assert recognizer.advance(case.middle) == case.completable
        if case.completable:
            assert recognizer.is_member() == case.member
            assert (recognizer.witness() == "") == case.member
        if case.completion is not None:
            assert recognizer.advance(case.completion)
            assert recognizer.is_member()

    assert faults(cases(name), check) == {}


@pytest.mark.skipif(not IS_HOST_OF_THE_CORPUS, reason="witnesses are judged by CPython 3.11")
@each_file
def test_witness_parses(language: Language, name: str) -> None:
    def check(case: CorpusCase) -> None:
        recognizer = language.recognizer(case.left, case.right)
        assert recognizer.advance(case.middle)
        assert parses(case.left + case.middle + recognizer.witness() + case.right)

    assert faults((case for case in cases(name) if case.completable), check) == {}
