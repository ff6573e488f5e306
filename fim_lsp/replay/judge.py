"""The judge: the language's own parser, and the similarity of a text to the true middle.

A generation succeeds if `ast.parse` accepts the filled file, as in the paper, or for other languages their
own parsers (`judges/`).
"""

from __future__ import annotations

import ast
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from fim_lsp.known_languages import language_named
from fim_lsp.replay import judges
from fim_lsp.replay.case import Case
from fim_lsp.replay.escape import escape
from fim_lsp.replay.outcome import CaseOutcome
from fim_lsp.replay.sandbox import verdict

# What ends a function that a model writes left to right, by the convention of HumanEval.
STOPS = ("\nclass ", "\ndef ", "\n#", "\nif ", "\nprint(", "\n@", "\nassert ")
# The two kinds of experiment: fill a hole of a file, or write what follows a prompt.
Task = Literal["hole", "left to right"]


@dataclass(frozen=True, slots=True)
class ParseFault:
    """The reason why a text does not parse: the exception, as in SynCode's table 1, and its message."""

    kind: str
    message: str
    line: int | None = None

    @property
    def is_indentation(self) -> bool:
        return self.kind in ("IndentationError", "TabError")


@dataclass(frozen=True, slots=True)
class ParserJudge:
    """Parses as one version of Python, or another language. `feature_version` is None for this interpreter's
    version."""

    feature_version: tuple[int, int] | None = None
    language: str = "python"

    @classmethod
    def of(cls, version: str | None, language: str = "python") -> ParserJudge:
        """The judge for `X.Y` or `X.Y.Z`, or for another language; a ValueError for a version that this
        interpreter cannot judge, and where there is no judge on this machine."""
        if language != "python":
            judges.check(language)
            return cls(language=language)
        if version is None:
            return cls()
        # `3.12.10` is judged as 3.12.
        major, minor = (int(part) for part in version.split(".")[:2])
        mine = sys.version_info[:2]
        if (major, minor) > mine:
            raise ValueError(
                f"the judge is the parser of this Python, {mine[0]}.{mine[1]}; to replay Python {version},"
                f" run fim-lsp on Python {version} or later"
            )
        return cls(None if (major, minor) == mine else (major, minor))

    def fault(self, text: str) -> ParseFault | None:
        """The fault of a text; None if it parses."""
        if self.language != "python":
            found = judges.fault(self.language, text)
            return None if found is None else ParseFault("SyntaxError", found[1], found[0])
        try:
            with warnings.catch_warnings():
                # Warnings of invalid escapes and of `1is 2` are for their authors, not for us.
                warnings.simplefilter("ignore")
                ast.parse(text, feature_version=self.feature_version)
        except SyntaxError as error:
            return ParseFault(type(error).__name__, error.msg, error.lineno)
        except (ValueError, RecursionError, MemoryError) as error:
            # A null byte, or more nesting than the parser has room for.
            return ParseFault(type(error).__name__, str(error))
        return None

    def accepts(self, text: str) -> bool:
        return self.fault(text) is None


def similarity(text: str, wanted: str) -> float:
    """Edit similarity, from 0 to 1: how much of the longer text need not be edited to get the other one."""
    longest = max(len(text), len(wanted))
    return 1.0 if longest == 0 else round(1 - edit_distance(text, wanted) / longest, 4)


def edit_distance(text: str, other: str) -> int:
    """The least number of characters to insert, delete and replace (Levenshtein's distance).

    Myers' algorithm in Hyyrö's form: a column of the table of distances is two numbers whose bits say where
    it rises and where it falls from row to row. Python's integers have as many bits as it takes.
    """
    short, long = sorted((text, other), key=len)
    if not short:
        return len(long)
    places: dict[str, int] = {}
    for idx, character in enumerate(short):
        places[character] = places.get(character, 0) | 1 << idx
    last, mask = 1 << (len(short) - 1), (1 << len(short)) - 1
    rises, falls, distance = mask, 0, len(short)
    for character in long:
        same = places.get(character, 0)
        vertical = same | falls
        horizontal = (((same & rises) + rises) ^ rises) | same
        rises_right = falls | (mask & ~(horizontal | rises))
        falls_right = rises & horizontal
        distance += bool(rises_right & last) - bool(falls_right & last)
        rises_right = (rises_right << 1 | 1) & mask
        rises = (falls_right << 1 | ~(vertical | rises_right)) & mask
        falls = rises_right & vertical
    return distance


def judged_outcome(
    case: Case, outcome: CaseOutcome, judge: ParserJudge, task: Task, has_tests: bool
) -> CaseOutcome:
    """The outcome with the verdicts of the parser and of the tests, and its likeness to the true middle."""
    if task == "left to right":
        outcome.text = function_only(case, outcome.text, judge)
    text = case.with_middle(outcome.text)
    fault = judge.fault(text)
    outcome.parses = fault is None
    if fault is not None:
        outcome.fault, outcome.message = fault.kind, fault.message
    outcome.is_exact = is_same(outcome.text, case, task)
    outcome.similarity = similarity(outcome.text, case.middle)
    if outcome.parses:
        outcome.escape = escape(case.left, outcome.text, case.right, language_named(case.language))
    if case.tests and has_tests:
        result = verdict(f"{text}\n{case.tests}") if outcome.parses else None
        outcome.passes = result is not None and result.has_passed
        outcome.raised = outcome.fault if result is None else result.error
    return outcome


def is_same(text: str, case: Case, task: Task) -> bool:
    """Whether a text is the true middle.

    Where the file ends behind it, or another line break follows, white space at its end does not count: the
    data sets have it or not, and an editor shows the same lines.
    """
    is_line_over = task == "left to right" or case.right[:1] in ("", "\n", "\r")
    return text.rstrip() == case.middle.rstrip() if is_line_over else text == case.middle


def function_only(case: Case, text: str, judge: ParserJudge) -> str:
    """The text without the part that a model writes behind the function that was asked for, in any mode.

    The text is cut only where the rest parses, as a stop may stand in a string. So this repairs no function:
    a text that parses only after the cut has its fault behind the function.
    """
    places = sorted(place for stop in STOPS for place in occurrences(text, stop))
    shorter = (text[: place + 1] for place in places)
    return next((one for one in shorter if judge.accepts(case.with_middle(one))), text)


def occurrences(text: str, part: str) -> Iterator[int]:
    place = text.find(part)
    while place >= 0:
        yield place
        place = text.find(part, place + 1)
