"""A walk from one release of a file to the next: hunk by hunk, with the edits that are proposed on the way.

A right proposal is taken, which shortens the walk. A wrong one is refused and not shown again, and then a
user makes the next hunk by hand. Both move the bar, as in an editor (`edits/texts/acceptance.py`). A proposal
is right if every line that it leaves behind stands in the next release as it is (`verdict.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Literal

from fim_lsp.edits.proving.indenting import indentation
from fim_lsp.edits.repeating.substitutions import Substitution, forms
from fim_lsp.edits.texts.acceptance import new_acceptance
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.hunks import Hunk, LineDiff
from fim_lsp.edits.texts.refusals import Refusals, Refused, lines_told
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.positions import Lines
from fim_lsp.replay.edits.verdict import Verdict, n_common, said_words, statements, verdict
from fim_lsp.worth.acceptance import AcceptanceHistory
from quotient import Document, Language

# The most hunks of a file that are made by hand; then the walk ends.
MOST_BY_HAND = 150
# The most edits, each less than a whole hunk, that are taken in a file, so that a walk comes to an end.
MOST_TAKEN = 1_000

Proposed = Callable[[FileChange, Collection[Refused], Document, AcceptanceHistory], list[NextEdit]]
Kind = Verdict | Literal["by hand", "silent", "brought", "covered"]


@dataclass(frozen=True, slots=True)
class WalkStep:
    """A step of a walk: a hunk made by hand, a proposal taken or refused, or a place without a proposal."""

    kind: Kind
    # Of a hunk: whether it has as many lines as before, and whether it consists of earlier substitutions.
    is_replacement: bool = False
    is_repeated: bool = False
    n_characters: int = 0
    edit: NextEdit | None = None
    seconds: float | None = None
    # The text in front of it.
    before: str = ""

    @property
    def is_hunk(self) -> bool:
        return self.kind in ("by hand", "exact", "brought", "covered")


@dataclass(slots=True)
class Walk:
    """A file on its way."""

    source: SourceText
    current: SourceText
    goal: Lines
    document: Document
    # The hunks that are left, by places of the text as it is.
    rest: list[Hunk]
    known: set[tuple[str, str]]

    def make(self, hunk: Hunk) -> None:
        written = self.goal.text[hunk.new_start : hunk.new_stop]
        self.write(hunk.old_start, hunk.old_stop, written)
        at = self.rest.index(hunk)
        shift = len(written) - (hunk.old_stop - hunk.old_start)
        rows = (hunk.new_last - hunk.new_first) - (hunk.old_last - hunk.old_first)
        self.rest = self.rest[:at] + [shifted_hunk(one, shift, rows) for one in self.rest[at + 1 :]]

    def take(self, edit: NextEdit) -> None:
        """Takes a right edit that is no whole hunk."""
        whole = edit.whole(self.current.text)
        self.write(whole.start, whole.end, whole.new)
        self.rest = [*LineDiff.of(self.current.lines, self.goal).hunks]

    def write(self, start: int, stop: int, new: str) -> None:
        self.current = self.current.with_edit(start, stop, new)
        self.document.edit(start, stop, new)

    def step(self, kind: Kind, hunk: Hunk) -> WalkStep:
        """The step of a hunk, before it is made."""
        old = self.current.text[hunk.old_start : hunk.old_stop]
        new = self.goal.text[hunk.new_start : hunk.new_stop]
        local = FileChange.of(self.current.path, old, new)
        is_replacement = hunk.old_last - hunk.old_first == hunk.new_last - hunk.new_first
        made = [[(old[a:b], text) for a, b, text in forms(local, one)] for one in local.replaced]
        own = self.known | forms_made(FileChange(self.source, self.current))
        is_made = is_replacement and bool(made) and all(one and set(one) <= own for one in made)
        is_repeated = is_made and is_all_told(local)
        return WalkStep(kind, is_replacement, is_repeated, len(new), before=self.current.text)


def is_all_told(hunk: FileChange) -> bool:
    """Whether the replacements are all that differs in as many lines: no line was written anew, and none
    moved to the left or to the right."""
    before, after = hunk.old.lines, hunk.new.lines
    told = {before.line_at(one.old_start) for one in hunk.replaced}
    rows = [(before.content(row), after.content(row)) for row in range(len(before))]
    return all(
        one == other or (row in told and indentation(one) == indentation(other))
        for row, (one, other) in enumerate(rows)
    )


def forms_made(change: FileChange) -> set[tuple[str, str]]:
    """The replacements, each as its old and new form."""
    return {
        (change.old.text[start:stop], new)
        for one in change.replaced
        for start, stop, new in forms(change, one)
    }


def shifted_hunk(hunk: Hunk, shift: int, rows: int) -> Hunk:
    return replace(
        hunk,
        old_first=hunk.old_first + rows,
        old_last=hunk.old_last + rows,
        old_start=hunk.old_start + shift,
        old_stop=hunk.old_stop + shift,
    )


def walk(
    path: str, old: str, target: str, earlier: Sequence[Substitution], language: Language, proposed: Proposed
) -> Iterator[WalkStep]:
    source = SourceText(path, old)
    goal = Lines(target)
    one = Walk(
        source,
        source,
        goal,
        language.document(old),
        [*LineDiff.of(source.lines, goal).hunks],
        {(made.old, made.new) for made in earlier},
    )
    refused, acceptance = Refusals(), new_acceptance()
    n_by_hand = n_taken = 0
    while one.rest and n_by_hand < MOST_BY_HAND:
        change = FileChange(one.source, one.current)
        if change.hunks or earlier:
            start = perf_counter()
            standing = refused.standing({path: one.current.text})
            found = proposed(change, standing, one.document, acceptance)
            seconds = perf_counter() - start
            if found:
                edit = found[0]
                kind, hunk = judge_edit(one, edit)
                n_taken += kind in ("part", "inside")
                acceptance.note(hunk is not None)
                if hunk is None or n_taken > MOST_TAKEN:
                    refused.add(edit.path, edit.old, edit.new, one.current.text)
                    refused.add(*lines_told(one.current.lines, edit), one.current.text)
                    yield WalkStep("wrong", edit=edit, seconds=seconds, before=one.current.text)
                else:
                    yield replace(one.step(kind, hunk), edit=edit, seconds=seconds)
                    yield from (one.step("brought", other) for other in brought_hunks(one, edit))
                    if kind != "exact":
                        yield from (one.step("covered", other) for other in covered_hunks(one, edit))
                    one.make(hunk) if kind == "exact" and not edit.also else one.take(edit)
                    continue
            else:
                yield WalkStep("silent", seconds=seconds)
        # A user who has taken the edits further down goes back to those that were left above.
        hunk = one.rest[0]
        yield one.step("by hand", hunk)
        one.make(hunk)
        n_by_hand += 1


def judge_edit(one: Walk, edit: NextEdit) -> tuple[Verdict, Hunk | None]:
    """The verdict on an edit as a whole: its additions must be right, too. An import is where the next
    release has it, wherever that is."""
    for other in edit.also:
        part = NextEdit(edit.path, other.start, other.stop, "", other.new, "", 0.0)
        is_there = verdict(one.current.lines, one.goal, one.rest, part)[1] is not None
        if not is_there and not is_imported(one, other.new):
            return "wrong", None
    return verdict(one.current.lines, one.goal, one.rest, edit)


def is_imported(one: Walk, line: str) -> bool:
    """Whether each symbol of an inserted import stands in a line that only the next release has."""
    wanted = said_words(line.strip())
    goal = (
        said_words(text) for hunk in one.rest for text in statements(one.goal, hunk.new_first, hunk.new_last)
    )
    return wanted[:1] in (["import"], ["from"]) and any(
        n_common(wanted, there) == len(wanted) for there in goal
    )


def brought_hunks(one: Walk, edit: NextEdit) -> Iterator[Hunk]:
    """The hunks that are made by an edit's additions."""
    for other in edit.also:
        part = NextEdit(edit.path, other.start, other.stop, "", other.new, "", 0.0)
        kind, hunk = verdict(one.current.lines, one.goal, one.rest, part)
        if kind == "exact" and hunk is not None:
            yield hunk


def covered_hunks(one: Walk, edit: NextEdit) -> list[Hunk]:
    """The hunks that an edit of more than one makes as a whole: an import and all uses of its name."""
    inside = [hunk for hunk in one.rest if edit.start <= hunk.old_stop and hunk.old_start <= edit.end]
    if len(inside) < 2:
        return []
    after = one.current.lines.with_edit(edit.start, edit.end, edit.new)
    left = LineDiff.of(after, one.goal).hunks
    return [
        hunk
        for hunk in inside
        if not any(other.new_start <= hunk.new_stop and hunk.new_start <= other.new_stop for other in left)
    ]
