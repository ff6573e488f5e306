"""Filling: a model that was not trained on edits writes a line anew, as a hole whose old text it is shown.

    # edit: found = 0
    #   to: amount = 0
    ...
        # was: found += price          the old line, in a comment that only the model sees
        |                              the hole, held to the grammar and to names

The lines are those that a rule points to without being sure, and then those next to the last change. The text
is exact: the hole is the file's, and the comments are no part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import PurePath
from typing import TYPE_CHECKING

from fim_lsp.bundled_models import model_knows
from fim_lsp.edits.rewriting import Rewriter
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.writers import EditWriter, Interrupted, KnownAnswers, Unsure
from fim_lsp.positions import with_line_feeds
from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Document, NoCompletion, TooCostly

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.texts.completion import Completion
    from fim_lsp.decoding.writing.session import DecodingSession

# The most lines that are written anew for one change, and the most of them next to the last change.
MOST_LINES, MOST_BESIDE = 3, 1
# The most of the last changes that are shown, and the most lines of each.
MOST_CHANGES, MOST_OF_A_CHANGE = 3, 6
# The lines of the file that are shown above the hole and below it.
N_ABOVE, N_BELOW = 10, 3
# Longer lines are data.
MOST_CHARACTERS = 200
MOST_TOKENS = 96
# A line is never surer than this, which is below the usual bar. Of 77 lines that Qwen2.5-Coder 0.5B would
# change in tuning packages none was right, not even where it was surest.
MOST_SURE = 0.6


def edit_writer(model: Model) -> EditWriter:
    """The writer of edits with a model: as it was taught, or else line by line."""
    return Rewriter.of(model) if model.edit_format is not None else LineFiller.of(model)


@dataclass(frozen=True, slots=True)
class LineToFill:
    """A line without its indentation: its place, and the edit that a rule would make there, if one would."""

    start: int
    stop: int
    asked: Replacement | None = None


@dataclass(slots=True)
class LineFiller:
    """A model that was not trained on edits."""

    model: Model
    session: DecodingSession
    _is_given_up: Callable[[], bool] = lambda: False
    _known: KnownAnswers[tuple[str, str, str], Completion | None] = field(default_factory=KnownAnswers)

    @classmethod
    def of(cls, model: Model) -> LineFiller:
        from fim_lsp.decoding.writing.session import DecodingSession

        return cls(model, DecodingSession(model))

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self._is_given_up = is_given_up

    def replacements(self, change: FileChange, unsure: Unsure, document: Document) -> Iterator[Replacement]:
        """The model's replacements of single lines, each with its own probability."""
        known_language = change.new.known_language
        if not change.hunks or not known_language.line_comment:
            return
        if not model_knows(self.model.name, known_language):
            return
        for line in lines_to_fill(change, unsure()):
            shown = (
                shown_left(change, line),
                change.new.text[line.start : line.stop],
                shown_right(change, line),
            )
            found = self._known.answer(shown, partial(self.filled_line, change, line, document))
            if found is not None:
                yield from replaced_line(change, line, found, PurePath(self.model.name).name)

    def filled_line(self, change: FileChange, line: LineToFill, document: Document) -> Completion | None:
        from fim_lsp.decoding.options import Options
        from fim_lsp.decoding.writing.request import CompletionRequest
        from fim_lsp.runtimes.contexts import HoleContexts

        text, known_language = change.new.text, change.new.known_language
        names: list[str] | None = [] if known_language.has_law(True, False) else None
        try:
            recognizer = document.recognizer(line.start, line.stop, names)
        except (NoCompletion, TooCostly):
            return None
        contexts = HoleContexts(
            text[: line.start], text[line.stop :], known_language.name, None, names is not None
        )
        request = CompletionRequest(
            shown_left(change, line),
            shown_right(change, line),
            recognizer,
            Options(max_tokens=MOST_TOKENS, multi_line=False, scope="free", binds=False),
            is_cancelled=self._is_given_up,
            contexts=contexts,
        )
        found = next(iter(self.session.complete(request)), None)
        if self._is_given_up():
            raise Interrupted
        return found


def lines_to_fill(change: FileChange, unsure: Sequence[Replacement]) -> list[LineToFill]:
    """The lines that rules point to, the likeliest first, and those next to the last change."""
    found: dict[int, LineToFill] = {}
    lines = change.new.lines
    for one in sorted(unsure, key=lambda one: -one.probability):
        number = lines.line_at(one.start)
        line = line_to_fill(change, number, one)
        if line is not None and one.stop <= line.stop and len(found) < MOST_LINES:
            found.setdefault(number, line)
    hunk = change.hunks[-1]
    beside = [*range(hunk.new_last, hunk.new_last + MOST_BESIDE), hunk.new_first - 1]
    n_beside = 0
    for number in beside:
        line = line_to_fill(change, number) if 0 <= number < len(lines) else None
        if line is not None and number not in found and len(found) < MOST_LINES and n_beside < MOST_BESIDE:
            found[number], n_beside = line, n_beside + 1
    return [*found.values()]


def line_to_fill(change: FileChange, number: int, asked: Replacement | None = None) -> LineToFill | None:
    """A line with code that was not just typed."""
    content = change.new.lines.content(number)
    code = content.strip()
    start = change.new.lines.starts[number] + len(content) - len(content.lstrip())
    if not code or len(code) > MOST_CHARACTERS or code.startswith(change.new.known_language.line_comment):
        return None
    if change.is_typed(start, start + len(code)):
        return None
    return LineToFill(start, start + len(code), asked)


def shown_left(change: FileChange, line: LineToFill) -> str:
    """The last changes, the lines above, and the old line, all but the lines above in comments."""
    sign, lines = change.new.known_language.line_comment, change.new.lines
    said: list[str] = []
    for hunk in change.hunks[-MOST_CHANGES:]:
        old = [change.old.lines.content(row) for row in range(hunk.old_first, hunk.old_last)]
        new = [lines.content(row) for row in range(hunk.new_first, hunk.new_last)]
        said += [f"{sign} edit: {row.strip()}" for row in old[:MOST_OF_A_CHANGE]]
        said += [f"{sign}   to: {row.strip()}" for row in new[:MOST_OF_A_CHANGE]]
    number = lines.line_at(line.start)
    begin = lines.starts[number]
    above = change.new.text[lines.starts[max(number - N_ABOVE, 0)] : begin]
    indentation = change.new.text[begin : line.start]
    old_line = f"{indentation}{sign} was: {change.new.text[line.start : line.stop]}"
    head = "".join(f"{one}\n" for one in said)
    return with_line_feeds(f"{head}{above}{old_line}\n{indentation}")


def shown_right(change: FileChange, line: LineToFill) -> str:
    lines = change.new.lines
    last = min(lines.line_at(line.stop) + N_BELOW, len(lines) - 1)
    return with_line_feeds(change.new.text[line.stop : lines.starts[last]])


def replaced_line(
    change: FileChange, line: LineToFill, found: Completion, name: str
) -> Iterator[Replacement]:
    """The part of a line that the model would change; none if it is the same line."""
    old, new = change.new.text[line.start : line.stop], found.text.rstrip()
    if not new.strip() or new == old or "\n" in new:
        return
    # What the engine alone has chosen, or time has cut, is not the model's.
    if found.stopped_by not in ("eos", "scope") or found.n_forced >= found.n_tokens:
        return
    front = n_shared(old, new)
    behind = n_shared_behind(old, new, min(len(old), len(new)) - front)
    start, stop, text = line.start + front, line.stop - behind, new[front : len(new) - behind]
    yield Replacement(
        start,
        stop,
        text,
        f"written by {name}, which was not trained on edits",
        filled_probability(found),
        "filling",
    )


def filled_probability(found: Completion) -> float:
    """The model's own probability of the whole line, which is not shown to be right: at most `MOST_SURE`."""
    return min(math.exp(found.mean_logprob * found.n_tokens), MOST_SURE)
