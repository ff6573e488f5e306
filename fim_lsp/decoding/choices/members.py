"""Members: the names allowed behind a dot, if a type checker knows the type of the value in front.

value.app|        `value` is a list: `append` is allowed, `apply` is not
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
    """The names allowed at a place: behind a text of the hole, or behind a name begun left of it."""

    why: ClassVar[str] = "member"
    is_selective: ClassVar[bool] = True
    behind: bytes
    begun: bytes
    names: frozenset[bytes]

    @classmethod
    def of(cls, behind: str, begun: str, names: frozenset[str]) -> Members | None:
        """The members; None if no member begins with `begun`, since then the checker does not know the
        place."""
        if not any(name.startswith(begun) for name in names):
            return None
        return cls(behind.encode(), begun.encode(), frozenset(name.encode() for name in names))

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether the name at this place is, or may become, a member if a text goes on with `text`."""
        whole = hypothesis.text + text
        if len(whole) <= len(self.behind) or not whole.startswith(self.behind):
            return True
        before, name = hypothesis.text[len(self.behind) :], self.begun + whole[len(self.behind) :]
        found = NAME.match(name)
        assert found is not None
        if len(self.begun + before) > found.end():
            # The name ended before.
            return True
        if found.end() < len(name):
            return found[0] in self.names
        return any(other.startswith(name) for other in self.names)
