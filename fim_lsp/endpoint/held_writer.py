"""A writer with our own model, constrained by the engine while it writes.

A model has one prompt at a time, so requests wait for each other. A slow network reads ahead while no request
waits, as in the language server's worker (`decoding/prompts/readings.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fim_lsp.bundled_models import language_of_model, model_knows
from fim_lsp.context.snippet import Context, Snippet
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.several_files import (
    NOTHING_TOLD,
    CrossFileTokens,
    budget,
    context_tokens,
    is_told,
)
from fim_lsp.decoding.texts.completion import Completion, completions_without_overlap
from fim_lsp.decoding.writing.effective import effective_completions
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.endpoint.about import ollama_model
from fim_lsp.endpoint.dialects import AnswerText, EndpointRequest
from fim_lsp.endpoint.hole import AskedHole
from fim_lsp.endpoint.part import FillablePart, part_of
from fim_lsp.endpoint.turns import Turns
from fim_lsp.endpoint.writers import FoundPart, WritingFailed, text_made_to_fit
from fim_lsp.known_languages import GO, PYTHON, KnownLanguage
from fim_lsp.positions import with_line_ends_of
from fim_lsp.presentable import is_blank_filling, swallows_rest
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.runtime import Unavailable

# Seconds for one request, all of its texts together, unless the client sets fewer.
SECONDS = 10.0
# Where a text ends because it may not be longer.
LIMITS = ("limit", "budget", "forced")

# The holes that warm the bundled models up, one for each of the two.
FIRST_HOLES = ((PYTHON, "x = f(", ")\n"), (GO, "package p\n\nvar x = f(", ")\n"))


class GrammarHeldWriter:
    """A writer whose model can write only what fits."""

    def __init__(self, model: Model, name: str | None) -> None:
        self._writers: dict[KnownLanguage, LanguageWriter] = {PYTHON: LanguageWriter(model)}
        self._asked_for = name
        self._turns = Turns()
        self.name = model.name

    def texts(
        self,
        path: str,  # noqa: ARG002
        asked: EndpointRequest,
        part: FoundPart,
        is_wanted: Callable[[], bool],
    ) -> list[AnswerText]:
        found = part()
        if found is None or not model_knows(self._asked_for, found.known_language):
            return []
        return self._texts_in(found, asked, is_wanted)

    def _texts_in(
        self, part: FillablePart, asked: EndpointRequest, is_wanted: Callable[[], bool]
    ) -> list[AnswerText]:
        # A session has one prompt at a time; a client may hang up while it waits for its turn.
        with self._turns.request():
            if not is_wanted():
                return []
            writer = self._writer(part.known_language)
            self._turns.read_later(writer.read_ahead)
            if not asked.is_wanted:
                writer.rest_at(asked.hole, part)
                return []
            try:
                found = writer.completions(asked, part, is_wanted)
            except Unavailable as error:
                raise WritingFailed(str(error)) from error
        kept = (
            one
            for one in completions_without_overlap(part.recognizer(), found, part.right)
            if not swallows_rest(one.text, part.right, part.known_language) and not is_blank_filling(one.text)
        )
        file = asked.hole.left + asked.hole.right
        ended = (replace(one, text=with_line_ends_of(file, one.text)) for one in kept)
        return [answer_text(completion, asked, part) for completion in ended]

    def about_model(self, path: str, body: Mapping[str, Any]) -> object:  # noqa: ARG002
        return ollama_model()

    def prepare(self, is_wanted: Callable[[], bool]) -> None:
        """Loads the models that run in this process, and lets each write one token."""
        for known_language, left, right in FIRST_HOLES:
            if not is_wanted():
                return
            part = part_of(left, right, known_language)
            hole = AskedHole(left, right)
            with self._turns.request():
                writer = self._writer(known_language)
                if part is not None and writer.is_in_this_process:
                    writer.completions(EndpointRequest(hole, {}, max_tokens=1), part, is_wanted)

    def prepare_next(self) -> None:
        """Does nothing: reading ahead has begun already."""

    def close(self) -> None:
        """Ends reading ahead."""
        self._turns.end()

    def _writer(self, known_language: KnownLanguage) -> LanguageWriter:
        """The writer of a language: the model's name may stand for another model in each language."""
        language = language_of_model(self._asked_for, known_language)
        if language not in self._writers:
            self._writers[language] = LanguageWriter(load_model(known_language=language))
        return self._writers[language]


class LanguageWriter:
    """A model with its session, and the context tokens of other files."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._session = DecodingSession(model)
        self._budget: int | None = None
        self._told: tuple[Context, int, CrossFileTokens] | None = None

    @property
    def is_in_this_process(self) -> bool:
        return not (self._model.is_elsewhere or self._model.has_remote_tokens)

    def completions(
        self, asked: EndpointRequest, part: FillablePart, is_wanted: Callable[[], bool]
    ) -> list[Completion]:
        is_drawn = bool(asked.temperature) and asked.n > 1
        options = Options(
            max_tokens=asked.max_tokens,
            budget_s=SECONDS if asked.seconds is None else asked.seconds,
            n=asked.n,
            strategy="sample" if is_drawn else "greedy",
            temperature=asked.temperature if is_drawn and asked.temperature else 0.8,
            seed=asked.seed,
        )
        request = CompletionRequest(
            asked.hole.left,
            asked.hole.right,
            part.recognizer(),
            options,
            is_cancelled=lambda: not is_wanted(),
            told=self._context_tokens(asked.hole, part.known_language),
            contexts=HoleContexts(part.left, part.right, part.language.name, part.language.version),
        )
        return effective_completions(self._session, request)

    def rest_at(self, hole: AskedHole, part: FillablePart) -> None:
        """Notes a place around which the client will ask soon."""
        told = self._context_tokens(hole, part.known_language)
        self._session.rests_at(hole.left, hole.right, told)

    def read_ahead(self, is_given_up: Callable[[], bool]) -> bool:
        """Reads a piece around the likely next place; says whether there is more to read."""
        return self._session.read_ahead(is_given_up)

    def _context_tokens(self, hole: AskedHole, known_language: KnownLanguage) -> CrossFileTokens:
        """The context tokens of the files that were sent along; the last files come first if not all fit."""
        if not hole.others or not is_told(self._model, "auto"):
            return NOTHING_TOLD
        snippets = tuple(
            Snippet(other.name, other.text, "recent", "sent along", float(-age))
            for age, other in enumerate(reversed(hole.others))
        )
        context = Context("", hole.file, snippets, known_language.line_comment)
        self._budget = budget(self._model, self._session.reader.tokens_per_second, self._budget)
        if self._told is None or self._told[:2] != (context, self._budget):
            self._told = context, self._budget, context_tokens(self._model, context, self._budget)
        return self._told[2]


def answer_text(completion: Completion, asked: EndpointRequest, part: FillablePart) -> AnswerText:
    """The text of the answer: a completion that is cut where the client wants it to stop, and made to fit
    again."""
    written = AnswerText(
        completion.text, completion.n_tokens, ending="limit" if completion.stopped_by in LIMITS else "eos"
    )
    told = text_made_to_fit(written, asked, part.recognizer(), part.place)
    text = told.text
    is_known = text == completion.text and all(mark.logprob is not None for mark in completion.marks)
    content, start, pieces = text.encode("utf-8", "surrogateescape"), 0, []
    is_whole = not completion.marks or completion.marks[-1].n_bytes <= len(content)
    if not asked.wants_logprobs or not is_known or not is_whole:
        return told
    for mark in completion.marks:
        piece = content[start : mark.n_bytes].decode("utf-8", "replace")
        # A token that only repeats what stands left of the cursor adds no text.
        if piece:
            pieces.append((piece, mark.logprob or 0.0))
        start = mark.n_bytes
    return replace(told, logprobs=pieces)
