"""The offers at a place of a file of TOML, in the forms that might fit.

[package]
name = "shop"
|                    version = ""
                     [dependencies]        rather behind an empty line
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from fim_lsp.schemas.place import SchemaPosition, rules_at
from fim_lsp.schemas.schema import MOST, Node, Schema, has_any_name, keys, kinds
from fim_lsp.schemas.toml_place import Header, TomlPlace, toml_key, toml_place_in
from fim_lsp.schemas.usual import TABLES, likely, unseen_names
from fim_lsp.schemas.values import OF_A_KIND, begun_like, general, least, least_of_kind, likely_values, plain

# The probability of a header at the end of a table, behind an empty line and behind any other.
APART, BEHIND_A_KEY = 0.95, 0.05
Said = tuple[list[str], float]


def said_in_toml(schema: Schema, name: str, left: str, right: str) -> Iterator[Said]:
    """The texts at the cursor, the likeliest first; none where the cursor is at no such place."""
    found = toml_place_in(left, right)
    if found is None:
        return
    place = found.place
    match place.kind:
        case "value":
            yield from values_said(schema, name, found, right)
        case "table":
            yield from tables_said(schema, name, found, right)
        case "key":
            share = share_of_tables(found)
            both = [(forms, one * (1 - share)) for forms, one in keys_said(schema, name, found, right)]
            if share:
                both += [(forms, one * share) for forms, one in tables_said(schema, name, found, right)]
            yield from sorted(both, key=lambda one: -one[1])


def share_of_tables(found: TomlPlace) -> float:
    """The probability of a header where a key could be."""
    if not found.is_line or found.place.begun or found.place.behind:
        return 0.0
    return APART if found.is_apart else BEHIND_A_KEY


def values_said(schema: Schema, name: str, found: TomlPlace, right: str) -> Iterator[Said]:
    """The values that were seen there, and the values that the schema names."""
    place, begun = found.place, found.place.begun
    quote = "'" if begun.startswith("'") else '"'
    nodes = schema.at(place.path)
    texts = {
        value_text(value, quote): share
        for value, share in likely_values(schema, name, place.path, place.beside)
        if plain(value) and value_text(value, '"') not in place.items
    }
    fitting = [
        (rest, share) for text, share in texts.items() if (rest := begun_like(text, begun, nodes)) is not None
    ]
    whole = sum(share for _, share in fitting)
    for rest, share in fitting[:MOST]:
        yield [rest[:-1], rest] if begun and right.startswith(quote) else [rest, f"{rest},"], share / whole
    if nodes and not texts and not begun and not place.items:
        kind = least_of_kind(nodes)
        yield [kind, f"{kind},"], OF_A_KIND


def value_text(value: Any, quote: str) -> str:
    is_literal = quote == "'" and isinstance(value, str) and value.isprintable() and "'" not in value
    return f"'{value}'" if is_literal else json.dumps(value)


def keys_said(schema: Schema, name: str, found: TomlPlace, right: str) -> Iterator[Said]:
    place = found.place
    nodes = schema.at(place.path)
    # Only a table that is written in lines has a header.
    known = [
        key for key in keys(nodes) if not (found.is_line and is_table_alone(schema.at((*place.path, key))))
    ]
    rules = rules_at(nodes, place)
    some = likely(name, general(schema, place.path), place.before, place.behind, known, rules)
    fitting = [
        (text, key, share) for key, share in some if (text := key_text(key, place)).startswith(place.begun)
    ]
    if place.begun:
        # The shortest comes first of those that are as likely: `strict` in front of `strict_equality`.
        fitting.sort(key=lambda one: (-one[2], len(one[0])))
    whole = sum(share for *_, share in fitting) + unseen_names(has_any_name(nodes), place.begun)
    for text, key, share in fitting[:MOST]:
        rest = text[len(place.begun) :]
        entry = f"{rest} = {least(schema, name, (*place.path, key), place.beside, is_plain=True)}"
        if place.begun and right.lstrip(" \t").startswith("="):
            yield [rest], share / whole
        else:
            yield [entry] if found.is_line else [entry, f"{entry},"], share / whole


def key_text(key: str, place: SchemaPosition) -> str:
    return json.dumps(key) if place.begun.startswith('"') else toml_key(key)


def tables_said(schema: Schema, name: str, found: TomlPlace, right: str) -> Iterator[Said]:
    """Headers of missing tables, and of tables that may stand several times."""
    begun = found.place.begun
    before, behind = ([one.text for one in some] for some in (found.before, found.behind))
    known = [one.text for one in known_tables(schema, found.before[-1] if found.before else None)]
    some = [
        (text, share) for text, share in likely(name, TABLES, before, behind, known) if text.startswith(begun)
    ]
    whole = sum(share for _, share in some)
    for text, share in some[:MOST]:
        rest = text[len(begun) :]
        n_there = len(right) - len(right.lstrip("]")) if begun else 0
        yield [rest[: len(rest) - min(n_there, len(rest) - len(rest.rstrip("]")))], rest], share / whole


def known_tables(schema: Schema, last: Header | None) -> Iterator[Header]:
    """The tables of the schema: at the top, inside those, and inside the last table of the file."""
    tops = list(tables_in(schema, ()))
    yield from tops
    for top in tops:
        yield from tables_in(schema, top.names)
    if last is not None and len(last.names) > 1:
        yield from tables_in(schema, last.names)


def tables_in(schema: Schema, path: tuple[str, ...]) -> Iterator[Header]:
    for key in keys(schema.at(path)):
        nodes = schema.at((*path, key))
        if is_table_alone(nodes):
            yield Header((*path, key))
        elif "array" in kinds(nodes) and "object" in kinds(schema.at((*path, key, 0))):
            yield Header((*path, key), is_one_of_several=True)


def is_table_alone(nodes: Sequence[Node]) -> bool:
    found = set(kinds(nodes)) - {"null"}
    return found == {"object"}
