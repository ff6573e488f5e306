"""Ends of texts: where the model wants one, or where the rules here prefer one.

Every end is decided here. `tidying.py` then cleans the text up, and `connecting.py` writes behind a text that
finds no end.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace

from fim_lsp.decoding.choices.choice import Leaving
from fim_lsp.decoding.choices.chooser import Chooser
from fim_lsp.decoding.endings.connecting import connected_text, indent_rest
from fim_lsp.decoding.endings.hole_context import HoleContext
from fim_lsp.decoding.endings.margin import begins_outside, lacks_blanks
from fim_lsp.decoding.endings.repetition import loop
from fim_lsp.decoding.endings.steering import Steering
from fim_lsp.decoding.endings.tidying import tidied_text, trimmed_ending
from fim_lsp.decoding.texts.completion import StoppedBy
from fim_lsp.decoding.texts.hypothesis import Ending, Hypothesis, best_of
from fim_lsp.decoding.texts.written import Written
from fim_lsp.runtimes.logits import logsumexp
from fim_lsp.runtimes.runtime import Row

# A cut (\0) inside a name or a chain of attributes and calls.
INSIDE = re.compile(rb"\w\0\w|[\w)\]\"']\0[.(\[]")


@dataclass(frozen=True, slots=True)
class Ends:
    """The ways to end the texts of one hole."""

    context: HoleContext
    # The tokens that show that the model is done: those that end a text, and those that begin like the right
    # context, if that begins with a line end or a closer.
    signs: list[int]
    # Texts behind which no way out was found, even with tokens taken back.
    stuck: set[bytes] = field(default_factory=set)

    @classmethod
    def of(cls, context: HoleContext) -> Ends:
        model = context.model
        signs = list(model.ends)
        for closer in context.edge.closing if context.lexical is not None else ():
            signs += model.beginnings_of(closer) + model.longer_tokens(closer)
        return cls(context, signs)

    def note(self, hypothesis: Hypothesis, row: Row) -> None:
        """Notes that the text fits as it is; `row` (vocabulary,) is the model's row behind it."""
        if self.context.lexical is None or not self.is_half_comment(hypothesis, row):
            is_good = self.context.lexical is None or self.is_whole(hypothesis, row)
            hypothesis.endings.append(hypothesis.ending(self.end_probability(row), is_good))

    def note_line(self, hypothesis: Hypothesis, token: int, row: Row) -> None:
        """Notes the end of a line inside a token that also holds the next line's blanks.

        Whole lines can end only there; behind the blanks the rest of the cursor's line would be shifted.
        """
        text = self.context.model.token_bytes[token]
        if not self.context.is_whole_lines or hypothesis.pending or text[:1] != b"\n" or text.strip():
            return
        if self.context.lexical is not None and self.context.lexical.fits(hypothesis.text + b"\n"):
            ending = hypothesis.ending(self.end_probability(row))
            n_tokens, n_bytes = ending.n_tokens + 1, ending.n_bytes + 1
            hypothesis.endings.append(replace(ending, n_bytes=n_bytes, n_tokens=n_tokens))

    def end_probability(self, row: Row) -> float:
        """The model's probability that the text ends; `row` holds the logits, (vocabulary,)."""
        return math.exp(logsumexp(row[self.signs]) - logsumexp(row))

    def is_half_comment(self, hypothesis: Hypothesis, row: Row) -> bool:
        """Whether the text ends in a comment that goes on, or that swallows the rest of the line."""
        assert self.context.lexical is not None
        if self.context.lexical.comment(hypothesis.text) is None:
            return False
        best = int(row.argmax())
        is_over = best in self.context.model.ends or self.wanted_text(hypothesis, row)[:1] in (b"\n", b"\r")
        return self.context.edge.has_rest or not is_over

    def is_whole(self, hypothesis: Hypothesis, row: Row) -> bool:
        """Whether the text can end here: neither inside a name nor behind a lone comma.

        Behind whole lines, the rest of the cursor's line must be a line of its own.
        """
        text = hypothesis.text
        if self.context.is_whole_lines and text and self.context.lines_of(text) is None:
            return False
        if text.endswith(b",") and (self.context.edge.is_closed or not is_in_bracket(hypothesis)):
            return False
        return not INSIDE.match(text[-1:] + b"\0" + self.wanted_text(hypothesis, row)[:1])

    def reached_end(self, hypothesis: Hypothesis, row: Row, chooser: Chooser) -> Written | None:
        """The end, if the model's favourite token begins like the right context."""
        if self.context.lexical is None or hypothesis.recognizer is None:
            return None
        wanted = self.wanted_text(hypothesis, row)
        n_bytes = self.context.edge.n_missing_bytes(hypothesis.recognizer, wanted)
        if n_bytes is None or (not n_bytes and not chooser.may_end(hypothesis)):
            return None
        if self.context.takes_lines and self.context.lines_of(hypothesis.text + wanted[:n_bytes]) is None:
            return None
        return self.end_behind(hypothesis, wanted[:n_bytes], "eos")

    def stranded_end(self, hypothesis: Hypothesis, row: Row) -> Written | None:
        """The end of a text whose next token leaves the scope, while the rest of the line must stay inside.

        It ends in front of the part that repeats the rest; otherwise at a place where the rest begins a line.
        """
        recognizer, fence = hypothesis.recognizer, self.context.fence
        if recognizer is None or fence is None or not self.context.is_outside(hypothesis):
            return None
        wanted = self.wanted_text(hypothesis, row)
        if fence.allows(hypothesis, wanted) or not recognizer.fork().advance(wanted):
            return None
        if (said := self.context.edge.said_again(hypothesis)) is not None:
            return self._tidied(hypothesis, said, "scope")
        placed = hypothesis.fork()
        indent_rest(self.context, placed)
        if not placed.is_member or self.context.is_outside(placed):
            return None
        return self._tidied(placed, placed.ending(), "scope")

    def answered_end(self, hypothesis: Hypothesis, row: Row, chooser: Chooser) -> Written | None:
        """The end in front of a fence, with which a chat model ends the code of its answer."""
        layout = chooser.layout
        if layout is None or not layout.begins_fence(hypothesis, self.wanted_text(hypothesis, row)):
            return None
        ending = last_ending(hypothesis)
        if ending is None or not chooser.may_end(hypothesis):
            return None
        return self._tidied(hypothesis, self._trimmed(hypothesis, ending), "eos")

    def outer_end(self, hypothesis: Hypothesis, row: Row) -> Written | None:
        """The end at the margin: in front of a line outside the text's blocks, or behind a needed header."""
        recognizer, text = hypothesis.recognizer, hypothesis.text
        if recognizer is None or not (self.context.is_at_margin or self.context.needs_header):
            return None
        ending = last_ending(hypothesis)
        if ending is None:
            return None
        if self.is_needed_header(text[: ending.n_bytes]):
            return self._tidied(hypothesis, ending, "scope")
        sides = self.context.before, self.context.edge.right
        if not begins_outside(recognizer, text, self.wanted_text(hypothesis, row), sides):
            return None
        return self._tidied(hypothesis, self._trimmed(hypothesis, ending), "scope")

    def is_needed_header(self, text: bytes) -> bool:
        """Whether a text ends with the header whose body the right context begins with."""
        if not self.context.needs_header or not text.endswith((b":\n", b":\r\n")):
            return False
        line = text[text.rstrip().rfind(b"\n") + 1 :].expandtabs()
        return len(line) - len(line.lstrip()) >= self.context.header_column

    def lacks_blanks(self, hypothesis: Hypothesis, row: Row) -> bool:
        """Whether a refused name is right, and the text's first line should be indented."""
        if not self.context.is_at_margin or self.context.lexical is None or hypothesis.pending:
            return False
        return lacks_blanks(self.context.lexical.start, hypothesis.text, self.wanted_text(hypothesis, row))

    def wanted_text(self, hypothesis: Hypothesis, row: Row) -> bytes:
        """The text that the model wants next, behind the pending text."""
        model, pending = self.context.model, hypothesis.pending
        if not pending:
            return model.token_bytes[int(row.argmax())]
        candidates = model.beginnings_of(pending) + model.longer_tokens(pending)
        if not candidates:
            return b""
        return model.token_bytes[candidates[int(row[candidates].argmax())]][len(pending) :]

    def end_behind(self, hypothesis: Hypothesis, text: bytes, stopped_by: StoppedBy) -> Written:
        """The end behind a part of a token."""
        if text and hypothesis.recognizer is not None:
            hypothesis.recognizer.advance(text)
            hypothesis.pending = b""
            hypothesis.append(text, 0.0)
        ending = hypothesis.ending()
        if stopped_by != "eos":
            ending = self._trimmed(hypothesis, ending)
        return self._tidied(hypothesis, ending, stopped_by)

    def leaving_end(self, hypothesis: Hypothesis, steering: Steering, leaving: Leaving) -> Written:
        """The end of a text whose next token leaves the scope."""
        if (repeated := self.context.edge.repetition(hypothesis, leaving.kept + leaving.left)) is not None:
            return self._tidied(hypothesis, repeated, "eos")
        written = self.end_behind(hypothesis, leaving.kept, "scope")
        if leaving.left[:1] in (b"\n", b"\r"):
            return self.end_before_loop(hypothesis, steering, is_end=True) or written
        return written

    def end_before_repetition(
        self, hypothesis: Hypothesis, steering: Steering, is_end: bool = False
    ) -> Written | None:
        """The end in front of a repetition of the right context or of the text itself."""
        if self.context.options.is_plain:
            return None
        ending = self.context.edge.repetition(hypothesis, b"\n" * is_end)
        if ending is not None:
            return self._tidied(hypothesis, ending, "eos")
        return self.end_before_loop(hypothesis, steering, is_end)

    def end_before_loop(self, hypothesis: Hypothesis, steering: Steering, is_end: bool) -> Written | None:
        """The best end in front of a loop; None if the text has no loop."""
        if self.context.lexical is None:
            return None
        found = loop(self.context.above, hypothesis.text, is_end)
        if found is None:
            return None
        endings = [ending for ending in hypothesis.endings if 0 < ending.n_bytes <= found.n_bytes]
        if endings:
            # A line that is followed by another one was meant to end there.
            best = endings[-1] if found.is_line else best_of(endings) or endings[-1]
            return self._tidied(hypothesis, best, "eos")
        begun = hypothesis.text[: found.n_bytes]
        if not steering.is_on or begun in self.stuck:
            return None
        before = hypothesis.rewound(self.context.lexical.start, found.n_bytes)
        written = connected_text(self.context, before, steering)
        if written is None:
            self.stuck.add(begun)
        return written

    def model_end(self, hypothesis: Hypothesis, steering: Steering, is_member: bool) -> Written | None:
        """The text at the model's own end."""
        if is_member or steering.options.constraint == "none" or not steering.has_engine:
            return self._tidied(hypothesis, hypothesis.ending(), "eos")
        return self.finishing_end(hypothesis, steering, "eos")

    def finishing_end(
        self, hypothesis: Hypothesis, steering: Steering, stopped_by: StoppedBy
    ) -> Written | None:
        """The text at an end that the model did not choose."""
        if not steering.has_engine or steering.options.constraint == "none":
            return Written(hypothesis, hypothesis.ending(), stopped_by)
        is_half_comment = (
            self.context.lexical is not None and self.context.lexical.comment(hypothesis.text) is not None
        )
        if hypothesis.is_member and not is_half_comment and not self.context.is_outside(hypothesis):
            hypothesis.endings.append(hypothesis.ending())
        if steering.is_on and not hypothesis.has_ending:
            connected = connected_text(self.context, hypothesis, steering)
            if connected is not None:
                return replace(connected, is_poor=False)
        return self.cut_short(hypothesis, stopped_by)

    def cut_short(self, hypothesis: Hypothesis, stopped_by: StoppedBy) -> Written | None:
        """The text up to the best place to end; None if there is none."""
        best = hypothesis.best_ending()
        if best is None:
            return None
        return self._tidied(hypothesis, self._trimmed(hypothesis, best), stopped_by)

    def forced_end(self, hypothesis: Hypothesis) -> Written:
        """The end of a text that fits while the engine follows its way out."""
        # The comment must stay if the rest of the line fits nowhere else.
        shorter = self.context.without_comment(hypothesis)
        hypothesis = shorter if shorter.is_member else hypothesis
        return self._tidied(hypothesis, self._trimmed(hypothesis, hypothesis.ending()), "forced")

    def _tidied(self, hypothesis: Hypothesis, ending: Ending, stopped_by: StoppedBy) -> Written:
        return tidied_text(self.context, Written(hypothesis, ending, stopped_by))

    def _trimmed(self, hypothesis: Hypothesis, ending: Ending) -> Ending:
        return trimmed_ending(self.context, hypothesis, ending)


def last_ending(hypothesis: Hypothesis) -> Ending | None:
    """The first good place to end behind all that is written but white space; None for a blank text."""
    text = hypothesis.text
    last = (one for one in hypothesis.endings if one.is_good and not text[one.n_bytes :].strip())
    ending = next(last, None)
    return ending if ending is not None and text[: ending.n_bytes].strip() else None


def is_in_bracket(hypothesis: Hypothesis) -> bool:
    return hypothesis.recognizer is not None and hypothesis.recognizer.nesting().n_brackets > 0
