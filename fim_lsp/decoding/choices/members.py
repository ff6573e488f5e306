"""The names that may come behind a dot, where a type checker knows the value in front of it.

value.app|        `value` is a list: `append` may come of it, and `apply` may not
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis

NAME = re.compile(rb"[\w\x80-\xff]*")


@dataclass(frozen=True, slots=True)
class Members(Constraint):
    """The names that may come at a place: behind a text of the hole, or behind what is begun left of it."""

    why: ClassVar[str] = "member"
    is_selective: ClassVar[bool] = True
    behind: bytes
    begun: bytes
    names: frozenset[bytes]

    @classmethod
    def of(cls, behind: str, begun: str, names: frozenset[str]) -> Members | None:
        """The members; None where none of them begins like that: the checker does not know the place."""
        if not any(name.startswith(begun) for name in names):
            return None
        return cls(behind.encode(), begun.encode(), frozenset(name.encode() for name in names))

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text may go on like that, as far as the name at this place is concerned."""
        whole = hypothesis.text + text
        if len(whole) <= len(self.behind) or not whole.startswith(self.behind):
            return True
        before, name = hypothesis.text[len(self.behind) :], self.begun + whole[len(self.behind) :]
        found = NAME.match(name)
        assert found is not None
        if len(self.begun + before) > found.end():
            # The name was written before.
            return True
        if found.end() < len(name):
            return found[0] in self.names
        return any(other.startswith(name) for other in self.names)
