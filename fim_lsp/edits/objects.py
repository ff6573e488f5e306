"""Which class an object is of, where the file says so: `table = Table()`, `table: Table`, `Table().add`; and
which classes are made of which."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.change import Change
from fim_lsp.edits.names import BINDING, Names, Occurrence, Scope
from fim_lsp.edits.source import Source
from fim_lsp.edits.symbols import WORD

NAMED_CALL = re.compile(r"([^\W\d]\w*)\((?:[^()]|\([^()]*\))*\)")
# `'Table'`, `Table | None` and `Optional[Table]` are tables where they are anything.
ANNOTATED = re.compile(r"^['\"]?(?:(?:typing\.)?Optional\[)?([^\W\d]\w*)(?:\]| *\| *None)?['\"]?$")


def class_made(source: Source, names: Names, one: Occurrence, said: str) -> str:
    """The class that an object was made of: `Table()`, or a variable that is one wherever it gets a value,
    as by `table = Table()`, `table: Table`, `with Table() as table`; else nothing."""
    if (made := NAMED_CALL.fullmatch(said)) is not None:
        return made[1]
    if not said.isidentifier():
        return ""
    owner = names.looked_up(said, one.scopes)
    classes = set()
    for other in names.variable(said, owner) if owner is not None else []:
        if other.role in BINDING:
            classes.add(class_given(source, other))
    return next(iter(classes)) if len(classes) == 1 else ""


def class_given(source: Source, one: Occurrence) -> str:
    """The class of what a name is given where it is bound."""
    around = one.parent
    value: tree_sitter.Node | None = None
    match around.type:
        case "typed_parameter" | "typed_default_parameter":
            return ANNOTATED.sub(r"\1", source.said(around.child_by_field_name("type")))
        case "assignment" | "named_expression":
            said = source.said(around.child_by_field_name("type"))
            if said:
                return ANNOTATED.sub(r"\1", said)
            value = around.child_by_field_name("right") or around.child_by_field_name("value")
        case "as_pattern_target" if one.path[-3].type == "as_pattern":
            value = one.path[-3].named_children[0]
    if value is not None and value.type == "call":
        return source.said(value.child_by_field_name("function"))
    return ""


def family(change: Change, owner: Scope) -> dict[Scope | None, str]:
    """A class and those of the file that are made of it, with their names."""
    found: dict[Scope | None, str] = {}
    for scope, name, bases in classes_of(change.old):
        if scope == owner or bases & {*found.values()}:
            found[scope] = name
    return found


@lru_cache(maxsize=8)
def classes_of(source: Source) -> tuple[tuple[Scope, str, frozenset[str]], ...]:
    """The classes of a file, each with its name and the words of what it is made of."""
    return tuple(
        (
            (node.start_byte, node.type),
            source.said(node.child_by_field_name("name")),
            frozenset(WORD.findall(source.said(node.child_by_field_name("superclasses")))),
        )
        for node in classes_below(source.root)
    )


def classes_below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The classes at the margin, and those in them."""
    for child in node.named_children:
        inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        if inner is not None and inner.type == "class_definition":
            yield inner
            body = inner.child_by_field_name("body")
            if body is not None:
                yield from classes_below(body)
        elif child.type in ("if_statement", "try_statement", "block", "else_clause"):
            yield from classes_below(child)
