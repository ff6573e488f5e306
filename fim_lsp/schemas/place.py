"""A place in a data file, and the cursor's place in a JSON file: in which object, in front of a key or a
value.

The symbols in front of the cursor determine the place; those behind it say which keys are there already.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from fim_lsp.schemas.schema import Node, instead_of, required_keys
from fim_lsp.schemas.usual import KeyRules

# Comments are none of JSON's, but tsconfig.json has them.
SYMBOL = re.compile(r'"(?:[^"\\]|\\.)*"?|//[^\n]*|/\*.*?(?:\*/|\Z)|[{}\[\],:]|[^\s{}\[\],:"]+', re.DOTALL)
COMMENTS = ("//", "/*")


@dataclass(slots=True)
class JsonLevel:
    """An object or a list that is open: its keys, and the one that is being said, or the number."""

    is_object: bool
    keys: list[str] = field(default_factory=list)
    key: str | None = None
    number: int = 0
    # The level's beginning, and the items of a list.
    start: int = 0
    items: list[str] = field(default_factory=list)
    # Whether a value is to come next; of a list always.
    is_value: bool = False


@dataclass(frozen=True, slots=True)
class SchemaPosition:
    """A place where a key, a value or the header of a table may begin, or has begun."""

    path: tuple[str | int, ...]
    kind: Literal["key", "value", "table"]
    # The keys of the object, in front of the place and behind it.
    before: tuple[str, ...]
    behind: tuple[str, ...]
    # The part of the symbol that stands already: nothing, or a quote and some letters.
    begun: str
    # The text in front of the place in its object, and in a list all that is there.
    beside: str = field(default="", compare=False)
    items: tuple[str, ...] = field(default=(), compare=False)


def rules_at(nodes: Sequence[Node], place: SchemaPosition) -> KeyRules:
    """The schema's rules of an object, as far as the keys that are there leave them open. A key that is
    lacking comes last: in front of others, it would have been written already. A key that is begun is meant,
    even if another one stands in its place."""
    there = {*place.before, *place.behind}
    pairs = instead_of(nodes)
    needless = {one for one, other in pairs if other in there}
    # The one may say enough: `dynamic` may list the version.
    settled = {other for one, other in pairs if one in there}
    lacking = set() if place.behind else required_keys(nodes) - there - settled
    return KeyRules(lacking, () if place.begun else needless)


def place_in(left: str, right: str) -> SchemaPosition | None:
    """The place of a key or value; None where neither may begin."""
    reader = JsonReader()
    reader.read(left)
    if not reader.levels or reader.is_ended or reader.is_wrong:
        return None
    level = reader.levels[-1]
    path = tuple(step for one in reader.levels[:-1] for step in [one.key if one.is_object else one.number])
    if level.is_value:
        path = (*path, level.key if level.is_object else level.number)
    steps = tuple(step for step in path if step is not None)
    kind: Literal["key", "value"] = "value" if level.is_value else "key"
    items = () if level.is_object else (*level.items, *items_behind(right))
    beside = left[level.start : len(left) - len(reader.begun)]
    return SchemaPosition(
        steps, kind, tuple(level.keys), tuple(keys_behind(right)), reader.begun, beside, items
    )


def says_key_again(left: str, text: str, right: str) -> bool:
    """Whether a text repeats a key of the object around it, in front of the cursor or behind it."""
    reader = JsonReader()
    reader.read(left)
    if not reader.levels:
        return False
    level = reader.levels[-1]
    n_keys, behind = len(level.keys), set(keys_behind(right))
    # A symbol may be begun, and ended by the quote behind the cursor: all is read again.
    whole = JsonReader()
    end = right[:1] if reader.begun.startswith('"') and right.startswith('"') else ""
    whole.read(left + text + end, len(left), len(reader.levels))
    found = whole.levels[len(reader.levels) - 1 :]
    if not found or not level.is_object:
        return False
    keys = found[0].keys
    return any(key in keys[:number] or key in behind for number, key in enumerate(keys) if number >= n_keys)


class JsonReader:
    """The reader of a text in front of a place, symbol by symbol."""

    def __init__(self) -> None:
        self.levels: list[JsonLevel] = []
        self.begun = ""
        # Whether a value has ended, so that a comma or a bracket comes; and whether it is no JSON.
        self.is_ended = self.is_wrong = False

    def read(self, text: str, since: int = 0, level: int = 0) -> None:
        """Reads a text; behind `since` characters, only as long as the level of that number is open."""
        for match in SYMBOL.finditer(text):
            is_left = match.start() >= since and len(self.levels) == level and match[0] in "}]"
            if self.is_wrong or (level and is_left):
                return
            self._read_symbol(match, is_last=match.end() == len(text))

    def _read_symbol(self, match: re.Match[str], *, is_last: bool) -> None:
        symbol = match[0]
        self.begun = ""
        if symbol.startswith(COMMENTS):
            self.is_wrong = is_last and not symbol.endswith("*/")
        elif symbol in "{[":
            self.levels.append(JsonLevel(symbol == "{", is_value=symbol == "[", start=match.end()))
            self.is_ended = False
        elif not self.levels:
            self.is_wrong = True
        elif symbol in "}]":
            self.levels.pop()
            self.is_ended = True
        elif symbol == ",":
            level = self.levels[-1]
            level.number += 1
            level.is_value, level.key, self.is_ended = not level.is_object, None, False
        elif symbol == ":":
            self.levels[-1].is_value, self.is_ended = True, False
        elif is_last and not is_whole(symbol):
            self.begun = symbol
        else:
            self._read_word(symbol)

    def _read_word(self, symbol: str) -> None:
        level = self.levels[-1]
        if not level.is_object:
            level.items.append(symbol)
        elif not level.is_value:
            level.key = unquoted_symbol(symbol)
            level.keys.append(level.key)
        self.is_ended = True


def items_behind(right: str) -> Iterator[str]:
    """The items of a list's rest that are no list or object."""
    depth = 0
    # The rest of a text that is begun belongs to none of them.
    for match in SYMBOL.finditer(right[1:] if right.startswith('"') else right):
        symbol = match[0]
        depth += (symbol in "{[") - (symbol in "}]")
        if depth < 0:
            return
        if not depth and symbol not in "{}[],:" and not symbol.startswith(COMMENTS):
            yield symbol


def keys_behind(right: str) -> Iterator[str]:
    """The keys that the rest of the object has."""
    depth, last = 0, ""
    for match in SYMBOL.finditer(right):
        symbol = match[0]
        if symbol in "}]":
            depth -= 1
            if depth < 0:
                return
        elif symbol in "{[":
            depth += 1
        elif symbol == ":" and not depth and last.startswith('"'):
            yield unquoted_symbol(last)
        last = last if symbol.startswith(COMMENTS) else symbol


def is_whole(symbol: str) -> bool:
    """Whether a string has ended; a value that is no string may go on."""
    return len(symbol) > 1 and symbol.startswith('"') and symbol.endswith('"') and not symbol.endswith('\\"')


def unquoted_symbol(symbol: str) -> str:
    try:
        value = json.loads(symbol)
    except ValueError:
        return symbol.strip('"')
    return value if isinstance(value, str) else symbol
