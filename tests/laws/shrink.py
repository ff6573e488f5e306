"""Makes a failing case small: leaves out lines, then characters, while it fails in the same way.

This is the usual delta debugging over each of the three texts, halves first. A time limit keeps a slow case
from delaying the run; the smallest case until then is reported.
"""

from collections.abc import Callable
from dataclasses import replace
from time import monotonic
from typing import Literal

from quotient import Language
from tests.laws.cases import Case
from tests.laws.verdicts import Question

Part = Literal["left", "middle", "right"]
PARTS: tuple[Part, ...] = ("left", "right", "middle")


def shrunk(question: Question, language: Language, case: Case, kind: str, seconds: float = 20.0) -> Case:
    """Return a smaller case to which the question gives the same answer."""
    deadline = monotonic() + seconds

    def fails(candidate: Case) -> bool:
        return monotonic() < deadline and question(language, candidate) == kind

    if not fails(case):
        return case
    size = -1
    while size != len(case.whole):
        size = len(case.whole)
        for part in PARTS:
            case = without(fails, case, part, getattr(case, part).splitlines(keepends=True))
        for part in PARTS:
            case = without(fails, case, part, list(getattr(case, part)))
    return case


def without(fails: Callable[[Case], bool], case: Case, part: Part, pieces: list[str]) -> Case:
    """Leave out runs of pieces from one part, from half of them down to single ones."""
    width = max(1, len(pieces) // 2)
    while pieces:
        position = 0
        while position < len(pieces):
            fewer = pieces[:position] + pieces[position + width :]
            candidate = replace(case, **{part: "".join(fewer)})
            if fails(candidate):
                case, pieces = candidate, fewer
            else:
                position += width
        if width == 1:
            break
        width //= 2
    return case
