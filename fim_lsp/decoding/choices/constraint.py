"""Constraints on a completion beside the grammar.

The chooser asks each of them, in the order of a list, about each token that the engine allows. The first one
that refuses the token is the reason that is reported.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import ClassVar, Protocol

from fim_lsp.decoding.texts.hypothesis import Hypothesis

FIRST_WORD = re.compile(rb"\s*(\w+)")


class Constraint(Protocol):
    """A constraint on texts."""

    # The reason that the user sees if it refuses a token.
    why: ClassVar[str]
    # Whether it gives way if it refuses everything that fits.
    gives_way: ClassVar[bool] = True
    # Whether it allows so few tokens that they need not be among the likeliest.
    is_selective: ClassVar[bool] = False
    # Whether a text that may end does so in front of a token that it refuses.
    ends_text: ClassVar[bool] = False
    # Whether it is about the column of a line, so that the line's blanks may be to blame.
    is_of_column: ClassVar[bool] = False

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text may follow the written one. The engine allows it already."""

    def may_end(self, hypothesis: Hypothesis) -> bool:  # noqa: ARG002 - most want nothing
        """Whether a text may end, as far as this constraint is concerned."""
        return True


@dataclass(frozen=True, slots=True)
class Distinct(Constraint):
    """A text must not begin like another completion; beginnings are compared without white space around
    them. If the right context was repeated, the text's first word must not be its first word."""

    why: ClassVar[str] = "taken"
    gives_way: ClassVar[bool] = False
    taken: set[bytes]
    repeated: set[bytes] = field(default_factory=set)

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        begun = text.strip()
        # White space begins no text yet, even if an empty one was written before.
        if begun and not hypothesis.first and begun in self.taken:
            return False
        word = FIRST_WORD.match(hypothesis.text + text) if self.repeated else None
        return word is None or word[1] not in self.repeated

    def may_end(self, hypothesis: Hypothesis) -> bool:
        return not (self.taken or self.repeated) or bool(hypothesis.first)
