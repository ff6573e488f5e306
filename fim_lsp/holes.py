"""Plain values for the engine's answers about a file and about a hole in it.

A hole is the place between a left and a right text. Everything here is a pure function of its arguments, for
the command line, the library and the experiments. The server's own are in `document/hole.py`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from quotient import Language, NoCompletion

WORD = re.compile(r"[^\W\d]\w*")
WORD_IN_FRONT = re.compile(r"\b[^\W\d]\w*\Z")
SIGN_IN_FRONT = re.compile(r"[^\w\s]\Z")


@dataclass(frozen=True, slots=True)
class FirstFault:
    """The first place at which a file stops being the beginning of one that parses."""

    offset: int
    message: str


@dataclass(frozen=True, slots=True)
class FilledHole:
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


def first_fault(language: Language, text: str) -> FirstFault | None:
    """The first fault of a file; None for one that parses."""
    try:
        recognizer = language.recognizer(left=text)
    except NoCompletion as refusal:
        return fault_at(language, text, refusal.offset)
    return None if recognizer.is_member() else fault_at(language, text, len(text))


def fault_at(language: Language, text: str, offset: int) -> FirstFault:
    """The fault in words: the text there, and the texts that may come instead.

    `offset` is the first character that nothing can make good. Often that is the one behind a word which may
    not stand there, and the word is to blame:

        x = (1, return 2)
                ^     ^ with other letters behind it, `return` would be a name

    So it is with a sign in front of a blank: a `=` might have become `==`.
    """
    in_front = SIGN_IN_FRONT if text[offset : offset + 1].isspace() else WORD_IN_FRONT
    blamed = WORD_IN_FRONT.search(text, 0, offset) or in_front.search(text, 0, offset)
    places = [offset] if blamed is None else [offset, blamed.start()]
    for place in places:
        try:
            recognizer = language.recognizer(left=text[:place])
        except NoCompletion:
            continue
        # A space ends the symbol in front, if one can be ended: `print(a]` is no question of how names go on.
        if recognizer.advance(" ") or place == places[-1]:
            if language.name != "python":
                # White space and comments are symbols in the other languages, and say nothing to people.
                return FirstFault(place, unexpected_text(text, place))
            words = recognizer.explain().removeprefix("The text may end here. ")
            return FirstFault(place, f"{unexpected_text(text, place)}. {words}")
    return FirstFault(offset, unexpected_text(text, offset))


def unexpected_text(text: str, offset: int) -> str:
    if offset >= len(text):
        return "the file ends too early"
    if text[offset] in "\r\n":
        return "the line ends too early"
    word = WORD.match(text, offset)
    return f"unexpected {word[0] if word else text[offset]!r}"


def fill(language: Language, left: str, right: str) -> FilledHole | Unfillable:
    """The shortest filling of the hole between two texts, or why there is none.

    Raises `TooCostly` where that is not known.
    """
    try:
        recognizer = language.recognizer(left=left, right=right)
    except NoCompletion as refusal:
        return Unfillable(refusal.side, offset_in_file(refusal, left), str(refusal))
    return FilledHole(recognizer.witness(), recognizer.explain() if language.name == "python" else "")


def offset_in_file(refusal: NoCompletion, left: str) -> int | None:
    """The engine counts from the start of the side that it blames, people from the start of the file."""
    match refusal.side:
        case "left":
            return refusal.offset
        case "right":
            return None if refusal.offset is None else len(left) + refusal.offset
        case _:
            return None
