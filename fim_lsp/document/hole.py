"""A hole in a document: a place for a text, and the text's beginning."""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.known_languages import KnownLanguage
from fim_lsp.recognizers import is_code
from quotient import Document, NoCompletion, Recognizer


@dataclass(frozen=True, slots=True)
class Hole:
    """Two offsets, and the beginning of the text that will stand between them."""

    start: int
    stop: int
    begun: str = ""


def recognizer_at(document: Document, start: int, stop: int, known_language: KnownLanguage) -> Recognizer:
    """The hole's recognizer. In code, texts must end in code: a text does not fit if it only hides broken
    code by `/*` up to the next comment's end. A file that already parses may have its hole anywhere."""
    comment = known_language.block_comment
    if comment is None:
        return document.recognizer(start, stop)
    try:
        return document.recognizer(start, stop, comment_end=comment[1])
    except NoCompletion:
        anything = document.recognizer(start, stop)
        if anything.is_member() or not is_code(anything):
            return anything
        raise


def recognizer_in(recognizer: Recognizer, hole: Hole) -> Recognizer | None:
    return recognizer_behind(recognizer, hole.begun)


def recognizer_behind(recognizer: Recognizer, text: str) -> Recognizer | None:
    return recognizer if not text or recognizer.advance(text) else None
