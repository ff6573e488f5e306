"""Rewriting: a model trained on edits rewrites the lines around the last change.

The model reads the change and the present lines, and writes them again; each difference is proposed with the
model's probability. Most of the text stays the same, so the old lines serve as a draft, and the model checks
a whole run of them in one pass.

Each proposal is proved like everything else (`proof.py`): it parses, and its names exist.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fim_lsp.edit_formats import CURSOR, EDIT_FORMATS, EditFormat, LinesToRewrite, ShownChange
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.hunks import Hunk, LineDiff
from fim_lsp.positions import with_line_feeds
from fim_lsp.runtimes.folder import ModelError
from fim_lsp.shared import n_shared, n_shared_behind

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.prompts.reader import PromptReader
    from fim_lsp.runtimes.runtime import Row

# The most of the last changes that are shown, and the most characters of each.
MOST_CHANGES, MOST_OF_A_CHANGE = 4, 1_000
# The number of lines on each side of the change that are rewritten.
N_AROUND = 12
# Longer lines are data.
MOST_CHARACTERS = 4_000
# The most tokens beyond the number of the old ones.
MOST_MORE = 64
# The number of old tokens in one draft.
N_AHEAD = 8


@dataclass(slots=True)
class Rewriter:
    """A model trained on edits. Its last answer is cached."""

    model: Model
    reader: PromptReader
    format: EditFormat
    is_given_up: Callable[[], bool] = lambda: False
    _known: dict[LinesToRewrite, tuple[str, float] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model) -> Rewriter:
        """Raises `ModelError` for a model that was not trained on edits."""
        from fim_lsp.decoding.prompts.reader import PromptReader

        if model.edit_format is None:
            families = " and ".join(known.models for known in EDIT_FORMATS)
            raise ModelError(f"{model.name} was not taught edits, as far as its name tells; {families} were")
        return cls(model, PromptReader(model.runtime), model.edit_format)

    def replacements(self, change: FileChange) -> Iterator[Replacement]:
        """The model's replacements in the lines around the last change, except in text that was just
        written."""
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
        """The lines as the model writes them, with their probability; None if it finds no end."""
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
        # The text between two special tokens is tokenized as a whole, as in training.
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


def takes_back(change: FileChange, start: int, stop: int, new: str) -> bool:
    """Whether a replacement would undo the user's change of these lines."""
    edited = change.new.lines.with_edit(start, stop, new)
    if edited.text == change.old.text:
        return True
    before = {(hunk.old_first, hunk.old_last) for hunk in change.hunks}
    then = {(hunk.old_first, hunk.old_last) for hunk in LineDiff.of(change.old.lines, edited).hunks}
    # Each run of lines that the user changed must still differ, perhaps as part of a longer run.
    return not all(any(a <= first and last <= b for a, b in then) for first, last in before)
