"""The completions of one document: what stays from one request to the next, and what a request is made of."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fim_lsp.decoding.advised import Members, write_advised
from fim_lsp.decoding.beam import beams
from fim_lsp.decoding.binding import NOTHING, binds_any, wanted, write_binding
from fim_lsp.decoding.choice import Chooser
from fim_lsp.decoding.completion import Completion
from fim_lsp.decoding.drafts import LONGEST, Drafts, Guesses, Recalling
from fim_lsp.decoding.ends import Written
from fim_lsp.decoding.exports import Exports
from fim_lsp.decoding.fence import Fence
from fim_lsp.decoding.generation import Generation
from fim_lsp.decoding.hypothesis import Hypothesis
from fim_lsp.decoding.layout import Layout
from fim_lsp.decoding.lookahead import Lookahead
from fim_lsp.decoding.loop import write
from fim_lsp.decoding.model import Model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompt import N_PENDING, Prompt, Window
from fim_lsp.decoding.reader import Cancelled, Reader
from fim_lsp.decoding.request import CompletionRequest
from fim_lsp.decoding.several_files import NOTHING_TOLD, Told
from fim_lsp.decoding.step import Refusal, Step
from fim_lsp.runtimes.runtime import Hole, Rows

# So often a text that came to nothing is begun anew, with another token.
MOST_POOR = 2
N_LINES_ABOVE = 8
# A greedy choice that was taken already is not taken again; a sample may come out the same, and is drawn
# anew.
MOST_TRIES = 3


@dataclass(frozen=True, slots=True)
class Beginning:
    """What is read behind a prompt before anything is written, and what the network expects in front of it
    and behind each of its tokens.
    """

    draft: list[int]
    rows: Rows


class Session:
    """Completes one document. Keeps what the network has read of it; not for several threads at once."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.reader = Reader(model.runtime)
        self.window = Window(model)
        # The last prompt, as it was sent, and what it had of other files.
        self.sent: list[int] = []
        self.told: Told = NOTHING_TOLD
        # What names were against in the last request, in words.
        self.refused: list[str] = []

    def complete(self, request: CompletionRequest) -> list[Completion]:
        """Up to `options.n` different completions of a hole, best first."""
        return list(self.completions(request))

    def trace(self, request: CompletionRequest) -> tuple[list[Completion], list[Step]]:
        """The completions, and each token of them: what the model preferred, and who was against it."""
        steps: list[Step] = []
        return list(self.completions(replace(request, on_step=steps.append))), steps

    def completions(self, request: CompletionRequest) -> Iterator[Completion]:
        start = time.perf_counter()
        # However small the model: half of what it can read is for the prompt.
        most_tokens = min(request.options.max_tokens, self.model.n_positions // 2)
        options = replace(request.options, max_tokens=most_tokens)
        left, told, cancelled = request.left, request.told, request.is_cancelled
        deadline = None if options.budget_s is None else start + options.budget_s
        generation = Generation(
            request,
            self.model,
            options,
            last_lines(left),
            request.right.encode(errors="surrogateescape"),
            deadline,
        )
        n_prompt = (
            min(
                options.context_tokens + told.n_tokens,
                self.model.n_positions - options.max_tokens - LONGEST,
            )
            - N_PENDING
        )
        self.reader.attend(lambda: cancelled() or (deadline is not None and time.perf_counter() >= deadline))
        prompt = self.window.prompt(whole_characters(left), whole_characters(request.right), n_prompt, told)
        self.sent, self.told = [*prompt.tokens, *prompt.pending], told
        pending = b"".join(self.model.token_bytes[token] for token in prompt.pending)
        if request.remembers is not None:
            generation = replace(generation, recall=request.remembers(len(pending)))
        draft = self._draft(generation, prompt.pending)
        try:
            rows = self.reader.prompt([*prompt.tokens, *draft], len(draft) + 1, cancelled)
        except Cancelled:
            return
        try:
            beginning = Beginning(draft, rows)
            for written in self._written(generation, prompt, beginning):
                yield written.completion(time.perf_counter() - start)
        finally:
            self.reader.rest()

    def _draft(self, generation: Generation, pending: list[int]) -> list[int]:
        """What is read together with the prompt: what is to be written again, and where it is remembered what
        comes behind, that, too. Memory may spell what is pending with other tokens.
        """
        recall, token_bytes = generation.recall, self.model.token_bytes
        if recall is None or not self._has_drafts(generation):
            return pending
        wanted = b"".join(token_bytes[token] for token in pending)
        for begun in (pending, []):
            found = [*begun, *recall.draft(begun, LONGEST)]
            text = b"".join(token_bytes[token] for token in found)
            if len(text) > len(wanted) and text.startswith(wanted):
                return found
        return pending

    def _guesses(self, generation: Generation, prompt: Prompt) -> Guesses:
        if generation.recall is not None:
            return Recalling(generation.recall)
        drafts = Drafts()
        drafts.extend([*prompt.tokens, *prompt.pending])
        return drafts

    def _has_drafts(self, generation: Generation) -> bool:
        return generation.options.drafts and self.model.runtime.has_drafts

    def _is_advised(self, options: Options) -> bool:
        return options.strategy == "greedy" and not options.is_plain

    def _written(
        self,
        generation: Generation,
        prompt: Prompt,
        beginning: Beginning,
    ) -> Iterator[Written]:
        """Different texts, one after the other."""
        request, options, model = generation.request, generation.options, self.model
        left, recognizer = request.left, request.recognizer
        adviser, contexts = request.adviser, request.contexts
        fence, layout = None, None
        if recognizer is not None and options.constraint == "constrained":
            fence = Fence.around(recognizer, options.scope, options.multi_line)
            if not options.is_plain:
                layout = Layout.around(recognizer, left, generation.right, options.multi_line)
        generator = np.random.default_rng(options.seed)
        refusals: list[Refusal] | None = None if request.on_step is None else []
        chooser = Chooser(model, options, fence, generator, layout, refusals=refusals)
        self.refused = chooser.against
        pending = b"".join(model.token_bytes[token] for token in prompt.pending)

        def hypothesis() -> Hypothesis:
            is_asked = recognizer is not None and options.constraint != "none"
            return Hypothesis(recognizer.fork() if recognizer is not None and is_asked else None, pending)

        # Whoever writes ahead elsewhere may keep to what fits.
        is_held = recognizer is not None and options.constraint == "constrained"
        is_held = is_held and contexts is not None and contexts.ends_with(pending)
        hole = Hole(
            len(prompt.tokens),
            pending,
            contexts if is_held else None,
            chooser.wanted,
        )
        self.reader.fill(hole)
        if options.strategy == "beam":
            self.reader.crop(len(prompt.tokens))
            yield from beams(generation, self.reader, hypothesis(), chooser, beginning.rows[0])
            return
        if recognizer is not None and recognizer.has_names and options.exports:
            chooser.members = [Exports.around(left, generation.right, options.modules)]
        if fence is None or not self._is_advised(options):
            adviser = None
        if adviser is not None and (at_cursor := adviser.members_at_cursor()) is not None:
            rule = Members.of("", *at_cursor)
            chooser.members += [] if rule is None else [rule]
        unbound = NOTHING
        if recognizer is not None and fence is not None and options.binds and self._is_advised(options):
            unbound = wanted(recognizer, left, generation.right, request.imports)

        def once() -> Written | None:
            guesses = self._guesses(generation, prompt) if self._has_drafts(generation) else None
            sure = None if generation.recall is None else generation.recall.sure
            lookahead = Lookahead(
                self.reader, len(prompt.tokens), beginning.rows, beginning.draft, guesses, sure
            )
            return write(generation, hypothesis(), lookahead, chooser)

        texts: set[bytes] = set()
        poor: list[Written] = []
        has_bound = False
        start = time.perf_counter()
        for _ in range(MOST_TRIES * options.n):
            if len(texts) == options.n:
                return
            is_late = partial(generation.is_short_of_time, start)
            one = once
            if adviser is not None:
                one = partial(write_advised, once, chooser, adviser, pending, is_late)
            if unbound.names and recognizer is not None:
                one = partial(write_binding, one, chooser, recognizer, unbound, is_late)
            written = one()
            if written is None:
                break
            is_poor = written.is_poor and len(poor) < MOST_POOR
            is_binding = binds_any(recognizer, written.text, unbound)
            if has_bound and not is_binding:
                # Beside what makes the file right, nobody wants what does not.
                return
            if is_poor or (poor and written.is_poor and not texts):
                poor.append(written)
            elif written.text not in texts:
                texts.add(written.text)
                has_bound = is_binding
                yield written
            if is_poor or not chooser.is_sampling:
                chooser.taken.add(written.hypothesis.first)
            if written.is_poor and (len(poor) > MOST_POOR or generation.is_short_of_time(start)):
                break
        if poor and not texts:
            yield max(poor, key=lambda written: written.quality)


def last_lines(text: str) -> bytes:
    """The last lines in front of the cursor: what may be repeated behind it."""
    start = len(text)
    for _ in range(N_LINES_ABOVE):
        start = text.rfind("\n", 0, max(start, 0))
        if start < 0:
            break
    return text[max(start, 0) :].encode(errors="surrogatepass")


def whole_characters(text: str) -> str:
    """A text without halves of UTF-16 pairs, which no token spells; of the same length."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode(errors="replace").decode()
    return text
