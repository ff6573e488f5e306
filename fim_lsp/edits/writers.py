"""Writers: models that propose edits, each of which is then proved like those of the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from quotient import Document

# The places that rules point to without being sure, found when they are asked for.
Unsure = Callable[[], Sequence[Replacement]]


class EditWriter(Protocol):
    """A model that proposes edits."""

    def replacements(
        self, change: FileChange, unsure: Unsure, document: Document
    ) -> Iterator[Replacement]:
        """The model's replacements, each with its own probability. `document` is the engine's, of the present
        text."""


@dataclass(frozen=True, slots=True)
class WrittenEdits:
    """The replacements that a model in another process proposed for the present text."""

    found: tuple[Replacement, ...]

    def replacements(
        self,
        change: FileChange,  # noqa: ARG002
        unsure: Unsure,  # noqa: ARG002
        document: Document,  # noqa: ARG002
    ) -> Iterator[Replacement]:
        return iter(self.found)
