"""Annotations that the user writes function by function: the annotation of the next function.

    -def start(self):                   +def start(self) -> None:
     def stop(self):                     ^ the user wrote it above, so writes it here, too
         self.is_on = False
     def state(self):                    returns a value: `-> None` would be wrong
         return self.is_on

The returned type comes from the function's body if it is plain: nothing, or only texts, numbers or truth
values. A parameter is annotated like others of its name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

# The probability that the user annotates the next function, too: after one, after more, and if as many were
# left alone.
ONCE, AGAIN, LEFT_ALONE = 0.7, 0.85, 0.4
DEF = re.compile(r"\bdef\b")
CONSTRUCTOR = re.compile(r"\bdef __init__\b")
MEMBER_OF = re.compile(r"([^\W\d][\w.]*)\.\Z")
MOST_CHARACTERS = 80
GIVEN = re.compile(r"->\s*([^:]+)")
INNER = ("function_definition", "class_definition", "lambda")
# The types that functions of these names always return.
SPECIAL = {
    "__init__": "None", "__str__": "str", "__repr__": "str", "__len__": "int", "__hash__": "int",
    "__bool__": "bool", "__eq__": "bool", "__ne__": "bool", "__lt__": "bool", "__le__": "bool",
    "__gt__": "bool", "__ge__": "bool", "__contains__": "bool",
}  # fmt: skip
PLAIN = {
    "true": "bool", "false": "bool", "not_operator": "bool", "string": "str", "concatenated_string": "str",
    "integer": "int", "float": "float",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class AnnotatedPart:
    """A parameter of a function, or with an empty name its returned value: its annotation, if any, and the
    annotation's place."""

    function: tree_sitter.Node
    name: str
    annotation: str
    start: int
    stop: int
    default: str = ""


def repeated_annotations(change: FileChange) -> Iterator[Replacement]:
    """Annotations that follow from those that the user has just written."""
    if not any("->" in one.new or ":" in one.new for one in change.replaced):
        return
    parts = [*annotated_parts(change.new)]
    written = [one for one in parts if one.annotation and is_written(change, one)]
    if not written:
        return
    types: dict[str, Counter[str]] = defaultdict(Counter)
    for one in written:
        types[one.name][one.annotation] += 1
    wanted = [
        (one, found)
        for one in parts
        if not one.annotation and (found := wanted_annotation(change.new, one, types))
    ]
    bare = bare_parameters(parts)
    if not any(bare[one.function.start_byte] for one in written):
        # A user who annotates whole headers does not annotate half of the next one.
        for one, _ in wanted:
            bare[one.function.start_byte].discard(one.name)
        wanted = [(one, found) for one, found in wanted if not bare[one.function.start_byte]]
    done = {one.function.start_byte for one in written}
    passed = {one.function.start_byte for one, _ in wanted if one.function.start_byte < max(done)} - done
    for one, annotation in wanted:
        sure = certainty(types[one.name].total(), bool(one.name))
        if len(passed) >= len(done):
            sure = LEFT_ALONE
        if not change.is_typed(one.start, one.stop):
            new = written_annotation(one, annotation)
            yield Replacement(one.start, one.stop, new, reason_of(change.new, one), sure, "annotation")


def bare_parameters(parts: Sequence[AnnotatedPart]) -> dict[int, set[str]]:
    """The parameters of each function that have no annotation."""
    found: dict[int, set[str]] = defaultdict(set)
    for one in parts:
        if one.name not in ("", "self", "cls") and not one.annotation:
            found[one.function.start_byte].add(one.name)
    return found


def certainty(n_made: int, is_parameter: bool) -> float:
    """The probability that an annotation is repeated. Parameters of two functions may share a name and not a
    type."""
    if is_parameter:
        return ONCE if n_made > 1 else LEFT_ALONE
    return AGAIN if n_made > 1 else ONCE


def reason_of(source: SourceText, one: AnnotatedPart) -> str:
    if one.name:
        return f"the parameter `{one.name}` was annotated elsewhere"
    return f"what functions give back was annotated, and `{function_name(source, one.function)}` is not yet"


def written_annotation(one: AnnotatedPart, annotation: str) -> str:
    if not one.name:
        return f" -> {annotation}"
    return f": {annotation} = " if one.default else f": {annotation}"


def is_written(change: FileChange, one: AnnotatedPart) -> bool:
    """Whether an annotation is new, and its function is not."""
    name = one.function.child_by_field_name("name")
    was = None if name is None else change.to_old(change.new.offset(name.start_byte))
    return was is not None and change.to_old(one.stop - 1) is None


def annotated_parts(source: SourceText) -> Iterator[AnnotatedPart]:
    """The parts of all headers, in order."""
    for found in DEF.finditer(source.text):
        at = source.byte(found.start())
        node = source.root.descendant_for_byte_range(at, at + 1)
        function = None if node is None else node.parent
        if node is not None and node.type == "def" and function is not None and not function.has_error:
            yield from parts_of(source, function)


def parts_of(source: SourceText, function: tree_sitter.Node) -> Iterator[AnnotatedPart]:
    parameters = function.child_by_field_name("parameters")
    if parameters is None:
        return
    for child in parameters.named_children:
        start, stop = source.span(child)
        match child.type:
            case "identifier":
                yield AnnotatedPart(function, source.text_of(child), "", stop, stop)
            case "default_parameter":
                name, value = child.child_by_field_name("name"), child.child_by_field_name("value")
                if name is not None and value is not None and name.type == "identifier":
                    start, stop = source.offset(name.end_byte), source.offset(value.start_byte)
                    yield AnnotatedPart(
                        function, source.text_of(name), "", start, stop, source.text_of(value)
                    )
            case "typed_parameter" | "typed_default_parameter":
                name = child.child_by_field_name("name") or child.named_children[0]
                said = source.text_of(child.child_by_field_name("type"))
                if name.type == "identifier":
                    default = source.text_of(child.child_by_field_name("value"))
                    end = source.offset(name.end_byte)
                    yield AnnotatedPart(function, source.text_of(name), said, end, stop, default)
    given = function.child_by_field_name("return_type")
    start = source.offset(parameters.end_byte)
    stop = start if given is None else source.offset(given.end_byte)
    yield AnnotatedPart(function, "", source.text_of(given), start, stop)


def wanted_annotation(source: SourceText, one: AnnotatedPart, types: Mapping[str, Counter[str]]) -> str:
    """The annotation of a bare part, from those that were written; empty if it is not known."""
    known = types.get(one.name, Counter())
    if one.name:
        found = next(iter(known)) if len(known) == 1 and one.name not in ("self", "cls") else ""
        is_optional = "None" in found or "Optional" in found or "Any" in found
        return "" if one.default == "None" and not is_optional else found
    return returned_type(source, one.function) if known else ""


def annotates_another(source: SourceText, start: int, old: str, new: str) -> bool:
    """Whether an annotation would stand behind a member of anything but `self`, which checkers refuse."""
    if ":" not in new or ":" in old or not new.rstrip().endswith("="):
        return False
    found = MEMBER_OF.search(source.text, max(start - MOST_CHARACTERS, 0), start)
    return found is not None and found[1] not in ("self", "cls")


def contradicts_body(source: SourceText, start: int, old: str, new: str) -> bool:
    """Whether a new annotation at a place contradicts the type that the function there returns."""
    found = GIVEN.search(new)
    if found is None or "->" in old:
        return False
    function = next(
        (one for one in reversed(source.path_to(start)) if one.type == "function_definition"), None
    )
    body = None if function is None else function.child_by_field_name("body")
    if function is None or body is None:
        return False
    special = SPECIAL.get(function_name(source, function))
    if special is not None:
        return found[1].strip() != special or leaves_out_nothing(source, function)
    if is_stub(body):
        return False
    gives = any(one.type == "yield" or is_value_given(one) for one in nodes_of_body(body))
    return gives == (found[1].strip() == "None")


def is_value_given(node: tree_sitter.Node) -> bool:
    return node.type == "return_statement" and [one.type for one in node.named_children] not in ([], ["none"])


def returned_type(source: SourceText, function: tree_sitter.Node) -> str:
    """The type that a function returns, if its body shows it plainly."""
    name = function_name(source, function)
    body = function.child_by_field_name("body")
    if name in SPECIAL:
        return "" if leaves_out_nothing(source, function) else SPECIAL[name]
    if body is None or is_stub(body):
        return ""
    found = set()
    for node in nodes_of_body(body):
        if node.type == "yield":
            return ""
        if node.type == "return_statement":
            found.add(kind_given(source, node.named_children[0]) if node.named_children else "")
    if not found or found == {""}:
        return "None"
    last = body.named_children[-1].type
    kinds = {PLAIN.get(kind, "") for kind in found}
    return kinds.pop() if len(kinds) == 1 and last in ("return_statement", "raise_statement") else ""


def leaves_out_nothing(source: SourceText, function: tree_sitter.Node) -> bool:
    """Whether a constructor needs no `-> None`: checkers allow that if a parameter is annotated. No other
    constructor of the file may have both."""
    if function_name(source, function) != "__init__":
        return False
    return has_annotated(function) and not any(
        has_annotated(other) and other.child_by_field_name("return_type") is not None
        for other in constructors(source)
    )


def has_annotated(function: tree_sitter.Node) -> bool:
    listed = function.child_by_field_name("parameters")
    return listed is not None and any(child.type.startswith("typed") for child in listed.named_children)


def constructors(source: SourceText) -> Iterator[tree_sitter.Node]:
    for found in CONSTRUCTOR.finditer(source.text):
        at = source.byte(found.start())
        node = source.root.descendant_for_byte_range(at, at + 1)
        if node is not None and node.type == "def" and node.parent is not None:
            yield node.parent


def kind_given(source: SourceText, value: tree_sitter.Node) -> str:
    is_bytes = value.type == "string" and "b" in source.text_of(value)[:2].lower()
    return "bytes" if is_bytes else value.type


def is_stub(body: tree_sitter.Node) -> bool:
    """Whether a body is only a stub, whose function is implemented elsewhere."""
    stays = [one for one in body.named_children if one.type != "comment"]
    if stays and stays[0].type == "expression_statement" and is_plain_text(stays[0]):
        stays = stays[1:]
    return all(
        one.type == "raise_statement"
        or (
            one.type == "expression_statement"
            and one.named_children[:1]
            and one.named_children[0].type == "ellipsis"
        )
        for one in stays
    )


def is_plain_text(statement: tree_sitter.Node) -> bool:
    return [one.type for one in statement.named_children] == ["string"]


def nodes_of_body(body: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The nodes of a body, but those of functions and classes in it."""
    waiting = [body]
    while waiting:
        node = waiting.pop()
        yield node
        if node.type not in INNER:
            waiting += node.named_children


def function_name(source: SourceText, function: tree_sitter.Node) -> str:
    return source.text_of(function.child_by_field_name("name"))
