"""The cursor's place in a file of TOML: in which table, in front of a key, a value or a header.

[package]                 a line of a table: a key may begin, or the header of the next table
name = "shop"
[dependencies]
a = { version = "1", |    a table in a line: a key of `dependencies.a`, where `version` is already
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

from fim_lsp.schemas.place import SchemaPosition

SYMBOL = re.compile(
    r'#[^\n]*|"""(?:[^\\]|\\.)*?(?:"""|\Z)|\'\'\'.*?(?:\'\'\'|\Z)|"(?:[^"\\\n]|\\.)*"?|\'[^\'\n]*\'?'
    r"|[\[\]{},=.\n]|[^\s#\"'\[\]{},=.]+",
    re.DOTALL,
)
NAMES = r"""(?:[^\[\]\n="']|"[^"\n]*"|'[^'\n]*')+"""
HEADER = re.compile(rf"^[ \t]*(\[\[{NAMES}\]\]|\[{NAMES}\])[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
IN_THREE_QUOTES = ('"""', "'''")
Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Header:
    """A header: a table's name, and whether it is one of several: `[a.b]`, `[[bin]]`."""

    names: tuple[str, ...]
    is_one_of_several: bool = False

    @property
    def text(self) -> str:
        name = ".".join(toml_key(one) for one in self.names)
        return f"[[{name}]]" if self.is_one_of_several else f"[{name}]"


@dataclass(frozen=True, slots=True)
class TomlPlace:
    """A place, the tables in front of it and behind it, and how it stands in its line."""

    place: SchemaPosition
    before: tuple[Header, ...]
    behind: tuple[Header, ...]
    # Whether it is at the beginning of a line of its own, and whether that is behind an empty one.
    is_line: bool
    is_apart: bool


@dataclass(slots=True)
class TomlLevel:
    """An open table or list: its keys, the key in progress, and what may follow."""

    is_table: bool
    keys: list[tuple[str, ...]] = field(default_factory=list)
    written: tuple[str, ...] = ()
    number: int = 0
    # The items of a list, as JSON.
    items: list[str] = field(default_factory=list)
    expects: Literal["key", "dot", "value", "nothing"] = "key"

    def next(self) -> None:
        """Goes on behind a comma, or at the end of a table's line."""
        self.number += 1
        self.written, self.expects = (), "key" if self.is_table else "value"


def toml_place_in(left: str, right: str) -> TomlPlace | None:
    """The place; None where neither a key nor a value nor a header may begin."""
    reader = TomlReader()
    for match in SYMBOL.finditer(left):
        if not reader.read(match, left):
            return None
    return reader.place(left, right)


class TomlReader:
    """The reader of a text in front of the cursor, symbol by symbol."""

    def __init__(self) -> None:
        self.table: Steps = ()
        self.tables: list[Header] = []
        self.levels = [TomlLevel(True)]
        # The beginning of the header that is being read, and of the last table's lines.
        self.header: int | None = None
        self.start = 0
        self.begun = ""

    def read(self, match: re.Match[str], left: str) -> bool:
        """Whether the text so far may still become a file, and the cursor is in no comment."""
        symbol, is_last = match[0], match.end() == len(left)
        if symbol[0] == "#":
            return not is_last
        level = self.levels[-1]
        if symbol == "\n":
            if len(self.levels) == 1:
                self.end_header(left[: match.start()])
                self.levels[0].next()
        elif self.header is not None:
            return True
        elif symbol == "[" and len(self.levels) == 1 and level.expects == "key" and not level.written:
            self.header = match.start()
        elif symbol in "[{":
            if level.expects != "value":
                return False
            self.levels.append(TomlLevel(symbol == "{", expects="key" if symbol == "{" else "value"))
        elif symbol in "]}":
            if len(self.levels) == 1:
                return False
            self.levels.pop()
            self.levels[-1].expects = "nothing"
        elif symbol == ",":
            level.next()
        elif symbol == "=":
            level.keys.append(level.written)
            level.expects = "value"
        elif symbol == ".":
            level.expects = "key" if level.expects == "dot" else level.expects
        else:
            return self.read_word(symbol, is_last)
        return True

    def read_word(self, word: str, is_last: bool) -> bool:
        level = self.levels[-1]
        if is_last and not is_whole(word):
            self.begun = word
            return not word.startswith(IN_THREE_QUOTES)
        if level.expects == "key":
            level.written, level.expects = (*level.written, unquoted_word(word)), "dot"
        elif level.expects == "value":
            level.expects = "nothing"
            if not level.is_table:
                level.items.append(as_json(word))
        return True

    def end_header(self, left: str) -> None:
        """Ends a line, which may have been a header."""
        found = None if self.header is None else header_of(left[self.header :])
        if found is not None:
            self.table = self.steps_to(found)
            self.tables.append(found)
            self.levels = [TomlLevel(True)]
            self.start = len(left)
        self.header = None

    def steps_to(self, header: Header) -> Steps:
        """The steps to a table; of several to the last one so far."""
        steps: list[str | int] = []
        for length, name in enumerate(header.names, 1):
            steps.append(name)
            names = header.names[:length]
            n_before = sum(one.is_one_of_several and one.names == names for one in self.tables)
            is_last = length == len(header.names)
            if is_last and header.is_one_of_several:
                steps.append(n_before)
            elif n_before:
                steps.append(n_before - 1)
        return tuple(steps)

    def place(self, left: str, right: str) -> TomlPlace | None:
        is_line = len(self.levels) == 1
        behind = tuple(headers_in(right))
        above = left.rstrip(" \t").removesuffix("\n").rpartition("\n")[2]
        is_apart = is_line and not above.strip()
        if self.header is not None:
            begun = left[self.header :]
            if "]" in begun or "\n" in begun:
                return None
            place = SchemaPosition((), "table", (), (), begun)
            return TomlPlace(place, tuple(self.tables), behind, True, is_apart)
        level = self.levels[-1]
        if level.expects not in ("key", "value"):
            return None
        path, beside = self.table, left[self.start : len(left) - len(self.begun)]
        for one, _ in pairwise(self.levels):
            path += one.written if one.is_table else (one.number,)
        if level.expects == "value":
            path += level.written if level.is_table else (level.number,)
            items = () if level.is_table else (*level.items, *items_behind(right))
            place = SchemaPosition(path, "value", (), (), self.begun, beside, items)
        else:
            written = level.written
            before = tuple(keys_under(written, level.keys))
            after = tuple(keys_under(written, keys_behind(right, is_line)))
            place = SchemaPosition((*path, *written), "key", before, after, self.begun, beside)
        is_first = is_line and not level.written
        return TomlPlace(place, tuple(self.tables), behind, is_first, is_apart)


def keys_under(written: tuple[str, ...], keys: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """The keys that a table has behind some parts of a dotted one."""
    for key in keys:
        if key[: len(written)] == written and len(key) > len(written):
            yield key[len(written)]


def keys_behind(right: str, is_line: bool) -> list[tuple[str, ...]]:
    """The keys that the rest of a table has, which ends at a header or at its bracket."""
    found: list[tuple[str, ...]] = []
    depth = 0
    written: tuple[str, ...] = ()
    is_key, is_fresh = not is_line, False
    for match in SYMBOL.finditer(right):
        symbol = match[0]
        if symbol in "]}":
            depth -= 1
            if depth < 0:
                break
        elif symbol in "[{":
            if is_line and is_fresh and not depth and symbol == "[":
                break
            depth += 1
        elif depth or symbol[0] == "#":
            continue
        elif symbol == "=":
            if written:
                found.append(written)
            is_key = False
        elif (symbol == "\n") if is_line else (symbol == ","):
            is_key, written = True, ()
            is_fresh = True
            continue
        elif is_key and symbol not in ".,\n":
            written = (*written, unquoted_word(symbol))
        is_fresh = False
    return found


def items_behind(right: str) -> Iterator[str]:
    """The items of a list's rest that are no list or table, as JSON."""
    depth = 0
    # The rest of a text that is begun belongs to none of them.
    for match in SYMBOL.finditer(right[1:] if right[:1] in ("'", '"') else right):
        symbol = match[0]
        depth += (symbol in "{[") - (symbol in "}]")
        if depth < 0:
            return
        if not depth and symbol not in "{}[],=.\n" and symbol[0] != "#":
            yield as_json(symbol)


def as_json(word: str) -> str:
    return json.dumps(unquoted_word(word)) if word[0] in "'\"" else word


def headers_in(text: str) -> Iterator[Header]:
    for match in HEADER.finditer(text):
        if (found := header_of(match[1])) is not None:
            yield found


def header_of(text: str) -> Header | None:
    """The header in a line; None if the line is none."""
    found = HEADER.fullmatch(text.rstrip())
    if found is None:
        return None
    whole = found[1]
    is_one_of_several = whole.startswith("[[")
    words = [symbol for symbol in SYMBOL.findall(whole.strip("[]").strip()) if symbol != "."]
    return Header(tuple(unquoted_word(one) for one in words), is_one_of_several) if words else None


def is_whole(word: str) -> bool:
    """Whether a string has ended; a value that is no string may go on."""
    quote = next((one for one in (*IN_THREE_QUOTES, '"', "'") if word.startswith(one)), "")
    return bool(quote) and len(word) >= 2 * len(quote) and word.endswith(quote)


def unquoted_word(word: str) -> str:
    if word[0] != '"':
        return word.strip("'")
    try:
        return str(json.loads(word))
    except ValueError:
        return word.strip('"')


def toml_key(name: str) -> str:
    """A key as TOML has it."""
    if re.fullmatch(r"[A-Za-z0-9_-]+", name):
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
