"""A compiled grammar, which the readers of grammars write and the engine loads."""

from __future__ import annotations

import json
from typing import TypedDict

from quotient.compiler.branching import BranchingDescription
from quotient.compiler.frames import FramesDescription
from quotient.compiler.rules import Body

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
    """The text of a compiled grammar's file: one line per rule and terminal, so that diffs read."""
    lines = []
    for key, value in compiled.items():
        if key in ("terminals", "rules") and isinstance(value, list):
            items = ",\n".join("  " + json.dumps(item, ensure_ascii=True) for item in value)
            lines.append(f" {json.dumps(key)}: [\n{items}\n ]")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
