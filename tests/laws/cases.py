"""Cases that a law is asked about, failures that it reports, and the outcome of many cases.

A case is a hole in a file: the text to its left, the text typed into it, the text to its right. A failure
carries its case whole, so that it can be run again without the file that it came from.
"""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Case:
    """The text left of a hole, the text typed into it, and the text right of it."""

    left: str
    middle: str
    right: str

    @property
    def whole(self) -> str:
        """The file after the middle has been typed."""
        return self.left + self.middle + self.right


@dataclass(frozen=True, slots=True)
class Failure:
    """One broken law: what broke, on which case, found where."""

    law: str
    kind: str
    case: Case
    detail: str = ""
    origin: str = ""


# How often something was checked, by name: "cuts", "prefixes", "members", and what was left out and why.
Tally = Counter[str]

LOST = "chunks lost with their process"


@dataclass(slots=True)
class Outcome:
    """The outcome of some checks."""

    tally: Tally = field(default_factory=Tally)
    failures: list[Failure] = field(default_factory=list)

    @property
    def n_failures(self) -> int:
        """How many checks failed, a lost process being one."""
        return self.tally["failures"] + self.tally[LOST]

    def add(self, other: "Outcome") -> None:
        """Take in what came of others."""
        self.tally.update(other.tally)
        self.failures.extend(other.failures)
