"""Renamed declarations in languages other than Python: their other places follow.

    function area(width) {            function area(breadth) {
        return width * 2;                 return width * 2;
    }                                 }
                                                 ^ `breadth` now

It uses the tree alone: which node declares a name, and in which node the name is visible. Members of objects
are left alone, and so is a name if an inner scope declares it or the new name again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.opposites import is_turned
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.handed_names import PATTERN, SHORTHAND, is_handed_by_key
from fim_lsp.edits.typed.name_spaces import declared_space, has_space, is_one_of_several
from fim_lsp.edits.typed.narrowed_types import path_behind

NAMES = ("identifier", "type_identifier", PATTERN)
# The patterns with a default: they do not declare the names on their right.
WITH_DEFAULT = ("assignment_pattern", "object_assignment_pattern")


@dataclass(frozen=True, slots=True)
class Scoping:
    """A language's declarations: nodes and their fields; an empty field means any."""

    declaring: frozenset[tuple[str, str]]
    # The name of a definition belongs to the scope around it.
    definitions: frozenset[str]
    scopes: frozenset[str]
    # Nodes and fields that name a member of another thing.
    members: frozenset[tuple[str, str]] = frozenset()
    # The nodes that stand between a name and its declaration, such as a pattern.
    wrappers: frozenset[str] = frozenset()


def pairs_of(*said: str) -> frozenset[tuple[str, str]]:
    split = [one.partition(".") for one in said]
    return frozenset((node, field) for node, _, field in split)


def words(said: str) -> frozenset[str]:
    return frozenset(said.split())


JAVASCRIPT = Scoping(
    pairs_of(
        "variable_declarator.name",
        "function_declaration.name",
        "generator_function_declaration.name",
        "class_declaration.name",
        "formal_parameters.",
        "required_parameter.pattern",
        "optional_parameter.pattern",
        "arrow_function.parameter",
        "catch_clause.parameter",
        "for_in_statement.left",
        "import_specifier.alias",
        "type_parameter.name",
        "import_clause.",
        "namespace_import.",
        "interface_declaration.name",
        "type_alias_declaration.name",
        "enum_declaration.name",
    ),
    words(
        "function_declaration generator_function_declaration class_declaration interface_declaration"
        " type_alias_declaration enum_declaration"
    ),
    words(
        "program function_declaration function_expression generator_function generator_function_declaration"
        " arrow_function method_definition statement_block for_statement for_in_statement catch_clause"
        " class_body class_declaration abstract_class_declaration interface_declaration"
        " type_alias_declaration method_signature function_signature function_type abstract_method_signature"
    ),
    pairs_of("labeled_statement.label"),
    words(
        "array_pattern object_pattern pair_pattern rest_pattern assignment_pattern object_assignment_pattern"
    ),
)
GO = Scoping(
    pairs_of(
        "parameter_declaration.name",
        "variadic_parameter_declaration.name",
        "short_var_declaration.left",
        "var_spec.name",
        "const_spec.name",
        "range_clause.left",
        "type_switch_statement.alias",
        "receive_statement.left",
        "function_declaration.name",
        "type_spec.name",
        "type_parameter_declaration.name",
    ),
    frozenset({"function_declaration", "type_spec"}),
    words(
        "source_file type_spec function_declaration method_declaration func_literal block if_statement"
        " for_statement expression_case communication_case default_case type_switch_statement"
    ),
    pairs_of("keyed_element."),
    frozenset({"expression_list", "literal_element"}),
)
JAVA = Scoping(
    pairs_of(
        "formal_parameter.name",
        "variable_declarator.name",
        "method_declaration.name",
        "class_declaration.name",
        "interface_declaration.name",
        "record_declaration.name",
        "enum_declaration.name",
        "annotation_type_declaration.name",
        "catch_formal_parameter.name",
        "type_parameter.",
        "enhanced_for_statement.name",
        "resource.name",
        "enum_constant.name",
        "instanceof_expression.name",
        "inferred_parameters.",
        "lambda_expression.parameters",
    ),
    words(
        "method_declaration class_declaration interface_declaration record_declaration enum_declaration"
        " annotation_type_declaration"
    ),
    words(
        "program class_body interface_body enum_body method_declaration constructor_declaration"
        " record_declaration class_declaration interface_declaration"
        " lambda_expression block for_statement enhanced_for_statement catch_clause if_statement"
        " try_with_resources_statement switch_rule switch_block_statement_group"
    ),
    pairs_of("field_access.field", "element_value_pair.key", "labeled_statement."),
)
# Patterns of Java: a type, and behind it the name that is declared.
JAVA_PATTERNS = ("type_pattern", "record_pattern_component")
SCOPINGS = {
    "javascript": JAVASCRIPT,
    "javascriptreact": JAVASCRIPT,
    "typescript": JAVASCRIPT,
    "typescriptreact": JAVASCRIPT,
    "go": GO,
    "java": JAVA,
}


def renamed_declarations(change: FileChange) -> Iterator[tuple[str, str, tree_sitter.Node]]:
    """Names that were changed where they are declared, with the old node in which each is visible."""
    for old, new, scope, _ in declaration_renames(change):
        yield old, new, scope


def declaration_renames(change: FileChange) -> Iterator[tuple[str, str, tree_sitter.Node, str]]:
    scoping = SCOPINGS.get(change.old.known_language.name)
    if scoping is None:
        return
    for replaced in change.replaced:
        if is_turned(change, replaced):
            continue
        for old, new in pairs(replaced):
            before, after = change.old.path_to(old[0]), change.new.path_to(new[0])
            is_one = is_declared(scoping, before) and is_declared(scoping, after)
            if (
                is_one
                and is_import_meant(change, before, after)
                and not is_one_of_several(change.old, before)
            ):
                names = change.old.text[old[0] : old[1]], change.new.text[new[0] : new[1]]
                yield *names, scope_of(scoping, before), declared_space(change.old, before)
        was, now = key_taken(change.old, replaced.old_start), key_taken(change.new, replaced.new_start)
        if was is not None and now is not None and was[0] == now[0] and was[1] != now[1]:
            path = change.old.path_to(max(replaced.old_start - 1, 0))
            yield was[1], now[1], scope_of(scoping, path), ""


def key_taken(source: SourceText, offset: int) -> tuple[str, str] | None:
    """What is imported, or taken out of an object, right in front of a place, and the name that it has there:
    `{ load }` and `{ load as read }`, `{ rows }` and `{ rows: all }`."""
    path = source.path_to(max(offset - 1, 0))
    if path[-1].type == PATTERN:
        return source.text_of(path[-1]), source.text_of(path[-1])
    for node in reversed(path):
        if node.type == "import_specifier":
            alias, name = (source.text_of(node.child_by_field_name(field)) for field in ("alias", "name"))
            return name, alias or name
        if node.type == "pair_pattern":
            value = node.child_by_field_name("value")
            is_name = value is not None and value.type == "identifier"
            return (
                (source.text_of(node.child_by_field_name("key")), source.text_of(value)) if is_name else None
            )
    return None


def is_import_meant(
    change: FileChange, before: Sequence[tree_sitter.Node], after: Sequence[tree_sitter.Node]
) -> bool:
    """Whether an import of another name is of the same thing: from the project's own module, in a file where
    only that name has changed. Names that are not imported by their own name pass."""
    if before[-2].type != "import_specifier" or before[-2].child_by_field_name("alias") is not None:
        return True
    modules = [
        source.text_of(node.child_by_field_name("source"))
        for source, path in ((change.old, before), (change.new, after))
        for node in path
        if node.type == "import_statement"
    ]
    is_own = len(modules) == 2 and modules[0] == modules[1] and modules[0][1:2] in (".", "@", "~", "#")
    return is_own and len({(one.old, one.new) for one in change.replaced}) == 1


def names_of_several(change: FileChange) -> Iterator[tuple[str, str]]:
    """Renamed overloads, from which nothing follows."""
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            if is_one_of_several(change.old, change.old.path_to(old[0])):
                yield change.old.text[slice(*old)], change.new.text[slice(*new)]


def renamed_uses(change: FileChange) -> Iterator[Replacement]:
    scoping = SCOPINGS.get(change.old.known_language.name)
    if scoping is None:
        return
    for old, new, scope, space in declaration_renames(change):
        if is_taken(change.old, scoping, new, scope, space):
            # The new name already means something in the scope.
            continue
        for start in places(change.old, scoping, old, scope):
            at, path = change.to_new(start), change.old.path_to(start)
            if at is None or change.new.text[at : at + len(old)] != old:
                continue
            if is_name_elsewhere(change.new.path_to(at)):
                continue
            if not has_space(path, space) or is_caught(change.old, scoping, new, path, scope):
                continue
            reason = f"`{old}` is called `{new}` now"
            is_key = path[-1].type == SHORTHAND and not is_handed_by_key(change.old, path)
            written = f"{old}: {new}" if is_key else new
            yield Replacement(
                at, at + len(old), written, reason, SURE, f"rename {old} {new} {scope.start_byte}"
            )


def is_taken(source: SourceText, scoping: Scoping, name: str, scope: tree_sitter.Node, space: str) -> bool:
    """Whether a name means something within a scope, apart from declarations of inner scopes."""
    for start in source.places(name):
        path = source.path_to(start)
        if not is_within(start, scope, source) or path[-1].type not in (*NAMES, SHORTHAND):
            continue
        if not has_space(path, space) or is_member(scoping, path) or is_name_elsewhere(path):
            continue
        found = owner(source, scoping, name, path)
        if found is None or not (scope.start_byte < found[0] or found[1] < scope.end_byte):
            return True
    return False


def is_name_elsewhere(path: Sequence[tree_sitter.Node]) -> bool:
    """Whether this is the name of something imported or unpacked that has another name here: `load` in
    `{ load as read }`."""
    around = path[-2]
    if around.type == "pair_pattern":
        return around.child_by_field_name("key") == path[-1]
    alias = around.child_by_field_name("alias") if around.type == "import_specifier" else None
    return alias is not None and alias != path[-1]


def is_caught(
    source: SourceText,
    scoping: Scoping,
    name: str,
    path: Sequence[tree_sitter.Node],
    scope: tree_sitter.Node,
) -> bool:
    """Whether a scope between a place and an outer scope declares a name."""
    found = owner(source, scoping, name, path)
    return found is not None and (scope.start_byte < found[0] or found[1] < scope.end_byte)


def places(source: SourceText, scoping: Scoping, name: str, scope: tree_sitter.Node) -> Iterator[int]:
    """The places at which a name means a scope's declaration."""
    for start in source.places(name):
        if not is_within(start, scope, source):
            continue
        path = source.path_to(start)
        if path[-1].type not in (*NAMES, SHORTHAND) or is_member(scoping, path):
            continue
        if owner(source, scoping, name, path) == (scope.start_byte, scope.end_byte):
            yield start


def owner(
    source: SourceText, scoping: Scoping, name: str, path: Sequence[tree_sitter.Node]
) -> tuple[int, int] | None:
    """The innermost scope around a place that declares a name."""
    declared = source.declaring_scopes.get(name)
    if declared is None:
        declared = source.declaring_scopes[name] = {*scopes_declaring(source, scoping, name)}
    if is_declared(scoping, path):
        scope = scope_of(scoping, path)
        return scope.start_byte, scope.end_byte
    for node in reversed(path):
        if node.type in scoping.scopes and (node.start_byte, node.end_byte) in declared:
            return node.start_byte, node.end_byte
    return None


def scopes_declaring(source: SourceText, scoping: Scoping, name: str) -> Iterator[tuple[int, int]]:
    for start in source.places(name):
        path = source.path_to(start)
        if path[-1].type in NAMES and is_declared(scoping, path):
            scope = scope_of(scoping, path)
            yield scope.start_byte, scope.end_byte


def is_within(start: int, scope: tree_sitter.Node, source: SourceText) -> bool:
    return scope.start_byte <= source.byte(start) < scope.end_byte


def is_declared(scoping: Scoping, path: Sequence[tree_sitter.Node]) -> bool:
    """Whether a place declares the name."""
    if path[-1].type not in NAMES:
        return False
    if path[-2].type == "import_specifier" and path[-2].child_by_field_name("alias") is None:
        return True
    if path[-2].type in JAVA_PATTERNS:
        return path[-1].type == "identifier"
    at = len(path) - 2
    while at > 0 and path[at].type in scoping.wrappers:
        if path[at].type in WITH_DEFAULT and path[at].child_by_field_name("right") == path[at + 1]:
            return False
        at -= 1
    return at >= 0 and stands_in(path[at], path[at + 1], scoping.declaring)


def is_member(scoping: Scoping, path: Sequence[tree_sitter.Node]) -> bool:
    node = path[-2] if len(path) > 1 else path[-1]
    if node.type == "method_invocation" and node.child_by_field_name("name") == path[-1]:
        return node.child_by_field_name("object") is not None
    at = len(path) - 2
    while at > 0 and path[at].type in scoping.wrappers:
        at -= 1
    inner, around = path[at + 1], path[at]
    is_key = around.type == "keyed_element" and around.named_children[:1] == [inner]
    return is_key or (around.type != "keyed_element" and stands_in(around, inner, scoping.members))


def stands_in(around: tree_sitter.Node, inner: tree_sitter.Node, places: frozenset[tuple[str, str]]) -> bool:
    for node, field in places:
        if around.type == node and (not field or inner in around.children_by_field_name(field)):
            return True
    return False


def scope_of(scoping: Scoping, path: Sequence[tree_sitter.Node]) -> tree_sitter.Node:
    """The node in which a name that is declared at a place is visible."""
    is_own_name = path[-2].type in scoping.definitions and path[-2].child_by_field_name("name") == path[-1]
    around = path[:-2] if is_own_name else path
    if path[-2].type == "instanceof_expression":
        around = path_behind(path)
    return next((node for node in reversed(around) if node.type in scoping.scopes), path[0])
