"""A file of JavaScript, TypeScript, Go or Java as others see it: its definitions without their bodies.

    export class Shop extends Base {        the header, the fields,
      name: string;                         and the headers of methods
      price(item: string): number;
    }

For Python, `context/outline.py` does this. Values and lines that may hold a secret are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import tree_sitter

from fim_lsp.context.outline import LONGEST_SIGNATURE, MOST_DEFINITIONS, MOST_MEMBERS, Definition
from fim_lsp.context.secrets import is_secret
from fim_lsp.declared.beside import root_of_source
from fim_lsp.declared.tree import text
from fim_lsp.known_languages import language_named

BLANKS = re.compile(r"\s+")
# The nodes around definitions, and the types that definitions may be members of.
AROUND = (
    "export_statement",
    "ambient_declaration",
    "type_declaration",
    "const_declaration",
    "var_declaration",
)
TYPES = (
    "class_declaration",
    "abstract_class_declaration",
    "interface_declaration",
    "enum_declaration",
    "record_declaration",
    "annotation_type_declaration",
)
FUNCTIONS = ("function_declaration", "generator_function_declaration", "function_signature")
# The nodes that are shown as they stand, since they have no body.
WHOLE = ("type_alias_declaration", "enum_declaration", "interface_declaration", "type_spec", "type_alias")
VALUES = ("variable_declarator", "const_spec", "var_spec")
CALLED = ("arrow_function", "function_expression")
# Longer ones are shown in part.
MOST_LINES = 24
DEFAULT = "default"
EXPORTED = re.compile(r"(?:module\.)?exports(?:\.([\w$]+))?")


@lru_cache(maxsize=500)
def outlined_definitions(content: bytes, language: str) -> dict[str, Definition]:
    """The definitions of a file at its own level, by name; the default export also by its name `default`."""
    found: dict[str, Definition] = {}
    root = root_of_source(content, language_named(language))
    for node, is_default in definitions_below(root):
        if len(found) >= MOST_DEFINITIONS:
            break
        if node.type == "method_declaration":
            add_method(found, node)
            continue
        name = text_of(node.child_by_field_name("name"))
        shown = shown_lines(node)
        if not shown or is_secret(shown[0]):
            continue
        kept = [line for line in shown if not is_secret(line)]
        definition = Definition(name, "\n".join(kept) + "\n", bases_of(node))
        for called in (name, DEFAULT) if is_default else (name,):
            if called:
                found[called] = definition
    add_exports(found, root)
    return found


def add_exports(found: dict[str, Definition], root: tree_sitter.Node) -> None:
    """Adds the exports of a CommonJS file: by keys, or a single value, which counts as the default export."""
    for statement in root.named_children:
        assigned = statement.named_children[0] if statement.type == "expression_statement" else None
        if assigned is None or assigned.type != "assignment_expression":
            continue
        key = EXPORTED.fullmatch(text_of(assigned.child_by_field_name("left")))
        value = assigned.child_by_field_name("right")
        if key is None or value is None:
            continue
        name = key[1] or DEFAULT
        if value.type in CALLED:
            line = one_line(assigned, value.child_by_field_name("body"))
            if not is_secret(line):
                found[name] = Definition(name, f"{line}\n")
        elif text_of(value) in found:
            found[name] = found[text_of(value)]


def definitions_below(root: tree_sitter.Node) -> Iterator[tuple[tree_sitter.Node, bool]]:
    """The definitions of a file, and whether they are what it exports by default."""
    waiting = [(node, False) for node in reversed(root.named_children)]
    while waiting:
        node, is_default = waiting.pop()
        if node.type in AROUND or node.type in ("lexical_declaration", "variable_declaration"):
            says_default = any(child.type == "default" for child in node.children)
            waiting += [(child, says_default) for child in reversed(node.named_children)]
        elif node.type in (*TYPES, *FUNCTIONS, *WHOLE, *VALUES, "method_declaration", "internal_module"):
            yield node, is_default


def shown_lines(node: tree_sitter.Node) -> list[str]:
    """A definition's lines without bodies."""
    if node.type in WHOLE:
        return [*whole_lines(node)]
    if node.type in TYPES:
        return [*type_lines(node)]
    if node.type in VALUES:
        return [*value_lines(node)]
    return [f"{header_of(node)};" if node.type != "internal_module" else header_of(node)]


def whole_lines(node: tree_sitter.Node) -> Iterator[str]:
    lines = text_of(node).split("\n")
    around = node.parent
    begin = f"{around.children[0].type} " if around is not None and around.type == "type_declaration" else ""
    yield f"{begin}{lines[0]}"[:LONGEST_SIGNATURE]
    yield from (line[:LONGEST_SIGNATURE] for line in lines[1:MOST_LINES])


def type_lines(node: tree_sitter.Node) -> Iterator[str]:
    body = node.child_by_field_name("body")
    yield f"{header_of(node)} {{"
    members = [] if body is None else body.named_children
    for member in members[:MOST_MEMBERS]:
        if "comment" in member.type or member.type in ("static_initializer", "class_static_block", "block"):
            continue
        value = member.child_by_field_name("value")
        if value is not None and value.type not in CALLED:
            yield f"  {one_line(member, value)};"
        elif member.type == "field_declaration":
            first = next((one for one in member.named_children if one.type == "variable_declarator"), None)
            value = None if first is None else first.child_by_field_name("value")
            yield f"  {one_line(member, value)};"
        else:
            inner = value if value is not None else member
            yield f"  {one_line(member, inner.child_by_field_name('body'))};"
    yield "}"


def value_lines(node: tree_sitter.Node) -> Iterator[str]:
    value, around = node.child_by_field_name("value"), node.parent
    kind = "" if around is None or not around.children else f"{text_of(around.children[0])} "
    if value is not None and value.type in CALLED:
        yield f"{kind}{one_line(node, value.child_by_field_name('body'))}"
    elif node.child_by_field_name("type") is not None:
        # Of another value its name alone is known, which says nothing.
        yield f"{kind}{one_line(node, value)};"


def add_method(found: dict[str, Definition], node: tree_sitter.Node) -> None:
    """A method of Go stands with its type."""
    receiver = node.child_by_field_name("receiver")
    said = re.search(r"\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)$", text_of(receiver))
    name = said[1] if said else ""
    line = header_of(node)
    before = found.get(name, Definition(name, ""))
    if name and not is_secret(line) and before.text.count("\n") < MOST_MEMBERS:
        found[name] = replace(before, text=f"{before.text}{line}\n")


def header_of(node: tree_sitter.Node) -> str:
    return one_line(node, node.child_by_field_name("body"))


def one_line(node: tree_sitter.Node, stop: tree_sitter.Node | None) -> str:
    """A node's text up to another node, without the signs that introduce that one."""
    said = node.text or b""
    if stop is not None:
        said = said[: stop.start_byte - node.start_byte]
    shown = BLANKS.sub(" ", said.decode(errors="replace")).strip()
    return shown.rstrip("={; ").removesuffix(" =>").rstrip("= ")[:LONGEST_SIGNATURE]


def bases_of(node: tree_sitter.Node) -> tuple[str, ...]:
    """The names of a type's base types."""
    header = header_of(node) if node.type in TYPES else ""
    found = re.search(r"\bextends\s+([\w$.]+)", header)
    return (found[1],) if found else ()


def text_of(node: tree_sitter.Node | None) -> str:
    return "" if node is None else text(node)
