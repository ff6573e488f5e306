"""Texts that lexer and parser read together, slow and obviously right: forward, symbol by symbol.

Key idea: before each symbol the parser says what it could accept, which decides how the symbol is read. Each
symbol is tried with every symbol that may be inserted in front of it. Charts are Earley's, but an item names
the chart where its rule began, and not a position, so that equal charts are one.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from quotient.compiler.description import from_json
from tests.reference.automata import Automaton, State
from tests.reference.earley import RuleAutomata
from tests.reference.lexing import LexicalError
from tests.reference.patterns import literal, pattern

END = "$END"


class Chart:
    """Items (state of a rule, chart where the rule began), closed under prediction and completion."""

    def __init__(self, rules: RuleAutomata, kernel: Iterable[tuple[int, Chart | None]]) -> None:
        self.items: dict[tuple[int, Chart], None] = {}
        self.waiting: dict[str, list[tuple[int, Chart]]] = {}
        self.moves: dict[str, list[tuple[int, Chart]]] = {}
        agenda = [(state, origin or self) for state, origin in kernel]
        while agenda:
            item = agenda.pop()
            if item in self.items:
                continue
            self.items[item] = None
            state, origin = item
            for symbol, target in rules.edges[state].items():
                if symbol not in rules.start:
                    self.moves.setdefault(symbol, []).append((target, origin))
                    continue
                self.waiting.setdefault(symbol, []).append((target, origin))
                agenda.append((rules.start[symbol], self))
                if symbol in rules.nullable:
                    agenda.append((target, origin))
            if rules.is_accepting[state]:
                agenda.extend(origin.waiting.get(rules.rule_of[state], ()))


class Insertions:
    """The symbols that may be inserted in front of a symbol."""

    def __init__(self, branching: dict[str, Any]) -> None:
        self.inserted = branching["inserted"]
        self.marks = {True: branching["broken"], False: branching["unbroken"]}
        self.known_language: dict[tuple[str, bool], list[str]] = {}

    def before(self, symbol: str, is_behind_break: bool) -> list[str]:
        key = symbol, is_behind_break
        if key not in self.known_language:
            fits = [one["name"] for one in self.inserted if self._fits(one, symbol, is_behind_break)]
            self.known_language[key] = list(dict.fromkeys([*fits, *self.marks[is_behind_break]]))
        return self.known_language[key]

    def _fits(self, insertion: dict[str, Any], symbol: str, is_behind_break: bool) -> bool:
        is_place = {"behind_break": is_behind_break, "without_break": not is_behind_break, "always": True}
        is_named = symbol in insertion.get("before", [symbol])
        return is_place[insertion["when"]] and is_named and symbol not in insertion.get("except", [])


class Scanner:
    """The longest match among some of the terminals, with commitment; subsets are kept."""

    def __init__(self, terminals: list[dict[str, Any]]) -> None:
        self.names = [terminal["name"] for terminal in terminals]
        self.automata = [Automaton(_expression(terminal)) for terminal in terminals]
        self.order = [
            (terminal["kind"] != "literal", -terminal["priority"], position)
            for position, terminal in enumerate(terminals)
        ]
        # A state: the terminals that are still possible, and how far each was read.
        self.states: list[dict[int, State]] = [{k: one.start for k, one in enumerate(self.automata)}]
        self.numbers: dict[frozenset[tuple[int, State]], int] = {}
        self.steps: list[dict[str, int | None]] = [{}]
        self.accepted: list[str | None] = [None]

    def match(self, text: str, start: int) -> tuple[str, int]:
        """The terminal of the longest match, and its end."""
        state, end = 0, start
        while end < len(text):
            steps, character = self.steps[state], text[end]
            if character not in steps:
                steps[character] = self._step(state, character)
            following = steps[character]
            if following is None:
                break
            state, end = following, end + 1
        accepted = self.accepted[state]
        if accepted is None:
            raise LexicalError(f"offset {end}")
        return accepted, end

    def _step(self, state: int, character: str) -> int | None:
        moved = {
            k: self.automata[k].step(inner, lambda characters: characters.has(character))
            for k, inner in self.states[state].items()
        }
        alive = {k: inner for k, inner in moved.items() if inner}
        if not alive:
            return None
        key = frozenset(alive.items())
        if key not in self.numbers:
            self.numbers[key] = len(self.states)
            self.states.append(alive)
            self.steps.append({})
            matching = [k for k, inner in alive.items() if self.automata[k].is_accepting(inner)]
            best = min(matching, key=self.order.__getitem__, default=None)
            self.accepted.append(None if best is None else self.names[best])
        return self.numbers[key]

    def can_begin(self, character: str) -> bool:
        """Whether one of the terminals begins with this character."""
        return self._step(0, character) is not None


def _expression(terminal: dict[str, Any]) -> Any:
    if terminal["kind"] == "literal":
        return literal(terminal["pattern"], terminal.get("flags") == "i")
    return pattern(terminal["pattern"])


class BranchingReference:
    """A grammar whose texts lexer and parser read together."""

    def __init__(self, description: dict[str, Any]) -> None:
        self.rules = RuleAutomata(description)
        self.branching = description["branching"]
        self.insertions = Insertions(self.branching)
        self.ignored = set(description["ignore"])
        self.goal = description["start"]
        self.terminals = {terminal["name"]: terminal for terminal in description["terminals"]}
        self.charts: dict[frozenset[tuple[int, Chart]], Chart] = {}
        self.scanners: dict[tuple[bool, bool, int | None], Scanner] = {}
        self.begins: dict[tuple[int, str], bool] = {}
        self.empty = Chart(self.rules, [(self.rules.start[self.goal], None)])

    @staticmethod
    def load(path: Path) -> BranchingReference:
        return BranchingReference(from_json(path.read_text(encoding="utf-8")))

    def is_valid(self, text: str) -> bool:
        return self.fault(text) is None

    def fault(self, text: str) -> int | None:
        """The offset of the symbol that cannot be read; None for a text of the language."""
        chart, position, is_behind_break = self.empty, 0, True
        while position < len(text):
            try:
                name, end = self._symbol(text, position, chart, is_behind_break)
            except LexicalError:
                return position
            if name in self.branching["line_breaks"]:
                is_behind_break = True
            if name not in self.ignored:
                for symbol in self.terminals[name].get("emits", [name]):
                    stepped = self._stepped(chart, symbol, is_behind_break)
                    if stepped is None:
                        return position
                    chart, is_behind_break = stepped, False
            position = end
        return None if self._is_complete(chart, is_behind_break) else position

    def _symbol(self, text: str, position: int, chart: Chart, is_behind_break: bool) -> tuple[str, int]:
        group = next(
            (
                number
                for number, names in enumerate(self.branching["contextual"])
                if self._begins(number, text[position])
                and any(self._takes(chart, name, is_behind_break) for name in names)
            ),
            None,
        )
        return self._scanner(position == 0, is_behind_break, group).match(text, position)

    def _begins(self, group: int, character: str) -> bool:
        key = group, character
        if key not in self.begins:
            names = self.branching["contextual"][group]
            self.begins[key] = Scanner([self.terminals[name] for name in names]).can_begin(character)
        return self.begins[key]

    def _scanner(self, is_begin: bool, is_behind_break: bool, group: int | None) -> Scanner:
        """The scanner of a place: in a contextual group only its terminals and the ignored ones."""
        key = is_begin, is_behind_break, group
        if key not in self.scanners:
            branching = self.branching
            contextual = {name for names in branching["contextual"] for name in names}
            hidden = set() if is_behind_break else set(branching["line_start"])
            hidden |= set() if is_begin else set(branching["text_start"])
            wanted = (
                self.ignored | set(branching["contextual"][group])
                if group is not None
                else set(self.terminals) - contextual
            )
            self.scanners[key] = Scanner(
                [self.terminals[name] for name in self.terminals if name in wanted - hidden]
            )
        return self.scanners[key]

    def _takes(self, chart: Chart, symbol: str, is_behind_break: bool) -> bool:
        return self._stepped(chart, symbol, is_behind_break) is not None

    def _stepped(self, chart: Chart, symbol: str, is_behind_break: bool) -> Chart | None:
        """The chart behind a symbol, with and without an inserted symbol in front of it."""
        starts = [chart, *self._inserted(chart, symbol, is_behind_break)]
        moved = [item for start in starts for item in start.moves.get(symbol, ())]
        return self._chart(moved) if moved else None

    def _inserted(self, chart: Chart, symbol: str, is_behind_break: bool) -> list[Chart]:
        names = self.insertions.before(symbol, is_behind_break)
        return [self._chart(chart.moves[name]) for name in names if name in chart.moves]

    def _chart(self, kernel: list[tuple[int, Chart]]) -> Chart:
        key = frozenset(kernel)
        if key not in self.charts:
            self.charts[key] = Chart(self.rules, key)
        return self.charts[key]

    def _is_complete(self, chart: Chart, is_behind_break: bool) -> bool:
        ends = [chart, *self._inserted(chart, END, is_behind_break)]
        return any(
            origin is self.empty and self.rules.is_accepting[state] and self.rules.rule_of[state] == self.goal
            for end in ends
            for state, origin in end.items
        )
