"""The places of renamed variables in the file: their uses, and their names in docstrings, annotations and
`__all__`.

    def area(width):                                  def area(breadth):
        ''':param width: in metres.'''      ->            ''':param breadth: in metres.'''
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fim_lsp.edits.renaming.renames import (
    LIKELY,
    SURE,
    Rename,
    attributes,
    import_certainty,
    renames,
    statement_of,
    variables,
)
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import MODULE, Occurrence

# What is made with its own name as the first argument.
NAMED = (
    "TypeVar", "TypeVarTuple", "ParamSpec", "NewType", "TypeAliasType", "namedtuple", "NamedTuple",
    "TypedDict", "Enum", "IntEnum", "StrEnum", "Flag", "make_dataclass", "create_model",
)  # fmt: skip


def renamed_occurrences(change: FileChange) -> Iterator[Replacement]:
    """The other places of a renamed variable, in the file itself."""
    for rename in renames(change):
        yield from places_of(change, rename)


def places_of(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    if rename.role == "attribute":
        yield from attributes(change, rename, rename.owner)
        return
    if rename.owner is not None and rename.owner[1] == "class_definition":
        yield from attributes(change, rename, rename.owner)
    yield from variables(change, rename)
    if rename.role == "parameter":
        yield from in_docstring(change, rename)
    if rename.owner == MODULE:
        yield from renamed_exports(change, rename)
    if rename.role == "bind":
        yield from renamed_own_text(change, rename)
    if rename.role in ("class", "import") or (rename.role, rename.owner) == ("bind", MODULE):
        yield from renamed_annotations(change, rename)


def in_docstring(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The parameter's entry in the function's docstring."""
    function = next((n for n in reversed(rename.before.path) if n.type == "function_definition"), None)
    body = None if function is None else function.child_by_field_name("body")
    first = None if body is None or not body.named_children else body.named_children[0]
    if first is None or first.type != "expression_statement":
        return
    start, stop = change.old.span(first)
    listed = re.compile(
        rf"(?m)(?::(?:param|parameter|arg|type|keyword)\b[^:\n]*?|^[ \t]*[-*]?[ \t]*\*{{0,2}}|@param\s+|`)"
        rf"(?P<name>\b{re.escape(rename.old)}\b)(?=[ \t]*(?:\([^)\n]*\))?[ \t]*:|`)"
    )
    for found in listed.finditer(change.old.text, start, stop):
        place = change.to_new(found.start("name"))
        if place is not None:
            yield Replacement(place, place + len(rename.old), rename.new, rename.reason, LIKELY, rename.group)


def renamed_annotations(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The uses of a class in annotations that are strings."""
    sure = import_certainty(change, rename) if rename.role == "import" else SURE
    for one in change.old_names.of(rename.old):
        start = change.to_new(one.start)
        if one.role != "text" or start is None or not is_annotation(one):
            continue
        if change.old_names.binding_scope(rename.old, one.scopes) == rename.owner:
            yield Replacement(start, start + len(rename.old), rename.new, rename.reason, sure, rename.group)


def renamed_own_text(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The name in the text that makes the variable's value: `Item = TypeVar("Item")`."""
    statement = rename.before.parent
    call = statement.child_by_field_name("right") if statement.type == "assignment" else None
    listed = call.child_by_field_name("arguments") if call is not None and call.type == "call" else None
    if call is None or listed is None or not listed.named_children:
        return
    made = change.old.text_of(call.child_by_field_name("function")).rpartition(".")[2]
    start, stop = change.old.span(listed.named_children[0])
    at = change.to_new(start + 1)
    if made in NAMED and at is not None and change.old.text[start + 1 : stop - 1] == rename.old:
        yield Replacement(at, at + len(rename.old), rename.new, rename.reason, SURE, rename.group)


def is_annotation(one: Occurrence) -> bool:
    """Whether a string stands in the place of a type."""
    types = [node.type for node in one.path]
    return "type" in types and "string" in types and types.index("type") < types.index("string")


def renamed_exports(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The string in `__all__`."""
    for one in change.old_names.of(rename.old):
        if one.role != "text":
            continue
        start = change.to_new(one.start)
        statement = statement_of(one)
        is_whole = change.old.text[one.start - 1 : one.start] in ("'", '"') and change.old.text[
            one.stop : one.stop + 1
        ] in ("'", '"')
        if start is not None and is_whole and change.old.text_of(statement).startswith("__all__"):
            yield Replacement(start, start + len(rename.old), rename.new, rename.reason, SURE, rename.group)
