"""Earley's recogniser, with one automaton per rule instead of dotted productions.

An item is a rule's state and the position where the rule began. Position by position, items are
predicted, moved over a symbol and completed until nothing new comes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tests.reference.automata import Automaton


class RuleAutomata:
    """Deterministic automata of all rules, with the states of all rules numbered together."""

    def __init__(self, description: dict[str, Any]) -> None:
        self.start: dict[str, int] = {}
        self.rule_of: list[str] = []
        self.is_accepting: list[bool] = []
        self.edges: list[dict[str, int]] = []
        self.names = [rule["name"] for rule in description["rules"]]
        for rule in description["rules"]:
            self._add(rule["name"], Automaton(rule["body"]))
        self.nullable = self._nullable()
        self.terminals = {symbol for edges in self.edges for symbol in edges} - set(self.start)

    def _add(self, name: str, automaton: Automaton) -> None:
        numbers = {automaton.start: len(self.edges)}
        self.start[name] = len(self.edges)
        waiting = [automaton.start]
        for state in waiting:
            edges: dict[str, int] = {}
            for label, target in automaton.steps(state).items():
                if target not in numbers:
                    numbers[target] = self.start[name] + len(waiting)
                    waiting.append(target)
                edges[str(label)] = numbers[target]
            self.edges.append(edges)
            self.rule_of.append(name)
            self.is_accepting.append(automaton.is_accepting(state))

    def _nullable(self) -> set[str]:
        """The rules that may match the empty text."""
        nullable: set[str] = set()
        while True:
            found = {name for name in self.names if self._reaches_end(name, nullable)}
            if found == nullable:
                return nullable
            nullable = found

    def _reaches_end(self, name: str, nullable: set[str]) -> bool:
        seen = {self.start[name]}
        waiting = [self.start[name]]
        for state in waiting:
            for symbol, target in self.edges[state].items():
                if symbol in nullable and target not in seen:
                    seen.add(target)
                    waiting.append(target)
        return any(self.is_accepting[state] for state in seen)


Item = tuple[int, int]


class Chart:
    """The items at one position, and the items that wait there for each rule."""

    def __init__(self) -> None:
        self.items: dict[Item, None] = {}
        self.waiting: dict[str, list[Item]] = {}


class Earley:
    """A recogniser that reads symbols one by one."""

    def __init__(self, rules: RuleAutomata, start: str) -> None:
        self.rules = rules
        self.goal = start
        self.charts: list[Chart] = []
        self._complete_chart([(rules.start[start], 0)])

    def read(self, symbol: str) -> bool:
        """Reads one symbol; False if no continuation can make the whole valid."""
        moved = [
            (self.rules.edges[state][symbol], origin)
            for state, origin in self.charts[-1].items
            if symbol in self.rules.edges[state]
        ]
        self._complete_chart(moved)
        return bool(moved)

    def is_complete(self) -> bool:
        return any(
            origin == 0 and self.rules.is_accepting[state] and self.rules.rule_of[state] == self.goal
            for state, origin in self.charts[-1].items
        )

    def _complete_chart(self, kernel: Iterable[Item]) -> None:
        rules = self.rules
        here = len(self.charts)
        chart = Chart()
        self.charts.append(chart)
        agenda = list(kernel)
        while agenda:
            item = agenda.pop()
            if item in chart.items:
                continue
            chart.items[item] = None
            state, origin = item
            for symbol, target in rules.edges[state].items():
                if symbol not in rules.start:
                    continue
                chart.waiting.setdefault(symbol, []).append((target, origin))
                agenda.append((rules.start[symbol], here))
                # A rule that matches the empty text may have been completed before this item began to wait
                # for it.
                if symbol in rules.nullable:
                    agenda.append((target, origin))
            if rules.is_accepting[state]:
                agenda.extend(self.charts[origin].waiting.get(rules.rule_of[state], ()))


def is_sentence(rules: RuleAutomata, start: str, symbols: Iterable[str]) -> bool:
    earley = Earley(rules, start)
    return all(map(earley.read, symbols)) and earley.is_complete()
