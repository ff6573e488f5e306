"""Texts for a hole of a file with a known schema: the next key with its shortest value, a value, a header.

{"name": "shop", |}          "version": ""          and what an editor has closed already is not said again
{"name": "shop", |           "version": ""}         what is open is closed
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fim_lsp.recognizers import fits
from fim_lsp.schemas.place import SchemaPosition, place_in, rules_at
from fim_lsp.schemas.schema import MOST, Schema, has_any_name, keys
from fim_lsp.schemas.store import schema_of, schema_url
from fim_lsp.schemas.toml_offers import said_in_toml
from fim_lsp.schemas.usual import likely, unseen_names
from fim_lsp.schemas.values import OF_A_KIND, begun_like, least, least_of_kind, likely_values
from quotient import Recognizer

# A brace that is open in its line, with a blank behind it.
APART = re.compile(r"\{ [^{}\n]*\Z")
Closing = Callable[[Recognizer], str | None]


def closes_nothing(_recognizer: Recognizer) -> str | None:
    return None


@dataclass(frozen=True, slots=True)
class SchemaOffer:
    """A text that fits, and the probability of its content."""

    text: str
    probability: float


def from_schema(
    file_name: str, left: str, right: str, recognizer: Recognizer, closing: Closing = closes_nothing
) -> Iterator[SchemaOffer]:
    """The offers of a file's schema at a place, the likeliest first; none without a schema. `closing` is the
    text that closes open brackets."""
    url = schema_url(file_name)
    schema = None if url is None else schema_of(url)
    if schema is None:
        return
    name = str(url).rpartition("/")[2]
    if file_name.endswith(".toml"):
        found = said_in_toml(schema, name, left, right)
    else:
        if not (left + right).strip() and fits(recognizer, "{}"):
            yield SchemaOffer("{}", OF_A_KIND)
        place = place_in(left, right)
        found = iter(()) if place is None else said_forms(schema, name, place, right)
    for forms, probability in found:
        text = fitting_form([form for form in forms if form], left, recognizer, closing)
        if text is not None:
            yield SchemaOffer(text, probability)


def fitting_form(forms: list[str], left: str, recognizer: Recognizer, closing: Closing) -> str | None:
    """The first form that fits, perhaps with closers behind it; a closing brace is as far away as its opening
    one."""
    for form in forms:
        if fits(recognizer, form):
            return form
    for form in forms[:1]:
        reading = recognizer.fork()
        closers = closing(reading) if reading.advance(form) else None
        if closers:
            gap = " " if closers.startswith("}") and APART.search(left) else ""
            return form + gap + closers
    return None


def said_forms(
    schema: Schema, name: str, place: SchemaPosition, right: str
) -> Iterator[tuple[list[str], float]]:
    """The texts that may be said at a place, each in the forms that might fit, and how likely it is."""
    nodes = schema.at(place.path)
    if place.kind == "value":
        yield from said_values(schema, name, place, right)
        return
    rules = rules_at(nodes, place)
    known = likely(name, place.path, place.before, place.behind, keys(nodes), rules)
    begun = [(key, share) for key, share in known if json.dumps(key).startswith(place.begun)]
    whole = sum(share for _, share in begun) + unseen_names(has_any_name(nodes), place.begun)
    for key, share in begun[:MOST]:
        value = least(schema, name, (*place.path, key), place.beside)
        yield key_forms(key, value, place.begun, right), share / whole


def said_values(
    schema: Schema, name: str, place: SchemaPosition, right: str
) -> Iterator[tuple[list[str], float]]:
    nodes = schema.at(place.path)
    texts = {
        text: share
        for value, share in likely_values(schema, name, place.path, place.beside)
        if (text := json.dumps(value)) not in place.items
    }
    found = [
        (rest, share)
        for text, share in texts.items()
        if (rest := begun_like(text, place.begun, nodes)) is not None
    ]
    whole = sum(share for _, share in found)
    for rest, share in found[:MOST]:
        yield value_forms(rest, place.begun, right), share / whole
    if nodes and not texts and not place.begun and not place.items:
        yield value_forms(least_of_kind(nodes), "", right), OF_A_KIND


def key_forms(key: str, value: str, begun: str, right: str) -> list[str]:
    rest = json.dumps(key)[len(begun) :]
    forms = [f"{rest}: {value}", f"{rest}: {value},"]
    if not (right.startswith('"') and begun):
        return forms
    # An editor has put the closing quote there: it closes the key, or a string that is its value.
    of_value = [f"{rest}: {value[:-1]}"] if value.startswith('"') else []
    return [rest[:-1], *of_value, *forms]


def value_forms(rest: str, begun: str, right: str) -> list[str]:
    return [rest[:-1], rest] if right.startswith('"') and begun else [rest, rest + ","]
