"""Constraints: what a completion is held to beside the grammar.

Each is asked of each token that the engine lets through, in the order of a list. The first one that is
against a token is the reason why it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

from fim_lsp.decoding.texts.hypothesis import Hypothesis


class Constraint(Protocol):
    """A constraint that a text is held to."""

    # The reason that people are told where it refuses a token.
    why: ClassVar[str]
    # Whether it gives way where it is against all that fits; what has to stay is asked for in another way.
    gives_way: ClassVar[bool] = True
    # Whether it lets through so few tokens that none of them need be among the likeliest.
    is_selective: ClassVar[bool] = False

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text may come behind what has been written. The engine lets it through."""

    def may_end(self, hypothesis: Hypothesis) -> bool:  # noqa: ARG002 - most want nothing
        """Whether nothing more has to come on its account."""
        return True


@dataclass(frozen=True, slots=True)
class Distinct(Constraint):
    """A text begins with none of what other completions began with; those have no white space around them."""

    why: ClassVar[str] = "taken"
    gives_way: ClassVar[bool] = False
    taken: set[bytes]

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        return bool(hypothesis.first) or text.strip() not in self.taken

    def may_end(self, hypothesis: Hypothesis) -> bool:
        return not self.taken or bool(hypothesis.first)
