"""TOML files as keys and headers: pairs of consecutive keys, and files without one of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import tomllib
import tree_sitter

from fim_lsp.document.syntax import parser
from fim_lsp.known_languages import TOML
from fim_lsp.schemas.schema import Schema
from fim_lsp.schemas.toml_place import Steps, TomlReader, header_of, unquoted_word
from fim_lsp.schemas.usual import FIRST, TABLES, VALUES, place_name
from fim_lsp.schemas.values import general

TABLES_OF = ("table", "table_array_element")


LONGEST_VALUE = 40


def entries(text: str) -> Iterator[tuple[Steps, str, int, int]]:
    """The place of each key in a file, its name and its entry; for headers, the table."""
    content = text.encode()
    root = parser(TOML).parse(content).root_node
    reader = TomlReader()
    for node in root.named_children:
        if node.type in TABLES_OF:
            line = content[node.start_byte : node.end_byte].partition(b"\n")[0].decode()
            header = header_of(line)
            if header is None:
                continue
            yield TABLES, header.text, node.start_byte, node.end_byte
            reader.table = reader.steps_to(header)
            reader.tables.append(header)
        for pair in [node] if node.type == "pair" else node.named_children:
            if pair.type == "pair":
                yield from entries_of(pair, reader.table)


def entries_of(node: tree_sitter.Node, path: Steps) -> Iterator[tuple[Steps, str, int, int]]:
    """An entry and those in its value."""
    names = parts(node.named_children[0])
    value = node.named_children[-1]
    comma = node.next_sibling
    stop = comma.end_byte if comma is not None and comma.type == "," else node.end_byte
    yield (*path, *names[:-1]), names[-1], node.start_byte, stop
    yield from entries_in(value, (*path, *names))


def entries_in(value: tree_sitter.Node, path: Steps) -> Iterator[tuple[Steps, str, int, int]]:
    if value.type == "inline_table":
        for pair in value.named_children:
            if pair.type == "pair":
                yield from entries_of(pair, path)
    elif value.type == "array":
        for number, one in enumerate(value.named_children):
            yield from entries_in(one, (*path, number))


def parts(key: tree_sitter.Node) -> list[str]:
    """The parts of a key; a dotted key has several."""
    if key.type == "dotted_key":
        return [name for child in key.named_children for name in parts(child)]
    return [unquoted_word((key.text or b"").decode())]


def following(text: str, schema: Schema) -> Iterator[tuple[str, str, str]]:
    """The keys behind each key, by the place, and the values of each key."""
    keys: dict[Steps, list[str]] = {}
    for path, name, start, stop in entries(text):
        keys.setdefault(path, []).append(name)
        value = "" if path == TABLES else value_of(text.encode()[start:stop].decode())
        if value:
            yield place_name(VALUES), place_name(general(schema, (*path, name))), value
    for path, some in keys.items():
        place = place_name(path if path == TABLES else general(schema, path))
        for key, after in pairwise([FIRST, *some]):
            yield place, key, after


def value_of(entry: str) -> str:
    """The value of an entry in JSON, if it is short and plain: none of `{ workspace = true }`."""
    key = header_of(f"[{entry.partition('=')[0].strip()}]")
    try:
        value: Any = tomllib.loads(entry.rstrip(","))
    except tomllib.TOMLDecodeError:
        return ""
    for name in () if key is None else key.names:
        value = value[name] if isinstance(value, dict) and name in value else None
    text = json.dumps(value) if isinstance(value, (str, bool, int)) else ""
    return text if len(text) <= LONGEST_VALUE else ""
