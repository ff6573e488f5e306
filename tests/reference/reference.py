"""The slow and readable reference: which texts a compiled grammar accepts.

reference = Reference.load("python-3.11")
reference.is_valid("x = 1")
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from quotient.compiler.description import from_json
from tests.reference.earley import RuleAutomata, is_sentence
from tests.reference.lexing import LexicalError, Terminals
from tests.reference.pep701 import LinesWithFStrings
from tests.reference.python_layout import Lines, source_lines

PEP_701 = (3, 12)
GRAMMARS = Path(__file__).parents[2] / "quotient" / "grammars"


class Reference:
    def __init__(self, description: dict[str, Any]) -> None:
        self.description = description
        self.terminals = Terminals(description)
        self.start = description["start"]
        version = description.get("version")
        self.version = tuple(map(int, version.split("."))) if version else None

    @cached_property
    def rules(self) -> RuleAutomata:
        """Automata of the rules, made on demand: collecting tests loads references, and few of them read a
        text."""
        return RuleAutomata(self.description)

    @staticmethod
    def load(name: str) -> Reference:
        return Reference(from_json((GRAMMARS / f"{name}.json").read_text(encoding="utf-8")))

    def is_valid(self, text: str) -> bool:
        try:
            return is_sentence(self.rules, self.start, self.symbols(text))
        except LexicalError:
            return False

    def symbols(self, text: str) -> Iterator[str]:
        if self.description["layout"] == "python":
            return self.python_symbols(text)
        return self.plain_symbols(text)

    def python_symbols(self, text: str) -> Iterator[str]:
        if self.version and self.version < PEP_701:
            return Lines(self.terminals, source_lines(text, completes_crlf=True)).symbols()
        lines = source_lines(text, completes_crlf=False)
        declared = self.description["declared"]
        checks_raw_specifications = self.version is not None and self.version < (3, 13)
        return LinesWithFStrings(self.terminals, lines, declared, checks_raw_specifications).symbols()

    def plain_symbols(self, text: str) -> Iterator[str]:
        position = 0
        while position < len(text):
            symbols, position = self.terminals.symbols_at(text, position)
            for symbol in symbols:
                if symbol not in self.description["ignore"]:
                    yield symbol


def accepted(compiled: Mapping[str, Any], texts: list[str]) -> list[bool]:
    """A function that decides whether a text belongs to a description's language."""
    reference = Reference(dict(compiled))
    return [reference.is_valid(text) for text in texts]
