"""Attempts at the texts of one hole: each text differs from the earlier ones.

A text may take several attempts. If a type checker refuses it, it is written another way from the error on
(`advised.py`). If it binds none of the unbound names that the lines behind the hole use, it is written again
to bind one (`binding.py`). If nothing came of it, it is begun again with another token.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from fim_lsp.decoding.choices.binding import (
    NOTHING,
    BindingConstraint,
    WantedBinding,
    binds_any,
    wanted_binding,
)
from fim_lsp.decoding.choices.chooser import Chooser
from fim_lsp.decoding.choices.constraint import FIRST_WORD, Constraint, Distinct
from fim_lsp.decoding.choices.exports import Exports
from fim_lsp.decoding.choices.fence import Fence
from fim_lsp.decoding.choices.layout import Layout, TrailingComment
from fim_lsp.decoding.choices.lessons import Lessons
from fim_lsp.decoding.choices.members import Members
from fim_lsp.decoding.choices.reachable import ReachableByColumn, ReachableInBraces
from fim_lsp.decoding.choices.unwritten_body import unwritten_body
from fim_lsp.decoding.endings.hole_context import takes_whole_lines
from fim_lsp.decoding.prompts.drafts import Drafts, Expected, Guesses, Recalling
from fim_lsp.decoding.prompts.lookahead import Lookahead
from fim_lsp.decoding.prompts.prompt import Prompt
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.written import Written
from fim_lsp.decoding.writing.advised import Adviser, write_advised
from fim_lsp.decoding.writing.beam import beams
from fim_lsp.decoding.writing.generation import Generation
from fim_lsp.decoding.writing.loop import write
from fim_lsp.known_languages import PYTHON
from fim_lsp.runtimes.runtime import Rows

# The most new beginnings, each with another token, of a text of which nothing came.
MOST_POOR = 2
# The most tries for each text: a greedy choice is not taken twice, but a sample may equal an earlier text and
# is then drawn again.
MOST_TRIES = 3
# A text that binds a name, and that its model believes less, token by token, is none that was meant.
LEAST_LIKELY_BINDING = -4.0


@dataclass(frozen=True, slots=True)
class Beginning:
    """A prompt that was read, its pending text, and the network's rows behind it.

    `draft` was read behind the prompt; `rows` are the rows in front of the draft and behind each of its
    tokens.
    """

    prompt: Prompt
    pending: bytes
    draft: list[int]
    rows: Rows


@dataclass(frozen=True, slots=True)
class Attempts:
    """The parts that every attempt at a hole needs."""

    generation: Generation
    reader: PromptReader
    beginning: Beginning
    lessons: Lessons
    generator: np.random.Generator | None
    # The constraints of all texts, and the scope, which is asked last; each text adds lessons and bindings.
    constraints: tuple[Constraint, ...]
    fence: Fence | None
    # The adviser on types, and the names that should be bound.
    adviser: Adviser | None = None
    wanted: WantedBinding = NOTHING

    @classmethod
    def of(
        cls, generation: Generation, reader: PromptReader, beginning: Beginning, lessons: Lessons
    ) -> Attempts:
        request, options = generation.request, generation.options
        recognizer, left, right = request.recognizer, request.left, generation.right
        # NumPy loads its generators on first use: two megabytes, which only samples need.
        generator = np.random.default_rng(options.seed) if options.strategy == "sample" else None
        constraints: list[Constraint] = [Distinct(lessons.taken, lessons.repeated)]
        if recognizer is None or options.constraint != "constrained":
            return cls(generation, reader, beginning, lessons, generator, tuple(constraints), None)
        if not options.is_plain:
            sign = request.line_comment.encode()
            constraints += [] if options.multi_line or not sign else [TrailingComment(sign)]
            takes_lines = options.multi_line and takes_whole_lines(recognizer, generation.above, right)
            constraints.append(
                Layout.around(recognizer, left, right, options.multi_line, sign, takes_lines=takes_lines)
            )
            if request.known_language is PYTHON and options.scope in ("statement", "block"):
                blocks = ReachableByColumn.around(recognizer, left, right), unwritten_body(left)
                constraints += [block for block in blocks if block is not None]
        if recognizer.has_law and options.exports and options.strategy != "beam":
            constraints.append(Exports.around(left, right, options.modules))
        adviser, unbound = None, NOTHING
        if options.strategy == "greedy" and not options.is_plain:
            adviser = request.adviser
            if adviser is not None and (at_cursor := adviser.members_at_cursor()) is not None:
                rule = Members.of("", *at_cursor)
                constraints += [] if rule is None else [rule]
            if options.binds:
                unbound = wanted_binding(recognizer, left, right, request.imports)
        fence = Fence.around(recognizer, options.scope, options.multi_line, right)
        if request.has_braces:
            fence = fence.around_braces(recognizer, options.scope, left, right)
            reachable = ReachableInBraces.around(fence.enclosure, request.known_language, left, right)
            constraints += [] if reachable is None or options.is_plain else [reachable]
        return cls(
            generation, reader, beginning, lessons, generator, tuple(constraints), fence, adviser, unbound
        )

    def texts(self) -> Iterator[Written]:
        """Different texts, at most as many as requested."""
        if self.generation.options.strategy == "beam":
            self.reader.crop(len(self.beginning.prompt.tokens))
            first = self.beginning.rows[0]
            yield from beams(self.generation, self.reader, self._hypothesis(), self._chooser(), first)
        else:
            yield from self._one_by_one()

    def _one_by_one(self) -> Iterator[Written]:
        recognizer, n = self.generation.request.recognizer, self.generation.options.n
        texts: set[bytes] = set()
        poor: list[Written] = []
        has_bound = False
        is_sampling = self._chooser().is_sampling
        start = time.perf_counter()
        is_late = partial(self.generation.is_short_of_time, start)
        for _ in range(MOST_TRIES * n):
            if len(texts) == n:
                return
            written = self._binding(is_late)
            if written is None:
                break
            is_poor = written.is_poor and len(poor) < MOST_POOR
            is_binding = binds_any(recognizer, written.text, self.wanted)
            if has_bound and not is_binding:
                # Texts that leave the file wrong are not wanted beside texts that make it right.
                return
            if is_poor or (poor and written.is_poor and not texts):
                poor.append(written)
            elif written.text not in texts:
                texts.add(written.text)
                has_bound = is_binding
                yield written
            # A text that ran on without a place to end has repeated nothing.
            has_run_on = bool(written.hypothesis.first) and written.stopped_by != "eos"
            is_repeating = not written.text and not has_run_on
            if is_repeating and (word := FIRST_WORD.match(self.generation.right)) is not None:
                self.lessons.repeated.add(word[1])
            elif is_poor or not is_sampling:
                self.lessons.taken.add(written.hypothesis.first)
            if written.is_poor and (len(poor) > MOST_POOR or is_late()):
                break
        if poor and not texts:
            yield max(poor, key=lambda written: written.quality)

    def _binding(self, is_late: Callable[[], bool]) -> Written | None:
        """A text; if it binds none of the names, another one that binds some, if there is one."""
        recognizer = self.generation.request.recognizer
        written = self._advised_text(is_late)
        if written is None or not self.wanted.names:
            return written
        if binds_any(recognizer, written.text, self.wanted) or is_late():
            return written
        again = self._advised_text(is_late, BindingConstraint(self.wanted))
        if again is None or again.is_poor or not binds_any(recognizer, again.text, self.wanted):
            return written
        # What is written only because nothing else was allowed leaves a file as wrong as it was.
        return written if again.mean_logprob < LEAST_LIKELY_BINDING else again

    def _advised_text(
        self, is_late: Callable[[], bool], binding: BindingConstraint | None = None
    ) -> Written | None:
        """A text that the adviser accepts, if there is one."""
        once = partial(self._once, binding)
        if self.adviser is None:
            return once()
        model, pending = self.generation.model, self.beginning.pending
        return write_advised(once, self.adviser, self.lessons, model, pending, is_late)

    def _once(self, binding: BindingConstraint | None = None) -> Written | None:
        recall, beginning = self.generation.recall, self.beginning
        lookahead = Lookahead(
            self.reader,
            len(beginning.prompt.tokens),
            beginning.rows,
            beginning.draft,
            self._guesses() if self.generation.has_drafts else None,
            None if recall is None else recall.sure,
        )
        chooser = self._chooser(binding)
        written = write(self.generation, self._hypothesis(), lookahead, chooser)
        is_led = binding is not None or any(isinstance(one, Members) for one in chooser.constraints)
        return None if written is None else replace(written, is_led=is_led)

    def _chooser(self, binding: BindingConstraint | None = None) -> Chooser:
        bound = () if binding is None else (binding,)
        fence = () if self.fence is None else (self.fence,)
        return Chooser(
            self.generation.model,
            self.generation.options,
            self.generator,
            self.lessons,
            (*self.constraints, *bound, *self.lessons.members, *fence),
            is_traced=self.generation.request.on_step is not None,
        )

    def _hypothesis(self) -> Hypothesis:
        recognizer = self.generation.request.recognizer
        if recognizer is None or self.generation.options.constraint == "none":
            return Hypothesis(None, self.beginning.pending)
        return Hypothesis(recognizer.fork(), self.beginning.pending)

    def _guesses(self) -> Guesses:
        if self.generation.recall is not None:
            return Recalling(self.generation.recall)
        if self.generation.expected:
            return Expected(self.generation.expected)
        drafts = Drafts()
        drafts.extend([*self.beginning.prompt.tokens, *self.beginning.prompt.pending])
        return drafts
