"""Texts from elsewhere, checked against a file's schema: a text remembered from another place may not fit.

[profile.release]
|                          not `name = "shop"`, which stands behind `[package]`
"""

from __future__ import annotations

import json
from typing import Any

from fim_lsp.schemas.place import SchemaPosition, place_in
from fim_lsp.schemas.schema import Schema, may_be, may_have
from fim_lsp.schemas.store import schema_of, schema_url
from fim_lsp.schemas.toml_place import toml_place_in
from fim_lsp.schemas.usual import seen_keys
from fim_lsp.schemas.values import general


def is_held(file_name: str, left: str, text: str, right: str) -> bool:
    """Whether a file's schema allows a text at its place, as far as that is known. Files without a schema,
    and files that do not parse elsewhere, allow every text."""
    url = schema_url(file_name)
    schema = None if url is None else schema_of(url)
    is_toml = file_name.endswith(".toml")
    whole = None if schema is None else content(left + text + right, is_toml=is_toml)
    if schema is None or whole is None:
        return True
    found = toml_place_in(left, right) if is_toml else None
    place = place_in(left, right) if not is_toml else None if found is None else found.place
    return place is None or is_held_at(schema, str(url).rpartition("/")[2], place, whole)


def is_held_at(schema: Schema, name: str, place: SchemaPosition, whole: Any) -> bool:
    there = whole
    for step in place.path:
        try:
            there = there[step]
        except (LookupError, TypeError):
            # A number or a text, or a list that has ended.
            return True
    if place.kind == "value":
        return may_be(schema.at(place.path), there)
    # Schemas grow old; a key that was seen there may be there.
    known = {*place.before, *place.behind, *seen_keys(name, general(schema, place.path))}
    new = there.items() if isinstance(there, dict) else ()
    return all(may_have(schema, place.path, key, value) for key, value in new if key not in known)


def content(text: str, *, is_toml: bool) -> Any:
    """The content of a text; None if it cannot be read."""
    try:
        if not is_toml:
            return json.loads(text)
        import tomllib

        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
