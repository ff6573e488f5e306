"""Substitutions that may be made again: the probability of each place, given the others, and the places where
the old text means something else."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from fim_lsp.edits.functions.annotations import annotates_another, contradicts_body
from fim_lsp.edits.functions.calls import contradicts_header
from fim_lsp.edits.functions.implementations import is_of_another
from fim_lsp.edits.functions.properties import turned_methods, turned_words
from fim_lsp.edits.functions.returned_errors import leaves_unused
from fim_lsp.edits.importing.renamed_packages import package_renames
from fim_lsp.edits.renaming import renames
from fim_lsp.edits.renaming.moved_names import is_another
from fim_lsp.edits.repeating.candidates import (
    SubstitutionCandidate,
    candidates,
    is_meant,
    proposed_replacement,
    takes_arguments,
)
from fim_lsp.edits.repeating.judge import UNDOUBTED, is_code, judge
from fim_lsp.edits.repeating.lone_examples import is_for_its_place
from fim_lsp.edits.repeating.parameter_types import is_type_of_another
from fim_lsp.edits.repeating.rows import is_balanced
from fim_lsp.edits.repeating.substitutions import Substitution
from fim_lsp.edits.rules.labels import label_renames
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.edits.typed import members, scoped, typed_members
from fim_lsp.known_languages import PYTHON

# The object in front of a member.
OBJECT = re.compile(r"([^\W\d]\w*)\.\Z")
MOST_CHARACTERS = 80
# An edit at least so probable gets the probability of a like one below it that is shown.
NEARER = 0.45


def repeated_substitutions(
    change: FileChange,
    made: Iterable[Substitution],
    bar: float,
    renamed: Collection[tuple[str, str]] = (),
    sure: float = 1.0,
) -> Iterator[Replacement]:
    """The places where substitutions may be made again, if that is probable enough."""
    for one, probability in judged_candidates(change, made, bar / sure):
        if sure * probability >= bar:
            yield from replacements(change, one, sure * probability, renamed)


def judged_candidates(
    change: FileChange, made: Iterable[Substitution], bar: float
) -> Iterator[tuple[SubstitutionCandidate, float]]:
    """The places where substitutions could be made again, with the probability of each."""
    found = [*candidates(change, made)]
    said = judge().probabilities([one.features for one in found])
    yield from zip(found, in_order(found, without_halves(found, said, bar), bar), strict=True)


def replacements(
    change: FileChange,
    one: SubstitutionCandidate,
    probability: float,
    renamed: Collection[tuple[str, str]],
) -> Iterator[Replacement]:
    """The replacement at a place, unless the old text is known to mean something else there."""
    is_renamed = one.substitution.key in renamed and (
        is_followed(change, one) or (probability < UNDOUBTED and is_said_otherwise(one))
    )
    if (
        not is_renamed
        and not (change.new.known_language is not PYTHON and is_part_of_more(one))
        and is_meant(change, one)
        and not is_for_its_place(change, one)
        and not is_type_of_another(change, one)
        and (change.new.known_language is PYTHON or not is_of_another(change, one))
        and takes_arguments(change, one)
    ):
        found = with_blanks_made(
            change, proposed_replacement(change.new.text, one, probability), one.substitution.key
        )
        if not is_contradicted(change, found):
            yield found


def is_part_of_more(one: SubstitutionCandidate) -> bool:
    """Whether something was taken out just once, together with another change of its line."""
    return one.features["made"] == 1 and not one.substitution.new and one.features["share alone"] < 1


def with_blanks_made(change: FileChange, found: Replacement, key: tuple[str, str]) -> Replacement:
    """The replacement with the blank in front of it that all examples lost or got: `a && a.b` became
    `a?.b`."""
    if not (key[0] and key[1] and found.new):
        # What is put in or taken out has its own blanks.
        return found
    made = [one for one in change.replaced if (one.old, one.new) == key]
    changes = {
        (is_blank(change.old.text, one.old_start - 1), is_blank(change.new.text, one.new_start - 1))
        for one in made
    }
    if len(changes) != 1:
        return found
    was_blank, is_blank_now = changes.pop()
    start, text = found.start, change.new.text
    if was_blank and not is_blank_now:
        while is_blank(text, start - 1):
            start -= 1
        is_at_margin = not start or text[start - 1] in "\r\n"
        return found if is_at_margin else replace(found, start=start)
    if is_blank_now and not was_blank and found.new and not is_blank(text, start - 1):
        return replace(found, new=f" {found.new.lstrip()}")
    return found


def is_blank(text: str, offset: int) -> bool:
    return offset >= 0 and text[offset : offset + 1] in (" ", "\t")


def renamed_words(change: FileChange) -> set[tuple[str, str]]:
    """The old and new names of variables that were renamed where they are bound: more is known of these than
    that a word became another one."""
    if change.new.known_language is PYTHON:
        known = {(one.old, one.new) for one in renames.renames(change)}
        return known | {turned_words(one) for one in turned_methods(change)}
    known = {(old, new) for old, new, _ in scoped.renamed_declarations(change)}
    known |= {(old, new) for old, new, *_ in typed_members.renamed_members(change)}
    known |= {(old, new) for old, new, _ in label_renames(change)}
    known |= {*members.own_renames(change)} | {(old, new) for old, new, _ in package_renames(change)}
    return known | {*scoped.names_of_several(change)}


def renamed_members(change: FileChange) -> set[tuple[str, str]]:
    """The old and new names of renamed members of Python classes."""
    return {
        (one.old, one.new)
        for one in renames.renames(change)
        if one.role == "attribute" or (one.owner is not None and one.owner[1] == "class_definition")
    }


def is_contradicted(change: FileChange, one: Replacement) -> bool:
    """Whether the text around a place contradicts its new text."""
    if change.new.known_language.name == "go":
        return leaves_unused(change.new, one)
    if change.new.known_language is not PYTHON:
        return False
    what = change.new, one.start, change.new.text[one.start : one.stop], one.new
    if contradicts_header(change, one) or is_another(change, one) or loses_fields(change.new, one):
        return True
    return annotates_another(*what) or contradicts_body(*what)


def loses_fields(source: SourceText, one: Replacement) -> bool:
    """Whether a replacement takes away the `f` in front of a text with fields."""
    if source.text[one.start : one.stop].lower() not in ("f", "rf", "fr") or "f" in one.new.lower():
        return False
    string = next((node for node in reversed(source.path_to(one.start)) if node.type == "string"), None)
    return string is not None and any(part.type == "interpolation" for part in string.named_children)


def in_order(found: Sequence[SubstitutionCandidate], said: Sequence[float], bar: float) -> list[float]:
    """The probabilities of places, given those further down: users who go through a file do not skip a nearer
    place that is like a shown one."""
    kept = [*said]
    best: dict[tuple[str, str], float] = {}
    for number in sorted(range(len(found)), key=lambda number: -found[number].start):
        one = found[number]
        if not is_code(one.features) or one.features["is passed over"]:
            continue
        key = one.substitution.key
        if kept[number] >= NEARER and one.features["attribute"]:
            kept[number] = max(kept[number], best.get(key, 0.0))
        if kept[number] >= bar:
            best[key] = max(kept[number], best.get(key, 0.0))
    return kept


def without_halves(found: Sequence[SubstitutionCandidate], said: Sequence[float], bar: float) -> list[float]:
    """The probabilities of places, without halves: a replacement with an unbalanced bracket is not proposed
    where the whole one is."""
    whole = [
        one
        for one, probability in zip(found, said, strict=True)
        if probability >= bar and not is_half(one.substitution)
    ]
    return [
        0.0
        if is_half(one.substitution) and any(one.start < of.stop and of.start < one.stop for of in whole)
        else probability
        for one, probability in zip(found, said, strict=True)
    ]


def is_half(one: Substitution) -> bool:
    return not (is_balanced(one.old) and is_balanced(one.new))


def is_followed(change: FileChange, one: SubstitutionCandidate) -> bool:
    """Whether the rules for renamed declarations would find a place if it were a use of the renamed one. So
    are members of other objects, if none of that object's was changed by hand."""
    if change.new.known_language is not PYTHON:
        return is_code(one.features)
    if not one.features["attribute"]:
        return bool(one.features["variable"])
    found = OBJECT.search(change.new.text, max(one.start - MOST_CHARACTERS, 0), one.start)
    said = found[1] if found else ""
    by_hand = {made.place.left[1:2] for made in one.substitution.made if made.place.left[:1] == (".",)}
    return said in ("self", "cls") or (said,) not in by_hand


def is_said_otherwise(one: SubstitutionCandidate) -> bool:
    """Whether a place has the name of a renamed declaration in another role: in a string or a comment, as a
    keyword, with its brackets."""
    return (
        not is_code(one.features) or bool(one.features["keyword"]) or not WORD.fullmatch(one.substitution.old)
    )
