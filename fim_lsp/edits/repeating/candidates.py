"""Candidates: places at which a substitution could be repeated, and their features for the judge.

A place is compared with those where the user made the substitution, and with those where the user passed it
over: places in front of the file's last changed place, and in files that were changed before.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from fim_lsp.edits.repeating.rows import is_balanced
from fim_lsp.edits.repeating.substitutions import Made, Substitution, shortened_text, words
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.places import Shape, SubstitutionSite, SubstitutionSites, n_same, scope_at
from fim_lsp.edits.texts.symbols import is_word, spots_of, symbols
from fim_lsp.known_languages import PYTHON

# With more places than this, no user makes the substitution by hand.
MOST_PLACES = 400
# The most places that a candidate is compared with: of those where it was made, and of those passed over.
MOST_COMPARED = 16
# A substitution is forgotten after so many passed places, plus two for each place where it was made.
MOST_PASSED = 12
MOST_BLANKS = 20
# Fewer equal symbols around two places may be chance.
LEAST_AROUND = 3
# Lines of fewer symbols are equal by chance.
LEAST_IN_LINE = 5
# The arguments of a call without any, and the name of a call that writes into a log.
EMPTY = re.compile(r"\s*\(\s*\)")
LOGGING = re.compile(r"\.(debug|info|warning|warn|error|critical|exception)$")


@dataclass(frozen=True, slots=True)
class SubstitutionCandidate:
    """A place that still has the old text of a substitution."""

    substitution: Substitution
    start: int
    stop: int
    features: dict[str, float]


def candidates(change: FileChange, made: Iterable[Substitution]) -> Iterator[SubstitutionCandidate]:
    """The places at which substitutions could be made in the present text of a file."""
    listed = [one for one in made if one.old != one.new]
    rivals = n_replaced(listed)
    places = SubstitutionSites(change.new)
    for one in listed:
        if is_forgotten(one):
            continue
        spots = [*standing(change, one)]
        if 0 < len(spots) <= MOST_PLACES:
            yield from compared_candidates(change, one, places, spots, rivals[one.old])


def n_replaced(listed: Iterable[Substitution]) -> Counter[str]:
    """How often each text was replaced."""
    found = Counter[str]()
    for one in listed:
        # An addition around a text, such as a pair of brackets, does not compete with its own half.
        found[one.old] += len(one.made) * (is_balanced(one.new) or not is_balanced(one.old))
    return found


def is_forgotten(one: Substitution) -> bool:
    return len(one.passed) >= MOST_PASSED + 2 * len(one.made)


def standing(change: FileChange, one: Substitution) -> Iterator[tuple[int, int]]:
    """The places of the old text as whole symbols, except where it was just written or is already part of
    the new text, as `load` in `async load`."""
    text, ahead = change.new.text, one.new.find(one.old)
    for start, stop in spots_of(text, one.old):
        is_there = ahead >= 0 and text.startswith(one.new, max(start - ahead, 0))
        if not is_there and not change.is_typed(start, stop):
            yield start, stop


def compared_candidates(
    change: FileChange,
    one: Substitution,
    places: SubstitutionSites,
    spots: Sequence[tuple[int, int]],
    n_rivals: int,
) -> Iterator[SubstitutionCandidate]:
    shapes = {made.place.shape for made in one.made}
    found = [
        (start, stop, place) for start, stop in spots if (place := places.at(start, stop)).shape in shapes
    ]
    if not found:
        return
    mine = [made for made in one.made if made.place.path == change.path]
    made_at = [at for made in mine if (at := now_at(change, made.place.start)) is not None]
    last = max(made_at, default=-1)
    last_hunk = max((hunk.new_start for hunk in change.hunks), default=-1)
    here = of_substitution(one, mine, n_rivals) | {
        "hunks": float(min(len(change.hunks), 20)),
        "stands here": float(min(len(found), 40)),
    }
    last_line = change.new.lines.line_at(max(last, 0))
    for start, stop, place in found:
        same = [made for made in one.made if made.place.shape == place.shape]
        elsewhere = [made for made in same if made.place.path != change.path]
        left_alone = [other for other in one.passed if other.shape == place.shape]
        passed = [other for at, _, other in found if at < last and at != start and other.shape == place.shape]
        known = of_place(place.shape, len(same), len(elsewhere), len(left_alone), len(passed))
        features = (
            here
            | known
            | {
                "is passed over": float(start < last),
                "is in front of the last change": float(start < last_hunk),
                # 0 if it was not made in this file.
                "lines behind the last": float(max(min(place.line - last_line, 200), -200))
                if last >= 0
                else 0.0,
            }
        )
        features |= context(place, same, [*passed, *left_alone])
        features["same line"] = float(len(one.made) == 1 and is_in_same_line(change, mine, start))
        yield SubstitutionCandidate(one, start, stop, features)


def is_in_same_line(change: FileChange, mine: Sequence[Made], start: int) -> bool:
    """Whether a place's whole line equals one in which the substitution was made, and is long enough that
    this is no chance. The header of a block, as of a method, may be equal by its name alone."""
    now = change.new.lines.content(change.new.lines.line_at(start)).strip()
    lines = change.old.lines
    return (
        len(symbols(now)) >= LEAST_IN_LINE
        and not now.endswith((":", "{"))
        and any(lines.content(lines.line_at(made.place.start)).strip() == now for made in mine)
    )


def of_place(shape: Shape, n_so: int, n_elsewhere: int, n_left_alone: int, n_passed: int) -> dict[str, float]:
    """The features of a place that its shape tells: how often that was made in the file and elsewhere, and
    how often it was left alone in both."""
    n_here = n_so - n_elsewhere
    return {
        "made so": capped_number(n_so),
        "made so in this file": capped_number(n_here),
        "share of places here": share(n_here, n_passed),
        "passed over here": capped_number(n_passed),
        "share of places elsewhere": share(n_elsewhere, n_left_alone),
        "passed over elsewhere": capped_number(n_left_alone),
        "in a comment": float(shape[0] == "comment"),
        "in a string": float(shape[0] == "string"),
        "variable": float("variable" in shape),
        "attribute": float("attribute" in shape),
        "keyword": float("keyword" in shape),
    }


def of_substitution(one: Substitution, mine: Sequence[Made], n_rivals: int) -> dict[str, float]:
    """The features of a substitution that are the same at all places."""
    said = one.words
    n_alone = sum(made.is_alone for made in one.made)
    files = {made.place.path for made in one.made}
    files_passed = {place.path for place in one.passed}
    return {
        "made": capped_number(len(one.made)),
        "made in this file": capped_number(len(mine)),
        "files": capped_number(len(files)),
        "files passed over": capped_number(len(files_passed - files)),
        "share alone": n_alone / len(one.made),
        "fewest lines": float(min(min(made.n_lines for made in one.made), 10)),
        "share of rivals": len(one.made) / max(n_rivals, 1),
        "symbols": float(len(words(one.old))),
        "new symbols": float(len(words(one.new))),
        "words": float(len(said)),
        "characters": float(len(one.old)),
        "longest word": float(max((len(word) for word in said), default=0)),
        "new characters": float(len(one.new)),
        "alike": alike(one.old, one.new),
        "contains the old": float(one.old in one.new),
        "contained in the old": float(one.new in one.old),
        "numbers": float(one.old[:1].isdigit()),
    }


def context(
    place: SubstitutionSite, made: Sequence[Made], passed: Sequence[SubstitutionSite]
) -> dict[str, float]:
    """The features of the text around a place, compared with places that were changed and passed over."""
    left = right = 0
    best = -1
    nearest = [of.place for of in made[-MOST_COMPARED:]]
    found = []
    for other in nearest:
        on_left, on_right = n_same(place.left, other.left), n_same(place.right, other.right)
        found.append(on_left + on_right)
        left, right = max(left, on_left), max(right, on_right)
        best = max(best, on_left + on_right)
    against = [
        n_same(place.left, other.left) + n_same(place.right, other.right) for other in passed[-MOST_COMPARED:]
    ]
    n_alike = sum(stands_alike(place, other) for other in nearest)
    n_for = sum(one >= best for one in found)
    n_against = sum(one >= best for one in against)
    return {
        "same on the left": float(left),
        "same on the right": float(right),
        "line begins the same": float(place.is_first and left == len(place.left)),
        "line ends the same": float(place.is_last and right == len(place.right)),
        "same around": float(max(best, 0)),
        "same around, passed over": float(max(against, default=-1)),
        "share of those alike": share(n_for, n_against),
        "made alike": float(n_alike),
        "passed over alike": float(sum(stands_alike(place, other) for other in passed[-MOST_COMPARED:])),
    }


def stands_alike(one: SubstitutionSite, other: SubstitutionSite) -> bool:
    """Whether the text around two places is equal on both sides, up to the line's ends or far enough that it
    is no chance."""
    left, right = n_same(one.left, other.left), n_same(one.right, other.right)
    begins = one.is_first and other.is_first and left == len(one.left) == len(other.left)
    ends = one.is_last and other.is_last and right == len(one.right) == len(other.right)
    return (
        (left > 0 or begins) and (right > 0 or ends) and left + right + 2 * begins + 2 * ends >= LEAST_AROUND
    )


def share(n_made: int, n_passed: int) -> float:
    return (n_made + 0.5) / (n_made + n_passed + 1)


def capped_number(number: int) -> float:
    return float(min(number, 20))


@lru_cache(maxsize=4096)
def alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other, autojunk=False).ratio()


def is_meant(change: FileChange, candidate: SubstitutionCandidate) -> bool:
    """Whether a variable is the one that was replaced, judged by the names of the definitions around it. If
    it was replaced in several functions, it may be in any."""
    one = candidate.substitution
    text = change.new.text[candidate.start : candidate.stop]
    if change.new.known_language is not PYTHON or not candidate.features["variable"] or not is_word(text[:1]):
        return True
    scopes = {made.scope for made in one.made}
    return len(scopes) > 1 or scope_at(change.new_names, candidate.start, candidate.stop) in scopes


def takes_arguments(change: FileChange, candidate: SubstitutionCandidate) -> bool:
    """Whether the new function could take a call's arguments. A call without any is out if no such call was
    replaced so far, and a logger takes one text, where `print` takes many."""
    one = candidate.substitution
    behind = change.new.text[candidate.stop : candidate.stop + MOST_BLANKS]
    if EMPTY.match(behind) and not any(made.place.right[:2] == ("(", ")") for made in one.made):
        return not any(made.place.right[:1] == ("(",) for made in one.made)
    if one.old != "print" or not LOGGING.search(one.new) or change.new.known_language is not PYTHON:
        return True
    call = change.new_names.at(candidate.start, candidate.stop).parent
    listed = call.child_by_field_name("arguments") if call.type == "call" else None
    arguments = (
        [] if listed is None else [child for child in listed.named_children if child.type != "comment"]
    )
    return len(arguments) == 1 and not arguments[0].type.startswith(
        ("keyword", "list_splat", "dictionary_splat")
    )


def now_at(change: FileChange, place: int) -> int | None:
    """The place in the new text of the line that a place of the old text was in."""
    found = change.to_new(place)
    if found is not None:
        return found
    for one in change.replaced:
        if one.old_start <= place <= one.old_stop:
            return one.new_start
    return None


def proposed_replacement(text: str, candidate: SubstitutionCandidate, probability: float) -> Replacement:
    one = candidate.substitution
    n_times = "once" if len(one.made) == 1 else f"{len(one.made)} times"
    shown_old, shown_new = shortened_text(one.old), shortened_text(one.new)
    reason = (
        f"`{shown_old}` became `{shown_new}` {n_times}"
        if one.new
        else f"`{shown_old}` was taken out {n_times}"
    )
    start, stop, new = spaced_replacement(text, candidate.start, candidate.stop, one.new)
    group = f"substitution {one.old} {one.new}"
    return Replacement(start, stop, new, reason, probability, group, candidate.features)


def spaced_replacement(text: str, start: int, stop: int, new: str) -> tuple[int, int, str]:
    """A replacement with the blanks that its place needs: words stay apart, and a removed text takes the
    blanks beside it along, as in `f(a, b)` to `f(b)` and `x  # y` to `x`."""
    before, behind = text[start - 1 : start], text[stop : stop + 1]
    if new and new[0] in " \t" and (not before or before in " \t\n(["):
        new = new.lstrip(" \t")
    if new:
        if is_word(new[-1]) and behind and is_word(behind):
            new += " "
        if is_word(new[0]) and before and is_word(before):
            new = f" {new}"
        return start, stop, new
    end = stop
    while text[end : end + 1] in (" ", "\t"):
        end += 1
    begin = start
    while begin and text[begin - 1] in " \t":
        begin -= 1
    is_at_margin = not begin or text[begin - 1] == "\n"
    if (
        end > stop
        and (before in ("", "\n", "(", "[", "{") or begin < start)
        and text[end : end + 1] not in ("", "\n")
    ):
        return start, end, ""
    if (
        begin < start
        and not is_at_margin
        and text[end : end + 1] in ("", "\n", "\r", ")", "]", "}", ",", ":", ";")
    ):
        return begin, end, ""
    return start, stop, ""
