"""Automata for regular expressions over any labels: symbols in rules, characters in terminals.

An expression is a label or one of the nodes of a rule body in a compiled grammar: `seq`, `alt`, `opt`,
`star`, `plus`. States are numbers. The subset construction happens on demand, and its results are kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Label = Any
"""A symbol's name or a set of characters."""
State = frozenset[int]


class Automaton:
    """The subsets of a nondeterministic automaton, built from an expression."""

    def __init__(self, expression: Any) -> None:
        self.arrows: list[list[tuple[Label | None, int]]] = []
        self.closures: dict[State, State] = {}
        first, last = self._build(expression)
        self.last = last
        self.start = self._closure({first})

    def _state(self) -> int:
        self.arrows.append([])
        return len(self.arrows) - 1

    def _build(self, expression: Any) -> tuple[int, int]:
        """New states for an expression: its first and its last one."""
        first, last = self._state(), self._state()
        match expression:
            case {"seq": parts}:
                at = first
                for part in parts:
                    begin, end = self._build(part)
                    self.arrows[at].append((None, begin))
                    at = end
                self.arrows[at].append((None, last))
            case {"alt": options}:
                for option in options:
                    begin, end = self._build(option)
                    self.arrows[first].append((None, begin))
                    self.arrows[end].append((None, last))
            case {"opt": part}:
                return self._build({"alt": [part, {"seq": []}]})
            case {"star": part}:
                begin, end = self._build(part)
                self.arrows[first] += [(None, begin), (None, last)]
                self.arrows[end] += [(None, begin), (None, last)]
            case {"plus": part}:
                return self._build({"seq": [part, {"star": part}]})
            case label:
                self.arrows[first].append((label, last))
        return first, last

    def _closure(self, states: set[int]) -> State:
        """The states that are reachable without reading; cached, because many arrows lead to the same
        ones."""
        key = frozenset(states)
        if key not in self.closures:
            self.closures[key] = self._reached(states)
        return self.closures[key]

    def _reached(self, states: set[int]) -> State:
        found = set(states)
        waiting = list(states)
        while waiting:
            for label, target in self.arrows[waiting.pop()]:
                if label is None and target not in found:
                    found.add(target)
                    waiting.append(target)
        return frozenset(found)

    def is_accepting(self, state: State) -> bool:
        return self.last in state

    def steps(self, state: State) -> dict[Label, State]:
        """The possible next labels, in the order of the expression, each with the states behind it."""
        targets: dict[Label, set[int]] = {}
        for inner in sorted(state):
            for label, target in self.arrows[inner]:
                if label is not None:
                    targets.setdefault(label, set()).add(target)
        return {label: self._closure(found) for label, found in targets.items()}

    def step(self, state: State, is_read: Callable[[Label], bool]) -> State:
        """The states behind one label for which `is_read` holds; empty if there is none."""
        targets = {
            target
            for inner in state
            for label, target in self.arrows[inner]
            if label is not None and is_read(label)
        }
        return self._closure(targets)
