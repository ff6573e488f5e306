"""The keys and values that a schema has at a place of a file.

All alternatives count, because nothing says yet which of them a file is: a key of any part of `anyOf`,
`oneOf` or `allOf` may come. The same holds for conditions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product
from typing import Any

# A schema that leads to itself is followed so far.
DEEPEST = 12
# The most keys and values of a place that are tried.
MOST = 8
# The least value of each kind.
LEAST = {"string": '""', "object": "{}", "array": "[]", "boolean": "true", "number": "0", "integer": "0"}
Node = Mapping[str, Any]


def nothing_else(_url: str) -> Node | None:
    """The other documents, for a document that refers to none."""
    return None


@dataclass(frozen=True, slots=True)
class Schema:
    """A schema's document, and where others are that it refers to."""

    root: Node
    document: Callable[[str], Node | None] = nothing_else

    def at(self, path: Sequence[str | int]) -> list[Node]:
        """The schemas of a place: keys of objects, numbers in lists."""
        nodes = list(self.whole(self.root))
        for step in path:
            nodes = [one for node in nodes for child in children(node, step) for one in self.whole(child)]
        return nodes

    def whole(self, node: Any, depth: int = 0) -> Iterator[Node]:
        """A part of the document, and what it refers to or has as alternatives."""
        if not isinstance(node, Mapping) or depth > DEEPEST:
            return
        yield node
        parts = [node.get(key) for key in ("then", "else")]
        parts += [part for key in ("allOf", "anyOf", "oneOf") for part in as_list(node.get(key))]
        reference = node.get("$ref")
        if isinstance(reference, str):
            parts.append(self.referenced_schema(reference))
        for part in parts:
            yield from self.whole(part, depth + 1)

    def referenced_schema(self, reference: str) -> Any:
        """The schema that `#/definitions/name` stands for, or one in another document; None for nothing."""
        url, _, place = reference.partition("#")
        found: Any = self.document(url) if url else self.root
        for step in place.strip("/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            found = (found.get(name) if isinstance(found, Mapping) else None) if step else found
        return found


def children(node: Node, step: str | int) -> Iterator[Any]:
    """The schemas of a key's value, or of one in a list."""
    if isinstance(step, int):
        items = node.get("items")
        yield items[min(step, len(items) - 1)] if isinstance(items, list) and items else items
        return
    properties = node.get("properties")
    if isinstance(properties, Mapping) and step in properties:
        yield properties[step]
        return
    patterns = node.get("patternProperties")
    named = patterns.items() if isinstance(patterns, Mapping) else ()
    yield from [one for key, one in named if fits_pattern(key, step)] or [node.get("additionalProperties")]


def fits_pattern(pattern: str, key: str) -> bool:
    """Whether a key matches a pattern; no key matches a pattern that Python cannot read."""
    try:
        return re.search(pattern, key) is not None
    except re.error:
        return False


def keys(nodes: Sequence[Node]) -> list[str]:
    """The keys that an object may have, in the schema's order."""
    properties = (node.get("properties") for node in nodes)
    return list(dict.fromkeys(key for one in properties if isinstance(one, Mapping) for key in one))


def has_any_name(nodes: Sequence[Node]) -> bool:
    """Whether the keys of an object may have any name, as dependencies may."""
    return any(isinstance(node.get("additionalProperties"), Mapping) for node in nodes)


def required_keys(nodes: Sequence[Node]) -> set[str]:
    """The keys that an object must have, or another one in their place; those of some alternatives aside."""
    parts = [part for node in nodes for key in ("anyOf", "oneOf") for part in as_list(node.get(key))]
    parts += [node.get("else") for node in nodes]
    parts += [node.get("then") for node in nodes if not keys_demanded_by(denied_condition(node))]
    optional = {key for part in parts for key in keys_demanded_by(part)}
    return {key for node in nodes for key in keys_demanded_by(node)} - optional


def instead_of(nodes: Sequence[Node]) -> list[tuple[str, str]]:
    """Pairs of keys of which an object needs only the second: no `dynamic` where `version` is there, no
    `file` where a licence has a `text`.

    A schema says so by a condition (`if` the one is `not` required, the other is), or by alternatives that
    require different keys.
    """
    pairs: list[tuple[str, str]] = []
    for node in nodes:
        pairs += product(keys_demanded_by(denied_condition(node)), keys_demanded_by(node.get("then")))
        for some, others in permutations([keys_demanded_by(one) for one in as_list(node.get("oneOf"))], 2):
            pairs += product(some - others, others - some)
    return pairs


def denied_condition(node: Node) -> Any:
    """What must not be for the rest of a conditional schema to hold."""
    condition = node.get("if")
    return condition.get("not") if isinstance(condition, Mapping) else None


def keys_demanded_by(part: Any) -> set[str]:
    """The keys that one part of a schema itself requires."""
    return set(as_list(part.get("required"))) if isinstance(part, Mapping) else set()


def values(nodes: Sequence[Node]) -> list[Any]:
    """The values that the schema names, a default last, since files seldom contain it."""
    found = [value for node in nodes for value in constants(node)]
    found += [value for node in nodes for value in as_list(node.get("enum"))]
    if "boolean" in kinds(nodes):
        # A truth may be said as a string, too, which is of use to programs.
        found = [True, False, *(value for value in found if value not in ("true", "false"))]
    unsaid = [node["default"] for node in nodes if "default" in node]
    # Ones and truths are the same to Python.
    some = {json.dumps(value): value for value in (*found, *unsaid)}
    last = [json.dumps(value) for value in unsaid]
    return [some[text] for text in sorted(some, key=lambda one: one in last)]


def kinds(nodes: Sequence[Node]) -> list[str]:
    """The kinds of values that there may be."""
    types = (node.get("type") for node in nodes)
    return [kind for one in types for kind in ([one] if isinstance(one, str) else as_list(one))]


def as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# The kinds of values, by the type that they have here.
KINDS: Mapping[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
    list: ("array",),
    dict: ("object",),
    type(None): ("null",),
}


def may_have(schema: Schema, path: Sequence[str | int], key: str, value: Any) -> bool:
    """Whether an object may have a key with a value: the outermost one may have any that the schema does not
    say, as tools have keys of their own there."""
    nodes = schema.at(path)
    # Schemas that say nothing of keys are no object's.
    known = [node for node in nodes if {"properties", "patternProperties", "additionalProperties"} & {*node}]
    children_of = [child for node in known for child in children(node, key) if child not in (None, False)]
    if known and not children_of:
        return not path
    return may_be(schema.at((*path, key)), value)


def may_be(nodes: Sequence[Node], value: Any) -> bool:
    """Whether a place may have a value, by its kind, or by its name where all values have one."""
    known_kinds = kinds(nodes)
    if known_kinds and not {*known_kinds} & {*KINDS.get(type(value), known_kinds)}:
        return False
    saying = [node for node in nodes if {"type", "pattern", "enum", "const"} & {*node}]
    named = [json.dumps(one) for node in saying for one in (*as_list(node.get("enum")), *constants(node))]
    is_closed = all("enum" in node or "const" in node for node in saying)
    return not (saying and is_closed) or json.dumps(value) in named


def constants(node: Node) -> list[Any]:
    return [node["const"]] if "const" in node else []
