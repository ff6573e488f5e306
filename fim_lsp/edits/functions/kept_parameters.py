"""Parameters that a constructor stores in attributes: a new one is stored like the others.

-def __init__(self, owner, limit):             +def __init__(self, owner, limit, rows):
     self.owner = owner
     self.limit = limit
                                                self.rows = rows
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import tree_sitter

from fim_lsp.edits.functions.headers import altered_headers
from fim_lsp.edits.functions.signatures import Altered, Function
from fim_lsp.edits.proving.indenting import indentation
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD

# The probability that a new parameter is stored if all others are: after one, and after more.
ONE, SEVERAL = 0.7, 0.85
SLOTS = re.compile(r"__slots__\b")
# Languages whose classes need not declare their fields.
WITHOUT_FIELDS = ("javascript", "javascriptreact")
# What may stand in front of the name of an attribute: `self._rows`, `this.#rows`.
PREFIXES = ("", "_", "#")


def kept_parameters(change: FileChange, function: Altered) -> Iterator[Replacement]:
    """The statements that store a constructor's new parameters, in Python."""
    after = function.after
    body = after.node.child_by_field_name("body")
    if (
        after.name != "__init__"
        or after.owner is None
        or body is None
        or after.node.type != "function_definition"
    ):
        return
    kept = dict(statements_that_keep(change.new, after, body))
    around = after.node.parent
    if around is not None and any(SLOTS.match(change.new.text_of(one)) for one in around.named_children):
        # Without its place there, the attribute could not be given.
        return
    yield from statements_beside(change, function, body, kept, "self.{0}{1} = {1}")


def kept_fields(change: FileChange) -> Iterator[Replacement]:
    """The statements that store a constructor's new parameters in fields, in the other languages: in fields
    that are declared, where they have to be."""
    for header in altered_headers(change) if change.new.known_language.name != "go" else ():
        function = header.altered
        body = function.after.node.child_by_field_name("body")
        if not header.before.is_made or body is None:
            continue
        kept = dict(statements_that_keep(change.new, function.after, body))
        declared = fields_beside(change.new, function.after.node)
        for one in statements_beside(change, function, body, kept, "this.{0}{1} = {1};"):
            field = one.new.strip().removeprefix("this.").partition(" ")[0]
            if field in declared or change.new.known_language.name in WITHOUT_FIELDS:
                yield one


def fields_beside(source: SourceText, member: tree_sitter.Node) -> set[str]:
    """The fields that a class declares, of which a node is a member."""
    around = member.parent
    found = set()
    for node in [] if around is None else around.named_children:
        inner = node.child_by_field_name("declarator") or node
        if node.type in ("field_declaration", "public_field_definition"):
            found.add(source.text_of(inner.child_by_field_name("name")))
    return found


def statements_beside(
    change: FileChange,
    function: Altered,
    body: tree_sitter.Node,
    kept: Mapping[str, tuple[tree_sitter.Node, str]],
    form: str,
) -> Iterator[Replacement]:
    """The statements that store new parameters, where all others are stored and these are not used."""
    after = function.after
    added = {one.name for one in function.added}
    others = [one.name for one in after.taken if one.name not in added]
    if not others or not added or not all(name in kept for name in others):
        return
    used = {*identifiers_below(change.new, body)}
    order = [one.name for one in after.taken]
    for name in order:
        if name not in added or name in used or not WORD.fullmatch(name):
            continue
        left = [one for one in order[: order.index(name)] if one in kept]
        statement, prefix = kept[left[-1] if left else others[0]]
        begin, stop = change.new.span(statement)
        lines = change.new.lines
        number = lines.line_at(stop if left else begin)
        written = indentation(lines.content(lines.line_at(begin))) + form.format(prefix, name)
        reason = f"the parameter `{name}` is new, and the others are kept"
        sure = SEVERAL if len(others) > 1 else ONE
        line_end = lines[number][len(lines.content(number)) :] or "\n"
        at, new = lines.starts[number], written + line_end
        if left:
            at, new = at + len(lines.content(number)), line_end + written
        yield Replacement(at, at, new, reason, sure, f"kept {name}")


def identifiers_below(source: SourceText, node: tree_sitter.Node) -> Iterator[str]:
    waiting = [node]
    while waiting:
        one = waiting.pop()
        waiting += one.named_children
        if one.type in ("identifier", "property_identifier", "private_property_identifier"):
            yield source.text_of(one)


def statements_that_keep(
    source: SourceText, function: Function, body: tree_sitter.Node
) -> Iterator[tuple[str, tuple[tree_sitter.Node, str]]]:
    """`self.name = name` and `self._name = name` of a body, with `this` in other languages, by the parameter
    that they store."""
    names = {one.name for one in function.taken}
    for statement in body.named_children:
        node = statement.named_children[0] if statement.type == "expression_statement" else None
        if node is None or node.type not in ("assignment", "assignment_expression"):
            continue
        left, value = (
            source.text_of(node.child_by_field_name("left")),
            source.text_of(node.child_by_field_name("right")),
        )
        for prefix in PREFIXES:
            if value in names and left in (f"self.{prefix}{value}", f"this.{prefix}{value}"):
                yield value, (statement, prefix)
