"""Shared bodies: parts of rules that stand in several places, written once in a compiled grammar's file.

`_word` of a grammar of JavaScript is written into each rule that uses it, a hundred names each time. In the
file such a part stands once, in the list `shared`, and the rules refer to it by its number:

    "shared": [{"alt": ["NAME", "as", "async"]}, {"seq": [{"shared": 0}, ":"]}]
    "rules": [{"name": "start", "body": {"opt": {"shared": 1}}}]

Each refers to those in front of it alone. The engine (`grammar/description.rs`) and `spread` put them back.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from typing import Any, TypeAlias

# A rule's body as it is in the file: a symbol's name, or an operator with what it is of.
WrittenBody: TypeAlias = str | dict[str, Any]

# A shorter part is as short as what would refer to it.
LEAST_LENGTH = 24


def share(bodies: list[WrittenBody]) -> tuple[list[WrittenBody], list[WrittenBody]]:
    """Return the parts that stand in several places, and the bodies that refer to them."""
    counts: Counter[str] = Counter()
    for body in bodies:
        _count(body, counts)
    shared: list[WrittenBody] = []
    numbers: dict[str, int] = {}

    def with_references(body: WrittenBody) -> WrittenBody:
        text = _text(body)
        if text in numbers:
            return {"shared": numbers[text]}
        found = _rebuilt(body, with_references)
        if counts[text] < 2 or len(text) < LEAST_LENGTH:
            return found
        numbers[text] = len(shared)
        shared.append(found)
        return {"shared": numbers[text]}

    referring = [with_references(body) for body in bodies]
    return shared, referring


def spread(shared: list[WrittenBody], bodies: list[WrittenBody]) -> list[WrittenBody]:
    """Return the bodies with the shared parts where they are referred to."""
    whole: list[WrittenBody] = []

    def without_references(body: WrittenBody) -> WrittenBody:
        if isinstance(body, dict) and "shared" in body:
            return whole[body["shared"]]
        return _rebuilt(body, without_references)

    # Each refers to those that are whole already.
    for body in shared:
        whole.append(without_references(body))  # noqa: PERF401
    return [without_references(body) for body in bodies]


def _count(body: WrittenBody, counts: Counter[str]) -> None:
    if isinstance(body, str):
        return
    text = _text(body)
    counts[text] += 1
    # What stands in a shared part alone is written once anyway.
    if counts[text] == 1:
        for part in _parts(body):
            _count(part, counts)


def _rebuilt(body: WrittenBody, change: Callable[[WrittenBody], WrittenBody]) -> WrittenBody:
    if isinstance(body, str):
        return body
    [(kind, value)] = body.items()
    return {kind: [change(part) for part in value] if isinstance(value, list) else change(value)}


def _parts(body: dict[str, Any]) -> list[WrittenBody]:
    [value] = body.values()
    return list(value) if isinstance(value, list) else [value]


def _text(body: WrittenBody) -> str:
    return json.dumps(body, separators=(",", ":"))
