"""What a place of a file of data is, and where in a file of JSON the cursor is: in which object, in front
of a key or of a value.

Symbols in front of the cursor are enough to know, and those behind it say which keys are there already.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

SYMBOL = re.compile(r'"(?:[^"\\]|\\.)*"?|[{}\[\],:]|[^\s{}\[\],:"]+')


@dataclass(slots=True)
class JsonLevel:
    """An object or a list that is open: its keys, and the one that is being said, or the number."""

    is_object: bool
    keys: list[str] = field(default_factory=list)
    key: str | None = None
    number: int = 0
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
    # What stands of the symbol already: nothing, or a quote and some letters.
    begun: str


def place_in(left: str, right: str) -> SchemaPosition | None:
    """None where neither may begin."""
    levels: list[JsonLevel] = []
    begun = ""
    is_ended = False
    for match in SYMBOL.finditer(left):
        symbol = match[0]
        begun = ""
        if symbol in "{[":
            levels.append(JsonLevel(symbol == "{", is_value=symbol == "["))
            is_ended = False
        elif symbol in "}]":
            if not levels:
                return None
            levels.pop()
            is_ended = True
        elif not levels:
            return None
        elif symbol == ",":
            level = levels[-1]
            level.number += 1
            level.is_value, level.key, is_ended = not level.is_object, None, False
        elif symbol == ":":
            levels[-1].is_value, is_ended = True, False
        elif match.end() == len(left) and not is_whole(symbol):
            begun = symbol
        else:
            if levels[-1].is_object and not levels[-1].is_value:
                levels[-1].key = unquoted_symbol(symbol)
                levels[-1].keys.append(levels[-1].key)
            is_ended = True
    if not levels or is_ended:
        return None
    level = levels[-1]
    path = tuple(step for one in levels[:-1] for step in [one.key if one.is_object else one.number])
    if level.is_value:
        path = (*path, level.key if level.is_object else level.number)
    steps = tuple(step for step in path if step is not None)
    kind: Literal["key", "value"] = "value" if level.is_value else "key"
    return SchemaPosition(steps, kind, tuple(level.keys), tuple(keys_behind(right)), begun)


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
        last = symbol


def is_whole(symbol: str) -> bool:
    """Whether a string has ended; what is no string may go on."""
    return len(symbol) > 1 and symbol.startswith('"') and symbol.endswith('"') and not symbol.endswith('\\"')


def unquoted_symbol(symbol: str) -> str:
    try:
        said = json.loads(symbol)
    except ValueError:
        return symbol.strip('"')
    return said if isinstance(said, str) else symbol
