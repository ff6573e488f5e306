"""Where text is to come in a document, and what it begins with."""

from __future__ import annotations

from dataclasses import dataclass

from quotient import Recognizer


@dataclass(frozen=True, slots=True)
class Hole:
    """Two offsets between which something is to come that begins with a text."""

    start: int
    stop: int
    begun: str = ""


def recognizer_in(recognizer: Recognizer, hole: Hole) -> Recognizer | None:
    return begun_by(recognizer, hole.begun)


def begun_by(recognizer: Recognizer, text: str) -> Recognizer | None:
    return recognizer if not text or recognizer.advance(text) else None


def fits(recognizer: Recognizer, text: str) -> bool:
    """Whether the file parses with a text."""
    reading = recognizer.fork()
    return reading.advance(text) and reading.is_member()
