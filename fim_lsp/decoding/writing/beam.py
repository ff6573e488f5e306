"""Beam search: the best few texts side by side, each one token longer at each step.

Each beam is a hypothesis with its own recognizer. The network reads all of them at once, as rows of one
batch, and the cache's beams learn which row continues which. A finished beam is rated by its mean
log-probability, since a sum would favour short texts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from fim_lsp.decoding.choices.choice import End, Leaving, Token, Turn, WrongName
from fim_lsp.decoding.choices.chooser import Chooser
from fim_lsp.decoding.endings.connecting import connected_text
from fim_lsp.decoding.endings.ends import Ends
from fim_lsp.decoding.endings.steering import Steering
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.decoding.texts.completion import StoppedBy
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.written import Written
from fim_lsp.decoding.writing.generation import Generation
from fim_lsp.decoding.writing.loop import advance
from fim_lsp.runtimes.logits import logsumexp
from fim_lsp.runtimes.runtime import Row, Rows

# The number of texts that every runtime can hold at once.
MOST_BEAMS = 20


@dataclass(slots=True)
class Beam:
    """A text of the beam, with the number of the beam that it continues and the token."""

    hypothesis: Hypothesis
    parent: int
    token: int
    logprob: float
    steering: Steering


def beams(
    generation: Generation, reader: PromptReader, hypothesis: Hypothesis, chooser: Chooser, row: Row
) -> list[Written]:
    """Up to `n` finished texts, best first. `row` (vocabulary,) is the row behind the prompt."""
    options = generation.options
    width = min(max(options.n_beams, options.n), MOST_BEAMS)
    found: list[Written] = []
    ends = Ends.of(generation.context(hypothesis, chooser.fence))
    steering = Steering.of(hypothesis, options, generation.model, generation.deadline)
    current = [Beam(hypothesis, 0, -1, 0.0, steering)]
    rows: Rows = [row]  # one for each beam
    side_by_side = reader.beams()
    for _ in range(options.max_tokens + len(hypothesis.pending)):
        if generation.request.is_cancelled() or steering.is_out_of_time:
            break
        following: list[Beam] = []
        for index, beam in enumerate(current):
            for step in continuations(generation, ends, chooser, beam, index, rows[index], width):
                if isinstance(step, Beam):
                    following.append(step)
                else:
                    found.append(step)
        following.sort(key=lambda beam: beam.logprob, reverse=True)
        current = following[:width]
        if not current or len(texts(found)) >= width:
            break
        rows = side_by_side.read([beam.parent for beam in current], [beam.token for beam in current])
    is_cancelled = generation.request.is_cancelled()
    for beam in current:
        if is_cancelled:
            written = ends.cut_short(beam.hypothesis, "cancelled")
        else:
            stopped_by: StoppedBy = "budget" if steering.is_out_of_time else "limit"
            written = ends.finishing_end(beam.hypothesis, beam.steering, stopped_by)
        if written is not None:
            found.append(written)
    return best(found, options.n)


def continuations(
    generation: Generation,
    ends: Ends,
    chooser: Chooser,
    beam: Beam,
    index: int,
    row: Row,
    width: int,
) -> Iterator[Beam | Written]:
    """The best continuations of one beam, and its end if the model would end it."""
    hypothesis, steering = beam.hypothesis, beam.steering
    steering.look(hypothesis)
    if steering.is_connecting:
        # There is no room left for choices.
        if (connected := connected_text(ends.context, hypothesis, steering)) is not None:
            yield connected
        return
    is_member = ends.context.may_end(hypothesis)
    if is_member:
        ends.note(hypothesis, row)
    if (reached := ends.reached_end(hypothesis.fork(), row, chooser)) is not None:
        yield reached
        return
    sum_of_all = logsumexp(row)
    remaining = row.copy()
    for _ in range(width):
        fork = hypothesis.fork()
        match chooser.choose(Turn(fork, remaining, is_member, may_split=not ends.context.takes_lines)):
            case Leaving() as leaving:
                yield ends.leaving_end(hypothesis, steering, leaving)
                return
            case Token(token):
                remaining[token] = -np.inf
                logprob = float(row[token]) - sum_of_all
                ends.note_line(fork, token, row)
                advance(fork, token, logprob, generation)
                if (repeated := ends.end_before_repetition(fork, steering)) is not None:
                    yield repeated
                else:
                    yield Beam(fork, index, token, beam.logprob + logprob, replace(steering))
            case End(token):
                remaining[token] = -np.inf
                if (written := ends.model_end(hypothesis, steering, is_member)) is not None:
                    yield written
            case WrongName() | None:
                return


def best(found: list[Written], n: int) -> list[Written]:
    """The texts with the highest mean log-probability, each once."""

    def score(written: Written) -> float:
        n_chosen = written.ending.n_tokens - written.ending.n_forced
        return written.ending.logprob / n_chosen if n_chosen else -np.inf

    ordered = sorted(found, key=score, reverse=True)
    first: dict[bytes, Written] = {}
    for written in ordered:
        first.setdefault(written.text, written)
    return list(first.values())[:n]


def texts(found: list[Written]) -> set[bytes]:
    return {written.text for written in found}
