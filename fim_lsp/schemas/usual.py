"""The usual next key among several: the one that followed a key in the files of many packages.

`usual.json` has the counts by kind of file and by place in it. `python -m tests.schemas.keys --write` writes
it, and measures it on other packages.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# The key whose followers are the first keys of objects, and the one whose "followers" are all keys there.
FIRST, ANYWHERE = "", "*"
# The place under which the headers of tables are counted, one behind the other.
TABLES = ("[]",)
# The place under which values of keys are counted, by the whole place.
VALUES = ("=",)
# The weight of a key that was never seen there, and of one that stands anywhere in such an object.
UNSEEN, ELSEWHERE = 0.02, 0.05
# The weight of all names together that were not seen, where any name may stand, as those of dependencies; and
# the share of them that goes on like a name that is begun, for each of its letters.
ANY_NAME, A_LETTER = 20.0, 0.2
# Where so many keys are in order, so is the next one, and others have this share of their weight.
ORDERED, OUT_OF_ORDER = 3, 0.02


@dataclass(frozen=True, slots=True)
class KeyRules:
    """The keys that an object must have and has not, and those in whose place it has another one."""

    lacking: Collection[str] = ()
    needless: Collection[str] = ()


NO_RULES = KeyRules()
Counts = Mapping[str, Mapping[str, Mapping[str, int]]]


@cache
def usual() -> Mapping[str, Counts]:
    content = (files("fim_lsp.schemas") / "usual.json").read_text(encoding="utf-8")
    counted: Mapping[str, Counts] = json.loads(content)
    return counted


def place_name(path: Sequence[str | int]) -> str:
    """The name under which a place is counted: all numbers in lists are equal."""
    return "/".join("*" if isinstance(step, int) else step for step in path)


def likely(
    file_name: str,
    path: Sequence[str | int],
    before: Sequence[str],
    behind: Sequence[str],
    known: Sequence[str],
    rules: KeyRules = NO_RULES,
) -> list[tuple[str, float]]:
    """The keys that may come, with their weights, the heaviest first: keys that the schema knows, and keys
    that were seen there."""
    counts = usual().get(file_name, {}).get(place_name(path), {})
    following = counts.get(before[-1] if before else FIRST, {})
    totals = seen_anywhere(counts)
    firsts, whole = counts.get(FIRST, {}), sum(following.values())
    is_between = between(before, behind)
    # Headers such as `[[bin]]` may stand several times.
    taken = {key for key in (*before, *behind, *rules.needless) if not key.startswith("[[")}
    scores: dict[str, float] = {}
    for key in (*known, *totals):
        if key not in taken:
            follows = following.get(key, 0)
            # A key behind which the next one usually stands is missing in front of it.
            leads = counts.get(key, {}).get(behind[0], 0) if behind else 0
            score = UNSEEN + ELSEWHERE * totals.get(key, 0) ** 0.5 + follows + 0.5 * leads
            # What must be there and is not comes as often as all other keys together.
            score += whole + firsts.get(key, 0) if key in rules.lacking else 0
            scores[key] = score if is_between(key) else score * OUT_OF_ORDER
    return sorted(scores.items(), key=lambda one: -one[1])


def seen_anywhere(counts: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """How often each key was seen at a place, behind whatever key."""
    totals: dict[str, int] = {}
    for row in counts:
        for key, count in counts[row].items():
            totals[key] = max(totals.get(key, 0), count) if row == ANYWHERE else totals.get(key, 0) + count
    return totals


def between(before: Sequence[str], behind: Sequence[str]) -> Callable[[str], bool]:
    """Whether a key belongs between its neighbours: any key, unless those that are there are in order."""
    there = [*before, *behind]
    if len(there) < ORDERED or there != sorted(there):
        return lambda _key: True
    least, most = (before[-1] if before else ""), (behind[0] if behind else None)
    return lambda key: least < key and (most is None or key < most)


def unseen_names(has_any_name: bool, begun: str) -> float:
    """The weight of names that were seen nowhere and may be meant."""
    return ANY_NAME * A_LETTER ** len(begun.strip("\"'")) if has_any_name else 0.0


def seen_keys(file_name: str, path: Sequence[str | int]) -> set[str]:
    """The keys that were seen at a place."""
    counts = usual().get(file_name, {}).get(place_name(path), {})
    return {key for one in counts.values() for key in one}


def usual_values(file_name: str, path: Sequence[str | int]) -> Mapping[str, int]:
    """The values of a key, as they are written, with the number of times that it had each."""
    return usual().get(file_name, {}).get(place_name(VALUES), {}).get(place_name(path), {})
