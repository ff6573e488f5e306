"""Rewriting: a model that was taught edits writes the lines around the last change anew.

It is shown the change and the lines as they are, and writes them anew; each difference is proposed, as
surely as the model writes it. Most of the text is there already, so the old lines are read beside the new,
and a whole run of them costs one look.

Each proposal is proved like everything else (`proof.py`): it parses, and its names exist.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fim_lsp.edit_formats import CURSOR, EDIT_FORMATS, EditFormat, LinesToRewrite, ShownChange
from fim_lsp.edits.change import FileChange
from fim_lsp.edits.edit import Replacement
from fim_lsp.edits.hunks import Hunk, LineDiff
from fim_lsp.positions import with_line_feeds
from fim_lsp.runtimes.folder import ModelError
from fim_lsp.shared import n_shared, n_shared_behind

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.prompts.reader import PromptReader
    from fim_lsp.runtimes.runtime import Row

# The most of the last changes that are shown, and the most characters of each.
MOST_CHANGES, MOST_OF_A_CHANGE = 4, 1_000
# Lines around those that are written anew.
N_AROUND = 12
# Longer lines are data.
MOST_CHARACTERS = 4_000
# The most tokens that may be written beyond those of the old lines.
MOST_MORE = 64
# The number of old tokens that are read ahead.
N_AHEAD = 8


@dataclass(slots=True)
class Rewriter:
    """A model that was taught edits. Its answer for a text is kept."""

    model: Model
    reader: PromptReader
    format: EditFormat
    is_given_up: Callable[[], bool] = lambda: False
    _known: dict[LinesToRewrite, tuple[str, float] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model) -> Rewriter:
        """Raises `ModelError` for a model that was not taught edits."""
        from fim_lsp.decoding.prompts.reader import PromptReader

        if model.edit_format is None:
            families = " and ".join(known.models for known in EDIT_FORMATS)
            raise ModelError(f"{model.name} was not taught edits, as far as its name tells; {families} were")
        return cls(model, PromptReader(model.runtime), model.edit_format)

    def replacements(self, change: FileChange) -> Iterator[Replacement]:
        """The model's replacements in the lines around the last change, without those of new text."""
        if not change.hunks:
            return
        start, stop = self._region(change)
        lines = change.new.text[start:stop]
        asked = asked_lines(change, start, stop)
        line_break = "\r\n" if "\r\n" in lines else "\n"
        if len(lines) > MOST_CHARACTERS or asked.lines.replace("\n", line_break) != lines:
            return
        if asked not in self._known:
            self._known[asked] = self._written(asked)
        found = self._known[asked]
        if found is None:
            return
        text, probability = found
        for first, last, new in differing_parts(lines, text.replace("\n", line_break), line_break):
            begin, end = start + first, start + last
            if not change.is_typed(begin, max(end, begin)) and not takes_back(change, begin, end, new):
                yield Replacement(
                    begin, end, new, f"so {self.format.models} goes on", probability, "rewriting"
                )

    def _region(self, change: FileChange) -> tuple[int, int]:
        """The lines around the last change."""
        lines, hunk = change.new.lines, change.hunks[-1]
        first = max(hunk.new_first - self.format.n_lines, 0)
        last = min(max(hunk.new_last, hunk.new_first) + self.format.n_lines, len(lines))
        return lines.starts[first], end_of(change, last)

    def _written(self, asked: LinesToRewrite) -> tuple[str, float] | None:
        """The lines as the model writes them, and how probable that is; None where it comes to no end."""
        prompt = self._prompt(asked)
        ahead = self.model.encode(self.format.lead + asked.lines)
        if len(prompt) + 2 * len(ahead) + MOST_MORE > self.model.n_positions:
            return None
        written: list[int] = []
        logprob, at = 0.0, 0
        while len(written) < len(ahead) + MOST_MORE:
            draft = ahead[at : at + N_AHEAD]
            rows = self.reader.prompt([*prompt, *written, *draft], len(draft) + 1, self.is_given_up)
            for number in range(len(draft) + 1):
                token, said = likeliest(rows[number])
                logprob += said
                if token in self.model.ends:
                    return self._lines(self._text(written)), math.exp(logprob)
                written.append(token)
                text = self._text(written)
                if self.format.end in text:
                    return self._lines(text.partition(self.format.end)[0]), math.exp(logprob)
                if number == len(draft) or token != draft[number]:
                    at = place_behind(ahead, at + number, token)
                    break
        return None

    def _prompt(self, asked: LinesToRewrite) -> list[int]:
        found, text = [*self.model.begin], ""
        # A text between two signs is made into tokens as a whole, as it was when the model was taught.
        for part in self.format.parts(asked):
            if isinstance(part, str):
                text += part
            else:
                found += [*self.model.encode(text), self.model.file_signs[part.name]]
                text = ""
        return [*found, *self.model.encode(text)]

    def _text(self, tokens: Sequence[int]) -> str:
        return b"".join(self.model.token_bytes[token] for token in tokens).decode(errors="replace")

    def _lines(self, text: str) -> str:
        return text.removeprefix(self.format.lead).replace(CURSOR, "")


def asked_lines(change: FileChange, start: int, stop: int) -> LinesToRewrite:
    text, lines = change.new.text, change.new.lines
    first, last = lines.line_at(start), lines.line_at(stop)
    begin = lines.starts[max(first - N_AROUND, 0)]
    end = end_of(change, min(last + N_AROUND, len(lines)))
    hunk = change.hunks[-1]
    were = (
        text[start : hunk.new_start]
        + change.old.text[hunk.old_start : hunk.old_stop]
        + text[hunk.new_stop : stop]
    )
    changes = tuple(shown_change(change, one) for one in change.hunks[-MOST_CHANGES:])
    cursor = len(with_line_feeds(text[start : min(max(change.end, start), stop)]))
    return LinesToRewrite(
        change.path,
        with_line_feeds(text[begin:start]),
        with_line_feeds(text[start:stop]),
        with_line_feeds(text[stop:end]),
        with_line_feeds(were),
        cursor,
        changes,
        begin == 0,
    )


def shown_change(change: FileChange, hunk: Hunk) -> ShownChange:
    old = change.old.text[hunk.old_start : hunk.old_stop]
    new = change.new.text[hunk.new_start : hunk.new_stop]
    return ShownChange(
        change.path, with_line_feeds(old[:MOST_OF_A_CHANGE]), with_line_feeds(new[:MOST_OF_A_CHANGE])
    )


def end_of(change: FileChange, number: int) -> int:
    """Where the lines in front of one end."""
    lines = change.new.lines
    return lines.starts[number] if number < len(lines) else len(lines.text)


def likeliest(row: Row) -> tuple[int, float]:
    """The token that comes next, and the logarithm of its probability."""
    import numpy as np

    token = int(row.argmax())
    logits = row.astype(np.float64) - float(row[token])
    return token, -float(np.log(np.exp(logits).sum()))


def place_behind(ahead: Sequence[int], at: int, token: int) -> int:
    """Where in the old tokens it goes on behind one that was not there: behind the nearest like it, or
    else behind the one whose place it has taken."""
    near = range(max(at - N_AHEAD, 0), min(at + N_AHEAD, len(ahead)))
    found = [number for number in near if ahead[number] == token]
    return min(found, key=lambda number: abs(number - at), default=at) + 1


def differing_parts(old: str, new: str, line_break: str) -> Iterator[tuple[int, int, str]]:
    """Where two texts differ: from and to in the old one, and what is there now; what both have at the ends
    of a run of lines is no part of it."""
    if old.endswith(line_break):
        new = new.rstrip("\r\n") + line_break
    for hunk in LineDiff.of(old, new).hunks:
        before, after = old[hunk.old_start : hunk.old_stop], new[hunk.new_start : hunk.new_stop]
        front = n_shared(before, after)
        behind = n_shared_behind(before, after, min(len(before), len(after)) - front)
        yield hunk.old_start + front, hunk.old_stop - behind, after[front : len(after) - behind]


def takes_back(change: FileChange, start: int, stop: int, new: str) -> bool:
    """Whether lines become again what they were before the user changed them."""
    edited = change.new.lines.with_edit(start, stop, new)
    if edited.text == change.old.text:
        return True
    before = {(hunk.old_first, hunk.old_last) for hunk in change.hunks}
    then = {(hunk.old_first, hunk.old_last) for hunk in LineDiff.of(change.old.lines, edited).hunks}
    # Each run of lines that the user changed is changed still, if as a part of a longer one.
    return not all(any(a <= first and last <= b for a, b in then) for first, last in before)
