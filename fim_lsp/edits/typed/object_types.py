"""The types of values in languages other than Python, as far as the file itself shows them: by declarations,
constructors, results and elements.

    function find(id: number): User | undefined       const user = find(1)       `user` is a `User`
    users: Map<number, User>                          this.users.get(1)          a `User`, too
    func load() (*Store, error)                       store, err := load()       `store` is a `Store`
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.texts.lent_names import declared_name
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.declared_members import bases_declared, class_around, members_called, superclass_of
from fim_lsp.edits.typed.narrowed_types import narrowed_type
from fim_lsp.edits.typed.scoped import SCOPINGS, is_declared, owner, scope_of
from fim_lsp.edits.typed.written_types import (
    bare_name,
    item_type,
    literal_member,
    mapped_type,
    promised_type,
    split_types,
    without_arguments,
)

Path = Sequence[tree_sitter.Node]
# The methods of containers that return an element, or another container of the same elements.
ONE_OF, SAME = ("find", "findLast", "at", "pop", "shift", "get", "getFirst", "getLast", "remove"), (
    "filter", "slice", "concat", "sort", "reverse", "toSorted", "stream", "sorted", "limit", "skip", "peek",
)  # fmt: skip
# The methods of containers that call their argument with each element.
CALLING = (
    "map", "filter", "forEach", "find", "findIndex", "findLast", "some", "every", "flatMap", "anyMatch",
    "allMatch", "noneMatch", "removeIf", "mapToInt",
)  # fmt: skip
# Those that call it with what it returned last and an element, and those that call it with two elements.
FOLDING, COMPARING = ("reduce", "reduceRight"), ("sort", "toSorted", "sorted")
DEEPEST = 8


def type_name_of(source: SourceText, value: tree_sitter.Node, depth: int = 0) -> str:
    """The name of a value's type; empty if it is not known."""
    return bare_name(type_of(source, value, depth))


def type_of(source: SourceText, value: tree_sitter.Node | None, depth: int = 0) -> str:
    """The type of a value, as it is written; in Go without its arguments."""
    said = type_said(source, value, depth)
    return without_arguments(said) if source.known_language.name == "go" else said


def type_said(source: SourceText, value: tree_sitter.Node | None, depth: int) -> str:
    if value is None or depth > DEEPEST:
        return ""
    depth += 1
    inner = value.named_children[0] if value.named_children else None
    match value.type:
        case "identifier":
            return narrowed_type(source, value) or variable_type(source, value, depth)
        case "this":
            return class_around(source, value)
        case "super":
            return superclass_of(source, class_around(source, value))
        case "parenthesized_expression" | "non_null_expression":
            return type_of(source, inner, depth)
        case "expression_list":
            return type_of(source, inner, depth) if len(value.named_children) == 1 else ""
        case "array" if inner is not None and inner.type == "spread_element":
            said = type_of(source, inner.named_children[0], depth)
            return said if item_type(said) else ""
        case "await_expression":
            return promised_type(type_of(source, inner, depth))
        case "as_expression" | "satisfies_expression":
            return source.text_of(value.named_children[-1])
        case "new_expression":
            return source.text_of(value.child_by_field_name("constructor"))
        case (
            "composite_literal"
            | "object_creation_expression"
            | "cast_expression"
            | "type_assertion_expression"
        ):
            return source.text_of(value.child_by_field_name("type"))
        case "unary_expression":
            return type_of(source, value.child_by_field_name("operand"), depth)
        case "subscript_expression" | "array_access":
            held = value.child_by_field_name("object") or value.child_by_field_name("array")
            said = type_of(source, held, depth)
            return item_type(said) or mapped_type(said)
        case "index_expression":
            return item_type(type_of(source, value.child_by_field_name("operand"), depth))
        case "member_expression" | "selector_expression" | "field_access":
            held, member = held_and_member(value)
            name, said = bare_name(type_of(source, held, depth)), source.text_of(member)
            is_embedded = value.type == "selector_expression" and said in bases_declared(source, name)
            return said if is_embedded else member_type(source, name, said) if name else ""
        case "call_expression" | "method_invocation":
            return returned_type(source, value, depth)
    return ""


def held_and_member(value: tree_sitter.Node) -> tuple[tree_sitter.Node | None, tree_sitter.Node | None]:
    """The object in front of a dot, and the name behind it."""
    held = value.child_by_field_name("object") or value.child_by_field_name("operand")
    for field in ("property", "field", "name"):
        if (member := value.child_by_field_name(field)) is not None:
            return held, member
    return held, None


# --- functions ----------------------------------------------------------------------------------------------


def returned_type(source: SourceText, call: tree_sitter.Node, depth: int) -> str:
    """The type of a call's result."""
    called = call if call.type == "method_invocation" else call.child_by_field_name("function")
    held, member = (None, None) if called is None else held_and_member(called)
    if called is None or (member is None and called.type != "identifier"):
        return ""
    if held is None or member is None:
        name = called if member is None else member
        is_method = call.type == "method_invocation"
        return (
            member_type(source, class_around(source, call), source.text_of(name))
            if is_method
            else function_type(source, name)
        )
    said, name_said = type_of(source, held, depth), source.text_of(member)
    if name_said in SAME and item_type(said):
        return said
    if name_said in ONE_OF and (one := item_type(said) or mapped_type(said)):
        return one
    if name_said == "values" and (one := mapped_type(said)):
        return f"{one}[]"
    type_name = bare_name(said) or (source.text_of(held) if held.type == "identifier" else "")
    found = member_type(source, type_name, name_said) if type_name else ""
    return found or ("" if said else lent_function_type(source, f"{type_name}.{name_said}"))


def function_type(source: SourceText, name: tree_sitter.Node) -> str:
    """The result type of a function of the file, or of one that it has from another file."""
    if is_lent(source, name):
        return lent_function_type(source, source.text_of(name))
    return given_back_by(source, declarations(source, name))


def is_lent(source: SourceText, name: tree_sitter.Node) -> bool:
    """Whether the file has a name from another one."""
    said = source.text_of(name)
    if source.lent is None or not source.lent.name_there(said):
        return False
    mine = owner(source, SCOPINGS[source.known_language.name], said, source.path_to(source.span(name)[0]))
    is_outermost = mine in (None, (source.root.start_byte, source.root.end_byte))
    return is_outermost if said in source.lent.members else mine is None


def lent_function_type(source: SourceText, name: str) -> str:
    """The result type of a function that a file has from another one."""
    there = "" if source.lent is None else source.lent.name_there(name)
    if source.lent is None or not there:
        return ""
    return given_back_by(source.lent.source, top_declarations(source.lent.source, there))


def given_back_by(source: SourceText, paths: Iterable[Path]) -> str:
    """The result type of the function that is declared at some places, if there is just one."""
    found = [function for path in paths if (function := function_at(path)) is not None]
    if len(found) != 1:
        return ""
    returned = found[0].child_by_field_name("return_type") or found[0].child_by_field_name("result")
    return source.text_of(returned)


def function_named(source: SourceText, name: tree_sitter.Node) -> tree_sitter.Node | None:
    """The function that a name means, declared once."""
    found = [function for path in declarations(source, name) if (function := function_at(path)) is not None]
    return found[0] if len(found) == 1 else None


def function_at(path: Path) -> tree_sitter.Node | None:
    """The function that a name at the end of a path declares."""
    around = path[-2]
    if around.type == "variable_declarator" and around.child_by_field_name("name") == path[-1]:
        value = around.child_by_field_name("value")
        return value if value is not None and value.child_by_field_name("parameters") is not None else None
    is_function = around.child_by_field_name("parameters") is not None
    return around if is_function and around.child_by_field_name("name") == path[-1] else None


# --- variables and members ----------------------------------------------------------------------------------


def declarations(source: SourceText, name: tree_sitter.Node) -> Iterator[Path]:
    """The paths to the declarations of a variable."""
    said = source.text_of(name)
    mine = owner(source, SCOPINGS[source.known_language.name], said, source.path_to(source.span(name)[0]))
    yield from (path for scope, path in declared_places(source, said) if scope == mine)


@lru_cache(maxsize=64)
def declared_places(source: SourceText, name: str) -> list[tuple[tuple[int, int], Path]]:
    """The declarations of a name: their scopes, and the paths to it."""
    scoping = SCOPINGS[source.known_language.name]
    found: list[tuple[tuple[int, int], Path]] = []
    for start in source.places(name):
        path = source.path_to(start)
        if is_declared(scoping, path):
            scope = scope_of(scoping, path)
            found.append(((scope.start_byte, scope.end_byte), path))
    return found


def top_declarations(source: SourceText, name: str) -> Iterator[Path]:
    """The paths to the top-level declarations of a name."""
    top = source.root.start_byte, source.root.end_byte
    yield from (path for scope, path in declared_places(source, name) if scope == top)


def variable_type(source: SourceText, name: tree_sitter.Node, depth: int) -> str:
    lent = source.lent if is_lent(source, name) else None
    if lent is None:
        found = {declared_type(source, path, depth) for path in declarations(source, name)}
    else:
        paths = top_declarations(lent.source, lent.name_there(source.text_of(name)))
        found = {declared_type(lent.source, path, depth) for path in paths}
    return next(iter(found)) if len(found) == 1 else ""


def declared_type(source: SourceText, path: Path, depth: int) -> str:
    """The type of a variable, by its declaration: the written type, or that of its value."""
    inner, around = path[-1], path[-2]
    if around.type in ("object_pattern", "pair_pattern", "object_assignment_pattern"):
        return taken_member_type(source, path, depth)
    if around.type == "array_pattern":
        is_first = around.named_children[:1] == [inner]
        state = (state_type(source, around) or reduced_type(source, around, depth)) if is_first else ""
        return state or item_type(pattern_type(source, around, depth))
    if around.type in ("rest_pattern", "assignment_pattern"):
        return ""
    if around.type == "expression_list":
        return listed_type(source, around, inner, path[-3], depth)
    node = (
        around
        if around.type != "variable_declarator" or path[-3].child_by_field_name("type") is None
        else path[-3]
    )
    said = around.child_by_field_name("type") or node.child_by_field_name("type")
    if around.type == "instanceof_expression":
        said = around.child_by_field_name("right")
    if around.type == "catch_formal_parameter":
        said = next((one for one in around.named_children if one.type == "catch_type"), None)
    if said is not None and source.text_of(said) != "var":
        return source.text_of(said)
    if around.type in ("for_in_statement", "enhanced_for_statement"):
        field = "right" if around.type == "for_in_statement" else "value"
        return item_type(type_of(source, around.child_by_field_name(field), depth))
    if (value := around.child_by_field_name("value")) is not None:
        return type_of(source, value, depth)
    return callback_item_type(source, path, depth)


def state_type(source: SourceText, pattern: tree_sitter.Node) -> str:
    """The type of a React state, the first result of `useState<User>(...)`."""
    call = None if pattern.parent is None else pattern.parent.child_by_field_name("value")
    called = None if call is None else call.child_by_field_name("function")
    given = None if call is None else call.child_by_field_name("type_arguments")
    if given is None or source.text_of(called).rpartition(".")[2] != "useState":
        return ""
    return source.text_of(given.named_children[0]) if len(given.named_children) == 1 else ""


def reduced_type(source: SourceText, pattern: tree_sitter.Node, depth: int) -> str:
    """The type of a React state, the first result of `useReducer(reducer, initial)`."""
    call = None if pattern.parent is None else pattern.parent.child_by_field_name("value")
    called = None if call is None else call.child_by_field_name("function")
    given = None if call is None else call.child_by_field_name("arguments")
    if given is None or source.text_of(called).rpartition(".")[2] != "useReducer":
        return ""
    return type_of(source, given.named_children[1], depth) if len(given.named_children) == 2 else ""


def listed_type(
    source: SourceText, listed: tree_sitter.Node, name: tree_sitter.Node, around: tree_sitter.Node, depth: int
) -> str:
    """The type of one of the names in front of `:=`."""
    names, right = listed.named_children, around.child_by_field_name("right")
    number = names.index(name)
    values = [] if right is None else right.named_children if right.type == "expression_list" else [right]
    if around.type == "range_clause":
        return item_type(type_of(source, right, depth)) if number == 1 else ""
    if len(values) == len(names):
        return type_of(source, values[number], depth)
    if len(values) != 1:
        return ""
    said = type_of(source, values[0], depth)
    if said.startswith("("):
        parts = [*split_types(said[1:-1])]
        return parts[number].rpartition(" ")[2] if number < len(parts) == len(names) else ""
    return said if number == 0 and values[0].type != "call_expression" else ""


def taken_member_type(source: SourceText, path: Path, depth: int) -> str:
    """The type of a name that a pattern takes from an object."""
    at = len(path) - 2
    key = path[-1] if path[at].type != "pair_pattern" else path[at].child_by_field_name("key")
    at -= path[at].type != "object_pattern"
    said = pattern_type(source, path[at], depth) if path[at].type == "object_pattern" else ""
    name, member = bare_name(said), source.text_of(key)
    return member_type(source, name, member) if name else literal_member(said, member)


def pattern_type(source: SourceText, pattern: tree_sitter.Node, depth: int = 0) -> str:
    """The type of the value that a pattern destructures."""
    around = pattern.parent
    if around is None or depth > DEEPEST:
        return ""
    if around.type == "pair_pattern" and around.parent is not None:
        name = bare_name(pattern_type(source, around.parent, depth + 1))
        key = source.text_of(around.child_by_field_name("key"))
        return member_type(source, name, key) if name else ""
    said = around.child_by_field_name("type")
    if said is not None:
        return source.text_of(said)
    if around.type == "variable_declarator":
        return type_of(source, around.child_by_field_name("value"), depth + 1)
    if around.type == "for_in_statement":
        return item_type(type_of(source, around.child_by_field_name("right"), depth + 1))
    return callback_item_type(source, source.path_to(source.span(pattern)[0]), depth + 1)


def callback_item_type(source: SourceText, path: Path, depth: int) -> str:
    """The type of the parameter of a function that is called with each element of a list."""
    at = next(
        (
            at
            for at in range(len(path) - 1, 0, -1)
            if path[at].type in ("arrow_function", "lambda_expression")
        ),
        0,
    )
    if not at or path[at - 1].type not in ("arguments", "argument_list"):
        return ""
    taken = path[at].child_by_field_name("parameters") or path[at].child_by_field_name("parameter")
    call = path[at - 2]
    called = call if call.type == "method_invocation" else call.child_by_field_name("function")
    held, member = (None, None) if called is None else held_and_member(called)
    said = source.text_of(member)
    parameters = [] if taken is None else taken.named_children or [taken]
    elements = parameters[:2] if said in COMPARING else parameters[1:2] if said in FOLDING else parameters[:1]
    if said not in (*CALLING, *FOLDING, *COMPARING):
        return ""
    if not any(one.start_byte <= path[-1].start_byte < one.end_byte for one in elements):
        return ""
    return item_type(type_of(source, held, depth))


def member_type(source: SourceText, type_name: str, name: str) -> str:
    """The type of a type's member; of a method, its result type."""
    paths = members_called(source, name).get(type_name, ()) if type_name else ()
    found = {member_type_said(source, path) for path in paths}
    if not paths and source.lent is not None and (there := declared_name(source, type_name)):
        return member_type(source.lent.source, there, name)
    return next(iter(found)) if len(found) == 1 else ""


def member_type_said(source: SourceText, path: Path) -> str:
    for field in ("return_type", "result", "type"):
        if (said := path[-2].child_by_field_name(field)) is not None:
            return source.text_of(said)
    if path[-2].type == "method_definition" and gives_itself(path[-2]):
        return class_around(source, path[-2])
    said = path[-3].child_by_field_name("type") if path[-2].type == "variable_declarator" else None
    return source.text_of(said)


def gives_itself(method: tree_sitter.Node) -> bool:
    """Whether all that a method returns is `this`, so that its calls can stand in a row."""
    waiting, found = [*method.named_children], []
    while waiting:
        node = waiting.pop()
        if node.type == "return_statement":
            found.append([child.type for child in node.named_children])
        elif "function" not in node.type and node.type != "class_body":
            waiting += node.named_children
    return bool(found) and all(one == ["this"] for one in found)
