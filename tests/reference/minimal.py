"""Minimal automata of rules: states with the same continuations are one state (Moore)."""

from __future__ import annotations

from tests.reference.earley import RuleAutomata


def state_classes(rules: RuleAutomata, rule: str) -> dict[int, int]:
    """The number of each state's class; the start is in class 0."""
    states = [state for state, name in enumerate(rules.rule_of) if name == rule]
    classes = {state: int(rules.is_accepting[state]) for state in states}
    while True:
        signatures = {
            state: (
                classes[state],
                tuple(sorted((symbol, classes[target]) for symbol, target in rules.edges[state].items())),
            )
            for state in states
        }
        numbers: dict[object, int] = {}
        for state in states:
            numbers.setdefault(signatures[state], len(numbers))
        new = {state: numbers[signatures[state]] for state in states}
        if len(set(new.values())) == len(set(classes.values())):
            return new
        classes = new


def entering_symbols(rules: RuleAutomata, rule: str) -> dict[int, set[str]]:
    """The symbols that lead into each class of a rule's states."""
    classes = state_classes(rules, rule)
    entering: dict[int, set[str]] = {number: set() for number in classes.values()}
    for state in classes:
        for symbol, target in rules.edges[state].items():
            entering[classes[target]].add(symbol)
    return entering
