"""A compiled grammar, which the readers of grammars write and the engine loads."""

from __future__ import annotations

import json
from typing import Any, TypedDict

from quotient.compiler.branching import BranchingDescription
from quotient.compiler.frames import FramesDescription
from quotient.compiler.rules import Body
from quotient.compiler.shared_bodies import share, spread

LOWEST = -1_000_000
"""The priority of what is read only where no other terminal has the same text."""


class PlainTerminal(TypedDict):
    name: str
    kind: str
    pattern: str
    priority: int


class Terminal(PlainTerminal, total=False):
    flags: str
    emits: list[str]


class Rule(TypedDict):
    name: str
    body: Body


class PlainDescription(TypedDict):
    """A grammar as the engine reads it.

    Terminals are texts (kind `literal`) or expressions in the syntax of Rust's `regex` crate (kind `regex`),
    with `flags` being `i` or absent. The longest match wins, then a literal, then the higher priority, then
    the earlier one. A terminal with `emits` stands for those symbols; one that nothing mentions is an error.
    `ignore` names the terminals between symbols, `declared` the symbols from the layout or from strings with
    fields. In a rule's body a name is a rule, a terminal or a declared symbol.
    """

    name: str
    version: str | None
    start: str
    layout: str
    terminals: list[Terminal]
    ignore: list[str]
    declared: list[str]
    rules: list[Rule]


class SameDescription(TypedDict):
    """A name that must be repeated, and the terminals that spell it."""

    first: str
    again: str
    written: list[str]


class Description(PlainDescription, total=False):
    """A description with optional parts: strings with fields, branching, and names that must be repeated."""

    frames: FramesDescription
    branching: BranchingDescription
    same: SameDescription


def as_json(compiled: Description) -> str:
    """The text of a compiled grammar's file: one line per rule and terminal, so that diffs read. Parts that
    stand in several rules are written once (`shared_bodies.py`)."""
    written: dict[str, Any] = {**compiled}
    shared, bodies = share([rule["body"] for rule in written["rules"]])
    written["shared"] = shared
    written["rules"] = [{**rule, "body": body} for rule, body in zip(compiled["rules"], bodies, strict=True)]
    lines = []
    for key, value in written.items():
        if key in ("terminals", "shared", "rules"):
            items = ",\n".join("  " + json.dumps(item, separators=(",", ":")) for item in value)
            lines.append(f" {json.dumps(key)}: [\n{items}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def from_json(text: str) -> dict[str, Any]:
    """The grammar of a compiled grammar's file, with whole bodies."""
    described: dict[str, Any] = json.loads(text)
    bodies = spread(described.pop("shared"), [rule["body"] for rule in described["rules"]])
    for rule, body in zip(described["rules"], bodies, strict=True):
        rule["body"] = body
    return described
