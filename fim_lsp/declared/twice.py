"""Duplicate names in a container that allows each once: of members, keys, cases or parameters.

    class Cart { class Cart {} }        enum Colour { RED, RED }        {port: 80, port: 80}

Each language has a table of containers, their members and the parts that tell members apart. Small models
and memories like to copy lines from above, which no file wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import tree_sitter

from fim_lsp.declared.tree import is_broken, text
from fim_lsp.known_languages import GO, JAVA, JAVASCRIPT

# Larger tables are data, which is not looked through.
MOST_MEMBERS = 2_000
WORDS = re.compile(r"\w+")
# The names that Go may repeat: no name, and the function that a package does first.
AS_OFTEN = frozenset((b"_", b"init"))
# Words in front of a name that make another member of it.
APART = frozenset((b"static", b"get", b"set"))


@dataclass(frozen=True, slots=True)
class SaidOnce:
    """Members that stand once in a container, by the fields that tell them apart; by all, if there are none.

    `kind`: names of one kind are not those of another. The first field has the name. `is_row`: the field
    stands there several times, and each of them counts for itself.
    """

    containers: str
    member: str
    fields: str = ""
    kind: str = ""
    is_row: bool = False


# The nodes between a container and its members.
PASSED = frozenset(
    {
        "type_declaration",
        "const_declaration",
        "var_declaration",
        "field_declaration",
        "switch_block_statement_group",
        "switch_rule",
        "import_declaration",
        "import_spec_list",
        "var_spec_list",
        "export_statement",
    }
)
ONCE: Mapping[str, tuple[SaidOnce, ...]] = {
    GO.family: (
        SaidOnce("source_file", "function_declaration", "name"),
        SaidOnce("source_file", "method_declaration", "name receiver", "method"),
        SaidOnce("source_file", "type_spec", "name"),
        SaidOnce("source_file", "import_spec", "path name", "import"),
        SaidOnce("field_declaration_list", "field_declaration", "name", is_row=True),
        SaidOnce("interface_type", "method_elem", "name"),
        SaidOnce("literal_value", "keyed_element", "key"),
        SaidOnce("expression_switch_statement", "expression_case", "value"),
        SaidOnce("type_switch_statement", "type_case", "type", is_row=True),
    ),
    JAVA.family: (
        SaidOnce("program", "import_declaration", kind="import"),
        SaidOnce("class_body enum_body_declarations", "variable_declarator", "name", "field"),
        SaidOnce("class_body enum_body_declarations interface_body", "method_declaration", "name parameters"),
        SaidOnce("class_body", "constructor_declaration", "name parameters", "constructor"),
        *(
            SaidOnce("program class_body interface_body enum_body_declarations", member, "name", "type")
            for member in ("class_declaration", "interface_declaration", "enum_declaration")
        ),
        SaidOnce("enum_body", "enum_constant", "name"),
        SaidOnce("formal_parameters", "formal_parameter", "name"),
        SaidOnce("annotation_argument_list", "element_value_pair", "key"),
        SaidOnce("switch_block", "switch_label"),
    ),
    JAVASCRIPT.family: (
        SaidOnce("class_body", "public_field_definition", "name"),
        SaidOnce("class_body", "field_definition", "property"),
        SaidOnce("class_body", "method_definition", "name"),
        SaidOnce("interface_body object_type", "property_signature", "name"),
        SaidOnce("enum_body", "enum_assignment", "name"),
        SaidOnce("enum_body", "property_identifier"),
        SaidOnce("object", "pair", "key"),
        SaidOnce("object", "shorthand_property_identifier"),
        SaidOnce("object", "method_definition", "name"),
        SaidOnce("object_pattern", "shorthand_property_identifier_pattern"),
        SaidOnce("named_imports", "import_specifier", "alias name"),
        SaidOnce("jsx_opening_element jsx_self_closing_element", "jsx_attribute", "property_identifier"),
        SaidOnce("switch_body", "switch_case", "value"),
    ),
}


@dataclass(frozen=True, slots=True)
class Member:
    """A member: the key that tells it apart, and the node of its name."""

    key: tuple[str, ...]
    name: tree_sitter.Node


def names_again(family: str, root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The names between two bytes of a file that may stand once and stand somewhere else, too."""
    rules = rules_of(family)
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type == "ERROR":
            continue
        if (found := rules.get(node.type)) and node.named_child_count <= MOST_MEMBERS:
            yield from again_in(node, found, first, last)
        waiting += [
            child
            for child in reversed(node.named_children)
            if child.start_byte < last and child.end_byte > first
        ]


def rules_of(family: str) -> dict[str, dict[str, SaidOnce]]:
    """The rules of a language, by container and then by member."""
    found: dict[str, dict[str, SaidOnce]] = {}
    for rule in ONCE.get(family, ()):
        for container in rule.containers.split():
            found.setdefault(container, {})[rule.member] = rule
    return found


def again_in(
    container: tree_sitter.Node, rules: Mapping[str, SaidOnce], first: int, last: int
) -> Iterator[tree_sitter.Node]:
    members = [
        member
        for node in children_of(container, rules)
        for member in members_of(node, rules[node.type])
        if is_certain(member.name) and not is_broken(node)
    ]
    new = [one for one in members if first < one.name.end_byte <= last]
    said = {one.key for one in members if not first < one.name.end_byte <= last}
    for one in new:
        if one.key in said:
            yield one.name
        said.add(one.key)


def is_certain(name: tree_sitter.Node) -> bool:
    """Whether a name cannot be there twice. A call may give another value each time."""
    is_call = name.type != "import_declaration" and "(" in text(name)
    return name.is_named and name.text not in AS_OFTEN and not is_call


def children_of(container: tree_sitter.Node, rules: Mapping[str, SaidOnce]) -> Iterator[tree_sitter.Node]:
    for child in container.named_children:
        if child.type in rules:
            yield child
        elif child.type in PASSED:
            yield from children_of(child, rules)


def members_of(node: tree_sitter.Node, rule: SaidOnce) -> Iterator[Member]:
    """The members that a node declares and that may stand only once."""
    words = [text(one) for one in node.children if not one.is_named and one.text in APART]
    if not rule.fields:
        yield Member((rule.kind, *words, words_of(node)), node)
        return
    first, *others = rule.fields.split()
    names = node.children_by_field_name(first) or [one for one in node.named_children if one.type == first]
    more = [words_of(one) for other in others for one in node.children_by_field_name(other)]
    if not names:
        # Without the first, the next one is the name: an import's own name, or what it is imported as.
        names = [one for other in others for one in node.children_by_field_name(other)][:1]
        more = []
    elif others == ["name"] and first == "alias":
        more = []
    for name in names if rule.is_row else names[:1]:
        yield Member((rule.kind, *words, words_of(name), *more), name)


def words_of(node: tree_sitter.Node) -> str:
    """The words of a node; for parameters and a receiver, the words of their types."""
    if node.type in ("formal_parameters", "parameter_list"):
        return "(" + ",".join(type_of(one) for one in node.named_children) + ")"
    if node.type == "string":
        return text(node)[1:-1]
    return text(node).strip()


def type_of(parameter: tree_sitter.Node) -> str:
    """The type of a parameter, with the brackets that Java allows behind its name: `int a[]`."""
    kind, brackets = (parameter.child_by_field_name(field) for field in ("type", "dimensions"))
    written = text(kind or parameter).strip("*") + ("" if brackets is None else text(brackets))
    return "".join(written.split())
