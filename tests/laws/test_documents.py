"""Editing sessions that once left a document out of date: it must answer as a new document does."""

from typing import Literal, NamedTuple

import pytest

from quotient import Document, Language, NoCompletion, Recognizer

PYTHON = Language.load("python", version="3.11")


class Edit(NamedTuple):
    """Put a text in the place of a range."""

    start: int
    stop: int
    new: str


class Ask(NamedTuple):
    """Ask for the recognizer of a hole, and type into it."""

    start: int
    stop: int
    typed: str = ""


Answer = tuple[bool, bool, int] | tuple[Literal["left", "right", "both"], int]

# The column of a line behind a break was kept at the break's place, blank lines included.
SESSIONS: tuple[tuple[str, tuple[Edit | Ask, ...]], ...] = (
    ("\n b\n", (Ask(0, 0), Edit(1, 2, ""), Ask(0, 0))),
    ("\na\n", (Ask(0, 0), Edit(0, 1, "\n "), Ask(0, 0))),
    ("\n    c\n    d", (Ask(0, 0), Edit(1, 4, ""), Ask(0, 0))),
    ("\n  b\n d\n", (Ask(0, 0), Edit(2, 3, "(\n "), Ask(0, 3))),
    ("a if b else c\nif a:\n \tc", (Ask(15, 15), Edit(21, 21, "\n"), Ask(20, 20), Ask(21, 21))),
    # An edit removed the line break in front of a line that was kept.
    ("\n \nelse:\n c\n", (Ask(0, 0), Edit(2, 3, ""), Ask(0, 0))),
    ("if a:\n\n:", (Ask(6, 6), Edit(6, 6, "{"), Ask(0, 0))),
    ("\n\n:", (Ask(1, 1), Edit(1, 1, "{"), Ask(0, 0))),
    # The error is the same as a new document's, which checks brackets before lines.
    ("x\na\nif e:\nif e:\n", (Ask(1, 1), Edit(6, 6, "("), Ask(0, 0))),
    ("x\n c\n]\nif e:\n", (Ask(3, 3), Edit(3, 3, "a["), Ask(0, 0))),
    # Errors are remembered until an edit reaches them or creates an earlier one.
    ("x = ]\ny = 1\n", (Ask(11, 11), Edit(11, 11, "2"), Ask(12, 12), Edit(4, 5, "1"), Ask(12, 12))),
    ("x = ]\ny = 1\n", (Ask(11, 11), Edit(2, 3, ")"), Ask(11, 11), Ask(3, 3), Ask(2, 2))),
    ("x = 1\ny = ]\n", (Ask(5, 5), Edit(5, 5, "2"), Ask(6, 6), Edit(11, 12, "1"), Ask(6, 6))),
    ("x = 1\ny = ]\n", (Ask(5, 5), Edit(8, 9, ")"), Ask(5, 5), Edit(8, 9, "="), Ask(12, 12), Ask(5, 5))),
    # Up to 3.11, a final `\n` alone is read as two line breaks, and anything longer as it is.
    ("f'a'\n", (Ask(4, 4), Ask(3, 3))),
)


def answer(recognizer: Recognizer, typed: str) -> Answer:
    """The visible state of a hole after typing into it."""
    return recognizer.advance(typed), recognizer.is_member(), len(recognizer.witness())


def kept_answer(document: Document, ask: Ask) -> Answer:
    """The answer of the edited document."""
    try:
        return answer(document.recognizer(ask.start, ask.stop), ask.typed)
    except NoCompletion as reason:
        return reason.side, reason.offset


def fresh_answer(text: str, ask: Ask) -> Answer:
    """The answer of a new document with the text."""
    try:
        return answer(PYTHON.recognizer(text[: ask.start], text[ask.stop :]), ask.typed)
    except NoCompletion as reason:
        return reason.side, reason.offset


@pytest.mark.parametrize(
    ("text", "steps"),
    SESSIONS,
)
def test_a_document_answers_as_a_fresh_start(text: str, steps: tuple[Edit | Ask, ...]) -> None:
    document = PYTHON.document(text)
    for step in steps:
        match step:
            case Edit(start, stop, new):
                document.edit(start, stop, new)
                text = text[:start] + new + text[stop:]
                assert document.text == text
            case Ask():
                assert kept_answer(document, step) == fresh_answer(text, step)
