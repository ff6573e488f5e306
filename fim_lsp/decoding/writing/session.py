"""The decoding session of one document: its state between requests, and the steps of a request."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

from fim_lsp.decoding.choices.lessons import Lessons
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.prompts.drafts import LONGEST, MOST_EXPECTED
from fim_lsp.decoding.prompts.prompt import N_PENDING, Prompt, Window
from fim_lsp.decoding.prompts.reader import Cancelled, PromptReader
from fim_lsp.decoding.prompts.readings import Readings
from fim_lsp.decoding.prompts.several_files import NOTHING_TOLD, CrossFileTokens
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.step import DecodedToken
from fim_lsp.decoding.writing.attempts import Attempts, Beginning
from fim_lsp.decoding.writing.generation import Generation
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.unfinished import Unfinished
from fim_lsp.positions import with_line_feeds
from fim_lsp.runtimes.runtime import GivenUp, KeptCache, PromptHole

N_LINES_ABOVE = 8


class DecodingSession:
    """Completes one document and keeps the network's reading of it. Not thread-safe."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.reader = PromptReader(model.runtime)
        self.window = Window(model)
        self.readings = readings_of(model, self.reader)
        self._unfinished = Unfinished()
        # The last prompt, and its tokens of other files.
        self.sent: list[int] = []
        self.told: CrossFileTokens = NOTHING_TOLD
        # The names that were refused in the last request, in words.
        self.refused: list[str] = []

    def complete(self, request: CompletionRequest) -> list[Completion]:
        """Different completions of a hole, at most `options.n`, best first."""
        return list(self.completions(request))

    def trace(self, request: CompletionRequest) -> tuple[list[Completion], list[DecodedToken]]:
        """The completions with their tokens, the tokens that the model preferred, and the refusing
        constraints."""
        steps: list[DecodedToken] = []
        return list(self.completions(replace(request, on_step=steps.append))), steps

    def completions(self, request: CompletionRequest) -> Iterator[Completion]:
        """The completions one by one, as they are written."""
        start = time.perf_counter()
        if request.says_nothing:
            return
        request = self._unfinished.followed_request(request)
        request = replace(request, left=with_line_feeds(request.left), right=with_line_feeds(request.right))
        # 1. The prompt.
        generation = generation_of(self.model, request, start)
        self.reader.attend(lambda: request.is_cancelled() or generation.is_out_of_time)
        try:
            prompt = self._prompt(generation)
        except GivenUp:
            return
        self.sent, self.told = [*prompt.tokens, *prompt.pending], request.told
        pending = b"".join(self.model.token_bytes[token] for token in prompt.pending)
        if request.remembers is not None:
            generation = replace(generation, recall=request.remembers(len(pending)))
        expected = expected_tokens(generation, pending)
        generation = replace(generation, expected=expected)
        # 2. The network reads the prompt and a draft.
        draft = self._read_before(prompt, pending)
        if draft is None:
            draft = draft_of(generation, prompt.pending)
        try:
            rows = self.reader.prompt([*prompt.tokens, *draft], len(draft) + 1, request.is_cancelled)
        except (Cancelled, GivenUp):
            return
        # 3. The loop writes.
        lessons = Lessons()
        self.refused = lessons.words
        try:
            if self.reader.is_remote:
                self.reader.fill(hole_of(generation, prompt, pending))
            beginning = Beginning(prompt, pending, draft, rows)
            attempts = Attempts.of(generation, self.reader, beginning, lessons)
            for written in attempts.texts():
                yield written.completion(time.perf_counter() - start)
        finally:
            self.reader.rest()

    def _prompt(self, generation: Generation) -> Prompt:
        request, options = generation.request, generation.options
        most = self.model.n_positions - options.max_tokens - LONGEST
        n_tokens = min(options.context_tokens + request.told.n_tokens, most) - N_PENDING
        left, right = whole_characters(request.left), whole_characters(request.right)
        if self.readings is not None:
            return self.readings.prompt(left, right, n_tokens, request.told, options.budget_s)
        return self.window.prompt(left, right, n_tokens, request.told)

    def _read_before(self, prompt: Prompt, pending: bytes) -> list[int] | None:
        """The draft that the network has read behind this prompt for an earlier request, so that it need not
        read; None if there is none, or one that does not begin with the pending text."""
        found = self.reader.ahead(prompt.tokens)
        if found is None or not pending:
            return found
        text = b"".join(self.model.token_bytes[token] for token in found[: len(pending)])
        return found if text.startswith(pending) else None

    def is_writing(self, left: str, right: str) -> bool:
        """Whether the text in progress, or the last one, agrees with what the user has typed at a place."""
        return self._unfinished.agrees(left, right)

    def rests_at(self, left: str, right: str, told: CrossFileTokens | None = None) -> None:
        """Notes the user's place, around which the network reads ahead; `told` are the tokens of other
        files, if known."""
        if self.readings is not None:
            left, right = with_line_feeds(left), with_line_feeds(right)
            self.readings.rests_at(whole_characters(left), whole_characters(right), told)

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:
        """Reads a piece around the user's place, or only at it, while no request waits; says whether there is
        more."""
        if self.readings is None:
            return False
        self.reader.attend(is_given_up)
        try:
            return self.readings.read_ahead(is_place_alone)
        except GivenUp:
            return True


def readings_of(model: Model, reader: PromptReader) -> Readings | None:
    """Readings, for a network that reads slowly and takes the prefix first; None for others."""
    cache = model.runtime.cache()
    if not isinstance(cache, KeptCache) or model.fim_format.order != "prefix-suffix-middle":
        return None
    return Readings(model, reader, cache.speed)


def generation_of(model: Model, request: CompletionRequest, start: float) -> Generation:
    """The generation of a request that was begun at `start`."""
    options = request.options
    return Generation(
        request,
        model,
        # Half of the model's window, however small, is for the prompt.
        replace(options, max_tokens=min(options.max_tokens, model.n_positions // 2)),
        last_lines(request.left),
        request.right.encode(errors="surrogateescape"),
        None if options.budget_s is None else start + options.budget_s,
    )


def draft_of(generation: Generation, pending: list[int]) -> list[int]:
    """The tokens that are read together with the prompt: the pending ones, and memory's guess behind them.
    Memory may spell the pending text with other tokens."""
    recall, token_bytes = generation.recall, generation.model.token_bytes
    if recall is None or not generation.has_drafts:
        return list(generation.expected[:MOST_EXPECTED]) or pending
    wanted = b"".join(token_bytes[token] for token in pending)
    for begun in (pending, []):
        found = [*begun, *recall.draft(begun, LONGEST)]
        text = b"".join(token_bytes[token] for token in found)
        if len(text) > len(wanted) and text.startswith(wanted):
            return found
    return pending


def expected_tokens(generation: Generation, pending: bytes) -> tuple[int, ...]:
    """The pending and the expected text in the model's tokens."""
    request = generation.request
    if not request.expected or generation.recall is not None or not generation.has_drafts:
        return ()
    if not pending:
        return tuple(generation.model.encode_here(request.expected))
    text = pending + request.expected.encode(errors="replace")
    return tuple(generation.model.encode_here(text.decode(errors="replace")))


def hole_of(generation: Generation, prompt: Prompt, pending: bytes) -> PromptHole:
    """The hole for a remote runtime, which may respect it when it writes ahead."""
    request = generation.request
    contexts = request.contexts
    is_held = request.recognizer is not None and generation.options.constraint == "constrained"
    if contexts is None or not is_held or not contexts.ends_with(pending):
        contexts = None
    return PromptHole(len(prompt.tokens), pending, contexts, generation.frontier.wanted_tokens)


def last_lines(text: str) -> bytes:
    """The last lines in front of the cursor, which may be repeated behind it."""
    start = len(text)
    for _ in range(N_LINES_ABOVE):
        start = text.rfind("\n", 0, max(start, 0))
        if start < 0:
            break
    return text[max(start, 0) :].encode(errors="surrogatepass")


def whole_characters(text: str) -> str:
    """A text of the same length without halves of UTF-16 pairs, which no token spells."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
