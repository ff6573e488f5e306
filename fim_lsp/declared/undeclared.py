"""Which names a part of a file of JavaScript or TypeScript uses that are declared nowhere.

Only certain names are reported. A name is not undeclared if anything in the file binds it in a scope around
its use, also behind it or in the part itself; if the language, one of its hosts or the project's declarations
may declare it; if lines outside of the part use it, too, without a binding; or if it stands in a statement
that cannot be read, or in one that adds to another module. Nothing is reported in scripts, which share their
globals with others, and in files with `with`, `eval` or directives that name other files.

    import { a, B } from "b";
    export const c = (d: B) => a(d, e as F);        e F
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass

import tree_sitter

from fim_lsp.declared.host_names import HOST_NAMES, HOST_TYPES
from fim_lsp.declared.roles import (
    IDENTIFIERS,
    Plain,
    Role,
    ScopeBinding,
    TypeBinding,
    asks_whether_it_is_there,
    role,
)
from fim_lsp.declared.tree import contains, is_broken, is_near_error, spans_of

# A name that stands in more places is not looked up.
MOST_PLACES = 300
# Words that are names in some places and none in others.
WORDS = frozenset(
    [
        "arguments",
        "as",
        "asserts",
        "async",
        "await",
        "bigint",
        "constructor",
        "declare",
        "from",
        "get",
        "global",
        "infer",
        "intrinsic",
        "is",
        "keyof",
        "let",
        "meta",
        "module",
        "namespace",
        "of",
        "out",
        "override",
        "readonly",
        "require",
        "satisfies",
        "set",
        "static",
        "super",
        "target",
        "this",
        "type",
        "undefined",
        "unique",
        "using",
        "yield",
    ]
)
# The marks of a module in a file that Node or a bundler reads.
COMMON_MODULE = re.compile(rb"\brequire\s*\(|\bmodule\s*\.\s*exports\b|\bexports\s*\.|\bdefine\s*\(")
# Code and comments of files that may have names from anywhere.
ANY_NAME_CODE = re.compile(rb"(?<![\w$.])with\s*\(|(?<![\w$])eval\s*\(")
ANY_NAME_COMMENTS = re.compile(rb"///\s*<reference(?!\s+lib\b)|no-undef|@ts-nocheck")
# Comments after which a line may: their own, or the next one.
EXCUSED = re.compile(rb"@ts-ignore|@ts-expect-error|eslint-disable-(?:next-)?line\b[^\n]*no-undef")
TEXTS = frozenset(["comment", "string", "template_string", "regex", "jsx_text", "html_comment"])
# Comments that list names for a linter.
LISTED = re.compile(rb"^/\*\s*(?:globals?|exported)\b")
USES = (Plain.USE, Plain.TARGET, Plain.TYPE_USE)
MODULE_STATEMENTS = ("import_statement", "export_statement")


@dataclass(frozen=True, slots=True)
class Undeclared:
    """A name that nothing declares, by its bytes."""

    name: str
    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class NameOccurrence:
    """The place of a name, and its kind."""

    node: tree_sitter.Node
    role: Role


def undeclared_names(
    root: tree_sitter.Node,
    content: bytes,
    first: int,
    last: int,
    ambient: Callable[[], Container[str]] = tuple,
    lies_among_modules: Callable[[], bool] = bool,
) -> list[Undeclared]:
    """The undeclared names that begin or end between two bytes of a file, in its order. `ambient` are those
    that a project's declarations bring along, asked for where there would be one; where the file imports and
    exports nothing yet, it is asked whether those beside it do."""
    if first >= last or may_have_any_name(root, content):
        return []
    if not is_module(root, content) and not lies_among_modules():
        return []
    found, excused = [], excused_lines(content)
    for node in identifiers_between(root, first, last):
        what = role(node)
        if what not in USES:
            continue
        name = content[node.start_byte : node.end_byte].decode("utf-8", "replace")
        is_brought_along = name in WORDS or name in HOST_NAMES or name.startswith("__")
        is_brought_along |= what is Plain.TYPE_USE and name in HOST_TYPES
        # Letters that are written as escapes are not looked up.
        if is_brought_along or not name.replace("$", "_").isidentifier():
            continue
        if node.start_point.row in excused:
            continue
        if not is_undeclared(node, what, name, root, content, first, last):
            continue
        if not is_near_error(node) and not is_in_another_module(node) and name not in ambient():
            found.append(Undeclared(name, node.start_byte, node.end_byte))
    return found


def may_have_any_name(root: tree_sitter.Node, content: bytes) -> bool:
    """Whether a file may have invisible names, or says that its names must not be checked."""
    code = (innermost(root, match.start()) for match in ANY_NAME_CODE.finditer(content))
    if any(text_around(node) is None for node in code):
        return True
    excuses = [match.span() for match in EXCUSED.finditer(content)]
    return any(
        is_comment(innermost(root, match.start()))
        for match in ANY_NAME_COMMENTS.finditer(content)
        if not any(start <= match.start() < stop for start, stop in excuses)
    )


def innermost(root: tree_sitter.Node, place: int) -> tree_sitter.Node:
    return root.descendant_for_byte_range(place, place + 1) or root


def text_around(node: tree_sitter.Node) -> tree_sitter.Node | None:
    """The comment or string that a place is in; None in code and in unreadable text."""
    around: tree_sitter.Node | None = node
    while around is not None and around.type not in TEXTS:
        # The text in `${...}` is code.
        around = None if around.type in ("template_substitution", "ERROR") else around.parent
    return around


def is_comment(node: tree_sitter.Node) -> bool:
    """Whether a place is in a comment, or in unreadable text."""
    around = text_around(node)
    return is_broken(node) if around is None else around.type in ("comment", "html_comment")


def excused_lines(content: bytes) -> frozenset[int]:
    """The lines in which names are not checked, counted from 0."""
    lines = [content.count(b"\n", 0, match.start()) for match in EXCUSED.finditer(content)]
    return frozenset([*lines, *(line + 1 for line in lines)])


def is_module(root: tree_sitter.Node, content: bytes) -> bool:
    """Whether a file shares its names with no other file."""
    return has_module_statements(root) or COMMON_MODULE.search(content) is not None


def has_module_statements(root: tree_sitter.Node) -> bool:
    return any(child.type in MODULE_STATEMENTS for child in root.named_children)


def identifiers_between(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The identifiers that reach into a part of a file, in its order, without unreadable text."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.type in IDENTIFIERS:
            yield node
        elif node.type not in ("ERROR", "enum_body"):
            waiting += [
                child
                for child in reversed(node.named_children)
                if child.start_byte < last and child.end_byte > first
            ]


def is_in_another_module(use: tree_sitter.Node) -> bool:
    """Whether a use stands in a block that adds to a module elsewhere, and has that one's names, too:
    `declare module "shop" { interface Order { customer: Customer } }`."""
    around: tree_sitter.Node | None = use
    while around is not None:
        name = around.child_by_field_name("name") if around.type == "module" else None
        if name is not None and name.type == "string":
            return True
        around = around.parent
    return False


def is_undeclared(
    use: tree_sitter.Node,
    what: Role,
    name: str,
    root: tree_sitter.Node,
    content: bytes,
    first: int,
    last: int,
) -> bool:
    binding = (ScopeBinding, TypeBinding) if what is Plain.TYPE_USE or is_exported(use) else ScopeBinding
    told: list[NameOccurrence] = []
    for place in places_of(name, use.start_byte, root, content):
        if place is None or (isinstance(place.role, binding) and contains(place.role.scope, use)):
            return False
        # Some programs put a name there and some do not: `if (typeof DEBUG === "undefined" || DEBUG)`.
        if place.node.parent is not None and asks_whether_it_is_there(place.node.parent):
            return False
        # Behind a fault in a file, the tree may have something else for what binds names.
        if root.has_error and place.node != use:
            return False
        told.append(place)
    bindings = [place.role.scope for place in told if isinstance(place.role, ScopeBinding | TypeBinding)]
    free = [place for place in told if not any(contains(scope, place.node) for scope in bindings)]
    # Written to without a declaration, a name of a script is a global.
    if not has_module_statements(root) and any(place.role is Plain.TARGET for place in free):
        return False
    outside = (place for place in free if place.node.end_byte <= first or place.node.start_byte >= last)
    return not any(place.role in USES for place in outside)


def is_exported(use: tree_sitter.Node) -> bool:
    """Whether a name is a module's default, which may be a type: `export default Shop`."""
    return use.parent is not None and use.parent.type == "export_statement"


def places_of(
    name: str, near: int, root: tree_sitter.Node, content: bytes
) -> Iterator[NameOccurrence | None]:
    """The places of a name, the nearest first; None where they are unknown."""
    spans = sorted(spans_of(name.encode(), content), key=lambda span: abs(span[0] - near))
    for start, stop in spans[:MOST_PLACES]:
        node = root.descendant_for_byte_range(start, stop)
        if node is None:
            continue
        is_listed = node.type == "comment" and LISTED.match(content[node.start_byte : node.end_byte])
        if is_listed or is_broken(node):
            yield None
        elif node.type in IDENTIFIERS and (node.start_byte, node.end_byte) == (start, stop):
            yield NameOccurrence(node, role(node))
    if len(spans) > MOST_PLACES:
        yield None
