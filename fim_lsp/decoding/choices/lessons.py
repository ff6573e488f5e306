"""Lessons of the texts that were written for a hole: they hold for all that are written after them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fim_lsp.decoding.choices.members import Members


@dataclass(slots=True)
class Lessons:
    """Beginnings, tokens and names that must not come again, and why."""

    # The beginnings of other completions, without white space around them.
    taken: set[bytes] = field(default_factory=set)
    # The names that may come behind a dot, where a checker was against another one.
    members: list[Members] = field(default_factory=list)
    # Why names were gone back to, in words.
    words: list[str] = field(default_factory=list)
    # Tokens that must not come again behind a text that was gone back to.
    _forbidden: dict[bytes, set[int]] = field(default_factory=dict)

    def forbids(self, text: bytes, token: int) -> bool:
        """Whether a token must not come behind a text."""
        return token in self._forbidden.get(text, ())

    def forbid(self, text: bytes, tokens: Iterable[int]) -> bool:
        """Keeps tokens from coming behind a text; whether any of them might have come so far."""
        known = self._forbidden.setdefault(text, set())
        n_known = len(known)
        known.update(tokens)
        return len(known) > n_known

    def note(self, words: str) -> None:
        """Notes a reason, each once."""
        if words not in self.words:
            self.words.append(words)
