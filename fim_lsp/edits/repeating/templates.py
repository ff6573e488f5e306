"""Templates: the common part of the changes at two places, applied at other places that match.

    -print(x)          +print(repr(x))
    -print(rows[0])    +print(repr(rows[0]))      `print($1)` became `print(repr($1))`
     print(total)                                 ^ this one matches

The trees of both places are compared, before and after: each difference is a template hole, and a hole of the
new tree must be one of the old tree (least general generalisation; for code changes: Rolim et al., 2018).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import tree_sitter

from fim_lsp.edits.repeating.conversions import explained_parts
from fim_lsp.edits.repeating.rows import LONGEST, rows
from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.symbols import symbols

# The most of the last examples that are compared, and the most levels around a replacement.
MOST_EXAMPLES, MOST_LEVELS = 8, 6
# If a template fits more places, no user makes the change by hand.
MOST_PLACES = 60
# The nodes that are not values.
NO_VALUES = ("keyword_argument", "list_splat", "dictionary_splat", "spread_element", "comment")
# The nodes that are compared as a whole.
WHOLE = ("string", "interpreted_string_literal", "template_string", "comment", "raw_string_literal")
# The kinds of arguments that may differ in another call.
GIVEN = ("identifier", "attribute", "subscript", "call", "member_expression", "selector_expression")
WORDS = ("identifier", "property_identifier", "field_identifier", "type_identifier")


@dataclass(frozen=True, slots=True)
class Level:
    """A replacement with some text around it: the node before and the node after."""

    old: tree_sitter.Node
    new: tree_sitter.Node


@dataclass(frozen=True, slots=True)
class TemplateHole:
    number: int


@dataclass(frozen=True, slots=True)
class TemplateTree:
    """A tree with holes: a node's kind, with its children or its text."""

    kind: str
    text: str
    children: tuple[TemplateTree | TemplateHole, ...] = ()

    def leaves(self) -> Iterator[TemplateTree]:
        if not self.children:
            yield self
        for child in self.children:
            if isinstance(child, TemplateTree):
                yield from child.leaves()


@dataclass(frozen=True, slots=True)
class Template:
    old: TemplateTree
    new: TemplateTree | TemplateHole
    # The new text with its holes, given by their bytes.
    written: bytes
    holes: tuple[tuple[int, int, int], ...]
    said: tuple[str, str]
    n_made: int
    # The place of its last example in the present text.
    last: int

    @property
    def word(self) -> str:
        found = [leaf.text for leaf in self.old.leaves() if leaf.kind in WORDS]
        return max(found, key=len, default="")


@dataclass(slots=True)
class Common:
    """The holes that two trees share: one for each pair of different texts."""

    numbers: dict[tuple[str, str], int] = field(default_factory=dict)
    is_open: bool = True
    # Whether an argument of a call is a hole even if both trees have the same one.
    is_wide: bool = False

    def shape(self, one: tree_sitter.Node, other: tree_sitter.Node) -> TemplateTree | TemplateHole | None:
        """The common shape of two nodes; None if it needs a hole that the old trees do not have."""
        if one.type == other.type and not (self.is_wide and is_given(one) and is_given(other)):
            mine, theirs = parts(one), parts(other)
            if not mine and not theirs and text_of(one) == text_of(other):
                return TemplateTree(one.type, text_of(one))
            if mine and len(mine) == len(theirs):
                found = [self.shape(a, b) for a, b in zip(mine, theirs, strict=True)]
                if all(found_one is not None for found_one in found):
                    return TemplateTree(one.type, "", tuple(one for one in found if one is not None))
        if not one.is_named or not other.is_named:
            return None
        key = text_of(one), text_of(other)
        if key not in self.numbers:
            if not self.is_open:
                return None
            self.numbers[key] = len(self.numbers)
        return TemplateHole(self.numbers[key])


def is_given(node: tree_sitter.Node) -> bool:
    """Whether a node is a positional argument that could differ in another call."""
    around = node.parent
    return node.type in GIVEN and around is not None and around.type in ("argument_list", "arguments")


def parts(node: tree_sitter.Node) -> list[tree_sitter.Node]:
    return [] if node.type in WHOLE else node.children


def text_of(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode(errors="replace")


def repeated_templates(change: FileChange) -> Iterator[tuple[Replacement, dict[str, float]]]:
    """The replacements at other places that a template matches, with features."""
    seen: set[tuple[int, int]] = set()
    for template in templates(change):
        places = [*standing(change, template)]
        if not 0 < len(places) <= MOST_PLACES:
            continue
        n_passed = sum(start < template.last for start, _, _ in places)
        before, after = template.said
        was, now = shortened_text(before), shortened_text(after)
        reason = f"`{was}` became `{now}`, and another place changed like that"
        for start, stop, new in places:
            if any(start < other_stop and other_start < stop for other_start, other_stop in seen):
                continue
            seen.add((start, stop))
            start, stop, new = trimmed_replacement(change.new.text, start, stop, new)
            features = {"made": float(template.n_made), "passed over": float(n_passed)}
            yield Replacement(start, stop, new, reason, 0.0, f"template {before} {after}", features), features


def templates(change: FileChange) -> list[Template]:
    """The templates of all pairs of changed places, each once, the latest first."""
    told = explained_parts(change)
    listed = [
        one
        for one in rows(change)
        if not any(one.new_start <= start and stop <= one.new_stop for start, stop in told)
    ]
    examples = [levels for one in listed if (levels := levels_of(change, one))][-MOST_EXAMPLES:]
    found: dict[tuple[TemplateTree, TemplateTree | TemplateHole], Template] = {}
    for at in range(len(examples) - 1, 0, -1):
        for before in range(at - 1, -1, -1):
            one = common(change, examples[at], examples[before])
            if one is None:
                continue
            found.setdefault((one.old, one.new), one)
    for key, one in found.items():
        n_made = sum(
            any(matched_holes(one.old, level.old) is not None for level in levels) for levels in examples
        )
        found[key] = Template(one.old, one.new, one.written, one.holes, one.said, n_made, one.last)
    return [*found.values()]


def levels_of(change: FileChange, one: Replaced) -> list[Level]:
    """The nodes around a replacement that exist before and after."""
    source, target = change.old, change.new
    start, stop = source.byte(one.old_start), source.byte(one.old_stop)
    new_start, new_stop = target.byte(one.new_start), target.byte(one.new_stop)
    # An insertion is found by the text in front of it.
    node = source.root.named_descendant_for_byte_range(start - (start == stop > 0), stop)
    found: list[Level] = []
    while node is not None and node.end_byte - node.start_byte <= LONGEST and len(found) < MOST_LEVELS:
        left, right = start - node.start_byte, node.end_byte - stop
        first, last = new_start - left, new_stop + right
        is_same = (
            first >= 0
            and source.content[node.start_byte : start] == target.content[first:new_start]
            and source.content[stop : node.end_byte] == target.content[new_stop:last]
        )
        if not is_same:
            break
        after = widest_alike(target.root.named_descendant_for_byte_range(first, last), node.type)
        if after is not None and (after.start_byte, after.end_byte) == (first, last) and not after.has_error:
            found.append(Level(node, after))
        if node.type.endswith("statement") or node.parent is None or node.parent.parent is None:
            break
        node = node.parent
    return found


def widest_alike(node: tree_sitter.Node | None, kind: str) -> tree_sitter.Node | None:
    """A node, or the one of a kind around it that has no text but the node's: `int` as a type is a name in a
    type."""
    around = node
    while around is not None and around.type != kind:
        outer = around.parent
        is_all = outer is not None and (outer.start_byte, outer.end_byte) == (
            around.start_byte,
            around.end_byte,
        )
        around = outer if is_all else None
    return around or node


def common(change: FileChange, one: list[Level], other: list[Level]) -> Template | None:
    """The common template of two examples: the smallest with a word and more than a name. If it has no holes,
    arguments of calls may differ at a third place."""
    found = common_shape(change, one, other)
    if found is None or found.holes:
        return found
    wide = common_shape(change, one, other, is_wide=True)
    return wide if wide is not None and wide.holes else found


def common_shape(
    change: FileChange, one: list[Level], other: list[Level], is_wide: bool = False
) -> Template | None:
    for mine in one:
        for theirs in other:
            if mine.old.type != theirs.old.type:
                continue
            holes = Common(is_wide=is_wide)
            old = holes.shape(mine.old, theirs.old)
            holes.is_open = False
            new = holes.shape(mine.new, theirs.new)
            if not isinstance(old, TemplateTree) or new is None or not old.children or old == new:
                continue
            if not differs_in_more_than_names(old, new) or is_typed_by_chance(new):
                continue
            words = [leaf for leaf in old.leaves() if leaf.kind in WORDS and len(leaf.text) > 1]
            if not words:
                continue
            places = tuple(holes_in(new, mine.new, mine.new.start_byte))
            said = text_of(mine.old), text_of(mine.new)
            last = change.new.offset(mine.new.start_byte)
            return Template(old, new, mine.new.text or b"", places, said, 2, last)
    return None


def is_typed_by_chance(shape: TemplateTree | TemplateHole) -> bool:
    """Whether a template would give a type to parameters of any name; the name decides the type."""
    if isinstance(shape, TemplateHole):
        return False
    is_typed = shape.kind in ("typed_parameter", "typed_default_parameter")
    return any(
        is_typed if isinstance(child, TemplateHole) else is_typed_by_chance(child) for child in shape.children
    )


def differs_in_more_than_names(old: TemplateTree, new: TemplateTree | TemplateHole) -> bool:
    """Whether more than names were replaced. Plain renames are handled elsewhere."""
    if isinstance(new, TemplateHole) or old.kind != new.kind or len(old.children) != len(new.children):
        return True
    if not old.children:
        return old.text != new.text and old.kind not in WORDS
    return any(
        one != other if isinstance(one, TemplateHole) else differs_in_more_than_names(one, other)
        for one, other in zip(old.children, new.children, strict=True)
    )


def holes_in(
    shape: TemplateTree | TemplateHole, node: tree_sitter.Node, begin: int
) -> Iterator[tuple[int, int, int]]:
    if isinstance(shape, TemplateHole):
        yield node.start_byte - begin, node.end_byte - begin, shape.number
        return
    for inner, child in zip(shape.children, parts(node), strict=False):
        yield from holes_in(inner, child, begin)


def matched_holes(shape: TemplateTree | TemplateHole, node: tree_sitter.Node) -> dict[int, bytes] | None:
    """The texts in a shape's holes if a node matches it; None otherwise."""
    found: dict[int, bytes] = {}
    return found if matches(shape, node, found) else None


def matches(shape: TemplateTree | TemplateHole, node: tree_sitter.Node, found: dict[int, bytes]) -> bool:
    if isinstance(shape, TemplateHole):
        text = node.text or b""
        return node.is_named and node.type not in NO_VALUES and found.setdefault(shape.number, text) == text
    if shape.kind != node.type:
        return False
    inner = parts(node)
    if not shape.children:
        return not inner and shape.text == text_of(node)
    return len(inner) == len(shape.children) and all(
        matches(one, child, found) for one, child in zip(shape.children, inner, strict=True)
    )


def standing(change: FileChange, template: Template) -> Iterator[tuple[int, int, str]]:
    """The places that still match the old shape, and their new texts."""
    source = change.new
    seen: set[int] = set()
    for place in source.places(template.word):
        for node in reversed(source.path_to(place)):
            if node.type != template.old.kind or node.id in seen:
                continue
            seen.add(node.id)
            start, stop = source.span(node)
            found = matched_holes(template.old, node)
            if found is None or change.is_typed(start, stop) or is_done(template, node):
                continue
            new = written_template(template, found)
            # Line breaks must not change, since layout depends on the content.
            if source.text.count("\n", start, stop) == new.count("\n") == template.said[0].count("\n"):
                yield start, stop, new


def is_done(template: Template, node: tree_sitter.Node) -> bool:
    """Whether a place already has the new shape, or is inside it."""
    around: tree_sitter.Node | None = node
    for _ in range(3):
        if around is None:
            return False
        if isinstance(template.new, TemplateTree) and matched_holes(template.new, around) is not None:
            return True
        around = around.parent
    return False


def written_template(template: Template, found: dict[int, bytes]) -> str:
    pieces, at = [], 0
    for start, stop, number in sorted(template.holes):
        pieces += [template.written[at:start], found[number]]
        at = stop
    return b"".join([*pieces, template.written[at:]]).decode(errors="replace")


def trimmed_replacement(text: str, start: int, stop: int, new: str) -> tuple[int, int, str]:
    """A replacement without the symbols at its ends that stay the same."""
    before = symbols(text, start, stop)
    after = symbols(new)
    first = last = 0
    least = min(len(before), len(after))
    while first < least and same(text, before[first], new, after[first]):
        first += 1
    while last < least - first and same(text, before[-1 - last], new, after[-1 - last]):
        last += 1
    # Up to the symbols that differ, or to the end of those in front.
    if first == len(before) or first == len(after):
        head = before[first - 1][1] - start if first else 0
    else:
        head = before[first][0] - start
    if text[start : start + head] != new[:head]:
        head = 0
    tail = stop - before[len(before) - last][0] if last else 0
    tail = min(tail, stop - start - head, len(new) - head)
    if tail and text[stop - tail : stop] != new[len(new) - tail :]:
        tail = 0
    return start + head, stop - tail, new[head : len(new) - tail]


def same(text: str, one: tuple[int, int], new: str, other: tuple[int, int]) -> bool:
    return text[one[0] : one[1]] == new[other[0] : other[1]]


def shortened_text(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 40 else f"{line[:37]}..."
