"""What is known of a substitution's places in files that the user has not looked at, before any is read.

Only the text around a place is unknown then. If no text could make a place probable enough, no file has to be
searched: someone who changes `name` once, in a project where each file says `name`, does not mean the others.
"""

from __future__ import annotations

from collections.abc import Iterable

from fim_lsp.edits.repeating.candidates import (
    MOST_COMPARED,
    MOST_PLACES,
    n_replaced,
    of_place,
    of_substitution,
)
from fim_lsp.edits.repeating.judge import judge
from fim_lsp.edits.repeating.substitutions import Substitution
from fim_lsp.edits.texts.places import MOST_AROUND

# The features of a place in a file without changes that its text does not tell.
UNCHANGED = dict.fromkeys(
    ("hunks", "is passed over", "is in front of the last change", "lines behind the last", "same line"), 0.0
)
# The values of all other features that make a place likeliest after the trees.
LIKELIEST = {
    "stands here": float(MOST_PLACES),
    "same on the left": float(MOST_AROUND),
    "same on the right": float(MOST_AROUND),
    "line begins the same": 1.0,
    "line ends the same": 1.0,
    "same around": 2.0 * MOST_AROUND,
    "same around, passed over": -1.0,
    "share of those alike": 1.0,
    "passed over alike": 0.0,
}


def likely_elsewhere(made: Iterable[Substitution], bar: float) -> list[Substitution]:
    """The substitutions that may be probable enough in a file that was not changed, with their rivals."""
    listed = [one for one in made if one.old != one.new]
    rivals = n_replaced(listed)
    likely = {one.old for one in listed if most_probable_elsewhere(one, rivals[one.old]) >= bar}
    return [one for one in listed if one.old in likely]


def most_probable_elsewhere(one: Substitution, n_rivals: int) -> float:
    about = of_substitution(one, (), n_rivals) | UNCHANGED
    found = 0.0
    for shape in {made.place.shape for made in one.made}:
        n_so = sum(made.place.shape == shape for made in one.made)
        n_left_alone = sum(place.shape == shape for place in one.passed)
        likeliest = LIKELIEST | {"made alike": float(min(n_so, MOST_COMPARED))}
        known = about | of_place(shape, n_so, n_so, n_left_alone, 0)
        found = max(found, judge().most_probable(known, likeliest))
    return found
