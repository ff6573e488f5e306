"""Tracing of an offer: the text that the model wanted at a place, and the reasons against it, in words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.step import DecodedToken
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.server.worker.messages import Traced
from quotient import Recognizer

if TYPE_CHECKING:
    from fim_lsp.memory.recall import Recall

# The most refusals in an explanation.
MOST_REFUSALS = 8
MOST_TOKENS = 40
# The most characters in front of a refusal that are quoted.
QUOTED = 24
# The reasons in words; a law's reasons are words already.
AGAINST = {
    "grammar": "the file would not parse",
    "name": "the name that it begins is not defined",
    "scope": "it would leave the statement or block",
    "binding": "later lines need a name that must be bound here",
    "reachable": "later lines would never run",
    "member": "there is no such name after the dot, or in the module",
    "layout": "it does not belong there",
    "end": "the file would not parse if it ended there",
}
AGAIN = ""


def trace_writing(
    session: DecodingSession,
    left: str,
    right: str,
    recognizer: Recognizer,
    options: Options,
    cancelled: Callable[[], bool] = lambda: False,
    remembers: Callable[[int], Recall] | None = None,
) -> Traced | None:
    """The texts that the model writes with the engine and without; None if the request was cancelled."""
    bounded = replace(options, max_tokens=min(options.max_tokens, MOST_TOKENS), n=1, strategy="greedy")
    found, steps = session.trace(
        CompletionRequest(
            left, right, recognizer.fork(), bounded, is_cancelled=cancelled, remembers=remembers
        )
    )
    free = session.complete(
        CompletionRequest(left, right, None, replace(bounded, constraint="none"), is_cancelled=cancelled)
    )
    if cancelled():
        return None
    wanted = free[0].text if free else ""
    texts = session.model.token_bytes
    lines = list(sentences(steps, [text.decode(errors="replace") for text in texts]))
    # Refusals in an abandoned text do not explain the final one.
    refused = tuple(lines[len(lines) - lines[::-1].index(AGAIN) :] if AGAIN in lines else lines)
    return Traced(found[0].text if found else "", wanted, refused[:MOST_REFUSALS])


def sentences(steps: Iterable[DecodedToken], texts: list[str]) -> Iterator[str]:
    """A sentence for each token that was not the model's favourite: the favourite, and the reason against
    it."""
    written = b""
    for step in steps:
        favourite = next(iter(step.refusals), None)
        if favourite is not None and favourite.why == "taken":
            # This beginning was abandoned, and another text was written.
            written, favourite = b"", None
            yield AGAIN
        before = written.decode(errors="replace")[-QUOTED:]
        written += step.text
        if favourite is None and step.overruled is None:
            continue
        place = f"after {quoted_text(before)}" if before else "first"
        got = quoted_text(step.text.decode(errors="replace"))
        wish = texts[favourite.token if favourite is not None else step.overruled or 0]
        wished = quoted_text(wish) if wish else "to end"
        if favourite is None:
            yield f"{place}, it wanted {wished}: {got} came instead, as it did before in this project"
            continue
        against = AGAINST.get(favourite.why, favourite.why)
        yield f"{place}, it wanted {wished}: refused, {against}; {got} came instead"


def quoted_text(text: str) -> str:
    """A text in quotes, as a Python literal if its white space matters."""
    return f"`{text}`" if text.strip() == text and text.isprintable() else f"`{text!r}`"
