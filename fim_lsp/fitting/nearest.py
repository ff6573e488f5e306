"""The nearest text that fits, of those that keep a beginning of a text and end it.

A text is as far from what was said as there are characters behind its beginning that are left off, white
space and what stands right of the cursor aside, and characters that are put in their place. The engine gives
for each beginning the shortest end (`ends.py`), so all is decided by looking at beginnings, those first that
leave off least. None is looked at that leaves off more than the best one so far costs altogether.

    counts = {k: len(v|        «) for k, v in found}»   the last bracket stands there already: distance 0
    }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fim_lsp.fitting.ends import end_of, ends, is_inside_word, is_word, n_invented
from fim_lsp.fitting.said_again import lengths_said_again
from fim_lsp.known_languages import PYTHON, TOML, KnownLanguage
from quotient import Recognizer

# How many ways to end a text are looked for: each takes tenths of a millisecond.
MAX_LOOKS = 200
# Where a recognizer is kept that has read so far, in characters.
STEP = 64


@dataclass(frozen=True, slots=True)
class FittingContext:
    """What a text is to stand between; `known` is None for grammars of others.

    `on_a_line_of_its_own` gives a recognizer for texts behind which another line end comes.
    """

    left: str
    right: str
    known_language: KnownLanguage | None
    on_a_line_of_its_own: Callable[[], Recognizer | None]

    @property
    def may_join_lines(self) -> bool:
        """Whether a backslash in front of the right side would join its next line."""
        return self.known_language is PYTHON and self.right[:1] in ("\n", "\r")

    def is_made_longer(self, end: str) -> bool:
        """Whether an end makes another key of TOML of the one that it stands in front of."""
        return self.known_language is TOML and end.endswith("-") and is_word(self.right[:1] or " ")


@dataclass(frozen=True, slots=True)
class KeptText:
    """This many characters of a text, and the end behind them."""

    length: int
    end: str
    distance: int
    n_invented: int
    # How many characters that are no white space are kept.
    n_black: int
    # How many characters behind the beginning stand right of the cursor already.
    n_said_again: int
    # How many black ones are kept that do not stand there in one piece with these.
    n_said_once: int

    @classmethod
    def of(cls, beginning: KeptBeginning, end: str) -> KeptText:
        return cls(
            beginning.length,
            end,
            beginning.n_lost + len(end),
            n_invented(end),
            beginning.n_black,
            beginning.n_said_again,
            beginning.n_said_once,
        )


@dataclass(frozen=True, slots=True)
class KeptBeginning:
    """A beginning of a text that may be kept, and what is lost with the rest."""

    length: int
    n_lost: int
    n_black: int
    n_said_again: int
    n_said_once: int


class ReadText:
    """A text as far as it may be read, with recognizers on the way."""

    def __init__(self, recognizer: Recognizer, text: str) -> None:
        self.text = text
        self._on_the_way = [recognizer.fork()]
        reading = recognizer.fork()
        length = 0
        while length < len(text) and reading.advance(text[length : length + STEP]):
            length = min(length + STEP, len(text))
            self._on_the_way.append(reading.fork())
        while length < len(text) and reading.advance(text[length]):
            length += 1
        self.length = length

    def at(self, length: int) -> Recognizer:
        """A recognizer that has read so many characters."""
        index = min(length // STEP, len(self._on_the_way) - 1)
        reading = self._on_the_way[index].fork()
        reading.advance(self.text[index * STEP : length])
        return reading


class BeginningsEnd:
    """What ends the beginnings of a text."""

    def __init__(self, reading: ReadText, place: FittingContext) -> None:
        self._reading = reading
        self._place = place
        self._apart: ReadText | None = None
        self._n_looks = 0

    def of(self, beginning: KeptBeginning, longest: int | None) -> str | None:
        """The shortest end of a beginning that needs one; None where none of this length is known."""
        reading = self._reading
        self._n_looks += 1
        # An end without anything in front of it was not said by the text.
        if longest == 0 or not beginning.n_black or self._n_looks > MAX_LOOKS:
            return None
        is_cut = beginning.length < len(reading.text)
        behind_word = is_cut and is_word(reading.text[beginning.length - 1])
        stand = reading.at(beginning.length)
        if not self._place.may_join_lines:
            end = end_of(stand, self._place.known_language, longest, behind_word)
            return None if end is not None and self._place.is_made_longer(end) else end
        # A witness that joins lines would be the shortest, and never meant.
        apart = self._on_a_line_of_its_own()
        if apart is None or apart.length < beginning.length:
            return None
        end = end_of(apart.at(beginning.length), self._place.known_language, longest, behind_word)
        return end if end is not None and ends(stand, end) else None

    def _on_a_line_of_its_own(self) -> ReadText | None:
        if self._apart is None:
            recognizer = self._place.on_a_line_of_its_own()
            self._apart = None if recognizer is None else ReadText(recognizer, self._reading.text)
        return self._apart


def nearest(
    recognizer: Recognizer, text: str, place: FittingContext, longest_kept: int | None = None
) -> KeptText | None:
    """The nearest of the texts that keep a beginning of a text; None where no beginning can be kept."""
    reading = ReadText(recognizer, text)
    n_read = reading.length if longest_kept is None else min(longest_kept, reading.length)
    ending = BeginningsEnd(reading, place)
    best: KeptText | None = None
    for beginning in beginnings(text, n_read, place.right):
        if best is not None and beginning.n_lost > best.distance:
            break
        longest = None if best is None else best.distance - beginning.n_lost
        end = "" if reading.at(beginning.length).is_member() else ending.of(beginning, longest)
        if end is not None:
            found = KeptText.of(beginning, end)
            best = found if best is None else min(best, found, key=rank)
    return best


def rank(kept: KeptText) -> tuple[int, int, int, int, int]:
    """The nearest, of those what invents least, of those what keeps most, without white space at its end.

    What stands right of the cursor already is not cut in two:

        text = \"""|\"""     «a.\""" b»   not `a.""`, which would be a string and an empty one
    """
    return kept.distance, kept.n_invented, -kept.n_said_once, -kept.n_said_again, kept.length


def beginnings(text: str, n_read: int, right: str) -> Iterator[KeptBeginning]:
    """The beginnings that may be kept, those that lose least first, of those the longest first.

    They end between words, and not within what ends a line. White space at their end goes with what is left
    off, where both would do.
    """
    again = lengths_said_again(text, right)
    n_black = [0] * (len(text) + 1)
    for index in range(len(text) - 1, -1, -1):
        n_black[index] = n_black[index + 1] + (not text[index].isspace())
    # For each end of what is said again, told by how many black characters follow, where the longest begins.
    first: dict[int, int] = {}
    found = []
    for length in range(n_read + 1):
        if is_inside_word(text, length) or text[length - 1 : length + 1] == "\r\n":
            continue
        n_lost = n_black[length + again[length]]
        whole = first.setdefault(n_lost, length) if again[length] else first.get(n_lost, length)
        n_kept, n_said_once = n_black[0] - n_black[length], n_black[0] - n_black[whole]
        found.append(KeptBeginning(length, n_lost, n_kept, again[length], n_said_once))
    found.sort(key=lambda beginning: (beginning.n_lost, -beginning.length))
    return iter(found)
