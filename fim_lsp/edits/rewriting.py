"""Rewriting: a model trained on edits rewrites the lines around the last change, and those around places that
rules point to without being sure.

The model reads the change and the present lines, and writes them again; each difference is proposed with the
model's probability. Most of the text stays the same, so the old lines serve as a draft, and the model checks
a whole run of them in one pass.

Each proposal is proved like everything else (`proof.py`): it parses, and its names exist.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from fim_lsp.edit_formats import EditFormat, LinesToRewrite, ShownChange
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.hunks import Hunk, LineDiff
from fim_lsp.edits.writers import Interrupted, KnownAnswers, Unsure
from fim_lsp.positions import with_line_feeds
from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Document

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.prompts.reader import PromptReader
    from fim_lsp.runtimes.runtime import Row, Rows

# The most of the last changes that are shown, and the most characters of each.
MOST_CHANGES, MOST_OF_A_CHANGE = 4, 1_000
# The number of lines that are shown on each side of those that are rewritten, and of a wide view.
N_AROUND, N_WIDE = 12, 150
# A wider view is left out.
MOST_WIDE = 12_000
# The most regions that are rewritten: the lines around the last change, and those around other places.
MOST_REGIONS = 3
# Longer lines are data.
MOST_CHARACTERS = 4_000
# The most tokens beyond the number of the old ones.
MOST_MORE = 64
# The number of old tokens in one draft.
N_AHEAD = 8
# A long prompt is read in pieces of so many tokens, between which the reading can be interrupted.
PIECE = 64


@dataclass(slots=True)
class Rewriter:
    """A model trained on edits. Its last answers are kept."""

    model: Model
    reader: PromptReader
    format: EditFormat
    _is_given_up: Callable[[], bool] = lambda: False
    _known: KnownAnswers[LinesToRewrite, tuple[str, float] | None] = field(default_factory=KnownAnswers)

    @classmethod
    def of(cls, model: Model) -> Rewriter:
        """The rewriter with a model that was trained on edits."""
        from fim_lsp.decoding.prompts.reader import PromptReader

        assert model.edit_format is not None, "other models fill in"
        return cls(model, PromptReader(model.runtime), model.edit_format)

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self._is_given_up = is_given_up
        self.reader.attend(is_given_up)

    def replacements(
        self,
        change: FileChange,
        unsure: Unsure,
        document: Document,  # noqa: ARG002
    ) -> Iterator[Replacement]:
        """The model's replacements, except in text that was just written."""
        if not change.hunks:
            return
        for place in regions(change, self.format.n_lines, unsure()):
            yield from self._rewritten(change, place)

    def _rewritten(self, change: FileChange, place: RegionToRewrite) -> Iterator[Replacement]:
        start, stop = place.start, place.stop
        lines = change.new.text[start:stop]
        asked = asked_lines(change, place)
        line_break = "\r\n" if "\r\n" in lines else "\n"
        if len(lines) > MOST_CHARACTERS or asked.lines.replace("\n", line_break) != lines:
            return
        # A sign of the format is no text of a file.
        if any(sign and sign in asked.lines for sign in (self.format.end, self.format.lead.strip())):
            return
        found = self._known.answer(asked, partial(self._written, asked))
        if found is None:
            return
        text, probability = found
        for first, last, new in differing_parts(lines, text.replace("\n", line_break), line_break):
            begin, end = start + first, start + last
            yield Replacement(begin, end, new, f"so {self.format.models} goes on", probability, "rewriting")

    def _written(self, asked: LinesToRewrite) -> tuple[str, float] | None:
        """The lines as the model writes them, with their probability; None if it finds no end, or changes
        nothing."""
        prompt, given = self._prompt(asked), self.format.given(asked)
        ahead = self.model.encode(self.format.lead + asked.lines[len(given) :])
        if len(prompt) + 2 * len(ahead) + MOST_MORE > self.model.n_positions:
            return None
        written: list[int] = []
        logprob, at = 0.0, 0
        for n_read in range(PIECE, len(prompt), PIECE):
            self._rows(prompt[:n_read], 1)
        while len(written) < len(ahead) + MOST_MORE:
            draft = ahead[at : at + N_AHEAD]
            rows = self._rows([*prompt, *written, *draft], len(draft) + 1)
            for number in range(len(draft) + 1):
                token, said = likeliest(rows[number])
                logprob += said
                if token in self.model.ends:
                    return self._answer(asked, self._text(written), logprob)
                written.append(token)
                text = self._text(written)
                if self.format.end in text:
                    return self._answer(asked, text.partition(self.format.end)[0], logprob)
                if number == len(draft) or token != draft[number]:
                    at = place_behind(ahead, at + number, token)
                    break
        return None

    def _rows(self, tokens: Sequence[int], n_last: int) -> Rows:
        from fim_lsp.decoding.prompts.reader import Cancelled
        from fim_lsp.runtimes.runtime import GivenUp

        try:
            return self.reader.prompt(tokens, n_last, self._is_given_up)
        except (Cancelled, GivenUp) as error:
            raise Interrupted from error

    def _prompt(self, asked: LinesToRewrite) -> list[int]:
        found, text = [*self.model.begin], ""
        # The text between two special tokens is tokenized as a whole, as in training.
        for part in self.format.parts(asked):
            if isinstance(part, str):
                text += part
            elif part.name not in self.model.file_signs:
                text += part.name
            else:
                found += [*self.model.encode(text), self.model.file_signs[part.name]]
                text = ""
        return [*found, *self.model.encode(text)]

    def _text(self, tokens: Sequence[int]) -> str:
        return b"".join(self.model.token_bytes[token] for token in tokens).decode(errors="replace")

    def _answer(self, asked: LinesToRewrite, written: str, logprob: float) -> tuple[str, float] | None:
        lines = self.format.answer(written, asked)
        if lines is None:
            return None
        text = lines.removeprefix(self.format.lead)
        if self.format.cursor:
            text = text.replace(self.format.cursor, "")
        # A model that has nothing to write does not mean that all lines are to go.
        if not text.strip():
            return None
        return self.format.given(asked) + text, math.exp(logprob)


@dataclass(frozen=True, slots=True)
class RegionToRewrite:
    """Whole lines to rewrite, the place of the cursor, and whether the last change is in them."""

    start: int
    stop: int
    cursor: int
    is_last: bool = False


def regions(change: FileChange, n_lines: int, unsure: Sequence[Replacement]) -> list[RegionToRewrite]:
    """The lines around the last change, and around the likeliest of the places that rules are not sure of."""
    lines, hunk = change.new.lines, change.hunks[-1]
    last = max(hunk.new_last, hunk.new_first)
    found = [region(change, hunk.new_first - n_lines, last + n_lines, change.end, is_last=True)]
    for one in sorted(unsure, key=lambda one: -one.probability):
        is_apart = all(one.stop <= other.start or one.start >= other.stop for other in found)
        if is_apart and len(found) < MOST_REGIONS:
            number = lines.line_at(one.start)
            found.append(region(change, number - n_lines, number + n_lines + 1, one.start))
    return found


def region(
    change: FileChange, first: int, last: int, cursor: int, *, is_last: bool = False
) -> RegionToRewrite:
    lines = change.new.lines
    start, stop = lines.starts[max(first, 0)], end_of(change, min(last, len(lines)))
    return RegionToRewrite(start, stop, min(max(cursor, start), stop), is_last)


def asked_lines(change: FileChange, place: RegionToRewrite) -> LinesToRewrite:
    text, lines = change.new.text, change.new.lines
    start, stop = place.start, place.stop
    first, last = lines.line_at(start), lines.line_at(stop)
    begin = lines.starts[max(first - N_AROUND, 0)]
    end = end_of(change, min(last + N_AROUND, len(lines)))
    were = text[start:stop]
    if place.is_last:
        hunk = change.hunks[-1]
        were = (
            text[start : hunk.new_start]
            + change.old.text[hunk.old_start : hunk.old_stop]
            + text[hunk.new_stop : stop]
        )
    wide = text[lines.starts[max(first - N_WIDE, 0)] : end_of(change, min(last + N_WIDE, len(lines)))]
    changes = tuple(shown_change(change, one) for one in change.hunks[-MOST_CHANGES:])
    return LinesToRewrite(
        change.path,
        with_line_feeds(text[begin:start]),
        with_line_feeds(text[start:stop]),
        with_line_feeds(text[stop:end]),
        with_line_feeds(were),
        len(with_line_feeds(text[start : place.cursor])),
        changes,
        begin == 0,
        first + 1,
        with_line_feeds(wide) if len(wide) <= MOST_WIDE else "",
    )


def shown_change(change: FileChange, hunk: Hunk) -> ShownChange:
    old = change.old.text[hunk.old_start : hunk.old_stop]
    new = change.new.text[hunk.new_start : hunk.new_stop]
    return ShownChange(
        change.path,
        with_line_feeds(old[:MOST_OF_A_CHANGE]),
        with_line_feeds(new[:MOST_OF_A_CHANGE]),
        hunk.old_first + 1,
    )


def end_of(change: FileChange, number: int) -> int:
    """The end of the lines in front of a line."""
    lines = change.new.lines
    return lines.starts[number] if number < len(lines) else len(lines.text)


def likeliest(row: Row) -> tuple[int, float]:
    """The likeliest next token, and the logarithm of its probability."""
    import numpy as np

    token = int(row.argmax())
    logits = row.astype(np.float64) - float(row[token])
    return token, -float(np.log(np.exp(logits).sum()))


def place_behind(ahead: Sequence[int], at: int, token: int) -> int:
    """The place in the old tokens at which the draft goes on after a token that differs: behind the nearest
    equal token, or else behind the token that it replaced."""
    near = range(max(at - N_AHEAD, 0), min(at + N_AHEAD, len(ahead)))
    found = [number for number in near if ahead[number] == token]
    return min(found, key=lambda number: abs(number - at), default=at) + 1


def differing_parts(old: str, new: str, line_break: str) -> Iterator[tuple[int, int, str]]:
    """The differences of two texts: start and stop in the old one, and the new text, without what both share
    at the ends of a run of lines."""
    if old.endswith(line_break):
        new = new.rstrip("\r\n") + line_break
    for hunk in LineDiff.of(old, new).hunks:
        before, after = old[hunk.old_start : hunk.old_stop], new[hunk.new_start : hunk.new_stop]
        front = n_shared(before, after)
        behind = n_shared_behind(before, after, min(len(before), len(after)) - front)
        yield hunk.old_start + front, hunk.old_stop - behind, after[front : len(after) - behind]
