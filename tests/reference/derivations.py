"""Random sentences of a grammar."""

from __future__ import annotations

import random

from tests.reference.reference import Reference


class Derivations:
    """Random walks through the automata of the rules.

    A walk has a budget of symbols. Once it is spent, only the shortest ways to the end are left.
    """

    def __init__(self, reference: Reference, seed: int) -> None:
        self.rules = reference.rules
        self.generator = random.Random(seed)
        self.cost = self._costs()

    def _costs(self) -> list[float]:
        """The least number of symbols from each state to the end of its rule."""
        cost = [0.0 if accepting else float("inf") for accepting in self.rules.is_accepting]
        while True:
            new = [
                min([old, *(self.symbol_cost(cost, s) + cost[t] for s, t in edges.items())])
                for old, edges in zip(cost, self.rules.edges, strict=True)
            ]
            if new == cost:
                return cost
            cost = new

    def symbol_cost(self, cost: list[float], symbol: str) -> float:
        return cost[self.rules.start[symbol]] if symbol in self.rules.start else 1.0

    def sentence(self, budget: int) -> list[str]:
        names: list[str] = []
        self._walk("statement", budget, names)
        return names

    def _walk(self, rule: str, budget: int, names: list[str]) -> None:
        state = self.rules.start[rule]
        first = len(names)
        while True:
            left = budget - (len(names) - first)
            edges = [
                (symbol, target)
                for symbol, target in self.rules.edges[state].items()
                if self.symbol_cost(self.cost, symbol) + self.cost[target] <= max(left, self.cost[state])
            ]
            is_end = self.rules.is_accepting[state]
            if is_end and (not edges or left <= 0 or self.generator.random() < 0.2):
                return
            symbol, state = self.generator.choice(edges)
            if symbol in self.rules.start:
                self._walk(symbol, max(left // 2, 1), names)
            else:
                names.append(symbol)
