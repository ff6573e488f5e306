"""Branching: directives for texts that the lexer alone cannot read, because the parser must decide.

    // @line_break LINE_END COMMENT           ignored terminals with a line break
    // @inserted END behind_break except "("  a declared symbol that may be inserted behind a line break
    // @inserted END always before "}" $END   the same, always in front of these; $END is the text's end
    // @unbroken NO_BREAK                     a declared symbol in front of all on the same line
    // @broken BREAK                          the same in front of all others
    // @contextual REGULAR_EXPRESSION         terminals read only where the parser can take one of them
    // @line_start HTML_CLOSE                 ignored terminals, only behind a line break or at the beginning
    // @text_start HASHBANG                   ignored terminals, only at the beginning of the text

Symbols are names of terminals or texts. Lines may be repeated: each `@contextual` is a separate decision, the
others add up.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypedDict

SYMBOL = re.compile(r'\s*(\$END|\w+|"(?:[^"\\]|\\.)*")')
END_OF_TEXT = "$END"
PLACES = ("behind_break", "without_break", "always")
Insertion = TypedDict(
    "Insertion", {"name": str, "when": str, "before": list[str], "except": list[str]}, total=False
)


class BranchingError(ValueError):
    """An invalid line."""


class BranchingDescription(TypedDict):
    """The branching of a compiled grammar."""

    line_breaks: list[str]
    inserted: list[Insertion]
    unbroken: list[str]
    broken: list[str]
    contextual: list[list[str]]
    line_start: list[str]
    text_start: list[str]


@dataclass(slots=True)
class Branching:
    """The branching lines of one grammar, with symbols as written."""

    lists: dict[str, list[str]] = field(default_factory=dict)
    inserted: list[tuple[str, str, str, list[str]]] = field(default_factory=list)
    contextual: list[list[str]] = field(default_factory=list)

    def follow(self, word: str, rest: str) -> None:
        """Adds a line. Unknown words are ignored: they belong to the grammar's author."""
        match word:
            case "inserted":
                self.inserted.append(_insertion(rest))
            case "contextual":
                self.contextual.append(_symbols(rest))
            case "line_break" | "unbroken" | "broken" | "line_start" | "text_start":
                self.lists.setdefault(word, []).extend(_symbols(rest))

    def description(self, name_of: Callable[[str], str]) -> BranchingDescription | None:
        """The description with the symbols' names in the compiled grammar; None if there are no lines."""
        if not (self.lists or self.inserted or self.contextual):
            return None

        def named(symbols: list[str]) -> list[str]:
            return [symbol if symbol == END_OF_TEXT else name_of(symbol) for symbol in symbols]

        inserted = []
        for name, when, limit, symbols in self.inserted:
            insertion: Insertion = {"name": name, "when": when}
            if limit == "before":
                insertion["before"] = named(symbols)
            elif limit:
                insertion["except"] = named(symbols)
            inserted.append(insertion)
        return {
            "line_breaks": named(self.lists.get("line_break", [])),
            "inserted": inserted,
            "unbroken": named(self.lists.get("unbroken", [])),
            "broken": named(self.lists.get("broken", [])),
            "contextual": [named(group) for group in self.contextual],
            "line_start": named(self.lists.get("line_start", [])),
            "text_start": named(self.lists.get("text_start", [])),
        }


def named_symbols(branching: BranchingDescription) -> set[str]:
    """The named symbols, without the end of the text."""
    lists = [branching[key] for key in ("line_breaks", "unbroken", "broken", "line_start", "text_start")]
    limits = [symbols for one in branching["inserted"] for symbols in (one.get("before"), one.get("except"))]
    named = [one["name"] for one in branching["inserted"]]
    groups = [*lists, named, *branching["contextual"], *filter(None, limits)]
    return {symbol for group in groups for symbol in group} - {END_OF_TEXT}


def _insertion(rest: str) -> tuple[str, str, str, list[str]]:
    name, when, limit, symbols = [*rest.split(maxsplit=3), "", "", ""][:4]
    if when not in PLACES or limit not in ("", "before", "except") or bool(limit) != bool(symbols):
        raise BranchingError(f"`@inserted` wants `SYMBOL {'|'.join(PLACES)} [before|except SYMBOL ...]`")
    return name, when, limit, _symbols(symbols) if symbols else []


def _symbols(text: str) -> list[str]:
    found = SYMBOL.findall(text)
    if not found or SYMBOL.sub("", text).strip():
        raise BranchingError(f"`{text}` is no list of symbols")
    return found
