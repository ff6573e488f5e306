"""What was put in the place of what, and where else the same stands.

    -    self.assertEquals(a, b)       `assertEquals` became `assertEqual`: so it may
    +    self.assertEqual(a, b)        wherever it stands as an attribute

A substitution is the symbols that have gone and those that have come. Where only something was put in, or
what
has gone is no word of its own, the symbols beside it belong to it. A name that is a variable is that variable
only, a text in a string or a comment stays with its like.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from fim_lsp.edits.change import Change, Replaced
from fim_lsp.edits.edit import Replacement
from fim_lsp.edits.names import Scope
from fim_lsp.edits.source import WORD, Source, is_word, symbols
from fim_lsp.known_languages import PYTHON

# What is longer was written anew, not replaced.
LONGEST = 240
# So many symbols beside a place are compared, on either side.
MOST_AROUND = 6
# Where there are more places, it is no substitution that somebody makes by hand.
MOST_PLACES = 400
# Variables, attributes, keywords: what a place is, beside its text.
NO_OWNER: Scope = (-2, "none")


@dataclass(frozen=True, slots=True)
class Place:
    """Where the old text of a substitution stood, and what was around it."""

    path: str
    start: int
    # What it is in the tree: whose variable, what kind of node, in code or in a text.
    shape: tuple[object, ...]
    left: tuple[str, ...]
    right: tuple[str, ...]
    line: int


@dataclass(slots=True)
class Substitution:
    """An old text and a new one, and where the one became the other."""

    old: str
    new: str
    made: list[Place] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        return WORD.findall(self.old)


def substitutions(changes: Iterable[Change]) -> list[Substitution]:
    """All that were made by some changes, those that were made last at the end."""
    found: dict[tuple[str, str], Substitution] = {}
    for change in changes:
        for replaced in change.replaced:
            for start, stop, new in forms(change, replaced):
                old = change.old.text[start:stop]
                key = old, new
                one = found.pop(key, None) or Substitution(*key)
                one.made.append(place_of(change.old, start, stop, change))
                found[key] = one
    return [*found.values()]


def merged(earlier: Sequence[Substitution], later: Sequence[Substitution]) -> list[Substitution]:
    """What was replaced in some files and in others; what was made later stands behind."""
    found = {(one.old, one.new): one for one in earlier}
    for one in later:
        before = found.pop((one.old, one.new), None)
        made = [*before.made, *one.made] if before is not None else one.made
        found[one.old, one.new] = Substitution(one.old, one.new, made)
    return [*found.values()]


def forms(change: Change, replaced: Replaced) -> Iterator[tuple[int, int, str]]:
    """A replacement as it may be made elsewhere: what has gone by itself, or with the symbols beside it."""
    if len(replaced.old) > LONGEST or len(replaced.new) > LONGEST or "\n" in replaced.old + replaced.new:
        return
    is_specific = any(WORD.fullmatch(word) or word[0].isdigit() for word in words(replaced.old))
    if is_specific:
        yield replaced.old_start, replaced.old_stop, replaced.new
        return
    lines = change.old.lines
    number = lines.line_at(replaced.old_start)
    begin = lines.starts[number]
    end = begin + len(lines.content(number))
    before = symbols(change.old.text, begin, replaced.old_start)
    behind = symbols(change.old.text, replaced.old_stop, end)
    # With a symbol on the left and one on the right; with as many as it takes to have a word.
    for n_left, n_right in ((1, 1), (2, 1), (1, 2), (3, 1)):
        left = before[len(before) - n_left :] if len(before) >= n_left else []
        right = behind[:n_right] if len(behind) >= n_right else []
        if not left and not right:
            return
        start = left[0][0] if left else replaced.old_start
        stop = right[-1][1] if right else replaced.old_stop
        old = change.old.text[start:stop]
        if WORD.search(old):
            text = change.old.text
            head, tail = text[start : replaced.old_start], text[replaced.old_stop : stop]
            new = in_between(change, replaced, head, tail)
            # Where the symbols beside it were replaced, too, it is no substitution by itself.
            if words(new) == [*words(head), *words(replaced.new), *words(tail)]:
                yield start, stop, new
            return


def in_between(change: Change, replaced: Replaced, left: str, right: str) -> str:
    """The new text with what stands beside it, blanks as they are written there."""
    text = change.new.text
    start, stop = replaced.new_start, replaced.new_stop
    lines = change.new.lines
    number = lines.line_at(start)
    begin = lines.starts[number]
    end = begin + len(lines.content(number))
    before, behind = symbols(text, begin, start), symbols(text, stop, end)
    k, m = len(symbols(left)), len(symbols(right))
    first = before[len(before) - k][0] if 0 < k <= len(before) else start
    last = behind[m - 1][1] if 0 < m <= len(behind) else stop
    return text[first:last]


def words(text: str) -> list[str]:
    return [text[start:stop] for start, stop in symbols(text)]


def place_of(source: Source, start: int, stop: int, change: Change | None = None) -> Place:
    lines = source.lines
    number = lines.line_at(start)
    begin = lines.starts[number]
    end = begin + len(lines.content(number))
    left = [source.text[a:b] for a, b in symbols(source.text, begin, start)][-MOST_AROUND:]
    right = [source.text[a:b] for a, b in symbols(source.text, stop, end)][:MOST_AROUND]
    return Place(
        source.path, start, shape_of(source, start, stop, change), tuple(left[::-1]), tuple(right), number
    )


def shape_of(source: Source, start: int, stop: int, change: Change | None) -> tuple[object, ...]:
    """What stands at a place, as far as it must be the same elsewhere."""
    kind = source.kind(start)
    if kind != "code":
        return (kind,)
    text = source.text[start:stop]
    if source.known is not PYTHON or change is None or not WORD.fullmatch(text):
        # What is in a call is not what is in a header.
        return kind, *(node.type for node in source.path_to(start)[-2:])
    names = change.old_names if source is change.old else change.new_names
    one = names.at(start, stop)
    owner = names.owner(one) if one.is_variable else NO_OWNER
    role = "variable" if one.is_variable else one.role
    if owner is not None and owner[0] >= 0:
        # What a function calls so; as both texts have the function, it is known by what it is called.
        return kind, role, source.path, named_scope(source, one.path, owner)
    return kind, role, owner


def named_scope(source: Source, path: Sequence[object], owner: Scope) -> str:
    """The names of the definitions around a variable, down to the one that has it."""
    said = []
    for node in path:
        if node.type in ("function_definition", "class_definition"):  # type: ignore[attr-defined]
            said.append(source.said(node.child_by_field_name("name")))  # type: ignore[attr-defined]
        if node.start_byte == owner[0] and node.type == owner[1]:  # type: ignore[attr-defined]
            break
    return ".".join(said)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place where the old text of a substitution stands still."""

    substitution: Substitution
    start: int
    stop: int
    features: dict[str, float]


def candidates(change: Change, made: Iterable[Substitution]) -> Iterator[Candidate]:
    """Where some substitutions could be made in a file as it is."""
    by_old: dict[str, int] = defaultdict(int)
    listed = [*made]
    for one in listed:
        by_old[one.old] += 1
    for one in listed:
        if one.old == one.new:
            continue
        places = [*standing(change, one)]
        if len(places) > MOST_PLACES:
            continue
        yield from judged(change, one, places, by_old[one.old])


def standing(change: Change, one: Substitution) -> Iterator[tuple[int, int]]:
    """Where the old text stands as symbols of their own, and was not just written."""
    text, old = change.new.text, one.old
    at = text.find(old)
    while at >= 0:
        stop = at + len(old)
        inside_left = is_word(old[0]) and is_word(text[at - 1 : at])
        inside_right = is_word(old[-1]) and is_word(text[stop : stop + 1])
        if not inside_left and not inside_right and not change.is_typed(at, stop):
            yield at, stop
        at = text.find(old, at + 1)


def judged(
    change: Change, one: Substitution, places: Sequence[tuple[int, int]], n_rivals: int
) -> Iterator[Candidate]:
    mine = [place for place in one.made if place.path == change.path]
    shapes = [place.shape for place in one.made]
    known = []
    for start, stop in places:
        place = place_of(change.new, start, stop, change)
        if place.shape in shapes:
            known.append((start, stop, place))
    made_at = [found for place in mine if (found := now_at(change, place.start)) is not None]
    last = max(made_at, default=-1)
    n_passed = sum(start < last for start, _, _ in known)
    n_words = len(one.words)
    last_line = change.new.lines.line_at(max(last, 0))
    was = words(one.old)
    for start, stop, place in known:
        left = max(n_same(place.left, other.left) for other in one.made if other.shape == place.shape)
        right = max(n_same(place.right, other.right) for other in one.made if other.shape == place.shape)
        yield Candidate(
            one,
            start,
            stop,
            {
                "made": float(min(len(one.made), 20)),
                "made in this file": float(min(len(mine), 20)),
                "stands here": float(min(len(known), 40)),
                "passed over": float(min(n_passed, 20)),
                "is passed over": float(start < last),
                "symbols": float(len(was)),
                "words": float(n_words),
                "characters": float(len(one.old)),
                "longest word": float(max((len(word) for word in one.words), default=0)),
                "new characters": float(len(one.new)),
                "same on the left": float(left),
                "same on the right": float(right),
                "line begins the same": float(left == len(place.left)),
                "line ends the same": float(right == len(place.right)),
                "rivals": float(n_rivals - 1),
                "in a comment": float(place.shape[0] == "comment"),
                "in a string": float(place.shape[0] == "string"),
                "variable": float("variable" in place.shape),
                "attribute": float("attribute" in place.shape),
                "keyword": float("keyword" in place.shape),
                "contains the old": float(one.old in one.new),
                "contained in the old": float(one.new in one.old),
                # 0 where nothing was made in this file.
                "lines behind the last": float(place.line - last_line) if last >= 0 else 0.0,
            },
        )


def now_at(change: Change, place: int) -> int | None:
    """Where what stood at a place of the old text has its successor: the line that it was in."""
    found = change.to_new(place)
    if found is not None:
        return found
    for one in change.replaced:
        if one.old_start <= place <= one.old_stop:
            return one.new_start
    return None


def n_same(one: Sequence[str], other: Sequence[str]) -> int:
    count = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        count += 1
    return count


def proposed(candidate: Candidate, probability: float) -> Replacement:
    one = candidate.substitution
    n_times = "once" if len(one.made) == 1 else f"{len(one.made)} times"
    shown_old, shown_new = shortened(one.old), shortened(one.new)
    reason = (
        f"`{shown_old}` became `{shown_new}` {n_times}"
        if one.new
        else f"`{shown_old}` was taken out {n_times}"
    )
    return Replacement(
        candidate.start,
        candidate.stop,
        one.new,
        reason,
        probability,
        f"substitution {one.old} {one.new}",
        candidate.features,
    )


def shortened(text: str) -> str:
    return text if len(text) <= 40 else f"{text[:37]}..."
