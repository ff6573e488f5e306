"""Replay's verdicts on a text: whether the file parses, whether the text stays in its scope, whether tests
pass."""

from __future__ import annotations

import sys
import time

import pytest
from hypothesis import given
from hypothesis.strategies import text

from fim_lsp.replay import sandbox
from fim_lsp.replay.case import Case
from fim_lsp.replay.escape import escape
from fim_lsp.replay.judge import ParserJudge, edit_distance, function_only, judged_outcome, similarity
from fim_lsp.replay.outcome import CaseOutcome
from fim_lsp.replay.sandbox import Verdict, verdict

HOLE = "$0"
RUNS_PROGRAMS = pytest.mark.skipif(
    not sandbox.IS_SUPPORTED, reason="this system has nothing to hold a program that a model wrote"
)


@pytest.mark.parametrize(
    ("source", "middle", "expected"),
    [
        # The paper's example: the text leaves the call and begins another one.
        ("f(a, $0)", "b)\nprint(c", "bracket"),
        ("f(a, $0)", "b, (c), [d]", None),
        ("f(a, $0", "b)\nprint(c)", None),
        ("$0)", "print(c", None),
        ("x = [$0]", "]; y = [", "bracket"),
        ("x = {1: [$0]}", "2], 3: [4", "bracket"),
        ("x = '$0'", ")('", None),
        ("def f():\n    a\n$0    b\n", "def g():\n", "block"),
        ("def f():\n    a\n$0    b\n", "    if c:\n        d\n", None),
        ("def f():\n    a\n$0b\n", "c\n", None),
        ("def f():\n    $0\n", "pass", None),
        ("def f():\n    a\n$0", "def g():\n    b\n", None),
    ],
)
def test_escapes(source: str, middle: str, expected: str | None) -> None:
    left, right = source.split(HOLE)
    assert escape(left, middle, right) == expected


@pytest.mark.parametrize(
    ("text", "kind", "is_indentation"),
    [
        ("f(", "SyntaxError", False),
        ("if a:\nb\n", "IndentationError", True),
        ("if a:\n        b\n\tc\n", "TabError", True),
        ("(" * 10_000, "MemoryError" if sys.version_info < (3, 12) else "SyntaxError", False),
    ],
)
def test_faults(text: str, kind: str, is_indentation: bool) -> None:
    fault = ParserJudge().fault(text)
    assert fault is not None
    assert fault.kind in (kind, "SyntaxError")
    assert fault.is_indentation == is_indentation


def test_warnings_of_a_text_are_not_ours() -> None:
    assert ParserJudge().accepts("x = '\\d' if 1 is 1 else 2\n")


def test_similarity_is_what_need_not_be_edited() -> None:
    assert similarity("abcd", "abcd") == similarity("", "") == 1.0
    assert similarity("ab", "cd") == similarity("", "a") == 0.0
    assert similarity("abcx", "abcd") == 0.75
    assert similarity("bcd", "abcd") == similarity("abcd", "bcd") == 0.75


def plain_edit_distance(text: str, other: str) -> int:
    """The edit distance by the full table, row by row."""
    row = list(range(len(other) + 1))
    for number, character in enumerate(text, 1):
        above, row = row, [number]
        for column, wanted in enumerate(other, 1):
            row.append(min(above[column] + 1, row[-1] + 1, above[column - 1] + (character != wanted)))
    return row[-1]


@given(text(alphabet="ab \u00e4", max_size=80), text(alphabet="ab \u00e4", max_size=80))
def test_edit_distances(one: str, other: str) -> None:
    assert edit_distance(one, other) == plain_edit_distance(one, other)


PROBLEM = "def double(x):\n"
CASE = Case("p", PROBLEM + "    return 2 * x\n", len(PROBLEM), len(PROBLEM) + 17, "assert double(3) == 6\n")


@pytest.mark.parametrize(
    ("text", "parses", "passes", "raised"),
    [
        pytest.param("    return x + x\n", True, True, None, marks=RUNS_PROGRAMS),
        pytest.param("    return x\n", True, False, "AssertionError", marks=RUNS_PROGRAMS),
        pytest.param("    return y\n", True, False, "NameError", marks=RUNS_PROGRAMS),
        ("    return (\n", False, False, "SyntaxError"),
        ("  x\n    return x", False, False, "IndentationError"),
    ],
)
def test_outcomes(text: str, parses: bool, passes: bool, raised: str | None) -> None:
    outcome = judged_outcome(CASE, CaseOutcome(text), ParserJudge(), "left to right", has_tests=True)
    assert (outcome.parses, outcome.passes, outcome.raised) == (parses, passes, raised)
    assert outcome.fault == (None if parses else raised)


def test_without_tests_nothing_passes_or_fails() -> None:
    assert (
        judged_outcome(
            CASE, CaseOutcome("    return x"), ParserJudge(), "left to right", has_tests=False
        ).passes
        is None
    )


@pytest.mark.parametrize(
    ("task", "behind", "is_exact"),
    [
        ("left to right", "", True),
        ("hole", "", True),
        ("hole", "\n\nprint(1)\n", True),
        ("hole", "print(1)\n", False),
    ],
)
def test_white_space_counts_in_front_of_a_line_alone(task: str, behind: str, is_exact: bool) -> None:
    case = Case("p", CASE.text + behind, CASE.start, CASE.stop)
    outcome = CaseOutcome("    return 2 * x")
    judged = judged_outcome(case, outcome, ParserJudge(), task, has_tests=False)  # type: ignore[arg-type]
    assert judged.is_exact is is_exact


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("    return x\n\n\ndef other():\n    retur", "    return x\n\n\n"),
        ("    return x\nprint(double(", "    return x\n"),
        # A stop inside a string ends nothing.
        ('    """\ndef no\n    """\n    return x\n', '    """\ndef no\n    """\n    return x\n'),
        # A broken file stays broken.
        ("    return (\ndef other():\n    pass\n", "    return (\ndef other():\n    pass\n"),
    ],
)
def test_what_follows_the_function_does_not_count(text: str, expected: str) -> None:
    assert function_only(CASE, text, ParserJudge()) == expected


@RUNS_PROGRAMS
@pytest.mark.parametrize(
    ("program", "error"),
    [
        ("raise SystemExit(0)", "SystemExit"),
        ("import os; os._exit(0)", "killed"),
        ("x = bytearray(3 * 10**9)", "MemoryError"),
        ("open('big', 'wb').write(b'x' * 10**7)", "PermissionError"),
        ("import socket; socket.create_connection(('192.0.2.1', 53), 1)", "PermissionError"),
        ("import os; assert not os.environ.get('HOME')", None),
        ("import sys; sys.stdin.read(); print('x' * 10**6)", None),
    ],
)
def test_programs_in_the_sandbox(program: str, error: str | None) -> None:
    found = verdict(program, seconds=5)
    assert found == Verdict(error is None, error)


@RUNS_PROGRAMS
def test_a_program_that_never_ends_is_ended() -> None:
    start = time.monotonic()
    assert verdict("while True: pass", seconds=1) == Verdict(False, "Timeout")
    assert time.monotonic() - start < 30


@RUNS_PROGRAMS
def test_a_program_that_waits_is_ended() -> None:
    assert verdict("import time\ntime.sleep(99)", seconds=1) == Verdict(False, "Timeout")


@RUNS_PROGRAMS
def test_without_namespaces_the_limits_still_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "namespaces", lambda: ())
    assert verdict("assert 1 + 1 == 2") == Verdict(True)
    assert verdict("x = bytearray(3 * 10**9)") == Verdict(False, "MemoryError")
