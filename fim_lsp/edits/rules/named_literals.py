"""Literals, and values made of them, that were given a name: where the same one stands elsewhere, it is
called by that name, too.

    +DELAY = 30
    -time.sleep(30)               time.sleep(30)      `DELAY` here as well
    +time.sleep(DELAY)

A text may stand for the same wherever it stands, a number only where it is given to the same, or where it is
no round one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import BINDING
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.object_types import declared_places
from fim_lsp.edits.typed.scoped import SCOPINGS, scope_of
from fim_lsp.known_languages import PYTHON

Path = Sequence[tree_sitter.Node]
NAME = re.compile(r"[^\W\d][\w$]*")
TEXT = ("string", "interpreted_string_literal", "raw_string_literal", "string_literal")
NUMBERS = (
    "integer", "float", "number", "int_literal", "float_literal", "decimal_integer_literal",
    "decimal_floating_point_literal", "hex_integer_literal",
)  # fmt: skip
# Literals that mean nothing alone, and what literals can be parts of.
WORDS = ("true", "false", "none", "null", "null_literal", "nil")
CALLS = ("call", "call_expression", "new_expression", "object_creation_expression", "method_invocation")
COMPUTED = ("binary_operator", "binary_expression", "unary_operator", "unary_expression")
MADE = (*CALLS, *COMPUTED)
# What gives a value to a name, and the fields of both.
GIVING = (("left", "right"), ("name", "value"))
LISTS = ("argument_list", "arguments")
SCOPES = ("function_definition", "class_definition", "lambda")
BLOCKS = ("block", "statement_block", "expression_statement", *SCOPES)
DECLARING = ("assignment", "variable_declarator", "const_spec", "var_spec")
# What stands between a declaration and what it is in.
BETWEEN = (
    "expression_list", "expression_statement", "lexical_declaration", "variable_declaration",
    "const_declaration", "var_declaration", "field_declaration", "export_statement",
)  # fmt: skip
OUTER = ("module", "program", "source_file", "class_body", "interface_body", "enum_body_declarations")
# Where a text is no value, or none that a name may stand for.
NO_VALUES = (
    "expression_statement", "concatenated_string", "case_pattern", "import_spec", "import_statement",
    "export_statement", "literal_type", "jsx_attribute", "enum_assignment", "field_declaration", "type",
    "property_signature", "interpolation", "method_definition", "public_field_definition",
    "field_definition", "pair_pattern",
)  # fmt: skip
# Calls whose text is a message, or the name of a test or a log.
MESSAGE = re.compile(
    r"(?:\w+\.)*(?:_?log(?:ger|ging)?|console|System\.(?:out|err))\.\w+|(?:\w+\.)*getLogger"
    r"|(?:it|test|describe|context|suite)(?:\.(?:only|skip|todo))?|panic|print|(?:warnings\.)?warn|(?:fmt\.Print|t\.(?:Error|Fatal|Log|Run|Skip))\w*"
    r"|errors\.New|(?:new\s+)?[\w.]*(?:Error|Exception)",
    re.IGNORECASE,
)
# Calls that say what a test expects.
EXPECTED = re.compile(r"(?:\w+\.)*(?:assert\w*|expect|require)\b")
# What calls a value by a name or a key.
CALLED = (
    "keyword_argument", "pair", "default_parameter", "typed_default_parameter", "keyed_element", *DECLARING,
)  # fmt: skip
# A shorter text, or a number with fewer digits, may be another one.
LEAST_CHARACTERS, LEAST_DIGITS = 3, 4
ROUND = re.compile(r"[1-9]?0+|1|2(?:56)?|512|1024|2048|4096")
LIKELY, LESS = 0.8, 0.7
MOST_PLACES = 60


@dataclass(frozen=True, slots=True)
class NamedLiteral:
    """A literal, the name that it has now, and what it was given to where the name was put in its place."""

    said: str
    name: str
    given_to: str
    # Whether it was told, in a message or by a test.
    is_told: bool
    start: int
    kind: str

    @property
    def is_text(self) -> bool:
        """Whether it means the same wherever it stands, as a number does not."""
        return self.kind not in NUMBERS


def repeated_names(change: FileChange) -> Iterator[Replacement]:
    """The other places of literals that the user has called by a name."""
    made: dict[tuple[str, str], list[NamedLiteral]] = {}
    for one in named_literals(change):
        made.setdefault((one.said, one.name), []).append(one)
    for several in made.values():
        bound = binding_of(change, several[0])
        if bound is not None:
            yield from other_places(change, several, bound)


def is_named_otherwise(change: FileChange, found: Replacement) -> bool:
    """Whether a literal would get the name of its like where that is not meant by it or not seen."""
    said = change.new.text[found.start : found.stop]
    for one in named_literals(change):
        if (said, found.new) == (one.said, one.name):
            return path_binding(change.new, one) is not None
        if one.said in said and said.replace(one.said, one.name, 1) == found.new:
            scope = None if path_binding(change.new, one) is None else binding_of(change, one)
            begin, end = (0, len(change.new.text)) if scope is None else change.new.span(scope)
            return not begin <= found.start < end
    return False


def named_literals(change: FileChange) -> Iterator[NamedLiteral]:
    for one in change.replaced:
        if not NAME.fullmatch(one.new):
            continue
        node = value_at(change.old, one.old_start, one.old_stop) or call_named(change, one)
        if node is None:
            continue
        said = change.old.text_of(node)
        recipient, told = recipient_of(change.old, node), is_told(change.old, node)
        yield NamedLiteral(said, one.new, recipient, told, one.new_start, node.type)


def call_named(change: FileChange, one: Replaced) -> tree_sitter.Node | None:
    """The call that got a name. Its last bracket may seem to be kept, in place of one behind it."""
    begin = change.old.byte(one.old_start)
    rest = line_from(change.new, one.new_stop)
    for node in change.old.path_to(one.old_start):
        is_it = node.start_byte == begin and node.type in CALLS and is_made_of_literals(node)
        if is_it and line_from(change.old, change.old.span(node)[1]) == rest:
            return node
    return None


def line_from(source: SourceText, offset: int) -> str:
    """The rest of a line."""
    lines = source.lines
    number = lines.line_at(offset)
    return lines.content(number)[offset - lines.starts[number] :]


def value_at(source: SourceText, start: int, stop: int) -> tree_sitter.Node | None:
    """The literal at a place, or the value there that is made of literals alone."""
    node = literal_at(source, start)
    if node is not None and source.span(node) == (start, stop):
        return node
    span = source.byte(start), source.byte(stop)
    path = source.path_to(start)
    found = next((one for one in path if (one.start_byte, one.end_byte) == span), None)
    return found if found is not None and found.type in MADE and is_made_of_literals(found) else None


def is_made_of_literals(node: tree_sitter.Node) -> bool:
    """Whether a value is a literal, or is computed from or constructed with nothing but literals."""
    if node.type in (*TEXT, *NUMBERS, *WORDS):
        return not any(child.type == "interpolation" for child in node.named_children)
    inner = node.named_children
    if node.type in CALLS:
        listed = node.child_by_field_name("arguments")
        return listed is not None and bool(listed.named_children) and is_made_of_literals(listed)
    if node.type == "keyword_argument":
        inner = inner[1:]
    elif node.type not in (*COMPUTED, *LISTS):
        return False
    return all(is_made_of_literals(child) for child in inner)


def literal_at(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The literal that begins at a place."""
    begin = source.byte(offset)
    return next(
        (
            node
            for node in reversed(source.path_to(offset))
            if node.start_byte == begin and node.type in (*TEXT, *NUMBERS)
        ),
        None,
    )


def is_told(source: SourceText, node: tree_sitter.Node) -> bool:
    """Whether a literal is a message, or what a test expects, and no value that is worked with."""
    one: tree_sitter.Node | None = node.parent
    while one is not None and one.type not in BLOCKS:
        if one.type == "assert_statement":
            return True
        if one.type in LISTS and one.parent is not None:
            called = called_text(source, one)
            is_message = one == node.parent and MESSAGE.fullmatch(called) is not None
            return is_message or EXPECTED.match(called) is not None
        one = one.parent
    return False


def called_text(source: SourceText, listed: tree_sitter.Node) -> str:
    """What is called with a list of arguments, as it is written."""
    begin = source.span(listed)[0] if listed.parent is None else source.span(listed.parent)[0]
    return source.text[begin : source.span(listed)[0]]


def recipient_of(source: SourceText, node: tree_sitter.Node) -> str:
    """What a literal is given to: the place of a call's argument, the name of a keyword or a key, the other
    side of an operator."""
    around = node.parent
    if around is not None and around.type == "literal_element":
        # In Go a value stands one node further down.
        node, around = around, around.parent
    if around is None:
        return ""
    if around.type in LISTS and around.parent is not None:
        return f"{called_text(source, around)} {around.named_children.index(node)}"
    others = [one for one in around.children if one != node]
    return " ".join(source.text_of(one) for one in others[:2])


# --- the name ----------------------------------------------------------------------------------------------


def binding_of(change: FileChange, one: NamedLiteral) -> tree_sitter.Node | None:
    """The node in which a name is seen that is bound once, to the literal."""
    path = path_binding(change.new, one)
    scope = None if path is None else visible_scope(change, one.name, path)
    # Another call may have another result, save if it is that of a constant.
    is_kept = one.kind not in CALLS or one.name.isupper() or (scope is not None and scope.type in OUTER)
    return scope if is_kept else None


def path_binding(source: SourceText, one: NamedLiteral) -> Path | None:
    """The way down to where a name is given the literal."""
    for start in source.places(one.name):
        path = source.path_to(start)
        around = path[-2]
        if around.type == "expression_list" and len(around.named_children) == 1:
            around = path[-3]
        for field, value in GIVING:
            if (
                text_alone(source, around.child_by_field_name(field)) == one.name
                and text_alone(source, around.child_by_field_name(value)) == one.said
            ):
                return path
    return None


def text_alone(source: SourceText, node: tree_sitter.Node | None) -> str:
    is_listed = node is not None and node.type == "expression_list" and len(node.named_children) == 1
    return source.text_of(node.named_children[0] if is_listed and node is not None else node)


def visible_scope(change: FileChange, name: str, path: Path) -> tree_sitter.Node | None:
    """The node in which a name is seen that is bound at the end of a path; None if it is bound elsewhere,
    too, or is a member of each object."""
    source = change.new
    if source.known_language is PYTHON:
        n_bound = sum(one.role in BINDING for one in change.new_names.of(name))
        scope = next(node for node in reversed(path) if node.type in (*SCOPES, "module"))
        return scope if n_bound == 1 and scope.type != "class_definition" else None
    scoping = SCOPINGS.get(source.known_language.name)
    if scoping is None:
        return None
    others = [one for _, one in declared_places(source, name) if one[-2].type != "enum_constant"]
    if len(others) != 1:
        return None
    field = next((node for node in path if node.type == "field_declaration"), None)
    is_member = field is not None and "static" not in source.text_of(field.named_children[0])
    return None if is_member else scope_of(scoping, path)


def is_hidden(source: SourceText, place: int, name: str) -> bool:
    """Whether an enumeration of Java around a place has a member of a name, which is meant there."""
    around = next((node for node in source.path_to(place) if node.type == "enum_declaration"), None)
    begin, end = (0, 0) if around is None else source.span(around)
    inner = [start for start in source.places(name) if begin <= start < end]
    return any(source.path_to(start)[-2].type == "enum_constant" for start in inner)


# --- its other places --------------------------------------------------------------------------------------


def other_places(
    change: FileChange, made: Sequence[NamedLiteral], scope: tree_sitter.Node
) -> Iterator[Replacement]:
    source, one = change.new, made[0]
    is_any_told = any(each.is_told for each in made)
    found = [node for node in places_of(source, one.said, scope) if is_any_told or not is_told(source, node)]
    left = [node for node in found if not change.is_typed(*source.span(node))]
    if len(left) > MOST_PLACES:
        return
    first, last = min(each.start for each in made), max(each.start for each in made)
    contexts = {each.given_to for each in made}
    meant = [node for node in left if one.is_text or recipient_of(source, node) in contexts]
    if any(first < source.span(node)[0] < last for node in meant):
        # One that was left out between others may be meant.
        return
    for node in left:
        start, stop = source.span(node)
        if is_hidden(source, start, one.name):
            continue
        is_same = recipient_of(source, node) in contexts
        sure = 0.0 if not (is_same or one.is_text) and is_called(node) else certainty(one, is_same)
        if sure:
            reason = f"{one.said} is called `{one.name}` now"
            yield Replacement(start, stop, one.name, reason, sure, f"named {one.name}")


def places_of(source: SourceText, said: str, scope: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The places of a literal in a node, where it is a value that is not given a name of its own."""
    begin, end = source.span(scope)
    at = source.text.find(said, begin, end)
    while at >= 0:
        node = value_at(source, at, at + len(said))
        if node is not None and is_value(source, node):
            yield node
        at = source.text.find(said, at + len(said), end)


def is_value(source: SourceText, node: tree_sitter.Node) -> bool:
    around = node.parent
    if around is None or around.type in NO_VALUES:
        return False
    if around.type == "subscript" and source.text_of(around.child_by_field_name("value")).endswith("Literal"):
        return False
    if around.type == "pair" and source.known_language is not PYTHON:
        return around.child_by_field_name("key") != node
    return not is_constant(around)


def is_constant(around: tree_sitter.Node) -> bool:
    """Whether a node gives a value to a name of the file's own level, or to a member of a type."""
    is_declared = False
    one: tree_sitter.Node | None = around
    while one is not None and one.type in (*DECLARING, *BETWEEN):
        is_declared = is_declared or one.type in DECLARING
        one = one.parent
    is_class = one is not None and one.parent is not None and one.parent.type == "class_definition"
    return is_declared and one is not None and (is_class or one.type in OUTER)


def is_called(node: tree_sitter.Node) -> bool:
    """Whether a number is the value of a name or a key, which tells what it is."""
    around = node.parent
    if around is not None and around.type == "literal_element":
        around = around.parent
    return around is not None and around.type in CALLED


def certainty(one: NamedLiteral, is_same: bool) -> float:
    """How sure it is that a literal is meant that has a name now."""
    if one.is_text:
        content = one.said[1:-1]
        is_telling = len(content) >= LEAST_CHARACTERS and any(sign.isalnum() for sign in content)
        return LIKELY if is_telling or is_same else 0.0
    digits = re.sub(r"\D", "", one.said)
    if is_same:
        return LIKELY if len(digits) > 1 else 0.0
    return LESS if len(digits) >= LEAST_DIGITS and not ROUND.fullmatch(one.said) else 0.0
