"""Which names a part of a file uses that nothing in the file binds, in languages whose scopes are blocks.

A language says what each of its identifiers is (`Naming`): it binds a name from one byte to another, it uses
one, or neither. Doubtful names are not reported: names in statements that cannot be read, names that lines
outside of the part use, too, without a binding, and, if the file is broken anywhere, names that anything
binds.

    func f(a int) { if b := g(a); b > 0 { } ; b }         g, and the last b
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import tree_sitter

from fim_lsp.declared.tree import is_broken, is_in_broken_statement, spans_of, text

# A name that stands in more places is not looked up.
MOST_PLACES = 300
ANY = frozenset({"name"})


@dataclass(frozen=True, slots=True)
class Bound:
    """Binds a name between two bytes, with one or more kinds; some languages have only one kind."""

    start: int
    stop: int
    kinds: frozenset[str] = ANY


@dataclass(frozen=True, slots=True)
class Used:
    """Uses a name that has one of these kinds."""

    kinds: frozenset[str] = ANY


Meaning = Bound | Used | None


@dataclass(frozen=True, slots=True)
class Naming:
    """The identifiers in a language's trees, and the meaning of each."""

    identifiers: frozenset[str]
    meaning: Callable[[tree_sitter.Node], Meaning]


@dataclass(frozen=True, slots=True)
class Use:
    """A use of a name, and the kind of use."""

    name: str
    node: tree_sitter.Node
    kinds: frozenset[str]


def unbound(
    naming: Naming,
    root: tree_sitter.Node,
    content: bytes,
    first: int,
    last: int,
    is_elsewhere: Callable[[Use], bool],
) -> Iterator[Use]:
    """The uses between two bytes of a file, in its order, of names that nothing binds."""
    for node in identifiers_between(naming, root, first, last):
        used = naming.meaning(node)
        if not isinstance(used, Used):
            continue
        use = Use(text(node), node, used.kinds)
        is_told = use.name.isidentifier() and not is_elsewhere(use)
        if not is_told or is_bound(naming, use, root, content, first, last):
            continue
        if not is_in_broken_statement(node):
            yield use


def identifiers_between(
    naming: Naming, root: tree_sitter.Node, first: int, last: int
) -> Iterator[tree_sitter.Node]:
    """The identifiers that reach into a part of a file, in its order, without unreadable text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in naming.identifiers:
            yield node
        elif node.type != "ERROR":
            waiting += [
                child
                for child in reversed(node.named_children)
                if child.start_byte < last and child.end_byte > first
            ]


def is_bound(naming: Naming, use: Use, root: tree_sitter.Node, content: bytes, first: int, last: int) -> bool:
    """Whether anything in the file binds a name where it is used, or may do so."""
    bounds: list[Bound] = []
    outside: list[tree_sitter.Node] = []
    for node in places_of(naming, use, root, content):
        if node is None:
            return True
        match naming.meaning(node):
            case Bound() as bound if bound.kinds & use.kinds:
                if root.has_error or is_within(use.node, bound):
                    return True
                bounds.append(bound)
            # Behind a fault in a file, the tree may have something else for what binds names.
            case _ if root.has_error and node != use.node:
                return True
            case Used(kinds) if kinds & use.kinds and not first < node.end_byte <= last:
                outside.append(node)
    return not all(any(is_within(node, bound) for bound in bounds) for node in outside)


def is_within(node: tree_sitter.Node, bound: Bound) -> bool:
    return bound.start <= node.start_byte and node.end_byte <= bound.stop


def places_of(
    naming: Naming, use: Use, root: tree_sitter.Node, content: bytes
) -> Iterator[tree_sitter.Node | None]:
    """The places of a name, the nearest first; None where they are unknown."""
    near = use.node.start_byte
    spans = sorted(spans_of(use.name.encode(), content), key=lambda span: abs(span[0] - near))
    for start, stop in spans[:MOST_PLACES]:
        node = root.descendant_for_byte_range(start, stop)
        if node is None:
            continue
        if is_broken(node):
            yield None
        elif node.type in naming.identifiers and (node.start_byte, node.end_byte) == (start, stop):
            yield node
    if len(spans) > MOST_PLACES:
        yield None
