"""Go functions that now also return an error: their returns and their calls follow.

    func parse(text string) int  ->  func parse(text string) (int, error)

        return n                         return n, nil
        n := parse(text)                 n, err := parse(text)
                                         if err != nil {
                                             return 0, err
                                         }

A call follows only in a function that returns an error, too, and whose other results have known zero values.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.functions.headers import FunctionHeader, matched_headers
from fim_lsp.edits.functions.placed_calls import call_of, places_of
from fim_lsp.edits.proving.indenting import indentation
from fim_lsp.edits.renaming.renames import LIKELY
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD

Path = Sequence[tree_sitter.Node]
# The nodes that hold statements.
BLOCKS = ("statement_list", "block")
# The statements that may end a Go function.
ENDING = ("return_statement", "for_statement", "goto_statement")
FUNCTIONS = ("function_declaration", "method_declaration", "func_literal")
NUMBER = re.compile(r"u?int(?:8|16|32|64)?|uintptr|float(?:32|64)|byte|rune")
NOTHING = re.compile(r"\*|\[\]|map\[|chan\b|func\b|interface\b|any$|error$")


def returned_errors(change: FileChange) -> Iterator[Replacement]:
    if change.old.known_language.name != "go":
        return
    for before, after in matched_headers(change):
        was, now = results_of(change.old, before), results_of(change.new, after)
        if was is None or now is None or now != [*was, "error"]:
            continue
        yield from own_returns(change, after, len(was))
        yield from followed_calls(change, before, len(was))


def results_of(source: SourceText, header: FunctionHeader) -> list[str] | None:
    """The types of a function's results; None if the results have names."""
    return types_given(source, header.function.node)


def types_given(source: SourceText, function: tree_sitter.Node) -> list[str] | None:
    node = function.child_by_field_name("result")
    if node is None:
        return []
    if node.type != "parameter_list":
        return [source.text_of(node)]
    if any(one.child_by_field_name("name") is not None for one in node.named_children):
        return None
    return [source.text_of(one) for one in node.named_children if one.type != "comment"]


# --- its own returns --------------------------------------------------------------------------------------


def own_returns(change: FileChange, after: FunctionHeader, n_before: int) -> Iterator[Replacement]:
    name, body = after.function.name, after.function.node.child_by_field_name("body")
    if body is None:
        return
    reason, group = f"`{name}` gives back an error, too", f"returned {name}"
    for node in returns_below(body):
        stop = change.new.span(node)[1]
        values = node.named_children[0].named_children if node.named_children else []
        if len(values) != n_before or any(one.type == "call_expression" for one in values[1:]):
            continue
        start = change.new.span(node)[0]
        if not change.is_typed(start, stop):
            yield Replacement(stop, stop, ", nil" if values else " nil", reason, LIKELY, group)
    listed = body.named_children[-1:]
    last = listed[0].named_children[-1:] if listed and listed[0].type == "statement_list" else listed
    if not n_before and (not last or last[0].type not in ENDING):
        at = change.new.span(body)[1] - 1
        line = change.new.lines.starts[change.new.lines.line_at(at)]
        if not change.new.text[line:at].strip():
            blanks = change.new.text[line:at]
            yield Replacement(line, line, f"{blanks}\treturn nil\n", reason, LIKELY, group)


def returns_below(body: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    waiting = [body]
    while waiting:
        node = waiting.pop()
        if node.type == "return_statement":
            yield node
        elif node.type != "func_literal":
            waiting += reversed(node.named_children)


# --- its calls --------------------------------------------------------------------------------------------


def followed_calls(change: FileChange, before: FunctionHeader, n_before: int) -> Iterator[Replacement]:
    name = before.function.name
    for start in places_of(change.old, before, name):
        path, at = change.old.path_to(start), change.to_new(start)
        if at is None or call_of(path) is None:
            continue
        then = change.new.path_to(at)
        statement = statement_around(then, n_before)
        if statement is not None:
            yield from checked_call(change, then, statement, name)


def statement_around(path: Path, n_before: int) -> tree_sitter.Node | None:
    """The statement that assigns a call's results, and nothing else, to new variables; or the call alone if
    it had no result."""
    call = call_of(path)
    at = next((number for number, node in enumerate(path) if node == call), 0)
    around, outer = (path[at - 1], path[at - 2]) if at > 1 else (None, None)
    if around is None or outer is None or n_before > 1:
        return None
    if not n_before:
        return around if around.type == "expression_statement" and outer.type in BLOCKS else None
    left, block = outer.child_by_field_name("left"), outer.parent
    is_given = outer.type == "short_var_declaration" and outer.child_by_field_name("right") == around
    is_alone = is_given and left is not None and len(left.named_children) == len(around.named_children) == 1
    return outer if is_alone and block is not None and block.type in BLOCKS else None


def checked_call(
    change: FileChange, path: Path, statement: tree_sitter.Node, name: str
) -> Iterator[Replacement]:
    source = change.new
    function = next((node for node in reversed(path) if node.type in FUNCTIONS), None)
    types = None if function is None else types_given(source, function)
    left = statement.child_by_field_name("left")
    if not types or types[-1] != "error":
        return
    values = [empty_value(source, one) for one in types[:-1]]
    if None in values:
        return
    given = ", ".join([*(one for one in values if one is not None), "err"])
    start, stop = source.span(statement)
    blanks = indentation(source.lines[source.lines.line_at(start)])
    check = f"err != nil {{\n{blanks}\treturn {given}\n{blanks}}}"
    reason, group = f"`{name}` gives back an error, too", f"{JOINT}checked {name} {start}"
    if left is None:
        yield Replacement(start, start, "if err := ", reason, LIKELY, group)
        yield Replacement(stop, stop, f"; {check}", reason, LIKELY, group)
        return
    end, following = source.span(left)[1], statement.next_named_sibling
    yield Replacement(end, end, ", err", reason, LIKELY, group)
    if following is None or "err" not in source.text_of(following.child_by_field_name("condition")):
        yield Replacement(stop, stop, f"\n{blanks}if {check}", reason, LIKELY, group)


def empty_value(source: SourceText, said: str) -> str | None:
    """The zero value of a type; None if it is not known."""
    if NUMBER.fullmatch(said):
        return "0"
    if said in ("string", "bool"):
        return '""' if said == "string" else "false"
    if NOTHING.match(said):
        return "nil"
    is_struct = re.search(rf"\btype\s+{re.escape(said)}\s+struct\b", source.text)
    return f"{said}{{}}" if is_struct else None


def leaves_unused(source: SourceText, one: Replacement) -> bool:
    """Whether a replacement declares a variable that nothing behind it uses, which Go refuses."""
    if ":=" not in one.new:
        return False
    before = {*WORD.findall(source.text, one.start, one.stop)}
    declared = [
        name for name in WORD.findall(one.new.partition(":=")[0]) if name not in before and name != "_"
    ]
    path = source.path_to(one.start)
    around = next((node for node in reversed(path) if node.type in FUNCTIONS), source.root)
    last = source.span(around)[1]
    return any(not any(one.stop <= at < last for at in source.places(name)) for name in declared)
