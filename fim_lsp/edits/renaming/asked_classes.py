"""The classes of which a condition says that an object is one: `isinstance(shape, Square)`.

if isinstance(shape, Square):               assert isinstance(shape, Square)
    shape.side                              shape.side

[one.side for one in shapes if isinstance(one, Square)]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import tree_sitter

from fim_lsp.edits.texts.names import BINDING, Names, Occurrence
from fim_lsp.edits.texts.source import SourceText

COMPREHENSIONS = (
    "list_comprehension",
    "set_comprehension",
    "dictionary_comprehension",
    "generator_expression",
)
BRANCHES = ("if_statement", "elif_clause", "while_statement")
LEAVING = ("return_statement", "raise_statement", "continue_statement", "break_statement")


def classes_asked(source: SourceText, names: Names, one: Occurrence, said: str) -> Iterator[str]:
    """The classes that the conditions around a place give to the variable in front of its dot."""
    if not said.isidentifier():
        return
    scope = names.binding_scope(said, one.scopes)
    bound = [other.start for other in names.variable(said, scope) if other.role in BINDING]
    for condition in conditions_around(one.path):
        name = name_asked(source, condition, said)
        at = source.span(condition)[0]
        if name and not any(at < start < one.start for start in bound):
            yield name


def conditions_around(path: tuple[tree_sitter.Node, ...]) -> Iterator[tree_sitter.Node]:
    """The conditions that hold at the end of a path."""
    for around, node in pairwise(path):
        condition = around.child_by_field_name("condition")
        if around.type in BRANCHES and condition is not None:
            if (
                around.child_by_field_name("consequence") == node
                or around.child_by_field_name("body") == node
            ):
                yield from parts_of(condition)
        elif around.type == "conditional_expression" and around.named_children[0] == node:
            yield from parts_of(around.named_children[1])
        elif around.type == "boolean_operator" and around.child_by_field_name("right") == node:
            left, sign = around.child_by_field_name("left"), around.child_by_field_name("operator")
            if left is not None and sign is not None and sign.type == "and":
                yield from parts_of(left)
        elif around.type in COMPREHENSIONS and around.child_by_field_name("body") == node:
            for clause in around.named_children:
                if clause.type == "if_clause":
                    yield from parts_of(clause.named_children[0])
        elif around.type in ("block", "module"):
            for statement in around.named_children:
                if statement == node:
                    break
                yield from left_over(statement)


def left_over(statement: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The conditions that hold behind a statement: what it asserts, or leaves the block without."""
    if statement.type == "assert_statement":
        yield from parts_of(statement.named_children[0])
        return
    condition, body = (statement.child_by_field_name(field) for field in ("condition", "consequence"))
    if statement.type != "if_statement" or condition is None or body is None:
        return
    is_left = bool(body.named_children) and body.named_children[-1].type in LEAVING
    if is_left and statement.child_by_field_name("alternative") is None and condition.type == "not_operator":
        yield from parts_of(condition.named_children[0])


def parts_of(condition: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The conditions that all hold where one holds."""
    while condition.type == "parenthesized_expression":
        condition = condition.named_children[0]
    sign = condition.child_by_field_name("operator")
    if condition.type == "boolean_operator" and sign is not None and sign.type == "and":
        for field in ("left", "right"):
            part = condition.child_by_field_name(field)
            if part is not None:
                yield from parts_of(part)
        return
    yield condition


def name_asked(source: SourceText, condition: tree_sitter.Node, said: str) -> str:
    """The class of a call `isinstance(said, Class)`; otherwise empty."""
    if condition.type != "call" or source.text_of(condition.child_by_field_name("function")) != "isinstance":
        return ""
    given = condition.child_by_field_name("arguments")
    parts = [] if given is None else given.named_children
    is_it = len(parts) == 2 and source.text_of(parts[0]) == said
    return source.text_of(parts[1]) if is_it and parts[1].type in ("identifier", "attribute") else ""
