"""Occurrences of a name in a Python file: the places, and at each the name's role and scope.

    def area(width, height):          `width` is bound by the function,
        return [width * width         used there, within a list's loop that binds another
                for height in range(height)]

Only the places of the requested name are examined, so an answer costs the same in files of any length. It
works in broken files, too, since the tree is tree-sitter's.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import tree_sitter

from fim_lsp.document.syntax import COMMENTS
from fim_lsp.edits.texts.source import TEXTS, SourceText

Role = Literal[
    "use", "bind", "augment", "parameter", "function", "class", "import", "global", "nonlocal",
    "attribute", "keyword", "module", "brought", "text", "comment",
]  # fmt: skip
# The roles that bind the name.
BINDING: frozenset[Role] = frozenset(("bind", "augment", "parameter", "function", "class", "import"))
# The roles in which the name stands for its variable.
VARIABLE: frozenset[Role] = BINDING | {"use", "global", "nonlocal"}
FUNCTIONS = ("function_definition", "lambda")
LOOPED = ("list_comprehension", "set_comprehension", "dictionary_comprehension", "generator_expression")
SCOPES = (*FUNCTIONS, *LOOPED, "class_definition")
PARAMETERS = ("parameters", "lambda_parameters")
ROWS = (
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "list_splat_pattern",
    "dictionary_splat_pattern",
    "tuple",
    "list",
)
# No more places of one name are examined.
MOST_PLACES = 2_000

# A scope is its first byte and its kind; the file's own is (-1, "module").
Scope = tuple[int, str]
MODULE: Scope = (-1, "module")


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name at a place. `scopes` are the scopes of its lookup, the innermost first."""

    start: int
    stop: int
    role: Role
    scopes: tuple[Scope, ...]
    # The nodes around it, from the file to the name itself.
    path: tuple[tree_sitter.Node, ...] = field(compare=False, repr=False)

    @property
    def is_variable(self) -> bool:
        return self.role in VARIABLE

    @property
    def parent(self) -> tree_sitter.Node:
        return self.path[-2] if len(self.path) > 1 else self.path[0]


class Names:
    """The names of a file; each is examined once."""

    def __init__(self, source: SourceText) -> None:
        self.source = source
        self._known: dict[str, list[Occurrence]] = {}
        self._bound: dict[str, dict[Scope, set[Role]]] = {}
        self._at: dict[int, Occurrence] = {}

    def of(self, name: str) -> list[Occurrence]:
        """All places of a name, in order."""
        if name not in self._known:
            found = []
            for number, place in enumerate(self.source.places(name)):
                if number >= MOST_PLACES:
                    break
                found.append(self.at(place, place + len(name)))
            self._known[name] = found
        return self._known[name]

    def at(self, start: int, stop: int) -> Occurrence:
        """The name at a place."""
        found = self._at.get(start)
        if found is None:
            found = self._at[start] = occurrence(self.source, start, stop)
        return found

    def binding_scopes(self, name: str) -> dict[Scope, set[Role]]:
        """The scopes that bind a name or declare it `global` or `nonlocal`, with the roles that do so."""
        if name not in self._bound:
            found: dict[Scope, set[Role]] = defaultdict(set)
            for one in self.of(name):
                if one.role in BINDING or one.role in ("global", "nonlocal"):
                    found[one.scopes[0]].add(one.role)
            self._bound[name] = dict(found)
        return self._bound[name]

    def owner(self, one: Occurrence) -> Scope | None:
        """The scope whose variable a name is; None if nothing in the file binds it."""
        if not one.is_variable:
            return None
        name = self.source.text[one.start : one.stop]
        return self.binding_scope(name, one.scopes)

    def binding_scope(self, name: str, scopes: Sequence[Scope]) -> Scope | None:
        """The scope that binds a name for code inside these scopes."""
        bound = self.binding_scopes(name)
        for number, scope in enumerate(scopes):
            if number and scope[1] == "class_definition":
                continue
            roles = bound.get(scope)
            if not roles:
                continue
            if "global" in roles:
                return MODULE
            if "nonlocal" in roles:
                continue
            return scope
        return None

    def variable(self, name: str, scope: Scope | None) -> list[Occurrence]:
        """All places of one variable."""
        return [one for one in self.of(name) if one.is_variable and self.owner(one) == scope]


@lru_cache(maxsize=8)
def names_of(source: SourceText) -> Names:
    """The names of a text. The last texts are cached, since the old text stays while the user types."""
    return Names(source)


def occurrence(source: SourceText, start: int, stop: int) -> Occurrence:
    path = source.path_to(start)
    role = role_of(path)
    return Occurrence(start, stop, role, tuple(scopes_of(path, role)), tuple(path))


def role_of(path: Sequence[tree_sitter.Node]) -> Role:
    """The role of a name where it stands."""
    node = path[-1]
    if node.type in COMMENTS:
        return "comment"
    if node.type in TEXTS or "string" in node.type or "escape" in node.type:
        return "text"
    parent = path[-2] if len(path) > 1 else None
    if parent is None or node.type != "identifier":
        # A keyword, Python 2's `print`, or a word outside the tree.
        return "use" if node.type == "identifier" else "text"
    match parent.type:
        case "attribute":
            return "attribute" if parent.child_by_field_name("attribute") == node else "use"
        case "keyword_argument":
            return "keyword" if parent.child_by_field_name("name") == node else "use"
        case "function_definition" if parent.child_by_field_name("name") == node:
            return "function"
        case "class_definition" if parent.child_by_field_name("name") == node:
            return "class"
        case "dotted_name":
            return role_in_dotted_name(path)
        case "aliased_import":
            return "import"
        case "global_statement":
            return "global"
        case "nonlocal_statement":
            return "nonlocal"
        case "named_expression" if parent.child_by_field_name("name") == node:
            return "bind"
        case "augmented_assignment" if parent.child_by_field_name("left") == node:
            return "augment"
        case "as_pattern_target" | "delete_statement":
            return "bind"
        case "as_pattern" if parent.named_children[:1] != [node]:
            return "bind"
        case "keyword_pattern":
            return "keyword" if parent.children[0] == node else "use"
        case "type":
            return role_in_type(path)
    return role_in_rows(path)


def role_in_type(path: Sequence[tree_sitter.Node]) -> Role:
    """`T` in `def f[T]()` and `X` in `type X = ...` are bound; `T` in `list[T]` is used."""
    if len(path) < 4:
        return "use"
    around = path[-3]
    if around.type == "type_alias_statement":
        return "bind" if around.child_by_field_name("left") == path[-2] else "use"
    is_header = path[-4].type in ("function_definition", "class_definition")
    return "bind" if around.type == "type_parameter" and is_header else "use"


def role_in_dotted_name(path: Sequence[tree_sitter.Node]) -> Role:
    dotted, around = path[-2], path[-3]
    is_first = dotted.named_children[:1] == [path[-1]]
    match around.type:
        case "import_statement":
            return "import" if is_first else "module"
        case "import_from_statement" | "future_import_statement":
            return "module" if around.child_by_field_name("module_name") == dotted else "import"
        case "relative_import":
            return "module"
        case "aliased_import":
            statement = path[-4]
            return "brought" if statement.type == "import_from_statement" else "module"
        case _:
            # A pattern of `match`: a bare name captures, a dotted name and that of a class are looked up.
            is_captured = len(dotted.named_children) == 1 and around.type != "class_pattern"
            return "bind" if is_captured else ("use" if is_first else "attribute")


def role_in_rows(path: Sequence[tree_sitter.Node]) -> Role:
    """The role of a name in nested targets or parameters; elsewhere it is used."""
    at = len(path) - 2
    while at > 0 and path[at].type in ROWS:
        at -= 1
    around, inner = path[at], path[at + 1]
    match around.type:
        case "parameters" | "lambda_parameters":
            return "parameter"
        case "default_parameter" | "typed_default_parameter" if around.child_by_field_name("name") == inner:
            return "parameter"
        case "typed_parameter" if around.named_children[:1] == [inner]:
            return "parameter"
        case "assignment" | "for_statement" | "for_in_clause" if around.child_by_field_name("left") == inner:
            return "bind"
        case "as_pattern_target":
            return "bind"
        case "except_clause" if around.child_by_field_name("alias") == inner:
            return "bind"
        case "case_pattern" | "splat_pattern":
            return "bind"
    return "use"


def scopes_of(path: Sequence[tree_sitter.Node], role: Role) -> Iterator[Scope]:
    """The scopes around a name, innermost first. Names in a header are looked up outside its definition."""
    is_walrus = role == "bind" and path[-2].type == "named_expression"
    for index in range(len(path) - 2, -1, -1):
        node, inner = path[index], path[index + 1]
        if node.type not in SCOPES or (is_walrus and node.type in LOOPED):
            continue
        if node.type in ("function_definition", "class_definition") and not is_inside(
            node, inner, path[index:], role
        ):
            continue
        if node.type == "lambda" and is_default(path[index:], role):
            continue
        if node.type in LOOPED and is_first_iterable(node, inner, path, index):
            continue
        yield node.start_byte, node.type
    yield MODULE


def is_inside(
    node: tree_sitter.Node, inner: tree_sitter.Node, below: Sequence[tree_sitter.Node], role: Role
) -> bool:
    """Whether a name belongs to a definition's own scope: its body or the names of its parameters."""
    if inner == node.child_by_field_name("body"):
        return True
    if inner.type == "type_parameter":
        return True
    if node.type == "class_definition" or inner != node.child_by_field_name("parameters"):
        return False
    return not is_default(below, role)


def is_default(below: Sequence[tree_sitter.Node], role: Role) -> bool:
    """Whether a name stands in a header and is not a parameter's name."""
    return len(below) > 2 and below[1].type in PARAMETERS and role != "parameter"


def is_first_iterable(
    node: tree_sitter.Node, inner: tree_sitter.Node, path: Sequence[tree_sitter.Node], index: int
) -> bool:
    """Whether a node is the first loop's iterable, whose names are looked up outside."""
    first = next((child for child in node.named_children if child.type == "for_in_clause"), None)
    return first is not None and inner == first and path[index + 2] == first.child_by_field_name("right")
