"""An attempt: one writing for a site, with all constraints derived from one footing.

A pass with other names, or by another completer, is another attempt.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from fim_lsp.decoding.choices.binding import Imports, no_imports
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.recognizers import is_code
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Reason, Rung, Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
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
class Attempt:
    """A hole to write into. The recognizer has read the begun text, with which `left` ends."""

    footing: Footing
    request: OfferRequest
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

    @property
    def wishes(self) -> Wishes:
        return self.request.wishes

    @property
    def budget_s(self) -> float:
        return self.request.seconds_left

    @property
    def is_cancelled(self) -> Callable[[], bool]:
        return self.request.is_cancelled_meanwhile

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
        is_in_string = not is_code(self.recognizer) if self.known_language.blocks == "braces" else None
        rung = RUNGS.index(self.footing.rung)
        return JudgedPlace(self.left, self.right, rung, self.known_language, is_in_string)

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
