"""The decoding loop: read, choose, advance, stop.

It is the paper's loop (section VII B of Melcer et al., *Constrained Decoding for Fill-in-the-Middle Code
Language Models*): the most probable of 50 candidates that the engine accepts, an end only where the file
parses, and at the limit the best place to end before it. It differs where the paper's fails: where none of
the 50 fits, all others are asked, an end is never forced where it does not fit, and a text that finds no end
is connected by the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import torch

from fim_lsp.decoding.choice import Chooser, Refusal
from fim_lsp.decoding.completion import Completion, StoppedBy
from fim_lsp.decoding.edges import RightEdge
from fim_lsp.decoding.hypothesis import Ending, Hypothesis
from fim_lsp.decoding.lookahead import Lookahead
from fim_lsp.decoding.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.steering import Steering


@dataclass(frozen=True, slots=True)
class Step:
    """One token of a completion, for people who want to know why."""

    token: int
    text: bytes
    # Its place in the model's order, from 0; None where the model was not asked.
    rank: int | None
    logprob: float | None
    # Whom the model would have preferred, and who was against it.
    refusals: tuple[Refusal, ...]
    # Whether the text fits with it.
    is_member: bool


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked, for all completions of one answer."""

    model: Model
    options: Options
    right: str
    # On the clock of `time.perf_counter`.
    deadline: float | None
    is_cancelled: Callable[[], bool]
    on_partial: Callable[[str], None] | None = None
    on_step: Callable[[Step], None] | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What was written, where it ends, and why there."""

    hypothesis: Hypothesis
    ending: Ending
    stopped_by: StoppedBy

    def completion(self, seconds: float) -> Completion:
        ending = self.ending
        n_chosen = ending.n_tokens - ending.n_forced
        return Completion(
            # Where the engine is asked no text ends inside a character; else half of one is dropped.
            text=self.hypothesis.text[: ending.n_bytes].decode(errors="ignore"),
            stopped_by=self.stopped_by,
            n_tokens=ending.n_tokens,
            n_forced=ending.n_forced,
            mean_logprob=ending.logprob / n_chosen if n_chosen else 0.0,
            seconds=seconds,
        )


def write(request: Request, hypothesis: Hypothesis, lookahead: Lookahead, chooser: Chooser) -> Written | None:
    """Writes one completion; None if it comes to nothing that fits."""
    model, options = request.model, request.options
    edge = RightEdge.of(request.right)
    steering = Steering.of(hypothesis, options, model, request.deadline)
    while True:
        if request.is_cancelled():
            return cut_short(hypothesis, "cancelled")
        if steering.is_out_of_time:
            return finished(hypothesis, steering, "budget")
        if hypothesis.n_tokens >= options.max_tokens:
            return finished(hypothesis, steering, "limit")
        steering.look(hypothesis)

        # On a GPU the network computes while the engine works out what may come.
        lookahead.read()
        is_member = hypothesis.is_member
        chooser.prepare(hypothesis)
        row = lookahead.row()  # (vocabulary,)
        if is_member:
            hypothesis.endings.append(hypothesis.ending(end_probability(model, row)))
            edge.may_end(hypothesis.endings[-1])
            if steering.is_connecting and hypothesis.text:
                return Written(hypothesis, hypothesis.trimmed(hypothesis.ending()), "forced")
            if not options.is_plain and edge.is_closed_by(model.token_bytes[int(row.argmax())]):
                return Written(hypothesis, hypothesis.ending(), "eos")

        if steering.is_connecting:
            token = steering.choose(hypothesis, row, chooser)
        else:
            token = chooser.choose(hypothesis, row, is_member)
        if chooser.is_leaving:
            return Written(hypothesis, hypothesis.trimmed(hypothesis.ending()), "scope")
        if token is None:
            return finished(hypothesis, steering, "limit")
        if token in model.ends:
            repeated = None if options.is_plain else edge.repetition(hypothesis, is_end=True)
            return (
                Written(hypothesis, repeated, "eos") if repeated else ended(hypothesis, steering, is_member)
            )

        logprob = float(row[token] - row.logsumexp(0))
        advance(hypothesis, token, logprob, request)
        lookahead.write(token)
        if request.on_step is not None:
            request.on_step(step(hypothesis, chooser, row, token, logprob))
        if not options.is_plain and (repeated := edge.repetition(hypothesis)) is not None:
            return Written(hypothesis, repeated, "eos")
        write_forced(request, hypothesis, lookahead)


def advance(hypothesis: Hypothesis, token: int, logprob: float | None, request: Request) -> None:
    """Takes up a token."""
    text = request.model.token_bytes[token]
    added = text[len(hypothesis.pending) :]
    hypothesis.append(text, logprob)
    recognizer = hypothesis.recognizer if request.options.constraint == "checked" else None
    if recognizer is not None and not recognizer.advance(added):
        # It was not asked before, and what it refuses now will never fit again.
        hypothesis.recognizer = None
    if request.on_partial is not None and added:
        request.on_partial(hypothesis.text.decode(errors="ignore"))


def write_forced(request: Request, hypothesis: Hypothesis, lookahead: Lookahead) -> None:
    """Writes what can only come now, without asking the network: it reads it together with what comes
    behind."""
    if request.options.constraint != "constrained" or hypothesis.pending or hypothesis.recognizer is None:
        return
    forced = hypothesis.recognizer.forced(request.model.vocabulary).encode(errors="surrogateescape")
    for token in request.model.spelled(forced) if forced else ():
        hypothesis.recognizer.advance(request.model.token_bytes[token])
        advance(hypothesis, token, None, request)
        lookahead.write(token)
        if request.on_step is not None:
            request.on_step(
                Step(token, request.model.token_bytes[token], None, None, (), hypothesis.is_member)
            )


def ended(hypothesis: Hypothesis, steering: Steering, is_member: bool) -> Written | None:
    """The model has ended the text."""
    if is_member or steering.options.constraint == "none" or not steering.has_engine:
        return Written(hypothesis, hypothesis.ending(), "eos")
    return finished(hypothesis, steering, "eos")


def finished(hypothesis: Hypothesis, steering: Steering, stopped_by: StoppedBy) -> Written | None:
    """The text where it has to end although the model has not ended it."""
    if not steering.has_engine or steering.options.constraint == "none":
        return Written(hypothesis, hypothesis.ending(), stopped_by)
    if hypothesis.is_member:
        hypothesis.endings.append(hypothesis.ending())
    if steering.is_on and not hypothesis.has_ending:
        connected = steering.connected(hypothesis)
        return Written(connected, connected.ending(), "forced")
    return cut_short(hypothesis, stopped_by)


def cut_short(hypothesis: Hypothesis, stopped_by: StoppedBy) -> Written | None:
    """The text up to the best place to end; None if there is none."""
    best = hypothesis.best_ending()
    return None if best is None else Written(hypothesis, hypothesis.trimmed(best), stopped_by)


def end_probability(model: Model, row: torch.Tensor) -> float:
    """How probable the model finds it that the text ends; `row` has the logits of shape (vocabulary,)."""
    return float((row[list(model.ends)].logsumexp(0) - row.logsumexp(0)).exp())


def step(hypothesis: Hypothesis, chooser: Chooser, row: torch.Tensor, token: int, logprob: float) -> Step:
    rank = int((row > row[token]).sum())
    refusals = tuple(chooser.refusals or ())
    text = chooser.model.token_bytes[token]
    return Step(token, text, rank, logprob, refusals, hypothesis.is_member)
