"""The nearest text that fits: a beginning of the given text, and the shortest end behind it.

The distance is the number of characters that are dropped plus the number that are added. White space, and
text that repeats what stands right of the cursor, are dropped for free. The engine gives the shortest end of
each beginning (`ends.py`), so the search goes over beginnings, from those that drop least. It stops at a
beginning that drops more than the best result so far costs in all.

    counts = {k: len(v|        «) for k, v in found}»   the last bracket is there already: distance 0
    }
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from fim_lsp.fitting.ends import end_of, extends_word, is_inside_word, is_word, n_invented
from fim_lsp.fitting.said_again import lengths_said_again
from fim_lsp.known_languages import JAVA, PYTHON, TOML, KnownLanguage
from fim_lsp.positions import LINE_END
from fim_lsp.recognizers import fits
from quotient import Recognizer

# How many ends are searched for one text. Each search takes tenths of a millisecond.
MAX_LOOKS = 200
# A recognizer is kept after every so many characters.
STEP = 64
MAX_INDENTATION = 1000


@dataclass(frozen=True, slots=True)
class FittingContext:
    """The two sides of a hole; `known_language` is None for a grammar that is not ours.

    `on_a_line_of_its_own` gives a recognizer of the same hole with one more line end behind it.
    """

    left: str
    right: str
    known_language: KnownLanguage | None
    on_a_line_of_its_own: Callable[[], Recognizer | None]

    @property
    def may_join_lines(self) -> bool:
        """Whether a backslash at the end of the hole would join the next line."""
        return self.known_language is PYTHON and self.right[:1] in ("\n", "\r")

    def begins_statement(self, kept: str, end: str) -> bool:
        """Whether an end is the name of a chain of calls that goes on right of the cursor, in a statement of
        its own: of Java, where a line end ends no statement, a `;` that ends one in front of it is meant.

            var odd = all.stream()     «    .filter(n -> odd(n)).toList();     the `;` is kept
            |                           a»
                .forEach(f);
        """
        if self.known_language is not JAVA or not is_word(end) or not kept.rstrip().endswith(";"):
            return False
        is_behind_line = not LINE_END.split(self.left[-MAX_INDENTATION:])[-1].strip()
        is_in_front_of_line = self.right[:1].isspace() and self.right.lstrip()[:1] == "."
        return is_behind_line and is_in_front_of_line

    def is_made_longer(self, end: str) -> bool:
        """Whether an end would become part of the key of TOML that follows it, and so rename that key."""
        is_behind = extends_word(end[-1:], self.known_language) and is_word(self.right[:1])
        return self.known_language is TOML and is_behind


@dataclass(frozen=True, slots=True)
class KeptText:
    """The beginning of a text that is kept, by its length, and the end behind it."""

    length: int
    end: str
    distance: int
    n_invented: int
    # How many characters other than white space ("black" ones) are kept.
    n_black: int
    # How many characters behind the beginning repeat what stands right of the cursor.
    n_said_again: int
    # How many black characters are kept in front of the whole repetition that these characters belong to.
    n_said_once: int

    @classmethod
    def of(cls, beginning: KeptBeginning, end: str, *, is_meant: bool) -> KeptText:
        return cls(
            beginning.length,
            end,
            beginning.n_lost + len(end),
            0 if is_meant else n_invented(end),
            beginning.n_black,
            beginning.n_said_again,
            beginning.n_said_once,
        )


@dataclass(frozen=True, slots=True)
class KeptBeginning:
    """A beginning of a text that may be kept, and how much is lost with the rest."""

    length: int
    n_lost: int
    n_black: int
    n_said_again: int
    n_said_once: int


class ReadText:
    """A text, read as far as the recognizer allows, with recognizers kept on the way."""

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
        """A recognizer that has read `length` characters."""
        index = min(length // STEP, len(self._on_the_way) - 1)
        reading = self._on_the_way[index].fork()
        reading.advance(self.text[index * STEP : length])
        return reading


class BeginningsEnd:
    """Finds ends for the beginnings of a text."""

    def __init__(self, reading: ReadText, place: FittingContext) -> None:
        self._reading = reading
        self._place = place
        self._apart: ReadText | None = None
        self._n_looks = 0

    def of(self, beginning: KeptBeginning, longest: int | None) -> str | None:
        """The shortest end of a beginning that is no member yet; None if none is found up to this length."""
        reading = self._reading
        self._n_looks += 1
        # An end alone would have nothing of the text in it.
        if longest == 0 or not beginning.n_black or self._n_looks > MAX_LOOKS:
            return None
        is_cut = beginning.length < len(reading.text)
        behind_word = is_cut and is_word(reading.text[beginning.length - 1])
        stand = reading.at(beginning.length)
        if not self._place.may_join_lines:
            end = end_of(stand, self._place.known_language, longest, behind_word)
            return None if end is not None and self._place.is_made_longer(end) else end
        # A backslash that joins lines would be the shortest witness, and is never meant.
        apart = self._on_a_line_of_its_own()
        if apart is None or apart.length < beginning.length:
            return None
        end = end_of(apart.at(beginning.length), self._place.known_language, longest, behind_word)
        return end if end is not None and fits(stand, end) else None

    def _on_a_line_of_its_own(self) -> ReadText | None:
        if self._apart is None:
            recognizer = self._place.on_a_line_of_its_own()
            self._apart = None if recognizer is None else ReadText(recognizer, self._reading.text)
        return self._apart


def nearest(
    recognizer: Recognizer, text: str, place: FittingContext, longest_kept: int | None = None
) -> KeptText | None:
    """The nearest result that keeps a beginning of a text; None if no beginning can be kept."""
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
            is_meant = place.begins_statement(text[: beginning.length], end)
            found = KeptText.of(beginning, end, is_meant=is_meant)
            best = found if best is None else min(best, found, key=rank)
    return best


def rank(kept: KeptText) -> tuple[int, int, int, int, int]:
    """Orders results: by distance, then the fewest invented characters, then the most kept ones, without
    white space at the end.

    A repetition of what stands right of the cursor is not cut in two:

        text = \"""|\"""     «a.\""" b»   not `a.""`, which would add an empty string
    """
    return kept.distance, kept.n_invented, -kept.n_said_once, -kept.n_said_again, kept.length


def beginnings(text: str, n_read: int, right: str) -> Iterator[KeptBeginning]:
    """The beginnings that may be kept: the least lost first, then the longest first.

    A beginning ends neither inside a word nor between CR and LF.
    """
    again = lengths_said_again(text, right)
    n_black = [0] * (len(text) + 1)
    for index in range(len(text) - 1, -1, -1):
        n_black[index] = n_black[index + 1] + (not text[index].isspace())
    # For each repetition, keyed by how many black characters follow it: where the longest one begins.
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
