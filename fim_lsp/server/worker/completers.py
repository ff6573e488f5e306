"""Completers, which write: the questions that all of them answer, and the one without a model. They write for
a recognizer, so texts fit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from fim_lsp.bundled_models import NO_MODEL
from fim_lsp.closing import closing
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.server.worker.attempt import Attempt, CandidateText, Proposals
from fim_lsp.server.worker.messages import Traced


class Completer(Protocol):
    @property
    def name(self) -> str: ...

    @property
    def note(self) -> str:
        """The note that its users should read, if there is one."""

    @property
    def seconds(self) -> float | None:
        """The seconds of an offer, where these are longer than a key."""

    @property
    def quick(self) -> Completer | None:
        """The completer that is asked first, if another model is much quicker."""

    def for_language(self, known_language: KnownLanguage) -> Completer:
        """The completer for a language: another model may write in it, under the same name."""

    def propose_texts(self, task: Attempt) -> Proposals:
        """Texts for the hole, best first, or why there are none."""

    def trace_attempt(self, task: Attempt) -> Traced | None:
        """The text that it wanted for the hole, and those that were refused; None where nothing is wanted."""

    def rests_at(self, uri: str, left: str, right: str) -> None:
        """The user is at a place, and may ask there: that is what is read ahead."""

    def read_ahead(self, is_given_up: Callable[[], bool], is_place_alone: bool = False) -> bool:
        """Reads some of what is likely to be asked about next, while no request waits, at the last place
        alone or around it, too; whether there is more."""

    def has_written(self, uri: str, left: str, right: str) -> bool:
        """Whether something that it wrote to its end goes on behind a place."""

    def is_writing(self, uri: str, left: str, right: str) -> bool:
        """Whether what it is writing for a document goes on behind a place, or may."""

    def forget(self, uri: str | None) -> None:
        """Drops what is kept for a document, or for all."""


@dataclass(frozen=True, slots=True)
class GrammarAlone:
    """Closes what is open. Works without a model, and while one is loading."""

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
