"""Fields of Go's types without a name that were changed, as tables of tests have them: the keys of the rows,
and what is read of each row, follow.

    tests := []struct{ in int }{{in: 1}, {in: 2}}        struct{ input int }      {input: 1}
    for _, test := range tests { use(test.in) }                                   `test.input`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.object_types import DEEPEST, declarations

Path = Sequence[tree_sitter.Node]
# What holds the type of a row.
HOLDING = ("slice_type", "array_type", "map_type", "pointer_type", "implicit_length_array_type")


def renamed_row_fields(change: FileChange) -> Iterator[Replacement]:
    source = change.old
    for replaced in change.replaced if source.known_language.name == "go" else ():
        for old, new in pairs(replaced):
            literal = literal_declaring(source.path_to(old[0]))
            name, now = source.text[slice(*old)], change.new.text[slice(*new)]
            if literal is None or literal_declaring(change.new.path_to(new[0])) is None:
                continue
            if now in fields_of(source, literal):
                continue
            for start in source.places(name):
                at, path = change.to_new(start), source.path_to(start)
                is_there = at is not None and change.new.text[at : at + len(name)] == name
                if at is not None and is_there and is_field_of(source, path, literal):
                    reason = f"the field `{name}` is called `{now}` now"
                    yield Replacement(at, at + len(name), now, reason, SURE, f"rename {name} {now}")


def is_field_of_other_rows(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would change a key or a field that is called like one of rows that was changed:
    what is known to be of these rows follows anyway."""
    if change.new.known_language.name != "go":
        return False
    pair = change.new.text[found.start : found.stop], found.new
    names = {
        (change.old.text[slice(*old)], change.new.text[slice(*new)])
        for replaced in change.replaced
        for old, new in pairs(replaced)
        if literal_declaring(change.old.path_to(old[0])) is not None
    }
    path = change.new.path_to(found.start)
    if pair not in names or len(path) < 4:
        return False
    around = path[-2]
    if around.type == "selector_expression":
        return around.child_by_field_name("field") == path[-1]
    return path[-3].type == "keyed_element" and path[-3].named_children[0] == around


def literal_declaring(path: Path) -> tree_sitter.Node | None:
    """The literal whose type, written in front of it, has a field of the name at the end of a path."""
    if len(path) < 5 or path[-2].type != "field_declaration" or path[-4].type != "struct_type":
        return None
    if path[-1] not in path[-2].children_by_field_name("name"):
        return None
    at = len(path) - 5
    while at > 0 and path[at].type in HOLDING:
        at -= 1
    return path[at] if path[at].type == "composite_literal" else None


def fields_of(source: SourceText, literal: tree_sitter.Node) -> set[str]:
    struct = literal.child_by_field_name("type")
    while struct is not None and struct.type in HOLDING:
        struct = struct.named_children[-1]
    listed = struct.named_children[0].named_children if struct is not None and struct.named_children else []
    return {source.text_of(name) for one in listed for name in one.children_by_field_name("name")}


def is_field_of(source: SourceText, path: Path, literal: tree_sitter.Node) -> bool:
    """Whether a name is a key of a literal's rows, or is read of one."""
    around = path[-2]
    if around.type == "selector_expression" and around.child_by_field_name("field") == path[-1]:
        return is_row(source, around.child_by_field_name("operand"), literal)
    if len(path) < 4 or path[-3].type != "keyed_element" or path[-3].named_children[0] != around:
        return False
    rows = [node for node in path[:-3] if node.type == "literal_value"]
    body = literal.child_by_field_name("body")
    is_one = literal_is_row(literal)
    return len(rows) > (not is_one) and rows[-1 if is_one else -2] == body


def literal_is_row(literal: tree_sitter.Node) -> bool:
    """Whether a literal is one row itself, and no list of them."""
    said = literal.child_by_field_name("type")
    return said is not None and said.type == "struct_type"


def is_row(
    source: SourceText, value: tree_sitter.Node | None, literal: tree_sitter.Node, depth: int = 0
) -> bool:
    """Whether a value is a row of a literal: what a loop goes through, one of a list, a copy of these."""
    if value is None or depth > DEEPEST:
        return False
    if value.type == "index_expression":
        return is_list(source, value.child_by_field_name("operand"), literal)
    if value.type != "identifier":
        return literal_is_row(literal) and is_same(value, literal)
    found = [*declarations(source, value)]
    if len(found) != 1 or len(found[0]) < 3:
        return False
    listed, around = found[0][-2], found[0][-3]
    if around.type == "range_clause":
        is_second = listed.named_children[1:] == [found[0][-1]]
        return is_second and is_list(source, around.child_by_field_name("right"), literal)
    right = around.child_by_field_name("right")
    is_copy = around.type == "short_var_declaration" and right is not None
    if right is None or not is_copy or len(right.named_children) != 1:
        return False
    return is_row(source, right.named_children[0], literal, depth + 1)


def is_list(source: SourceText, value: tree_sitter.Node | None, literal: tree_sitter.Node) -> bool:
    """Whether a value is a literal of several rows, or the variable that is given it."""
    if value is None or literal_is_row(literal):
        return False
    if value.type != "identifier":
        return is_same(value, literal)
    found = [*declarations(source, value)]
    if len(found) != 1:
        return False
    for around in (found[0][-2], found[0][-3]):
        given = around.child_by_field_name("right") or around.child_by_field_name("value")
        if given is not None and len(given.named_children) == 1 and is_same(given.named_children[0], literal):
            return True
    return False


def is_same(one: tree_sitter.Node, other: tree_sitter.Node) -> bool:
    """Whether two nodes are the same of a text, whose trees may be two (`declarations` remembers some)."""
    return (one.start_byte, one.end_byte, one.type) == (other.start_byte, other.end_byte, other.type)
