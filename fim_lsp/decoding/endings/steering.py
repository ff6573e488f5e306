"""Steering: when the budget runs short, decoding turns to the cheapest way to connect.

The paper's loop fails if the model never finds an end that fits: it opens brackets, strings or blocks until
the limit. The engine knows the shortest way out of every state (the witness). While enough of the budget is
left, the model writes freely. When it runs short, the model may choose only tokens behind which the way out
still fits into the budget, and the engine writes the missing end. So every hole that can be filled gets a
text that fits.
"""

from __future__ import annotations

import re
import time
from dataclasses import dataclass, field, replace

import numpy as np

from fim_lsp.decoding.choices.choice import Choice, Token, Turn
from fim_lsp.decoding.choices.chooser import Chooser
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.recognizers import fits
from fim_lsp.runtimes.logits import ranked_tokens
from quotient import Recognizer

# The engine begins so many tokens earlier than it must, a quarter of all at most, so that the model has some
# choice in how to connect.
MARGIN = 8
# How many of the model's best candidates are tried; each costs a witness.
N_STEERED = 12
# Joints, which connect a line to its rest. They are tried if the shortest way out is a comment.
JOINTS = (b'"', b"'", b'"""', b"'''", b"(", b"[", b"{", b"a(", b", ", b" = ", b".", b" ", b"\n", b"\na(")
# A body that is only a placeholder.
BODY = re.compile(rb"([^\n]*(?:\n(?=[ \t])|:))[ \t]*[^\W\d]\w*")
INDENTATION = 4


@dataclass(slots=True)
class Steering:
    """The budget of one completion, and the way out."""

    options: Options
    model: Model
    deadline: float | None
    # Whether the engine follows the text, and whether it may write.
    has_engine: bool
    is_on: bool
    # The last place whose way out fits into the budget.
    _safe: Hypothesis
    _start: float = field(default_factory=time.perf_counter)
    # The way out is computed again when no more tokens than this are left. If it is not needed yet, half of
    # the slack passes before the next time, so it is computed only a few times.
    _next_check: int = 0
    is_connecting: bool = False

    @classmethod
    def of(cls, hypothesis: Hypothesis, options: Options, model: Model, deadline: float | None) -> Steering:
        has_engine = hypothesis.recognizer is not None
        is_on = has_engine and options.steer and options.constraint == "constrained"
        safe = hypothesis.fork()
        return cls(options, model, deadline, has_engine, is_on, safe, _next_check=options.max_tokens)

    @property
    def is_out_of_time(self) -> bool:
        return self.deadline is not None and time.perf_counter() >= self.deadline

    def n_left(self, hypothesis: Hypothesis) -> int:
        """The number of tokens that the limit and the clock still allow."""
        n_left = self.options.max_tokens - hypothesis.n_tokens
        if self.deadline is None or hypothesis.n_tokens < 2:
            return n_left
        now = time.perf_counter()
        per_token = (now - self._start) / hypothesis.n_tokens
        return min(n_left, int(max(0.0, self.deadline - now) / per_token))

    def look(self, hypothesis: Hypothesis) -> None:
        """Checks whether it is time to connect, unless the text has a place to end."""
        if not self.is_on or self.is_connecting or hypothesis.has_ending:
            return
        n_left = self.n_left(hypothesis)
        if n_left > self._next_check:
            return
        n_needed = self.n_needed(hypothesis)
        margin = min(MARGIN, self.options.max_tokens // 4)
        self.is_connecting = n_needed + margin >= n_left
        self._next_check = max(n_needed + margin, (n_left + n_needed) // 2)
        if n_needed <= n_left:
            self._safe = hypothesis.fork()

    def n_needed(self, hypothesis: Hypothesis) -> int:
        """The number of tokens of the way out."""
        assert hypothesis.recognizer is not None
        return len(self.model.spelling_tokens(way_out(hypothesis.recognizer)))

    def go_back(self, hypothesis: Hypothesis) -> None:
        """Follows a text that was cut back."""
        if len(self._safe.text) > len(hypothesis.text):
            self._safe = hypothesis.fork()
        self._next_check = self.options.max_tokens

    def choose(self, turn: Turn, chooser: Chooser) -> Choice | None:
        """The model's favourite among the tokens that leave room for the way out; None if there is none.

        As with `Chooser.choose`, the recognizer has read it.
        """
        hypothesis = turn.hypothesis
        if hypothesis.pending:
            return chooser.choose(replace(turn, is_member=False))
        assert hypothesis.recognizer is not None
        n_left = self.n_left(hypothesis)
        for token in ranked_tokens(turn.row, N_STEERED):
            tried = hypothesis.fork()
            text = self.model.token_bytes[token]
            if token in self.model.ends or not chooser.reads(tried, text, token):
                continue
            if self.n_needed(tried) < n_left:
                hypothesis.recognizer = tried.recognizer
                return Token(token, turn.row)
        return None

    def has_tried_enough(self, turn: Turn) -> bool:
        """Whether a row with more tokens would not help either."""
        if not self.is_connecting or turn.hypothesis.pending:
            return False
        # A partial row has one token that stands for all others and is never written.
        return int(np.isfinite(turn.row).sum()) > N_STEERED

    def connected_hypothesis(self, hypothesis: Hypothesis, has_rest: bool) -> Hypothesis:
        """The hypothesis with the way out written behind it.

        `has_rest`: the cursor's line has text right of the cursor.
        """
        if (
            hypothesis.n_tokens + self.n_needed(hypothesis) > self.options.max_tokens
            and not self.is_out_of_time
        ):
            # The way out became longer than the budget, for example by one bracket for each token.
            hypothesis = self._safe
        assert hypothesis.recognizer is not None
        connected = hypothesis.fork()
        assert connected.recognizer is not None
        # An unfinished pending text is already there, left of the cursor.
        connected.pending = b""
        rest = way_out(connected.recognizer, has_rest)
        if hypothesis.n_tokens + len(self.model.spelling_tokens(rest)) > self.options.max_tokens:
            rest = way_out(connected.recognizer)
        connected.recognizer.advance(rest)
        for token in self.model.spelling_tokens(rest):
            connected.append(self.model.token_bytes[token], None)
        # This works even if the vocabulary cannot spell the way out.
        connected.text = hypothesis.text + rest
        return connected


def way_out(recognizer: Recognizer, has_rest: bool = False) -> bytes:
    """A short text that fits.

    No programmer would write some of the shortest: `if a:\\`, which joins the next line in place of a missing
    statement, or a `#` that swallows the rest of the line. Then others are tried.
    """
    shortest = recognizer.witness_bytes()
    before = shortest[:-1]
    if shortest.endswith(b"\\"):
        is_in_line = (
            not before.endswith((b" ", b"\t", b"\n")) if before else recognizer.nesting().indentation is None
        )
        usual = [before + (b" pass" if is_in_line else b"pass")]
    elif shortest.endswith(b"#") and has_rest:
        # If names keep the shortest one from fitting, searches for the others would take just as long.
        usual = joined_ways_out(recognizer) if fits(recognizer, shortest) else []
    elif (body := BODY.fullmatch(shortest)) is not None:
        # The shortest body is a letter or, under the law of names, an existing name, indented by one column.
        indentation = b" " * (recognizer.nesting().columns[-1] + INDENTATION)
        in_next_line = body[1].rstrip(b"\n") + b"\n" + indentation + b"pass"
        usual = [in_next_line] if body[1].endswith(b"\n") else [in_next_line, body[1] + b" pass"]
    else:
        return shortest
    return next((text for text in usual if fits(recognizer, text)), shortest)


def joined_ways_out(recognizer: Recognizer) -> list[bytes]:
    """The ways out that begin with a joint and need no comment, the shortest first."""
    found: list[bytes] = []
    for joint in JOINTS:
        fork = recognizer.fork()
        if fork.advance(joint):
            found.append(joint + fork.witness_bytes())
    return sorted((text for text in found if b"#" not in text), key=len)
