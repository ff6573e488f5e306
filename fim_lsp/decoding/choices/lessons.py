"""Lessons from the texts that were written for a hole: they hold for all later ones."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from fim_lsp.decoding.choices.members import Members


@dataclass(slots=True)
class Lessons:
    """Beginnings, tokens and names that must not come again, and why."""

    # The beginnings of other completions, without white space around them.
    taken: set[bytes] = field(default_factory=set)
    # The right context's first words, if a text only repeated it.
    repeated: set[bytes] = field(default_factory=set)
    # The names allowed behind a dot at which a checker refused another name.
    members: list[Members] = field(default_factory=list)
    # The reasons for going back to a name, in words.
    words: list[str] = field(default_factory=list)
    # Tokens that must not follow a text to which the loop went back.
    _forbidden: dict[bytes, set[int]] = field(default_factory=dict)

    def forbids(self, text: bytes, token: int) -> bool:
        """Whether a token must not come behind a text."""
        return token in self._forbidden.get(text, ())

    def forbid(self, text: bytes, tokens: Iterable[int]) -> bool:
        """Forbids tokens behind a text; says whether any of them was allowed so far."""
        known = self._forbidden.setdefault(text, set())
        n_known = len(known)
        known.update(tokens)
        return len(known) > n_known

    def note(self, words: str) -> None:
        """Notes a reason, each once."""
        if words not in self.words:
            self.words.append(words)
