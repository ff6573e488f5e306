"""Data classes whose fields were changed: their fields are the parameters of their constructors.

    @dataclass
    class Point:                    Point(0, 0)
        x: int                      Point(x=0, y=0)
        y: int

A class with bases is left alone, since it also has their fields; so is a class with its own constructor.
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.edits.functions.signatures import Altered, Function, Parameter, renamed_parameters
from fim_lsp.edits.renaming.objects import classes_below
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.source import SourceText

DECORATORS = ("dataclass", "dataclasses.dataclass")
BASES = ("NamedTuple", "typing.NamedTuple")


def altered_fields(change: FileChange) -> list[Altered]:
    """The constructors of the data classes in which a change touches fields."""
    if not any(base in change.old.text for base in ("dataclass", "NamedTuple")):
        return []
    before = {one.class_name: one for one in constructors(change.old, change, is_old=True)}
    after = {one.class_name: one for one in constructors(change.new, change, is_old=False)}
    found = []
    for name, was in before.items():
        now = after.get(name)
        if now is not None and was.taken != now.taken:
            found.append(Altered(was, now, renamed_parameters(was, now)))
    return found


def constructors(source: SourceText, change: FileChange, is_old: bool) -> Iterator[Function]:
    """The constructors of the data classes that a change reaches."""
    for node in classes_below(source.root):
        if not is_reached(source, change, node, is_old) or not is_data(source, node):
            continue
        fields = parameters(source, node)
        if fields is None:
            continue
        own = Parameter("self", "either")
        scope = node.start_byte, node.type
        name = source.text_of(node.child_by_field_name("name"))
        yield Function("__init__", node, (own, *fields), False, scope, name, (), False, False)


def is_reached(source: SourceText, change: FileChange, node: tree_sitter.Node, is_old: bool) -> bool:
    start, stop = source.span(node)
    # The change may add or remove a field behind the last one.
    stop += len("\r\n")
    return any(
        (hunk.old_start if is_old else hunk.new_start) <= stop
        and start <= (hunk.old_stop if is_old else hunk.new_stop)
        for hunk in change.hunks
    )


def is_data(source: SourceText, node: tree_sitter.Node) -> bool:
    bases = node.child_by_field_name("superclasses")
    said = [] if bases is None else [source.text_of(base) for base in bases.named_children]
    if said:
        return len(said) == 1 and said[0] in BASES
    around = node.parent
    decorators = [] if around is None or around.type != "decorated_definition" else around.named_children[:-1]
    words = [source.text_of(one).lstrip("@").strip() for one in decorators if one.type == "decorator"]
    return any(
        word.partition("(")[0] in DECORATORS
        and "init=False" not in word.replace(" ", "")
        and "kw_only" not in word
        for word in words
    )


def parameters(source: SourceText, node: tree_sitter.Node) -> list[Parameter] | None:
    """The fields of a class as parameters; None if it has its own constructor."""
    body = node.child_by_field_name("body")
    found: list[Parameter] = []
    is_named = False
    for statement in [] if body is None else body.named_children:
        inner = (
            statement.child_by_field_name("definition")
            if statement.type == "decorated_definition"
            else statement
        )
        if inner is not None and inner.type == "function_definition":
            if source.text_of(inner.child_by_field_name("name")) in ("__init__", "__new__"):
                return None
            continue
        field = statement.named_children[0] if statement.type == "expression_statement" else None
        annotation = None if field is None else field.child_by_field_name("type")
        if field is None or field.type != "assignment" or annotation is None:
            continue
        said, value = source.text_of(annotation), field.child_by_field_name("right")
        if said.endswith("KW_ONLY"):
            is_named = True
        elif "ClassVar" not in said and not is_left_out(source, value):
            name = source.text_of(field.child_by_field_name("left"))
            found.append(Parameter(name, "keyword" if is_named else "either", default_of(source, value)))
    return found


def is_left_out(source: SourceText, value: tree_sitter.Node | None) -> bool:
    """Whether a field is no parameter: `field(init=False)`."""
    return is_field(source, value) and "init=False" in source.text_of(value).replace(" ", "")


def is_field(source: SourceText, value: tree_sitter.Node | None) -> bool:
    called = None if value is None or value.type != "call" else value.child_by_field_name("function")
    return source.text_of(called) in ("field", "dataclasses.field")


def default_of(source: SourceText, value: tree_sitter.Node | None) -> str | None:
    """The default of a field, for a call that omits it; a factory's default cannot be written in a call."""
    if value is None:
        return None
    if not is_field(source, value):
        return source.text_of(value)
    said = source.text_of(value)
    return FACTORY if "default" in said else None


# A default that cannot be written in a call.
FACTORY = ""
