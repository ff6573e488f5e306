"""A cache of the engine's documents for the files around the last holes.

A program that fits texts asks about the same few files again and again, each time a little edited. A document
keeps what was read of both sides across edits, so the next hole costs as much as the edit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from threading import Lock

from fim_lsp.known_languages import TOML
from fim_lsp.shared import n_shared, n_shared_behind
from quotient import Document, Language, Recognizer

MAX_DOCUMENTS = 4
# The document of a longer text may take a hundred megabytes.
MAX_LENGTH = 1_000_000


@dataclass(slots=True)
class KeptDocument:
    language: Language
    text: str
    document: Document


class DocumentCache:
    """A few documents, the last used first. Threads may share it: a lock orders their calls."""

    def __init__(self, n_documents: int = MAX_DOCUMENTS) -> None:
        self._n_documents = n_documents
        self._kept: list[KeptDocument] = []
        self._lock = Lock()

    def recognizer(
        self, language: Language, left: str, right: str, names: Iterable[str] | None
    ) -> Recognizer:
        """As `Language.recognizer`, with the same exceptions.

        Parsers of TOML refuse a key that is defined twice, so TOML's law always holds.
        """
        is_law_kept = names is not None or language.name == TOML.name
        known = list(names or ()) if is_law_kept else None
        if len(left) + len(right) > MAX_LENGTH:
            return language.recognizer(left, right, known)
        with self._lock:
            kept = self._of(language, left + right)
            return kept.document.recognizer(len(left), len(left), known)

    def _of(self, language: Language, text: str) -> KeptDocument:
        """The document of this text: a kept one, edited, or a new one."""
        for index, kept in enumerate(self._kept):
            if kept.language is not language:
                continue
            start = n_shared(kept.text, text)
            end = n_shared_behind(kept.text, text, min(len(kept.text), len(text)) - start)
            if 2 * (start + end) >= len(text):
                kept.document.edit(start, len(kept.text) - end, text[start : len(text) - end])
                kept.text = text
                self._kept.insert(0, self._kept.pop(index))
                return kept
        kept = KeptDocument(language, text, language.document(text))
        self._kept = [kept, *self._kept[: self._n_documents - 1]]
        return kept


DOCUMENTS = DocumentCache()
