"""Texts for a hole of a file whose schema is known: the next key with the least value, a value, a header.

{"name": "shop", |}          "version": ""          and what an editor has closed already is not said again
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fim_lsp.schemas.place import SchemaPosition, place_in
from fim_lsp.schemas.schema import LEAST, MOST, Node, Schema, keys, kinds, values
from fim_lsp.schemas.store import schema_of, schema_url
from fim_lsp.schemas.toml_offers import said_in_toml
from fim_lsp.schemas.usual import likely
from quotient import Recognizer


@dataclass(frozen=True, slots=True)
class SchemaOffer:
    """A text that fits, and how likely what it says is."""

    text: str
    probability: float


def from_schema(file_name: str, left: str, right: str, recognizer: Recognizer) -> Iterator[SchemaOffer]:
    """What a file's schema knows of a place, the likeliest first; nothing of other files."""
    url = schema_url(file_name)
    schema = None if url is None else schema_of(url)
    if schema is None:
        return
    name = str(url).rpartition("/")[2]
    if file_name.endswith(".toml"):
        found = said_in_toml(schema, name, left, right)
    else:
        place = place_in(left, right)
        found = iter(()) if place is None else said_forms(schema, name, place, right)
    for forms, probability in found:
        text = next((form for form in forms if form and fits(recognizer, form)), None)
        if text is not None:
            yield SchemaOffer(text, probability)


def said_forms(
    schema: Schema, name: str, place: SchemaPosition, right: str
) -> Iterator[tuple[list[str], float]]:
    """What may be said at a place, each in the forms that might fit, and how likely it is."""
    nodes = schema.at(place.path)
    if place.kind == "value":
        found = [text for value in values(nodes) if (text := json.dumps(value)).startswith(place.begun)]
        for text in found[:MOST]:
            yield value_forms(text, place.begun, right), 1 / len(found)
        return
    known = likely(name, place.path, place.before, place.behind, keys(nodes))
    begun = [(key, share) for key, share in known if json.dumps(key).startswith(place.begun)]
    whole = sum(share for _, share in begun)
    for key, share in begun[:MOST]:
        yield key_forms(key, least(schema.at((*place.path, key))), place.begun, right), share / whole


def least(nodes: Sequence[Node]) -> str:
    """The shortest value of the first kind; where values are named, the first one."""
    named = values(nodes)
    if named:
        return json.dumps(named[0])
    return next((LEAST[kind] for kind in kinds(nodes) if kind in LEAST), '""')


def key_forms(key: str, value: str, begun: str, right: str) -> list[str]:
    rest = json.dumps(key)[len(begun) :]
    forms = [f"{rest}: {value}", f"{rest}: {value},"]
    # An editor has put the closing quote there.
    return [rest[:-1], *forms] if right.startswith('"') and begun else forms


def value_forms(text: str, begun: str, right: str) -> list[str]:
    rest = text[len(begun) :]
    return [rest[:-1], rest] if right.startswith('"') and begun else [rest, rest + ","]


def fits(recognizer: Recognizer, text: str) -> bool:
    reading = recognizer.fork()
    return reading.advance(text) and reading.is_member()
