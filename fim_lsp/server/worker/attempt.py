"""An attempt: one writing for a site, with all constraints derived from one footing.

A pass with other names, or by another completer, is another attempt.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from fim_lsp.decoding.choices.binding import Imports, no_imports
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Reason, Rung, Wishes
from fim_lsp.worth.features import JudgedPlace
from quotient import Recognizer

if TYPE_CHECKING:
    from fim_lsp.context.snippet import Context
    from fim_lsp.decoding.texts.completion import Completion
    from fim_lsp.decoding.writing.advised import Adviser
    from fim_lsp.memory.alone import Remembered
    from fim_lsp.worth.judge import Judged


# The rungs, from the whole file down.
RUNGS: tuple[Rung, ...] = get_args(Rung)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of a request for a completion: its wishes, its deadline, and its cancellation."""

    wishes: Wishes
    # The deadline by `time.perf_counter`.
    deadline: float
    is_cancelled: Callable[[], bool] = lambda: False
    # Whether it is cancelled, asked between two steps of a model; other documents' jobs run first then.
    is_cancelled_meanwhile: Callable[[], bool] = lambda: False
    # Shows a text that fits while the model goes on writing.
    show: Callable[[str], None] | None = None
    # Whether only texts written before are used, and nothing is computed.
    is_kept: bool = False
    # Whether a better model than those in the box writes where this completer offers nothing.
    is_before_better: bool = False

    @property
    def seconds_left(self) -> float:
        return max(self.deadline - time.perf_counter(), 0.0)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A hole to write into. The recognizer has read the begun text, with which `left` ends."""

    footing: Footing
    wishes: Wishes
    budget_s: float
    is_cancelled: Callable[[], bool] = lambda: False
    on_partial: Callable[[str], None] | None = None
    # If importable names are allowed: the footing without them. A text that does not fit there needs an
    # import.
    without_imports: Footing | None = None
    # The context from the project's other files.
    context: Callable[[], Context] | None = None
    # The adviser on types, if there is one.
    adviser: Adviser | None = None
    # The modules of a package, if the file is its `__init__.py`, whose `__all__` may name them.
    modules: frozenset[str] | None = None
    # The project's imports of a name, as texts in front of it.
    imports: Imports = no_imports
    # Whether only texts written before are used.
    is_kept: bool = False
    # Whether a better model than those in the box writes where this completer offers nothing.
    is_before_better: bool = False

    @property
    def uri(self) -> str:
        return self.footing.site.uri

    @property
    def known_language(self) -> KnownLanguage:
        return self.footing.site.known_language

    @property
    def left(self) -> str:
        return self.footing.site.left

    @property
    def right(self) -> str:
        return self.footing.site.right

    @property
    def judged_place(self) -> JudgedPlace:
        return JudgedPlace(self.left, self.right, RUNGS.index(self.footing.rung), self.known_language)

    @property
    def recognizer(self) -> Recognizer:
        return self.footing.recognizer

    @property
    def contexts(self) -> HoleContexts:
        return self.footing.contexts


@dataclass(frozen=True, slots=True)
class CandidateText:
    """A text for a hole, with the probability that it is wanted, from 0 to 1."""

    text: str
    confidence: float = 1.0
    # The completion with its tokens; None if no model wrote it.
    evidence: Completion | None = None
    # Whether `confidence` is already the judge's.
    is_judged: bool = False
    # What memory has written it from, in languages with braces, and what the judge thinks of that.
    remembered: Remembered | None = None
    judged: Judged | None = None


@dataclass(frozen=True, slots=True)
class Proposals:
    """The texts of a completer for an attempt, best first, or the reason why there are none."""

    candidates: tuple[CandidateText, ...] = ()
    reason: Reason | None = None
    # The model's refused wishes, in words.
    refused: tuple[str, ...] = ()
