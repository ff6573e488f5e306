"""The reference and other versions of CPython agree, if FIM_PYTHONS names interpreters.

Differences that the corpus of versions explains are left out here: joined lines in an indentation in 3.9, and
line breaks in specifications of 3.12.
"""

from __future__ import annotations

import pytest

from tests.reference.fillings import CONTEXTS, TEXT_CONTEXTS, fillings, text_fillings
from tests.reference.fuzz import changed_statements, changed_texts, derived_statements
from tests.reference.oracles import VARIABLE, Oracle, oracle
from tests.reference.reference import Reference

OTHERS = ("3.8", "3.9", "3.10", "3.12", "3.13", "3.14", "3.15")
WITH_TEXTS = ("3.13", "3.14")
"""The versions whose layout and f-strings the reference has without an exception."""


def judge_of(version: str) -> Oracle:
    judge = oracle(version)
    if judge is None:
        pytest.skip(f"no CPython {version}: {VARIABLE} does not name one")
    return judge


def check_statements(version: str, tries: int) -> None:
    judge, reference = judge_of(version), Reference.load(f"python-{version}")
    for source in (changed_statements, derived_statements):
        assert not list(judge.disagreements(source(reference, tries, 5)))


def check_fillings(version: str, longest: int) -> None:
    judge, reference = judge_of(version), Reference.load(f"python-{version}")
    for context in CONTEXTS:
        assert not list(judge.disagreements(fillings(reference, context, longest))), context


def check_texts(version: str, tries: int, longest: int) -> None:
    judge, reference = judge_of(version), Reference.load(f"python-{version}")
    assert not list(judge.disagreements(changed_texts(reference, tries, 5)))
    for context in TEXT_CONTEXTS:
        assert not list(judge.disagreements(text_fillings(reference, context, longest))), context


@pytest.mark.parametrize("version", OTHERS)
def test_statements(version: str) -> None:
    check_statements(version, 2_000)


@pytest.mark.parametrize("version", OTHERS)
def test_short_fillings(version: str) -> None:
    check_fillings(version, 2)


@pytest.mark.parametrize("version", WITH_TEXTS)
def test_texts(version: str) -> None:
    check_texts(version, 2_000, 2)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("version", OTHERS)
def test_many_statements(version: str) -> None:
    check_statements(version, 100_000)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("version", OTHERS)
def test_longer_fillings(version: str) -> None:
    check_fillings(version, 4)


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("version", WITH_TEXTS)
def test_many_texts(version: str) -> None:
    check_texts(version, 200_000, 4)
