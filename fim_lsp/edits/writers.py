"""Writers: models that propose edits, each of which is then proved like those of the rules."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.hunks import LineDiff
from quotient import Document

# The most answers that are kept: a question that was interrupted comes again.
MOST_KNOWN = 32
QuestionT = TypeVar("QuestionT", bound=Hashable)
AnswerT = TypeVar("AnswerT")
# The places that rules point to without being sure, found when they are asked for.
Unsure = Callable[[], Sequence[Replacement]]


class Interrupted(Exception):
    """The writing is not wanted now; the model keeps what it has read."""


@dataclass(slots=True)
class KnownAnswers(Generic[QuestionT, AnswerT]):
    """A model's last answers, by what it was shown."""

    _answers: dict[QuestionT, AnswerT] = field(default_factory=dict)

    def answer(self, question: QuestionT, write: Callable[[], AnswerT]) -> AnswerT:
        """The kept answer, or else one that is written now. Writing may raise `Interrupted`."""
        if question not in self._answers:
            while len(self._answers) >= MOST_KNOWN:
                del self._answers[next(iter(self._answers))]
            self._answers[question] = write()
        return self._answers[question]


class EditWriter(Protocol):
    """A model that proposes edits."""

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Sets the function that says whether the writing is not wanted any more, or not now."""

    def replacements(self, change: FileChange, unsure: Unsure, document: Document) -> Iterator[Replacement]:
        """The model's replacements, each with its own probability. `document` is the engine's, of the present
        text. Raises `Interrupted`."""


@dataclass(frozen=True, slots=True)
class WrittenEdits:
    """The replacements that a model in another process proposed for the present text."""

    found: tuple[Replacement, ...]

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        """Does nothing: all is written."""

    def replacements(
        self,
        change: FileChange,  # noqa: ARG002
        unsure: Unsure,  # noqa: ARG002
        document: Document,  # noqa: ARG002
    ) -> Iterator[Replacement]:
        return iter(self.found)


def spares_typed(change: FileChange, one: Replacement) -> bool:
    """Whether a replacement leaves alone what the user just typed, and takes back no change of theirs."""
    if change.is_typed(one.start, max(one.stop, one.start)):
        return False
    return not takes_back(change, one.start, one.stop, one.new)


def takes_back(change: FileChange, start: int, stop: int, new: str) -> bool:
    """Whether a replacement would undo the user's change of these lines."""
    edited = change.new.lines.with_edit(start, stop, new)
    if edited.text == change.old.text:
        return True
    before = {(hunk.old_first, hunk.old_last) for hunk in change.hunks}
    then = {(hunk.old_first, hunk.old_last) for hunk in LineDiff.of(change.old.lines, edited).hunks}
    # Each run of lines that the user changed must still differ, perhaps as part of a longer run.
    return not all(any(a <= first and last <= b for a, b in then) for first, last in before)
