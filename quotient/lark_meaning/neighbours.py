"""Neighbours: the pairs of terminals that may follow each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from quotient.compiler.rules import Body

# The pseudo-terminal in front of a text.
BEGIN = ""


@dataclass(slots=True)
class Edges:
    """The first and last symbols of a body, and whether it may be empty."""

    first: set[str] = field(default_factory=set)
    last: set[str] = field(default_factory=set)
    is_nullable: bool = False


def neighbours(bodies: Mapping[str, Body], start: str) -> dict[str, set[str]]:
    """The terminals that may follow each one, and the beginning of the text."""
    edges = {name: Edges() for name in bodies}
    while True:
        size = sum(len(one.first) + len(one.last) + one.is_nullable for one in edges.values())
        for name, body in bodies.items():
            edges[name] = _edges(body, edges, None)
        if size == sum(len(one.first) + len(one.last) + one.is_nullable for one in edges.values()):
            break
    found: dict[str, set[str]] = {BEGIN: set(edges[start].first)}
    for body in bodies.values():
        _edges(body, edges, found)
    return found


def _edges(body: Body, known: Mapping[str, Edges], found: dict[str, set[str]] | None) -> Edges:
    """The edges of a body; neighbours inside it are added to `found`."""
    if isinstance(body, str):
        return known[body] if body in known else Edges({body}, {body}, False)
    if "seq" in body:
        whole = Edges(is_nullable=True)
        for part in body["seq"]:
            whole = _joined_edges(whole, _edges(part, known, found), found)
        return whole
    if "alt" in body:
        options = [_edges(option, known, found) for option in body["alt"]]
        return Edges(
            set().union(*(option.first for option in options)),
            set().union(*(option.last for option in options)),
            any(option.is_nullable for option in options),
        )
    if "opt" in body:
        inner = _edges(body["opt"], known, found)
        return Edges(inner.first, inner.last, True)
    is_star = "star" in body
    inner = _edges(body["star"] if "star" in body else body["plus"], known, found)
    _joined_edges(inner, inner, found)
    return Edges(inner.first, inner.last, is_star or inner.is_nullable)


def _joined_edges(one: Edges, other: Edges, found: dict[str, set[str]] | None) -> Edges:
    if found is not None:
        for name in one.last:
            found.setdefault(name, set()).update(other.first)
    return Edges(
        one.first | (other.first if one.is_nullable else set()),
        other.last | (one.last if other.is_nullable else set()),
        one.is_nullable and other.is_nullable,
    )
