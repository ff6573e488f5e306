"""The typist: it types a region key by key, and accepts offers that are right.

At each position:

1. If nothing is shown, the editor is asked with the text as it stands. What it decides to show is one shown
   offer, until it is accepted or a key contradicts it.
2. If the whole offer is the text that comes next, up to blanks at line ends, and saves at least two keys, it
   is accepted: one key.
3. Otherwise, if its first words come next and save at least three keys, they are accepted word by word: one
   key for each word.
4. Otherwise the next character is typed: one key. An offer that agrees with it stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Protocol

from fim_lsp.shared import n_shared

LEAST_SAVED_BY_WHOLE = 2
LEAST_SAVED_BY_WORDS = 3
# A step of "accept next word".
WORD = re.compile(r"\s*(?:\w+|[^\w\s]+)")
# A word of an offer must end where one ends in the text, too: `to` is no word of `total`.
WORD_GOES_ON = re.compile(r"\w\w")


class TypedPage(Protocol):
    """A page for the typist."""

    async def offer(self) -> str:
        """The text that is shown behind the cursor; empty if there is none."""

    def write(self, text: str) -> None:
        """Inserts a text at the cursor, as a key or an accept does."""


@dataclass(slots=True)
class TypedOffer:
    """An offer that was shown, its place in the region, and how much of it was accepted."""

    place: int
    text: str
    n_accepted: int = 0
    is_whole: bool = False

    @property
    def is_useful(self) -> bool:
        return self.n_accepted > 0


@dataclass(slots=True)
class Typed:
    """The keys and offers that typing a region took."""

    n_characters: int
    n_keys: int = 0
    shown: list[TypedOffer] = field(default_factory=list)


async def type_region(region: str, page: TypedPage, is_oracle: bool = False) -> Typed:
    """Types a region. An oracle sees only offers of which something will be accepted, as a perfect judge
    would show them."""
    done = Typed(len(region))
    place, shown, rest = 0, None, ""
    while place < len(region):
        wanted = region[place:]
        # Editors ask at each key; while the text follows an offer, the server answers with the rest of it.
        offer = await page.offer()
        if is_oracle and not is_taken(offer, wanted):
            offer = ""
        if offer and (offer != rest or shown is None):
            shown = TypedOffer(place, offer)
            done.shown.append(shown)
        if offer and shown is not None:
            n_whole = n_agreeing(offer, wanted)
            if n_whole is not None and n_whole - 1 >= LEAST_SAVED_BY_WHOLE:
                # The blanks at line ends are those of the file.
                page.write(wanted[:n_whole])
                done.n_keys += 1
                shown.n_accepted += n_whole
                shown.is_whole = True
                place, rest = place + n_whole, ""
                continue
            words = words_agreeing(offer, wanted)
            n_accepted = sum(map(len, words))
            if n_accepted - len(words) >= LEAST_SAVED_BY_WORDS:
                for word in words:
                    page.write(word)
                done.n_keys += len(words)
                shown.n_accepted += n_accepted
                place, rest = place + n_accepted, offer[n_accepted:]
                continue
        page.write(wanted[0])
        done.n_keys += 1
        place += 1
        rest = offer[1:] if offer[:1] == wanted[0] else ""
    return done


def is_taken(offer: str, wanted: str) -> bool:
    """Whether anything of an offer will be accepted, here or after some more keys."""
    for n_typed in range(n_shared(offer, wanted) + 1):
        rest, coming = offer[n_typed:], wanted[n_typed:]
        n_whole = n_agreeing(rest, coming) if rest else None
        if n_whole is not None and n_whole - 1 >= LEAST_SAVED_BY_WHOLE:
            return True
        words = words_agreeing(rest, coming)
        if sum(map(len, words)) - len(words) >= LEAST_SAVED_BY_WORDS:
            return True
    return False


def n_agreeing(offer: str, wanted: str) -> int | None:
    """The number of coming characters that the whole offer stands for; None if another text comes."""
    n_agreed = 0
    lines = offer.split("\n")
    for number, line in enumerate(lines):
        if number:
            found = re.compile(r"[ \t\r]*\n").match(wanted, n_agreed)
            if found is None:
                return None
            n_agreed = found.end()
        line = line.rstrip(" \t\r")
        if not wanted.startswith(line, n_agreed):
            return None
        n_agreed += len(line)
    return n_agreed


def words_agreeing(offer: str, wanted: str) -> list[str]:
    """The first words of an offer, as far as they agree with the coming text."""
    words: list[str] = []
    place = 0
    while (found := WORD.match(offer, place)) is not None and wanted.startswith(found[0], place):
        if WORD_GOES_ON.match(wanted, found.end() - 1):
            break
        words.append(found[0])
        place = found.end()
    return words
