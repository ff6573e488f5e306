"""Where a text ends: where the model wants it to, or where we would rather have it end.

Every way to end comes here, and each is put into good form: no white space and no bare `#` at the end, and
no half of a comment where it was not the model that ended it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace

from fim_lsp.decoding.choice import Leaving
from fim_lsp.decoding.chooser import Chooser
from fim_lsp.decoding.completion import Completion, StoppedBy
from fim_lsp.decoding.edges import RightEdge
from fim_lsp.decoding.fence import Fence, suites_at
from fim_lsp.decoding.generation import Generation
from fim_lsp.decoding.ground import Ground, fits
from fim_lsp.decoding.hypothesis import Ending, Hypothesis, best_of
from fim_lsp.decoding.logits import logsumexp
from fim_lsp.decoding.repetition import loop
from fim_lsp.decoding.steering import Steering
from fim_lsp.runtimes.runtime import Row

# Where a text is cut in the middle of a name, or of a chain of attributes and calls.
INSIDE = re.compile(rb"\w\0\w|[\w)\]\"']\0[.(\[]")
# White space in front of these, or of nothing, is never missed.
NEEDS_NO_SPACE = b" \t\f\r\n)]},:;"
# How many tokens are taken back for a better way out: each way costs a search, and time may be out already.
MOST_TAKEN_BACK = 8


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, where it ends, and why there.

    `is_poor`: the model went round in circles before it had said anything that could stand alone, or all it
    said are comments.
    """

    hypothesis: Hypothesis
    ending: Ending
    stopped_by: StoppedBy
    is_poor: bool = False
    # Where in it something begins that a checker is against, in characters.
    wrong_from: int | None = None

    @property
    def text(self) -> bytes:
        return self.hypothesis.text[: self.ending.n_bytes]

    @property
    def quality(self) -> tuple[bool, int]:
        """Which of two poor texts is the better one."""
        return bool(self.text), -self.ending.n_forced

    def completion(self, seconds: float) -> Completion:
        ending = self.ending
        n_chosen = ending.n_tokens - ending.n_forced
        return Completion(
            # Where the engine is asked no text ends inside a character; else half of one is dropped.
            text=self.text.decode(errors="ignore"),
            stopped_by=self.stopped_by,
            n_tokens=ending.n_tokens,
            n_forced=ending.n_forced,
            mean_logprob=ending.logprob / n_chosen if n_chosen else 0.0,
            seconds=seconds,
            marks=tuple(self.hypothesis.marks),
            wrong_from=self.wrong_from,
        )


@dataclass(frozen=True, slots=True)
class Ends:
    """The ways to end the texts of one hole."""

    generation: Generation
    edge: RightEdge
    # None where nothing is checked, and where the paper's loop is asked for as it is.
    ground: Ground | None
    fence: Fence | None
    # Whether the hole begins and ends at the beginning of a line.
    is_whole_lines: bool
    # The tokens by which the model tells that it is done: those that end a text, and those that begin as the
    # right context does, if that is the end of a line or a closer.
    signs: list[int]
    # What no way out was found behind, whatever was taken back of it.
    stuck: set[bytes] = field(default_factory=set)

    @classmethod
    def of(cls, generation: Generation, hypothesis: Hypothesis, fence: Fence | None) -> Ends:
        options, recognizer = generation.options, hypothesis.recognizer
        is_ours = options.constraint == "constrained" and not options.is_plain and recognizer is not None
        ground = Ground(recognizer.fork()) if is_ours and recognizer is not None else None
        edge = RightEdge(generation.right)
        signs = list(generation.model.ends)
        if ground is not None:
            for closer in edge.closing:
                signs += generation.model.beginnings_of(closer) + generation.model.begun_with(closer)
        is_whole_lines = edge.has_rest and generation.above[-1:] in (b"\n", b"\r", b"")
        return cls(generation, edge, ground, fence if is_ours else None, is_whole_lines, signs)

    def note(self, hypothesis: Hypothesis, row: Row) -> None:
        """Notes that the text fits as it is; `row` (vocabulary,) is what the model expects next."""
        if self.ground is None or not self.is_half_comment(hypothesis, row):
            is_good = self.ground is None or self.is_whole(hypothesis, row)
            hypothesis.endings.append(hypothesis.ending(self.end_probability(row), is_good))

    def note_line(self, hypothesis: Hypothesis, token: int, row: Row) -> None:
        """Notes the end of a line within a token that goes on with the next line's blanks.

        Only there whole lines may end; behind the blanks the rest of the cursor's line would stand elsewhere.
        """
        text = self.generation.model.token_bytes[token]
        if not self.is_whole_lines or hypothesis.pending or text[:1] != b"\n" or text.strip():
            return
        if self.ground is not None and self.ground.fits(hypothesis.text + b"\n"):
            ending = hypothesis.ending(self.end_probability(row))
            n_tokens, n_bytes = ending.n_tokens + 1, ending.n_bytes + 1
            hypothesis.endings.append(replace(ending, n_bytes=n_bytes, n_tokens=n_tokens))

    def end_probability(self, row: Row) -> float:
        """How probable the model finds it that the text ends; `row` has the logits of shape (vocabulary,)."""
        return math.exp(logsumexp(row[self.signs]) - logsumexp(row))

    def is_half_comment(self, hypothesis: Hypothesis, row: Row) -> bool:
        """Whether the text ends in a comment that goes on, or that takes in the rest of the line."""
        assert self.ground is not None
        if self.ground.comment(hypothesis.text) is None:
            return False
        best = int(row.argmax())
        is_over = best in self.generation.model.ends or self.wanted(hypothesis, row)[:1] in (b"\n", b"\r")
        return self.edge.has_rest or not is_over

    def is_whole(self, hypothesis: Hypothesis, row: Row) -> bool:
        """Whether the text may well end there: not in the middle of a name, nor behind a lone comma.

        Whole lines are followed by the rest of a line in a line of its own.
        """
        text = hypothesis.text
        if self.is_whole_lines and text and self.lines_of(text) is None:
            return False
        if text.endswith(b",") and (self.edge.is_closed or not is_in_bracket(hypothesis)):
            return False
        return not INSIDE.match(text[-1:] + b"\0" + self.wanted(hypothesis, row)[:1])

    def lines_of(self, text: bytes) -> bytes | None:
        """The text without the blanks behind its last line break; None if it does not fit as whole lines.

        The rest of the cursor's line has blanks of its own, so with more of them it would stand elsewhere.
        """
        line_break = text.rfind(b"\n")
        is_in_line = bool(text[line_break + 1 :].strip())
        lines = text[: line_break + 1]
        return lines if not is_in_line and self.ground is not None and self.ground.fits(lines) else None

    def is_outside(self, hypothesis: Hypothesis) -> bool:
        """Whether the rest of the cursor's line would stand further left than the scope allows."""
        recognizer, fence = hypothesis.recognizer, self.fence
        if recognizer is None or fence is None or not self.edge.has_rest or not hypothesis.text:
            return False
        _, columns, indentation = recognizer.nesting()
        return indentation is not None and suites_at(recognizer, columns, indentation) < fence.n_suites

    def reached(self, hypothesis: Hypothesis, row: Row, chooser: Chooser) -> Written | None:
        """The end, if what the model wants most is what the right context begins with."""
        if self.ground is None or hypothesis.recognizer is None:
            return None
        wanted = self.wanted(hypothesis, row)
        n_bytes = self.edge.reached_in(hypothesis.recognizer, wanted)
        if n_bytes is None or (not n_bytes and not chooser.may_end(hypothesis)):
            return None
        return self.ended_with(hypothesis, wanted[:n_bytes], "eos")

    def stranded(self, hypothesis: Hypothesis, row: Row) -> Written | None:
        """The end of a text that leaves the scope next, while the rest of the line has to stay in it.

        It ends in front of what it has said of that rest already, else where the rest begins a line.
        """
        recognizer, fence = hypothesis.recognizer, self.fence
        if recognizer is None or fence is None or not self.is_outside(hypothesis):
            return None
        wanted = self.wanted(hypothesis, row)
        if fence.allows(hypothesis, wanted) or not recognizer.fork().advance(wanted):
            return None
        if (said := self.edge.said_again(hypothesis)) is not None:
            return self.tidied(Written(hypothesis, said, "scope"))
        placed = hypothesis.fork()
        self.indent_rest(placed)
        if not placed.is_member or self.is_outside(placed):
            return None
        return self.tidied(Written(placed, placed.ending(), "scope"))

    def wanted(self, hypothesis: Hypothesis, row: Row) -> bytes:
        """The text that the model would like to come next, behind what is pending."""
        model, pending = self.generation.model, hypothesis.pending
        if not pending:
            return model.token_bytes[int(row.argmax())]
        candidates = model.beginnings_of(pending) + model.begun_with(pending)
        if not candidates:
            return b""
        return model.token_bytes[candidates[int(row[candidates].argmax())]][len(pending) :]

    def ended_with(self, hypothesis: Hypothesis, text: bytes, stopped_by: StoppedBy) -> Written:
        """The end behind a part of a token."""
        if text and hypothesis.recognizer is not None:
            hypothesis.recognizer.advance(text)
            hypothesis.pending = b""
            hypothesis.append(text, 0.0)
        ending = hypothesis.ending()
        if stopped_by != "eos":
            ending = self.trimmed(hypothesis, ending)
        return self.tidied(Written(hypothesis, ending, stopped_by))

    def left(self, hypothesis: Hypothesis, steering: Steering, leaving: Leaving) -> Written:
        """The end of a text whose next token leaves the scope."""
        if (repeated := self.edge.repetition(hypothesis, leaving.kept + leaving.left)) is not None:
            return self.tidied(Written(hypothesis, repeated, "eos"))
        written = self.ended_with(hypothesis, leaving.kept, "scope")
        if leaving.left[:1] in (b"\n", b"\r"):
            return self.looped(hypothesis, steering, is_end=True) or written
        return written

    def repeated(self, hypothesis: Hypothesis, steering: Steering, is_end: bool = False) -> Written | None:
        """The end in front of what is a repetition, of the right context or of the text itself."""
        if self.generation.options.is_plain:
            return None
        ending = self.edge.repetition(hypothesis, b"\n" * is_end)
        if ending is not None:
            return self.tidied(Written(hypothesis, ending, "eos"))
        return self.looped(hypothesis, steering, is_end)

    def looped(self, hypothesis: Hypothesis, steering: Steering, is_end: bool) -> Written | None:
        """The best end in front of where a text began to go round in circles; None if it did not."""
        if self.ground is None:
            return None
        found = loop(self.generation.above, hypothesis.text, is_end)
        if found is None:
            return None
        endings = [ending for ending in hypothesis.endings if 0 < ending.n_bytes <= found.n_bytes]
        if endings:
            # A line that is followed by another one was meant to end there.
            best = endings[-1] if found.is_line else best_of(endings) or endings[-1]
            return self.tidied(Written(hypothesis, best, "eos"))
        begun = hypothesis.text[: found.n_bytes]
        if not steering.is_on or begun in self.stuck:
            return None
        written = self.connected(hypothesis.rewound(self.ground.start, found.n_bytes), steering)
        if written is None:
            self.stuck.add(begun)
        return written

    def ended(self, hypothesis: Hypothesis, steering: Steering, is_member: bool) -> Written | None:
        """The text where the model has ended it."""
        if is_member or steering.options.constraint == "none" or not steering.has_engine:
            return self.tidied(Written(hypothesis, hypothesis.ending(), "eos"))
        return self.finished(hypothesis, steering, "eos")

    def finished(self, hypothesis: Hypothesis, steering: Steering, stopped_by: StoppedBy) -> Written | None:
        """The text where it has to end although the model has not ended it."""
        if not steering.has_engine or steering.options.constraint == "none":
            return Written(hypothesis, hypothesis.ending(), stopped_by)
        is_half_comment = self.ground is not None and self.ground.comment(hypothesis.text) is not None
        if hypothesis.is_member and not is_half_comment and not self.is_outside(hypothesis):
            hypothesis.endings.append(hypothesis.ending())
        if steering.is_on and not hypothesis.has_ending:
            connected = self.connected(hypothesis, steering)
            if connected is not None:
                return replace(connected, is_poor=False)
        return self.cut_short(hypothesis, stopped_by)

    def cut_short(self, hypothesis: Hypothesis, stopped_by: StoppedBy) -> Written | None:
        """The text up to the best place to end; None if there is none."""
        best = hypothesis.best_ending()
        if best is None:
            return None
        return self.tidied(Written(hypothesis, self.trimmed(hypothesis, best), stopped_by))

    def forced(self, hypothesis: Hypothesis) -> Written:
        """The end of a text that fits while the engine is on its way out."""
        # Where the rest of the line fits nowhere else, the comment has to stay.
        shorter = self.without_comment(hypothesis)
        hypothesis = shorter if shorter.is_member else hypothesis
        return self.tidied(Written(hypothesis, self.trimmed(hypothesis, hypothesis.ending()), "forced"))

    def connected(self, hypothesis: Hypothesis, steering: Steering) -> Written | None:
        """The text with the shortest way out behind it; None if each that is found uses a wrong name."""
        hypothesis = self.without_comment(hypothesis)
        connected = self.led_out(hypothesis, steering)
        # The file would parse, but a name stands there that no way out can bind. To look in vain takes long.
        n_back = 1
        while self.ground is not None and hypothesis.places and not connected.is_member:
            place = hypothesis.places[-min(n_back, len(hypothesis.places))]
            hypothesis = hypothesis.rewound(self.ground.start, place.n_bytes)
            connected = self.led_out(hypothesis, steering)
            n_back *= 2
        if self.ground is not None and not connected.is_member:
            return None
        connected = self.better_led_out(hypothesis, steering, connected)
        return Written(connected, connected.ending(), "forced", is_poor=True)

    def better_led_out(self, hypothesis: Hypothesis, steering: Steering, connected: Hypothesis) -> Hypothesis:
        """The way out from a few tokens earlier, if there are too few left for a good one from here.

        The rest of the line would stand outside its block without its indentation, or in a comment.
        """
        found = connected
        for _ in range(MOST_TAKEN_BACK):
            if self.ground is None or not hypothesis.places or self.is_well_led_out(found):
                break
            hypothesis = hypothesis.rewound(self.ground.start, hypothesis.places[-1].n_bytes)
            found = self.led_out(hypothesis, steering)
        return found if self.is_well_led_out(found) else connected

    def is_well_led_out(self, hypothesis: Hypothesis) -> bool:
        if not hypothesis.is_member or self.is_outside(hypothesis) or self.ground is None:
            return False
        return not self.edge.has_rest or self.ground.comment(hypothesis.text) is None

    def led_out(self, hypothesis: Hypothesis, steering: Steering) -> Hypothesis:
        """The text with the shortest way out behind it, and the rest of the line in its block if it may."""
        connected = steering.connected(hypothesis, has_rest=self.edge.has_rest)
        self.indent_rest(connected)
        return connected

    def indent_rest(self, hypothesis: Hypothesis) -> None:
        """Brings the rest of the cursor's line to where its block stands, if the text moved it down."""
        recognizer, fence = hypothesis.recognizer, self.fence
        has_room = hypothesis.n_tokens < self.generation.options.max_tokens
        if recognizer is None or fence is None or not has_room or not self.is_outside(hypothesis):
            return
        _, columns, indentation = recognizer.nesting()
        blanks = b" " * (columns[min(fence.n_suites, len(columns)) - 1] - (indentation or 0))
        if fits(recognizer, blanks):
            recognizer.advance(blanks)
            hypothesis.append(blanks, None)

    def without_comment(self, hypothesis: Hypothesis) -> Hypothesis:
        """The text in front of the comment that it ends in."""
        comment = None if self.ground is None else self.ground.comment(hypothesis.text)
        if comment is None or self.ground is None:
            return hypothesis
        return hypothesis.rewound(self.ground.start, len(hypothesis.text[:comment].rstrip()))

    def tidied(self, written: Written) -> Written:
        """The text without white space and a bare `#` at its end, where it fits without them."""
        ground, text = self.ground, written.text
        if ground is None:
            return written
        kept = self.without_blanks(text)
        if self.is_whole_lines:
            kept = self.lines_of(kept) or kept
        forms = [kept]
        comment = ground.comment(kept)
        if comment is not None and not kept[comment:].strip(b"#!: \t\f\r"):
            forms.insert(0, self.without_blanks(kept[:comment]))
        kept = next((form for form in forms if form != text and ground.fits(form)), text)
        if kept != text:
            written = replace(written, ending=replace(written.ending, n_bytes=len(kept)))
        return replace(written, is_poor=True) if self.says_nothing(written.text) else written

    def says_nothing(self, text: bytes) -> bool:
        """Whether a text that was begun in code has none. One that is empty says that nothing is missing."""
        assert self.ground is not None
        lines = (line.strip() for line in text.splitlines())
        return (
            text != b"" and self.ground.is_code(b"") and all(not line or line[:1] == b"#" for line in lines)
        )

    def trimmed(self, hypothesis: Hypothesis, last: Ending) -> Ending:
        return hypothesis.trimmed(last, self.edge.is_apart)

    def without_blanks(self, text: bytes) -> bytes:
        assert self.ground is not None
        # A line break keeps the rest of the line away.
        kept = text.rstrip(b" \t\f" if self.edge.is_apart else b" \t\f\r\n")
        if kept[-1:] in (b"\n", b"\r"):
            return text
        is_free = self.generation.right[:1] in NEEDS_NO_SPACE and self.ground.is_code(kept)
        is_in_comment = self.ground.comment(kept) is not None
        return kept if is_free or is_in_comment else text


def is_in_bracket(hypothesis: Hypothesis) -> bool:
    return hypothesis.recognizer is not None and hypothesis.recognizer.nesting()[0] > 0
