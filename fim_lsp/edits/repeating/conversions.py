"""Conversions of nodes to equivalent forms. If the user converts one node, the others are converted, too.

    "hello %s" % name    -> f"hello {name}"        "%s: %d" % (key, n)   also, if `%d` was converted elsewhere
    a: Optional[int]     -> a: int | None          b: Optional[str]
    super(A, self)       -> super()

A change counts as an example only if its new text is exactly the rule's, so other changes have no effect.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.repeating.call_rules import Conversion
from fim_lsp.edits.repeating.conversion_rules import NODES, SIGNS, conversion_of
from fim_lsp.edits.repeating.rows import balanced_rows
from fim_lsp.edits.texts.change import FileChange, Replaced
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import symbols
from fim_lsp.known_languages import PYTHON

# The probability of a conversion in the rest of the file: after one, after more, and if earlier places were
# left alone.
ONCE, AGAIN, LEFT_ALONE = 0.7, 0.9, 0.4
MOST_LEVELS = 5
# Longer runs of changed lines are new text.
MOST_UNLIKE = 20
# One conversion of these kinds may be meant for its place alone.
CAREFUL = ("quotes", "path join")
# Who writes two assertions of a test otherwise writes them all so.
ASSERTED = "assert"
FAMILIES = ("generic", "assert", "path", "none")


def repeated_conversions(change: FileChange, earlier: Mapping[str, int]) -> Iterator[Replacement]:
    """Conversions of other nodes in this file. Examples are in this file or, counted in `earlier`, in files
    that were changed before."""
    made: dict[str, list[int]] = defaultdict(list)
    types: set[str] = set()
    for one, node, found in written_conversions(change):
        made[found.kind].append(one.new_start)
        types.add(node.type)
    types |= {
        kind for name in earlier for kind in NODES[name.partition(" ")[0]] if stands_in(change.new, name)
    }
    if not types:
        return
    last = {kind: max(places) for kind, places in made.items()}
    n_made = Counter({kind: len(places) for kind, places in made.items()}) + Counter(earlier)
    n_like = Counter[str]()
    for kind, number in n_made.items():
        n_like[conversion_family(kind)] += number
    found_here: dict[str, list[tuple[int, int, Conversion]]] = defaultdict(list)
    for node in below(change.new.root, types):
        start, stop = change.new.span(node)
        one_more = conversion_of(change.new, node)
        if (
            one_more is not None
            and n_like[conversion_family(one_more.kind)]
            and not change.is_typed(start, stop)
        ):
            found_here[one_more.kind].append((start, stop, one_more))
    for kind, places in found_here.items():
        n_passed = sum(start < last.get(kind, 0) for start, _, _ in places)
        sure = certainty(kind, n_made[kind], n_like[conversion_family(kind)])
        if n_passed and n_passed >= len(made[kind]):
            sure = LEFT_ALONE
        for start, stop, one_more in places:
            reason = f"{one_more.said} {said_number(n_made[kind])}"
            yield Replacement(start, stop, one_more.new, reason, sure, f"conversion {kind}")


def certainty(kind: str, n_made: int, n_like: int) -> float:
    """The probability of a conversion, by the number of those of its kind and of its family."""
    if n_made > 1 or (n_made and n_like > 2):
        return AGAIN
    n_least = 1 if kind.startswith(ASSERTED) else 2
    return ONCE if (n_made and not kind.startswith(CAREFUL)) or n_like > n_least else LEFT_ALONE


def said_number(number: int) -> str:
    return {0: "elsewhere", 1: "once"}.get(number, f"{number} times")


def conversion_family(kind: str) -> str:
    """The family of conversions that people do together: all types of `typing` that Python has itself."""
    first = kind.partition(" ")[0]
    return first if first in FAMILIES and not kind.startswith(CAREFUL) else kind


def stands_in(source: SourceText, kind: str) -> bool:
    """Whether a text may hold nodes of a kind."""
    return SIGNS[kind.partition(" ")[0]] in source.text


def written_conversions(change: FileChange) -> Collection[tuple[Replaced, tree_sitter.Node, Conversion]]:
    """The nodes that the user converted, each once."""
    return {node.start_byte: (one, node, said) for one, node, said in examples(change)}.values()


def conversions_made(change: FileChange) -> Counter[str]:
    """The number of conversions of each kind in a file's change, without kinds that do not carry over."""
    kinds = (found.kind for _, _, found in written_conversions(change))
    return Counter(kind for kind in kinds if kind.partition(" ")[0] in SIGNS)


def explained_parts(change: FileChange) -> list[tuple[int, int]]:
    """The parts of the new text that conversions explain, so that nothing else is learned from them."""
    return [(one.new_start, one.new_stop) for one, _, _ in examples(change)]


@lru_cache(maxsize=8)
def examples(change: FileChange) -> tuple[tuple[Replaced, tree_sitter.Node, Conversion], ...]:
    """The conversions that the user made: the replacement, the old node, and the rule. One node may have
    several replacements."""
    if change.new.known_language is not PYTHON:
        return ()
    found: list[tuple[Replaced, tree_sitter.Node, Conversion]] = []
    for one in [*balanced_rows(change), *unlike_rows(change)]:
        for node in nodes_around(change.old, one.old_start, one.old_stop):
            conversion = conversion_of(change.old, node)
            # What changed within quotes is no change of these.
            is_within = conversion is not None and conversion.kind.startswith("quotes")
            if is_within and one.old_start > change.old.span(node)[0]:
                continue
            if conversion is not None and is_written(change, node, conversion.new):
                found.append((one, node, conversion))
                break
    return tuple(found)


def unlike_rows(change: FileChange) -> Iterator[Replaced]:
    """The lines that have so little in common with the old ones that no symbols were compared, without the
    blanks around them: `self.assertIn(a, b)` and `assert a in b`."""
    old, new = change.old.lines, change.new.lines
    compared = {old.line_at(one.old_start) for one in change.replaced}
    for number, hunk in enumerate(change.hunks):
        n_lines = hunk.old_last - hunk.old_first
        for row in range(n_lines) if n_lines == hunk.new_last - hunk.new_first <= MOST_UNLIKE else ():
            was, now = old.content(hunk.old_first + row), new.content(hunk.new_first + row)
            if hunk.old_first + row in compared or was == now:
                continue
            start = old.starts[hunk.old_first + row] + len(was) - len(was.lstrip())
            new_start = new.starts[hunk.new_first + row] + len(now) - len(now.lstrip())
            was, now = was.strip(), now.strip()
            yield Replaced(start, start + len(was), new_start, new_start + len(now), was, now, number)


def nodes_around(source: SourceText, start: int, stop: int) -> Iterator[tree_sitter.Node]:
    node = source.root.named_descendant_for_byte_range(
        source.byte(start), max(source.byte(stop), source.byte(start))
    )
    for _ in range(MOST_LEVELS):
        if node is None:
            return
        yield node
        node = node.parent


def is_written(change: FileChange, node: tree_sitter.Node, new: str) -> bool:
    """Whether a node became its rule's text, apart from blanks."""
    start, stop = change.old.span(node)
    lines = change.old.lines
    begin = lines.starts[lines.line_at(start)]
    # The rest of its line may have changed as well.
    at = change.difference.to_new(begin)
    text = change.new.text
    if at is None:
        hunk = next((one for one in change.hunks if one.old_start <= start < one.old_stop), None)
        if hunk is None:
            return False
        window = text[hunk.new_start : hunk.new_stop]
    else:
        window = text[at : at + stop - begin + len(new)]
    wanted = [new[i:j] for i, j in symbols(new)]
    there = [window[i:j] for i, j in symbols(window)]
    size = len(wanted)
    return any(there[i : i + size] == wanted for i in range(len(there) - size + 1))


def below(node: tree_sitter.Node, types: set[str]) -> Iterator[tree_sitter.Node]:
    """The outermost nodes of some kinds."""
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if one.type in types:
            yield one
        waiting += reversed(one.named_children)
