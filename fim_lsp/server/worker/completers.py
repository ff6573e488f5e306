"""Completers write texts: their interface, and the one without a model. They write for a recognizer, so the
texts fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fim_lsp.bundled_models import NO_MODEL
from fim_lsp.closing import closing, closing_of_part
from fim_lsp.document.hole import Hole
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals
from fim_lsp.server.worker.ladder import footing
from fim_lsp.server.worker.messages import Traced
from fim_lsp.server.worker.site import Site


class Completer(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def note(self) -> str:
        """A note for the user, if there is one."""

    @property
    def seconds(self) -> float | None:
        """The seconds of an offer, if it takes longer than a key."""

    @property
    def quick(self) -> Completer | None:
        """A much quicker completer that is asked first, if there is one."""

    def for_language(self, known_language: KnownLanguage) -> Completer:
        """The completer for a language. One name may stand for different models."""

    def propose_texts(self, task: Attempt) -> Proposals:
        """Texts for the hole, best first, or the reason why there are none."""

    def trace_attempt(self, task: Attempt) -> Traced | None:
        """The text that it wants for the hole, and the refused ones; None if it wants none."""

    def rests_at(self, uri: str, left: str, right: str) -> None:
        """Notes the user's place, around which it reads ahead."""

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:
        """Reads a piece around the user's place, or only at it, while no request waits; says whether there is
        more."""

    def has_written(self, uri: str, left: str, right: str) -> bool:
        """Whether one of its finished texts continues at a place."""

    def is_writing(self, uri: str, left: str, right: str) -> bool:
        """Whether its text in progress for a document agrees with a place."""

    def forget(self, uri: str | None) -> None:
        """Drops the state of a document, or of all."""


def closing_at(text: WorkerText, offset: int, rest: str) -> str | None:
    """The text that closes what is open at an offset, where a part of an offer was accepted and the rest was
    not; None if no text fits there."""
    site = Site.of(text, Hole(offset, offset))
    held = footing(site)
    if held is None:
        return None
    return closing_of_part(held.recognizer, site.right, rest, site.known_language)


@dataclass(frozen=True, slots=True)
class GrammarAlone:
    """Closes open brackets, quotes and blocks. It works without a model, and while one is loading."""

    is_loading: bool = False
    name: str = NO_MODEL
    note: str = ""
    quick: None = None
    seconds: None = None

    def for_language(self, known_language: KnownLanguage) -> GrammarAlone:  # noqa: ARG002
        return self

    def propose_texts(self, task: Attempt) -> Proposals:
        closers = closing(task.recognizer, task.right, task.known_language)
        if closers:
            return Proposals((CandidateText(closers),))
        if self.is_loading:
            return Proposals(reason="model loading")
        return Proposals(reason="no model" if closers is None else "parses")

    def trace_attempt(self, task: Attempt) -> Traced | None:  # noqa: ARG002
        return None

    def rests_at(self, uri: str, left: str, right: str) -> None:
        """Does nothing: no text is read."""

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:  # noqa: ARG002
        return False

    def has_written(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def is_writing(self, uri: str, left: str, right: str) -> bool:  # noqa: ARG002
        return False

    def forget(self, uri: str | None) -> None:
        """Does nothing: no text is kept."""
