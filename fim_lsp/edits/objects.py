"""The class of an object, as far as the file shows it (`table = Table()`, `table: Table`, `Table().add`), and
the subclasses of a class."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.change import FileChange
from fim_lsp.edits.names import BINDING, Names, Occurrence, Scope
from fim_lsp.edits.source import SourceText
from fim_lsp.edits.symbols import WORD

NAMED_CALL = re.compile(r"([^\W\d]\w*)\((?:[^()]|\([^()]*\))*\)")
# `'Table'`, `Table | None` and `Optional[Table]` count as tables.
ANNOTATED = re.compile(r"^['\"]?(?:(?:typing\.)?Optional\[)?([^\W\d]\w*)(?:\]| *\| *None)?['\"]?$")


def class_made(source: SourceText, names: Names, one: Occurrence, said: str) -> str:
    """The class of an object: `Table()`, or a variable that every binding makes a table, such as
    `table = Table()`, `table: Table`, `with Table() as table`; otherwise empty."""
    if (made := NAMED_CALL.fullmatch(said)) is not None:
        return made[1]
    if said.startswith("self.") and said[len("self.") :].isidentifier():
        return class_kept(source, names, one, said[len("self.") :])
    if not said.isidentifier():
        return ""
    owner = names.binding_scope(said, one.scopes)
    classes = set()
    for other in names.variable(said, owner) if owner is not None else []:
        if other.role in BINDING:
            classes.add(class_given(source, other))
    return next(iter(classes)) if len(classes) == 1 else ""


def class_kept(source: SourceText, names: Names, one: Occurrence, attribute: str) -> str:
    """The class of an object in an attribute of `self`, if all assignments in the own class agree."""
    owner = own_class(one)
    classes = set()
    for other in names.of(attribute):
        around = other.path[-3] if len(other.path) > 2 else other.parent
        is_own = other.role == "attribute" and own_class(other) == owner
        if not is_own or around.type != "assignment" or around.child_by_field_name("left") != other.parent:
            continue
        value = around.child_by_field_name("right")
        if value is not None and value.type == "identifier":
            start, stop = source.span(value)
            classes.add(class_made(source, names, names.at(start, stop), source.text_of(value)))
        else:
            classes.add(class_annotated(source, around))
    return next(iter(classes)) if owner is not None and len(classes) == 1 else ""


def own_class(one: Occurrence) -> Scope | None:
    return next((scope for scope in one.scopes if scope[1] == "class_definition"), None)


def class_annotated(source: SourceText, assignment: tree_sitter.Node) -> str:
    """The class that an assignment shows, by an annotation or a call."""
    said = source.text_of(assignment.child_by_field_name("type"))
    if said:
        return ANNOTATED.sub(r"\1", said)
    value = assignment.child_by_field_name("right") or assignment.child_by_field_name("value")
    called = None if value is None or value.type != "call" else value.child_by_field_name("function")
    return source.text_of(called)


def class_given(source: SourceText, one: Occurrence) -> str:
    """The class of the value that a binding gives to a name."""
    around = one.parent
    value: tree_sitter.Node | None = None
    match around.type:
        case "typed_parameter" | "typed_default_parameter":
            return ANNOTATED.sub(r"\1", source.text_of(around.child_by_field_name("type")))
        case "assignment" | "named_expression":
            return class_annotated(source, around)
        case "as_pattern_target" if one.path[-3].type == "as_pattern":
            value = one.path[-3].named_children[0]
    if value is not None and value.type == "call":
        return source.text_of(value.child_by_field_name("function"))
    return ""


def family(change: FileChange, owner: Scope | None) -> dict[Scope | None, str]:
    """A class and its subclasses in the file, with their names; empty outside of classes."""
    if owner is None or owner[1] != "class_definition":
        return {}
    return family_of(change.old, owner, ())


def family_of(source: SourceText, owner: Scope | None, names: Iterable[str]) -> dict[Scope | None, str]:
    """The subclasses in a file of one of its classes, or of classes given by name."""
    found: dict[Scope | None, str] = {}
    said = {*names}
    for scope, name, bases in classes_of(source):
        if scope == owner or bases & said:
            found[scope] = name
            said.add(name)
    return found


@lru_cache(maxsize=8)
def classes_of(source: SourceText) -> tuple[tuple[Scope, str, frozenset[str]], ...]:
    """The classes of a file, each with its name and the words of its bases."""
    return tuple(
        (
            (node.start_byte, node.type),
            source.text_of(node.child_by_field_name("name")),
            frozenset(WORD.findall(source.text_of(node.child_by_field_name("superclasses")))),
        )
        for node in classes_below(source.root)
    )


def classes_below(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The top-level classes, and the classes in them."""
    for child in node.named_children:
        inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        if inner is not None and inner.type == "class_definition":
            yield inner
            body = inner.child_by_field_name("body")
            if body is not None:
                yield from classes_below(body)
        elif child.type in ("if_statement", "try_statement", "block", "else_clause"):
            yield from classes_below(child)
