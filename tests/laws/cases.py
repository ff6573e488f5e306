"""Cases of the laws, their failures, and the outcome of many cases.

A case is a hole in a file: the text to its left, the text typed into it, the text to its right. A failure
contains its case, so that it can be run again without the file that it came from.
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
    """One broken law: what broke, in which case, found where."""

    law: str
    kind: str
    case: Case
    detail: str = ""
    origin: str = ""


# The number of checks of each kind ("cuts", "prefixes", "members"), and of cases left out, with the reason.
Tally = Counter[str]

LOST = "chunks lost with their process"


@dataclass(slots=True)
class Outcome:
    """The outcome of some checks."""

    tally: Tally = field(default_factory=Tally)
    failures: list[Failure] = field(default_factory=list)

    @property
    def n_failures(self) -> int:
        """The number of failed checks; a lost process counts as one."""
        return self.tally["failures"] + self.tally[LOST]

    def add(self, other: "Outcome") -> None:
        """Adds the outcome of other checks."""
        self.tally.update(other.tally)
        self.failures.extend(other.failures)
