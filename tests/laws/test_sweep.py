"""The sweep over all files finds the code in strings, asks every law, and can fail."""

import sys
from pathlib import Path

import pytest

from quotient import Language
from tests.laws.cases import Outcome
from tests.laws.sources import python_files
from tests.laws.sweep import NAMED, is_test, missing, snippets, visit, visit_files

pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the judge is CPython 3.11")


def test_the_code_in_strings_is_seen() -> None:
    found = list(snippets('"""\n>>> a = 1\n>>> def f(:\n...     b\n"""\nc("d = ", "\\ud800")\n'))
    assert found[:2] == ["a = 1\n", "def f(:\n    b\n"]
    assert found[-1] == "d = "


def test_every_law_is_asked_of_a_text() -> None:
    outcome = Outcome()
    visit(Language.load("python", version="3.11"), "if a:\n    b = c\n", "some.py", outcome)
    assert not outcome.failures
    for unit in ("texts", "cuts", "corrupted middles", "witnesses"):
        assert outcome.tally[unit] == 1


@pytest.mark.parametrize(("grammar", "text"), [("start: /[^@]+/", "a b\n"), ('start: "@"', "a = b\n")])
def test_a_wrong_verdict_is_found(grammar: str, text: str) -> None:
    outcome = Outcome()
    visit(Language.from_lark(grammar, start="start", layout="none"), text, "some.py", outcome)
    assert outcome.tally["failures"] == len(outcome.failures) > 0


def test_a_file_of_the_standard_library() -> None:
    files = [file for file in python_files() if file[0] == str(Path("json", "decoder.py"))]
    outcome = visit_files(files)
    assert outcome.tally["files"] == outcome.tally["cuts"] == 1
    assert not outcome.failures


def test_named_tests_that_are_not_there_are_told() -> None:
    assert missing([]) == list(NAMED)
    files = [file for file in python_files() if is_test(file)]
    assert all(file[0].startswith("test") for file in files)
