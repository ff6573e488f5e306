"""What may be said at a place of a file of TOML, in the forms that might fit.

[package]
name = "shop"
|                    version = ""
                     [dependencies]        rather behind an empty line
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from fim_lsp.schemas.place import SchemaPosition
from fim_lsp.schemas.schema import LEAST, MOST, Node, Schema, keys, kinds, values
from fim_lsp.schemas.toml_place import Header, Steps, TomlPlace, toml_key, toml_place_in
from fim_lsp.schemas.usual import TABLES, UNSEEN, likely, usual_values

# How likely a header is at the end of a table, behind an empty line and behind any other.
APART, BEHIND_A_KEY = 0.95, 0.05
ANY = "*"
Said = tuple[list[str], float]


def said_in_toml(schema: Schema, name: str, left: str, right: str) -> Iterator[Said]:
    """The likeliest first; nothing where the cursor is at none of these places."""
    found = toml_place_in(left, right)
    if found is None:
        return
    place = found.place
    match place.kind:
        case "value":
            yield from values_said(schema, name, place, right)
        case "table":
            yield from tables_said(schema, name, found, right)
        case "key":
            share = share_of_tables(found)
            both = [(forms, one * (1 - share)) for forms, one in keys_said(schema, name, found, right)]
            if share:
                both += [(forms, one * share) for forms, one in tables_said(schema, name, found, right)]
            yield from sorted(both, key=lambda one: -one[1])


def share_of_tables(found: TomlPlace) -> float:
    """How likely a header is where a key could be."""
    if not found.is_line or found.place.begun or found.place.behind:
        return 0.0
    return APART if found.is_apart else BEHIND_A_KEY


def values_said(schema: Schema, name: str, place: SchemaPosition, right: str) -> Iterator[Said]:
    """Those that were seen there, and those that the schema names."""
    begun = place.begun
    quote = "'" if begun.startswith("'") else '"'
    seen = usual_values(name, general(schema, place.path))
    some = {json.loads(text): float(count) for text, count in seen.items()}
    for value in values(schema.at(place.path)):
        if is_plain(value):
            some.setdefault(value, UNSEEN)
    fitting = {
        one: share for value, share in some.items() if (one := value_text(value, quote)).startswith(begun)
    }
    whole = sum(fitting.values())
    for text, share in sorted(fitting.items(), key=lambda one: -one[1])[:MOST]:
        rest = text[len(begun) :]
        yield [rest[:-1], rest] if begun and right.startswith(quote) else [rest, f"{rest},"], share / whole


def is_plain(value: Any) -> bool:
    """Whether a value is a word in TOML, too."""
    return isinstance(value, (str, bool, int, float))


def value_text(value: Any, quote: str) -> str:
    is_literal = quote == "'" and isinstance(value, str) and value.isprintable() and "'" not in value
    return f"'{value}'" if is_literal else json.dumps(value)


def keys_said(schema: Schema, name: str, found: TomlPlace, right: str) -> Iterator[Said]:
    place = found.place
    nodes = schema.at(place.path)
    # In lines, what is a table alone has a header.
    known = [
        key for key in keys(nodes) if not (found.is_line and is_table_alone(schema.at((*place.path, key))))
    ]
    some = likely(name, general(schema, place.path), place.before, place.behind, known)
    fitting = [
        (text, key, share) for key, share in some if (text := key_text(key, place)).startswith(place.begun)
    ]
    if place.begun:
        # Of those that are as likely, the shortest: `strict` in front of `strict_equality`.
        fitting.sort(key=lambda one: (-one[2], len(one[0])))
    whole = sum(share for *_, share in fitting)
    for text, key, share in fitting[:MOST]:
        rest = text[len(place.begun) :]
        entry = f"{rest} = {least(schema, name, (*place.path, key))}"
        if place.begun and right.lstrip(" \t").startswith("="):
            yield [rest], share / whole
        else:
            yield [entry] if found.is_line else [entry, f"{entry},"], share / whole


def key_text(key: str, place: SchemaPosition) -> str:
    return json.dumps(key) if place.begun.startswith('"') else toml_key(key)


def least(schema: Schema, name: str, path: Steps) -> str:
    """What a key mostly has; else the value that the schema names first, or the shortest one."""
    seen = usual_values(name, general(schema, path))
    most = max(seen, key=lambda text: seen[text], default=None)
    nodes = schema.at(path)
    if most is not None:
        return most
    named = next((json.dumps(value) for value in values(nodes) if is_plain(value)), None)
    return named or next((LEAST[kind] for kind in kinds(nodes) if kind in LEAST), '""')


def tables_said(schema: Schema, name: str, found: TomlPlace, right: str) -> Iterator[Said]:
    """Headers of tables that are not there yet; of those that there may be several of, any."""
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
    """What the schema has as tables: at the top, in those, and in the last one that was said."""
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


def general(schema: Schema, path: Steps) -> Steps:
    """A place as it is counted: names that the schema does not know are all the same."""
    return tuple(
        step if isinstance(step, int) or step in keys(schema.at(path[:number])) else ANY
        for number, step in enumerate(path)
    )
