"""A site, the place of a completion: a document, the hole in it, and the texts on both sides.

It is the first of four frozen values in a row, each made from the one before: the site; its footing, the part
of the file that a completion is held to (`ladder.py`); an attempt, one writing on that footing
(`attempt.py`); and an offer, its result (`offer.py`).
"""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.document.hole import Hole, recognizer_at, recognizer_in
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.positions import LINE_END, first_line, last_line
from quotient import Recognizer

# The most lines, and characters, above and below in which the nearest line with code is searched.
N_LINES = 6
N_CHARACTERS = 4_000
# Most often so many characters have these lines, too.
NEAR_CHARACTERS = 600


@dataclass(frozen=True, slots=True)
class CursorLines:
    """The cursor's line in front of the hole and behind it, and the nearest lines with code."""

    before: str
    behind: str
    above: str
    below: str
    known_language: KnownLanguage


@dataclass(frozen=True, slots=True)
class Site:
    """A site. `left` is the model's left context, which ends with the begun text; in a notebook it includes
    the cells above."""

    text: WorkerText
    hole: Hole
    left: str
    right: str

    @classmethod
    def of(cls, text: WorkerText, hole: Hole) -> Site:
        return cls(text, hole, text.above + text.text[: hole.start] + hole.begun, text.text[hole.stop :])

    @property
    def known_language(self) -> KnownLanguage:
        return self.text.known_language

    @property
    def uri(self) -> str:
        return self.text.uri

    @property
    def is_comment(self) -> bool:
        return self.text.is_comment(self.hole.start)

    @property
    def is_docstring(self) -> bool:
        return self.text.is_docstring(self.hole.start)

    @property
    def lines(self) -> CursorLines:
        above = LINE_END.split(self.left[-NEAR_CHARACTERS:])[:-1]
        if len(above) <= N_LINES:
            above = LINE_END.split(self.left[-N_CHARACTERS:])[:-1]
        below = LINE_END.split(self.right[:N_CHARACTERS], maxsplit=N_LINES + 1)[1:]
        return CursorLines(
            last_line(self.left),
            first_line(self.right),
            next((line for line in reversed(above[-N_LINES:]) if line.strip()), ""),
            next((line for line in below[:N_LINES] if line.strip()), ""),
            self.known_language,
        )

    def recognizer(self) -> Recognizer | None:
        """The recognizer of the whole file. Raises what the engine raises."""
        hole = self.hole
        found = recognizer_at(self.text.engine, hole.start, hole.stop, self.known_language)
        return recognizer_in(found, hole)
