"""The first part of `make demo`: the bundled model fills holes, and the grammar's effect is shown.

Each hole is completed by the same `DecodingSession` that the server uses, and a second time without the
grammar to compare: a model of this size is often right, and left alone often leaves a file that does not
parse.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fim_lsp.replay.judge import ParserJudge
from fim_lsp.terminal import Palette, duration
from quotient import Language

if TYPE_CHECKING:
    from fim_lsp.decoding.models.model import Model
    from fim_lsp.decoding.options import Options
    from fim_lsp.decoding.texts.completion import Completion, StoppedBy

CURSOR = "$0"
# The most items and characters that are shown: the beginning of longer lists and texts says enough.
N_REFUSED, N_CHARACTERS = 4, 60

REASONS: dict[StoppedBy, str] = {
    "eos": "the model ended it",
    "scope": "it ends with the bracket or block around it",
    "forced": "the engine wrote the end",
    "limit": "it ends at the token limit",
    "unlikely": "it ends where it became improbable",
    "budget": "it ends because the time was up",
    "cancelled": "it was cancelled",
}


@dataclass(frozen=True, slots=True)
class DemoPlace:
    """A hole in a file. `expected` is what the bundled model writes there; a test holds it to that."""

    title: str
    file: str
    left: str
    right: str
    is_one_line: bool
    expected: str


@dataclass(frozen=True, slots=True)
class DemoFilling:
    """A demo's completion. `refused` are texts that the model preferred somewhere and that can never fit."""

    completion: Completion
    refused: tuple[str, ...]
    seconds: float
    without_grammar: str
    does_without_parse: bool


def places(folder: Path) -> Iterator[DemoPlace]:
    for described in json.loads((folder / "completions.json").read_text(encoding="utf-8")):
        left, right = (folder / described["file"]).read_text(encoding="utf-8").split(CURSOR)
        yield DemoPlace(
            described["title"], described["file"], left, right, described["one_line"], described["expected"]
        )


def demonstration_lines(folder: Path, palette: Palette) -> Iterator[str]:
    """The lines of this part; where no model can run, one that says what is missing."""
    from fim_lsp.decoding.models.model import ModelError, load_model

    start = time.perf_counter()
    try:
        model = load_model()
    except ModelError as error:
        yield palette.dim(f"no completions by a model: {error}")
        return
    size = f"{model.n_parameters / 1e6:.1f} million parameters"
    yield palette.dim(f"the bundled model, {size}, was loaded in {duration(time.perf_counter() - start)}")
    language = Language.load("python", version="3.11")
    # The first request also loads code; no later one does.
    filling(model, language, DemoPlace("", "", "x = ", "\n", is_one_line=True, expected=""))
    for place in places(folder):
        yield ""
        yield from shown_place(place, filling(model, language, place), palette)


def filling(model: Model, language: Language, place: DemoPlace) -> DemoFilling | None:
    """The completion of a place; None if the model comes to nothing that fits."""
    from fim_lsp.decoding.options import Options
    from fim_lsp.decoding.writing.request import CompletionRequest
    from fim_lsp.decoding.writing.session import DecodingSession

    options = Options(multi_line=not place.is_one_line)
    start = time.perf_counter()
    recognizer = language.recognizer(place.left, place.right, ())
    completions, steps = DecodingSession(model).trace(
        CompletionRequest(place.left, place.right, recognizer, options)
    )
    seconds = time.perf_counter() - start
    if not completions:
        return None
    refused = dict.fromkeys(
        model.token_bytes[refusal.token].decode(errors="replace")
        for step in steps
        for refusal in step.refusals
        if refusal.why == "grammar"
    )
    alone = unconstrained_text(model, place, options)
    does_parse = ParserJudge().accepts(place.left + alone + place.right)
    return DemoFilling(completions[0], tuple(refused), seconds, alone, does_parse)


def unconstrained_text(model: Model, place: DemoPlace, options: Options) -> str:
    """The text that the model writes by itself, of as many lines as were asked for."""
    from fim_lsp.decoding.writing.request import CompletionRequest
    from fim_lsp.decoding.writing.session import DecodingSession

    found = DecodingSession(model).complete(
        CompletionRequest(place.left, place.right, None, replace(options, constraint="none"))
    )
    text = found[0].text if found else ""
    return text.split("\n", 1)[0] if place.is_one_line else text


def shown_place(place: DemoPlace, found: DemoFilling | None, palette: Palette) -> Iterator[str]:
    yield palette.heading(f"{place.file}: {place.title}")
    text = "" if found is None else found.completion.text
    for line in f"{place.left}{marked_text(text, palette)}{place.right}".rstrip("\n").split("\n"):
        yield f"  {palette.dim('|')} {line}"
    if found is None:
        yield palette.bad("  the model came to nothing that fits here")
        return
    completion = found.completion
    tokens = "1 token" if completion.n_tokens == 1 else f"{completion.n_tokens} tokens"
    yield palette.dim(f"  {tokens} in {duration(found.seconds)}; {REASONS[completion.stopped_by]}")
    yield f"  {grammar_said(found, palette)}"


def marked_text(text: str, palette: Palette) -> str:
    """The text so that it stands out, line by line: colours do not outlive a line everywhere."""
    lines = text.split("\n")
    if palette.has_colours:
        return "\n".join(palette.hole(line) if line else "" for line in lines)
    return "\n".join(f"\u00ab{line}\u00bb" if line else "" for line in lines)


def grammar_said(found: DemoFilling, palette: Palette) -> str:
    """The sentence that says what the constraint changed."""
    if found.without_grammar == found.completion.text:
        return palette.dim("the grammar had nothing to object to")
    refused = ", ".join(shortened_text(piece) for piece in found.refused[:N_REFUSED])
    verb = f"refused {refused}" if refused else "knew where to end"
    verdict = palette.good("parses") if found.does_without_parse else palette.bad("does not parse")
    return f"the grammar {verb}; without it: {shortened_text(found.without_grammar)}, which {verdict}"


def shortened_text(text: str) -> str:
    return repr(text if len(text) <= N_CHARACTERS else f"{text[:N_CHARACTERS]}...")
