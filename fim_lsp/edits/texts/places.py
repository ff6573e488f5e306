"""A substitution site: the text at a place, its kind, and the symbols around it.

    self.assertEquals(a, b)       an attribute, in code; `.`, `self` on its left, `(`, `a`, `,` on its right
         ^^^^^^^^^^^^

The symbol's own node gives the features of every place. The scope of a variable costs more, so it is computed
only for places that would be shown (`scope_at`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import tree_sitter

from fim_lsp.document.syntax import COMMENTS
from fim_lsp.edits.texts.names import Names, Scope
from fim_lsp.edits.texts.source import TEXTS, SourceText
from fim_lsp.edits.texts.symbols import WORD, symbols
from fim_lsp.known_languages import PYTHON

# The most symbols beside a place that are compared, on either side.
MOST_AROUND = 6
# The nodes that are code in a string.
FIELDS = ("interpolation", "template_substitution")

# Whether it is code, a string or a comment, and which node.
Shape = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SubstitutionSite:
    """A place of a substitution's old text, and the symbols around it, the nearest first."""

    path: str
    start: int
    shape: Shape
    left: tuple[str, ...]
    right: tuple[str, ...]
    line: int
    # Whether these are all symbols of the line.
    is_first: bool
    is_last: bool

    @property
    def around(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return self.left, self.right


@dataclass(slots=True)
class SubstitutionSites:
    """The sites of one text, whose lines are cut into symbols once."""

    source: SourceText
    _rows: dict[int, list[tuple[int, int]]] = field(default_factory=dict)

    def at(self, start: int, stop: int) -> SubstitutionSite:
        source = self.source
        number = source.lines.line_at(start)
        row = self._row(number)
        left = [source.text[a:b] for a, b in row if b <= start]
        right = [source.text[a:b] for a, b in row if a >= stop]
        return SubstitutionSite(
            source.path,
            start,
            shape_of(source, start, stop),
            tuple(left[: -MOST_AROUND - 1 : -1]),
            tuple(right[:MOST_AROUND]),
            number,
            len(left) <= MOST_AROUND,
            len(right) <= MOST_AROUND,
        )

    def _row(self, number: int) -> list[tuple[int, int]]:
        found = self._rows.get(number)
        if found is None:
            begin = self.source.lines.starts[number]
            end = begin + len(self.source.lines.content(number))
            found = self._rows[number] = symbols(self.source.text, begin, end)
        return found


def shape_of(source: SourceText, start: int, stop: int) -> Shape:
    """The shape of a place, which must be the same at another place."""
    begin = source.byte(start)
    node = source.root.descendant_for_byte_range(begin, begin + 1)
    if node is None:
        return ("code",)
    kind, parent = kind_of(node), node.parent
    if kind != "code":
        return (kind,)
    around = "" if parent is None else parent.type
    if (
        source.known_language is PYTHON
        and node.type == "identifier"
        and WORD.fullmatch(source.text, start, stop)
    ):
        return kind, role_of(source, around, start, stop)
    # This distinguishes arguments of a call from parameters of a header.
    return kind, node.type, around


def kind_of(node: tree_sitter.Node) -> str:
    """Whether a symbol is in a comment, in a string, or in code."""
    if node.type in COMMENTS:
        return "comment"
    one: tree_sitter.Node | None = node
    for _ in range(3):
        if one is None or one.type in FIELDS:
            return "code"
        if one.type in TEXTS or "string" in one.type:
            return "string"
        one = one.parent
    return "code"


def role_of(source: SourceText, around: str, start: int, stop: int) -> str:
    """The role of a name of Python, by the text beside it."""
    text = source.text
    before = text[max(start - 40, 0) : start].rstrip(" \\\n")[-1:]
    behind = text[stop : stop + 2].lstrip()
    match around:
        case "attribute" if before == ".":
            return "attribute"
        case "keyword_argument" if behind[:1] == "=" and behind[:2] != "==":
            return "keyword"
        case "dotted_name" if before == "." or behind[:1] == ".":
            return "module"
    return "variable"


def scope_at(names: Names, start: int, stop: int) -> tuple[str, ...]:
    """The owner of a variable: the names of the definitions around it, down to the one that binds it.
    Top-level names, and names that nothing binds, have none."""
    one = names.at(start, stop)
    owner = names.owner(one) if one.is_variable else None
    if owner is None or owner[0] < 0:
        return ()
    return (names.source.path, *named_scope(names.source, one.path, owner))


def named_scope(source: SourceText, path: Sequence[tree_sitter.Node], owner: Scope) -> list[str]:
    said = []
    for node in path:
        if node.type in ("function_definition", "class_definition"):
            said.append(source.text_of(node.child_by_field_name("name")))
        if node.start_byte == owner[0] and node.type == owner[1]:
            break
    return said


def n_same(one: Sequence[str], other: Sequence[str]) -> int:
    """The number of equal symbols beside two places on one side."""
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count
