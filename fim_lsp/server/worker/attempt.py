"""An attempt, one writing for a site: all that holds the model is derived from one footing.

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


# The parts that an offer fits into, from all of the file down.
RUNGS: tuple[Rung, ...] = get_args(Rung)


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms on which a completion is asked for: its wishes, its deadline, and whether it is still waited
    for."""

    wishes: Wishes
    # The deadline by `time.perf_counter`.
    deadline: float
    is_cancelled: Callable[[], bool] = lambda: False
    # Whether it is cancelled, asked between two steps of a model: other documents' jobs go ahead then.
    is_cancelled_meanwhile: Callable[[], bool] = lambda: False
    # Shows a text that fits, while the model writes on.
    show: Callable[[str], None] | None = None
    # Whether nothing is computed: texts written before are all that there is.
    is_kept: bool = False

    @property
    def seconds_left(self) -> float:
        return max(self.deadline - time.perf_counter(), 0.0)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A hole to write into. The recognizer has read what is begun; `left` ends with it."""

    footing: Footing
    wishes: Wishes
    budget_s: float
    is_cancelled: Callable[[], bool] = lambda: False
    on_partial: Callable[[str], None] | None = None
    # The footing without the names that an import would define, where they may be used: a text that does not
    # fit there needs its import.
    without_imports: Footing | None = None
    # The context from the project's other files.
    context: Callable[[], Context] | None = None
    # The adviser that knows types, if there is one.
    adviser: Adviser | None = None
    # The modules in a package, for its own file, whose `__all__` may name them.
    modules: frozenset[str] | None = None
    # The project's imports of a name: the text in front of it.
    imports: Imports = no_imports
    # Whether what was written before is all that there is.
    is_kept: bool = False

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
    """A text that was written for a hole, and how sure it is to be wanted, from 0 to 1."""

    text: str
    confidence: float = 1.0
    # The completion with its tokens; None where no model wrote it.
    evidence: Completion | None = None
    # Whether `confidence` is all that a judge could say.
    is_judged: bool = False
    # What memory has written it from, in languages with braces, and what the judge thinks of that.
    remembered: Remembered | None = None
    judged: Judged | None = None


@dataclass(frozen=True, slots=True)
class Proposals:
    """The texts that a completer writes for an attempt, best first, or the reason why there are none."""

    candidates: tuple[CandidateText, ...] = ()
    reason: Reason | None = None
    # The model's wishes that came to nothing, in words.
    refused: tuple[str, ...] = ()
