"""Symbols of a text, one after the other: the longest match, with commitment.

Key idea: read while any terminal could still match a longer text. When none can, the text read so far must be
a match, else the text is wrong: there is no way back to a shorter match. So `1_` is an error in Python, and
not the number `1` followed by a name.
"""

from __future__ import annotations

from typing import Any

from tests.reference.automata import Automaton, State
from tests.reference.patterns import literal, pattern


class LexicalError(Exception):
    """No symbol can be read here."""


class Terminals:
    """All terminals of a grammar as one automaton."""

    def __init__(self, description: dict[str, Any]) -> None:
        self.automata: list[Automaton] = []
        self.order: list[tuple[bool, int, int]] = []
        self.emitted: list[list[str]] = []
        for position, terminal in enumerate(description["terminals"]):
            is_literal = terminal["kind"] == "literal"
            if is_literal:
                expression = literal(terminal["pattern"], terminal.get("flags") == "i")
            else:
                expression = pattern(terminal["pattern"])
            self.automata.append(Automaton(expression))
            # Among equally long matches a literal wins, then the higher priority, then the first terminal.
            self.order.append((not is_literal, -terminal["priority"], position))
            self.emitted.append(terminal.get("emits", [terminal["name"]]))
        self.start = {k: automaton.start for k, automaton in enumerate(self.automata)}
        self.steps: dict[tuple[int, State, str], State] = {}

    def symbols_at(self, text: str, start: int) -> tuple[list[str], int]:
        """The symbols of the longest match, and its end."""
        alive = self.start
        end = start
        while end < len(text):
            longer = self._stepped(alive, text[end])
            if not longer:
                break
            alive = longer
            end += 1
        matching = [k for k, state in alive.items() if self.automata[k].is_accepting(state)]
        if end == start or not matching:
            raise LexicalError(f"offset {end}")
        return self.emitted[min(matching, key=self.order.__getitem__)], end

    def _stepped(self, alive: dict[int, State], character: str) -> dict[int, State]:
        longer = {}
        for k, state in alive.items():
            key = (k, state, character)
            if key not in self.steps:
                self.steps[key] = self.automata[k].step(state, lambda characters: characters.has(character))
            if self.steps[key]:
                longer[k] = self.steps[key]
        return longer
