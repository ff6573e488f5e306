"""A case step by step: each token, its place in the model's order, and the tokens that it preferred."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fim_lsp.replay.case import Case
from fim_lsp.replay.modes import HoleFiller, Mode, options_of
from fim_lsp.terminal import Palette

if TYPE_CHECKING:
    from fim_lsp.decoding.texts.step import DecodedToken
    from quotient import Recognizer

# The number of characters of the contexts that are shown on each side of the hole.
N_SHOWN = 300
# The most refused tokens that are named at a step.
N_REFUSALS = 5
WHY = {
    "grammar": "does not fit",
    "scope": "leaves the scope",
    "layout": "does not belong into that line",
    "taken": "another text began with it",
    "name": "a wrong name began with it",
    "end": "the file would not parse yet",
}


def case_lines(filler: HoleFiller, case: Case, mode: Mode, palette: Palette) -> Iterator[str]:
    """The case, each step of its generation, and the verdict, as lines for a terminal."""
    from fim_lsp.decoding.writing.request import CompletionRequest

    assert filler.session is not None, "only modes with a model have steps"
    outcome, _ = filler.outcome(case, mode)
    yield palette.heading(f"{case.id}, {mode}")
    yield f"{case.left[-N_SHOWN:]}{palette.hole(outcome.text)}{case.right[:N_SHOWN]}"
    yield f"{palette.heading('there was')} {case.middle!r}"
    options = options_of(mode, filler.settings)
    reader = None
    if options.constraint != "none":
        known = () if mode == "named" else None
        reader = filler.language.recognizer(case.left, case.right, known)
    recognizer = None if reader is None else reader.fork()
    contexts = filler.contexts_of(case, recognizer)
    _, steps = filler.session.trace(
        CompletionRequest(case.left, case.right, recognizer, options, contexts=contexts)
    )
    yield palette.heading(f"{'step':>4}  {'token':<22} {'rank':>5} {'p':>7}  fits")
    names = filler.session.model.token_bytes
    for number, step in enumerate(steps, 1):
        yield line(number, step, palette)
        yield from refusals(step, names, reader, palette)
        follow(reader, step)
    verdict = "parses" if outcome.parses else f"{outcome.fault}: {outcome.message}"
    ended = f"ended by {outcome.stopped_by}, {outcome.n_tokens} tokens, {outcome.n_forced} of them forced"
    good = outcome.is_success
    yield f"{palette.good(verdict) if good else palette.bad(outcome.error or verdict)}; {ended}"


def line(number: int, step: DecodedToken, palette: Palette) -> str:
    token = f"{text_of(step.text):<22}"
    rank = "engine" if step.rank is None else str(step.rank)
    p = "" if step.logprob is None else f"{math.exp(step.logprob):.4f}"
    row = f"{number:>4}  {token} {rank:>6} {p:>6}  {'yes' if step.is_member else ''}".rstrip()
    return palette.bold(row) if step.rank else row


def refusals(
    step: DecodedToken, names: list[bytes], reader: Recognizer | None, palette: Palette
) -> Iterator[str]:
    """The lines on refusals: the preferred tokens, why they were refused, and what would be accepted."""
    if not step.refusals:
        return
    for refusal in step.refusals[:N_REFUSALS]:
        name = text_of(names[refusal.token]) if names[refusal.token] else "the end"
        yield palette.bad(f"        refused {name}: {WHY.get(refusal.why, refusal.why)}")
    more = len(step.refusals) - N_REFUSALS
    if more > 0:
        yield palette.dim(f"        and {more} more")
    if reader is not None and any(refusal.why != "scope" for refusal in step.refusals):
        yield palette.dim(f"        {reader.explain()}")


def follow(reader: Recognizer | None, step: DecodedToken) -> None:
    """Advances with the text, so that each step is explained from the place where it was taken."""
    if reader is not None:
        reader.advance(step.text)


def text_of(token: bytes) -> str:
    return repr(token.decode(errors="backslashreplace"))
