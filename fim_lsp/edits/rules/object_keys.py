"""Keys of an object literal in JavaScript and TypeScript that is assigned to a name: their uses follow.

const styles = { wrapper: { padding: 4 } };        <div style={styles.wrapper}>
                 ^ `container` now                                    ^ so it is here
const useStyles = makeStyles({ wrapper: ... });    const classes = useStyles();   classes.wrapper
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.typed.handed_names import PATTERN
from fim_lsp.edits.typed.object_types import declarations
from fim_lsp.known_languages import JAVASCRIPT

Path = Sequence[tree_sitter.Node]
# The nodes around a literal that have its value.
THROUGH = ("parenthesized_expression", "as_expression", "satisfies_expression")
# The members of a literal, with the fields of their keys.
KEYED = {"pair": "key", "method_definition": "name"}
# The names under which a hook returns the object, beside other values.
TAKEN = ("classes", "styles")


@dataclass(frozen=True, slots=True)
class KeyOfLiteral:
    """A key's path from a variable, the outer keys first. The literal may be an argument of a call whose
    result has the same keys (`is_made`)."""

    declared: int
    keys: tuple[str, ...]
    is_made: bool


def renamed_object_keys(change: FileChange) -> Iterator[Replacement]:
    if change.old.known_language.family != JAVASCRIPT.family:
        return
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            before = key_of_literal(change.old, change.old.path_to(old[0]))
            after = key_of_literal(change.new, change.new.path_to(new[0]))
            if before is None or after is None or before.keys[:-1] != after.keys[:-1]:
                continue
            names = change.old.text[slice(*old)], change.new.text[slice(*new)]
            if (before.keys[-1], after.keys[-1]) == names and not has_key(change.old, before, names[1]):
                yield from renamed_uses_of_key(change, before, names)


def has_key(source: SourceText, key: KeyOfLiteral, name: str) -> bool:
    """Whether an object already has another key."""
    other = (*key.keys[:-1], name)
    return any(
        found is not None and (found.declared, found.keys) == (key.declared, other)
        for found in (key_of_literal(source, source.path_to(start)) for start in source.places(name))
    )


def renamed_uses_of_key(
    change: FileChange, key: KeyOfLiteral, names: tuple[str, str]
) -> Iterator[Replacement]:
    reason = f"the key `{names[0]}` is called `{names[1]}` now"
    for start in change.old.places(names[0]):
        at, path = change.to_new(start), change.old.path_to(start)
        if at is None or change.new.text[at : at + len(names[0])] != names[0]:
            continue
        if is_use_of_key(change.old, path, key):
            written = f"{names[1]}: {names[0]}" if path[-1].type == PATTERN else names[1]
            group = f"key {' '.join(names)}"
            yield Replacement(at, at + len(names[0]), written, reason, SURE, group)


def key_of_literal(source: SourceText, path: Path) -> KeyOfLiteral | None:
    """The key at a place, if it stands in a literal that is assigned to a variable."""
    at = len(path) - 1
    while at and path[at].type not in KEYED:
        at -= 1
    if not at or at < len(path) - 3 or key_in(path[at]) != path[at + 1] or path[at - 1].type != "object":
        return None
    keys, is_made = [], False
    while at > 1 and path[at].type in KEYED:
        keys.append(source.text_of(key_in(path[at])).strip("'\""))
        at -= 2
        if is_made:
            return None
        while path[at].type in THROUGH or path[at].type == "arguments":
            is_made = is_made or path[at].type == "arguments"
            at -= 2 if path[at].type == "arguments" else 1
    declared = path[at]
    name = declared.child_by_field_name("name") if declared.type == "variable_declarator" else None
    # A literal with a declared type has that type's keys.
    if name is None or name.type != "identifier" or declared.child_by_field_name("type") is not None:
        return None
    return KeyOfLiteral(name.start_byte, tuple(reversed(keys)), is_made)


def key_in(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The key that a member of a literal has."""
    return node.child_by_field_name(KEYED[node.type])


def is_use_of_key(source: SourceText, path: Path, key: KeyOfLiteral) -> bool:
    """Whether a name or a string looks up the key in its variable."""
    chain: list[str] = []
    at = len(path) - 2
    if at < 1:
        return False
    if path[-1].type == "string_fragment" and path[at].type == "string":
        if (
            path[at - 1].type != "subscript_expression"
            or path[at - 1].child_by_field_name("index") != path[at]
        ):
            return False
        node: tree_sitter.Node | None = path[at - 1]
    elif path[at].type == "member_expression" and path[at].child_by_field_name("property") == path[-1]:
        node = path[at]
    else:
        return is_taken_out(source, path, key)
    while node is not None and node.type in ("member_expression", "subscript_expression"):
        said = node.child_by_field_name("property") or node.child_by_field_name("index")
        chain.append(source.text_of(said).strip("'\""))
        node = node.child_by_field_name("object")
    return node is not None and tuple(reversed(chain)) == key.keys and is_variable_of(source, node, key)


def is_taken_out(source: SourceText, path: Path, key: KeyOfLiteral) -> bool:
    """Whether a name is a key in a pattern that destructures the variable: `const { wrapper } = styles`."""
    is_key = path[-2].type == "pair_pattern" and path[-2].child_by_field_name("key") == path[-1]
    at = len(path) - (3 if is_key or path[-2].type == "object_assignment_pattern" else 2)
    if len(key.keys) > 1 or not (is_key or path[-1].type == PATTERN) or path[at].type != "object_pattern":
        return False
    value = path[at - 1].child_by_field_name("value") if path[at - 1].type == "variable_declarator" else None
    return value is not None and is_variable_of(source, value, key)


def is_variable_of(source: SourceText, node: tree_sitter.Node, key: KeyOfLiteral) -> bool:
    """Whether a value is the variable that has the literal, or the result of a call of it."""
    if node.type != "identifier":
        called = node.child_by_field_name("function") if node.type == "call_expression" else None
        return (
            key.is_made
            and called is not None
            and called.type == "identifier"
            and is_variable_of(source, called, key)
        )
    found = [*declarations(source, node)]
    if len(found) != 1:
        return False
    path = found[0]
    if path[-1].start_byte == key.declared:
        return True
    around = path[-2]
    if path[-1].type == PATTERN and source.text_of(path[-1]) in TAKEN:
        around = path[-3]
    value = around.child_by_field_name("value") if around.type == "variable_declarator" else None
    if value is not None and value.type == "object" and len(key.keys) == 1 and not key.is_made:
        return is_spread_in(source, value, key)
    return (
        key.is_made
        and value is not None
        and value.type == "call_expression"
        and is_variable_of(source, value, key)
    )


def is_spread_in(source: SourceText, literal: tree_sitter.Node, key: KeyOfLiteral) -> bool:
    """Whether a literal has the key from the variable: `{ ...defaults, ...options }`."""
    found = False
    for one in literal.named_children:
        inner = one.named_children[0] if one.type == "spread_element" and one.named_children else None
        found = found or (inner is not None and inner.type == "identifier" and is_literal(source, inner, key))
        if one.type in KEYED and source.text_of(key_in(one)).strip("'\"") == key.keys[0]:
            return False
    return found


def is_literal(source: SourceText, name: tree_sitter.Node, key: KeyOfLiteral) -> bool:
    """Whether a variable is the one that has the literal."""
    found = [*declarations(source, name)]
    return len(found) == 1 and found[0][-1].start_byte == key.declared
