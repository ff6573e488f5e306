"""What the engine says about a file and about a hole in it, as plain values.

A hole is the place between a left and a right text. Everything here is a pure function of its arguments; the
command line and the server differ only in how they show the answers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from quotient import Language, NoCompletion


@dataclass(frozen=True, slots=True)
class Fault:
    """The first place at which a file stops being the beginning of one that parses."""

    offset: int
    message: str


@dataclass(frozen=True, slots=True)
class Filled:
    """A hole that can be filled: with the shortest text that makes the file parse, and what else may come."""

    text: str
    explanation: str

    @property
    def is_filled_already(self) -> bool:
        """The file parses as it stands; nothing needs to come."""
        return self.text == ""


@dataclass(frozen=True, slots=True)
class Unfillable:
    """A hole that no text fits. The offset is one in the whole file when the fault lies on one side."""

    side: Literal["left", "right", "both"]
    offset: int | None
    message: str


def first_fault(language: Language, text: str) -> Fault | None:
    """Where a file stops parsing; None for one that parses."""
    try:
        recognizer = language.recognizer(left=text)
    except NoCompletion as refusal:
        return Fault(refusal.offset, fault_message(language, text, refusal.offset))
    if recognizer.is_member():
        return None
    return Fault(len(text), f"the file ends too early. {recognizer.explain()}")


def fault_message(language: Language, text: str, offset: int) -> str:
    """What stands at the fault, and what may come there instead."""
    found = f"unexpected {text[offset]!r}" if offset < len(text) else "the file ends too early"
    try:
        return f"{found}. {language.recognizer(left=text[:offset]).explain()}"
    except NoCompletion:
        return found


def fill(language: Language, left: str, right: str) -> Filled | Unfillable:
    """The shortest filling of the hole between two texts, or why there is none."""
    try:
        recognizer = language.recognizer(left=left, right=right)
    except NoCompletion as refusal:
        return Unfillable(refusal.side, offset_in_file(refusal, left), str(refusal))
    return Filled(recognizer.witness(), recognizer.explain())


def offset_in_file(refusal: NoCompletion, left: str) -> int | None:
    """The engine counts from the start of the side that it blames, people from the start of the file."""
    match refusal.side:
        case "left":
            return refusal.offset
        case "right":
            return None if refusal.offset is None else len(left) + refusal.offset
        case _:
            return None
