"""Types that `instanceof` shows of a variable in JavaScript and TypeScript, and where Java's own variables of
it are known.

    if (pet instanceof Dog) { pet.bark() }        `pet` is a `Dog` inside
    if (!(pet instanceof Dog)) return;            and behind this
    pet instanceof Dog && pet.bark()              and behind `&&`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import JAVASCRIPT

FUNCTIONS = (
    "function_declaration", "function_expression", "arrow_function", "method_definition",
    "generator_function", "generator_function_declaration",
)  # fmt: skip
BRANCHING = ("if_statement", "ternary_expression")
# The statements behind which nothing of a block runs.
LEAVING = ("return_statement", "throw_statement", "continue_statement", "break_statement")


def narrowed_type(source: SourceText, name: tree_sitter.Node) -> str:
    """The class of which a variable is an instance at a place, by the conditions around it and in front of it
    in the same function; empty if none says so."""
    said = source.text_of(name)
    if source.known_language.family != JAVASCRIPT.family or "instanceof" not in source.text:
        return ""
    inner, around = name, name.parent
    while around is not None and inner.type not in FUNCTIONS:
        for condition, is_true in conditions_on(inner, around):
            found = class_asked(source, condition, said, is_true=is_true)
            if found:
                return "" if is_assigned(source, said, condition, name) else found
        inner, around = around, around.parent
    return ""


def conditions_on(
    inner: tree_sitter.Node, around: tree_sitter.Node
) -> Iterator[tuple[tree_sitter.Node, bool]]:
    """The conditions that are known where a node stands in another one, and whether they hold."""
    condition = around.child_by_field_name("condition") if around.type in BRANCHING else None
    if condition is not None and around.child_by_field_name("consequence") == inner:
        yield condition, True
    elif condition is not None and around.child_by_field_name("alternative") == inner:
        yield condition, False
    elif around.type == "binary_expression" and around.child_by_field_name("right") == inner:
        left, sign = around.child_by_field_name("left"), around.child_by_field_name("operator")
        if left is not None and sign is not None and sign.type in ("&&", "||"):
            yield left, sign.type == "&&"
    elif around.type in ("statement_block", "program"):
        one = inner.prev_named_sibling
        while one is not None:
            condition = one.child_by_field_name("condition") if one.type == "if_statement" else None
            is_alone = one.child_by_field_name("alternative") is None
            if condition is not None and is_alone and leaves(one.child_by_field_name("consequence")):
                yield condition, False
            one = one.prev_named_sibling


def leaves(branch: tree_sitter.Node | None) -> bool:
    """Whether nothing behind a branch runs after it."""
    if branch is not None and branch.type in ("statement_block", "block"):
        branch = branch.named_children[-1] if branch.named_children else None
    return branch is not None and branch.type in LEAVING


def class_asked(source: SourceText, condition: tree_sitter.Node, name: str, *, is_true: bool) -> str:
    """The class of which a variable must be an instance if a condition holds, or if it does not."""
    if condition.type == "parenthesized_expression" and condition.named_children:
        return class_asked(source, condition.named_children[0], name, is_true=is_true)
    sign = condition.child_by_field_name("operator")
    argument = condition.child_by_field_name("argument")
    if condition.type == "unary_expression" and sign is not None and argument is not None:
        return class_asked(source, argument, name, is_true=not is_true) if sign.type == "!" else ""
    left, right = condition.child_by_field_name("left"), condition.child_by_field_name("right")
    if condition.type != "binary_expression" or left is None or right is None or sign is None:
        return ""
    if sign.type == "instanceof":
        is_it = is_true and source.text_of(left) == name and right.type == "identifier"
        return source.text_of(right) if is_it else ""
    if sign.type != ("&&" if is_true else "||"):
        return ""
    return class_asked(source, left, name, is_true=is_true) or class_asked(
        source, right, name, is_true=is_true
    )


def is_assigned(source: SourceText, name: str, condition: tree_sitter.Node, use: tree_sitter.Node) -> bool:
    """Whether a variable gets a value between a condition and a use."""
    start, stop = source.offset(condition.end_byte), source.offset(use.start_byte)
    for place in source.places(name):
        around = source.path_to(place)[-2:] if start <= place < stop else []
        if around and around[0].type == "assignment_expression" and around[0].children[0] == around[1]:
            return True
    return False


def path_behind(path: Sequence[tree_sitter.Node]) -> Sequence[tree_sitter.Node]:
    """The path to the node in which Java knows a variable of `instanceof`: the block around an `if` behind
    which the value is one, as in `if (!(pet instanceof Dog dog)) return;`."""
    at = max((number for number, node in enumerate(path) if node.type == "if_statement"), default=0)
    asked = [node for node in path[at:] if node.type in ("unary_expression", "binary_expression")]
    negated = [node for node in asked if node.type == "unary_expression"]
    is_left = at and leaves(path[at].child_by_field_name("consequence"))
    is_sole = path[at].child_by_field_name("alternative") is None and len(negated) == 1
    others = [node for node in asked if node.type == "binary_expression"]
    is_any = all(any(child.type == "||" for child in node.children) for node in others)
    return path[:at] if is_left and is_sole and is_any else path
