"""The law of names of each language that has one: the faults of a part of a file.

A new language adds a function here. If its scopes are blocks, `scopes.py` has the search; the language then
defines what an identifier means, and which names a file has from elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

import tree_sitter

from fim_lsp.declared import go_scopes, go_unused, java_package, java_scopes
from fim_lsp.declared.ambient import ambient_names, lies_among_modules
from fim_lsp.declared.beside import FileLocation
from fim_lsp.declared.go_package import package_around
from fim_lsp.declared.java_modifiers import wrong_modifiers
from fim_lsp.declared.own_value import used_in_own_value
from fim_lsp.declared.redeclared import variables_again_in_go, variables_again_in_java
from fim_lsp.declared.returns import wrong_returns
from fim_lsp.declared.scopes import Use, unbound
from fim_lsp.declared.tags import wrong_tags
from fim_lsp.declared.twice import names_again
from fim_lsp.declared.undeclared import undeclared_names
from fim_lsp.known_languages import GO, JAVA, JAVASCRIPT

NOT_DECLARED = "is not declared here"
NOT_READY = "has no value yet here"
NOT_USED = "is declared and not used"
NOT_TWICE = "is there already"
NOT_ENDED = "does not go with the element's other tag"
NOT_BESIDE = "may not stand beside the modifiers that are there"


@dataclass(frozen=True, slots=True)
class FilePart:
    """A part of a file, by its first byte and the one behind it."""

    root: tree_sitter.Node
    content: bytes
    first: int
    last: int
    place: FileLocation


@dataclass(frozen=True, slots=True)
class NameFault:
    """A name that is wrong, by its bytes, and why."""

    name: str
    start: int
    stop: int
    why: str = NOT_DECLARED


def of_javascript(part: FilePart) -> list[NameFault]:
    # Declarations alone say what comes from elsewhere.
    if part.place.path is not None and part.place.path.name.endswith((".d.ts", ".d.mts", ".d.cts")):
        return []
    ambient, among = partial(ambient_names, part.place), partial(lies_among_modules, part.place)
    found = undeclared_names(part.root, part.content, part.first, part.last, ambient, among)
    return [
        *(NameFault(one.name, one.start, one.stop) for one in found),
        *twice(part, JAVASCRIPT.family),
        *(fault(one, NOT_ENDED) for one in wrong_tags(part.root, part.first, part.last)),
        *(fault(one, NOT_READY) for one in used_in_own_value(part.root, part.first, part.last)),
    ]


def of_go(part: FilePart) -> list[NameFault]:
    span = part.root, part.content, part.first, part.last
    wrong = [fault(one, NOT_USED) for one in go_unused.unused_variables(*span)]
    wrong += [
        *twice(part, GO.family),
        *(fault(one, NOT_TWICE) for one in variables_again_in_go(part.root, part.first, part.last)),
    ]
    wrong += returns(part, GO.family)
    package = package_around(part.root, part.place)
    if package is None:
        return wrong
    found = unbound(go_scopes.NAMING, *span, package.has)
    return [*(of_use(one) for one in found), *wrong]


def of_java(part: FilePart) -> list[NameFault]:
    span = part.root, part.content, part.first, part.last
    found = [fault(one, NOT_BESIDE) for one in wrong_modifiers(part.root, part.first, part.last)]
    found += [*twice(part, JAVA.family), *(fault(one, NOT_TWICE) for one in variables_again_in_java(*span))]
    found += returns(part, JAVA.family)
    package = java_package.package_around(part.root, part.place)
    if package is None:
        return found
    return [*found, *(of_use(one) for one in unbound(java_scopes.NAMING, *span, package.has))]


def twice(part: FilePart, family: str) -> list[NameFault]:
    return [fault(one, NOT_TWICE) for one in names_again(family, part.root, part.first, part.last)]


def returns(part: FilePart, family: str) -> list[NameFault]:
    return [fault(node, why) for node, why in wrong_returns(family, part.root, part.first, part.last)]


def of_use(use: Use) -> NameFault:
    return fault(use.node, NOT_DECLARED)


def fault(node: tree_sitter.Node, why: str) -> NameFault:
    name = "" if node.text is None else node.text.decode("utf-8", "replace")
    return NameFault(name, node.start_byte, node.end_byte, why)


LAWS: Mapping[str, Callable[[FilePart], list[NameFault]]] = {
    JAVASCRIPT.family: of_javascript,
    GO.family: of_go,
    JAVA.family: of_java,
}
