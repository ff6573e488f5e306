"""Texts from memory alone, within what the engine lets through: where no model writes.

The likeliest word that may come is taken, one after the other, to the end of the line. Of such a text each
beginning may be offered behind which the file parses, or what closes it does.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from fim_lsp.memory.expectation import Expectation, ExpectedWords
from fim_lsp.memory.words import Words
from quotient import Recognizer

# Words of a text at most, and of those that could come next how many are tried.
MOST_WORDS, MOST_TRIED = 24, 12
# A word that is right so rarely is not written on.
LEAST_PROBABLE = 0.02
# The probability that a closer comes next where a bracket is open.
CLOSED_NEXT = 0.4
# A remembered text comes again less often than it came: by so much on the packages that this is tuned on.
COMES_AGAIN = 0.75
# The share of refused words behind which the text in front means something else. A text that is closed, or
# ended, by the text right of the cursor is whole.
HALF = 0.5
# The probability that one of the words that are lacking comes next.
LACKING = 0.9
GOES_ON = re.compile(r"\s*[^\s)\]};,:]")
# A step of "accept next word".
STEP = re.compile(r"\s*(?:\w+|[^\w\s]+)")
# The least number of keys saved for an offer, or its first words, to be of use.
LEAST_SAVED, LEAST_SAVED_BY_WORDS = 2, 3

# Words of which one is lacking, each with what has to follow it.
LackingWords = Sequence[tuple[str, ...]]
Closing = Callable[[Recognizer], str | None]
# Whether a word behind a text leaves standing what stands around the cursor.
Staying = Callable[[str, str], bool]


def stays_anywhere(_text: str, _added: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class RememberedWord:
    """A word of a text, for the judge of how sure it is: how probable it and the next best one are, how many
    words of context agree, and what of those words' followers it is, of how many."""

    probability: float
    next_best: float
    n_agreeing: int
    share: float
    n_times: float
    n_followers: int


@dataclass(frozen=True, slots=True)
class ProbableText:
    """A text up to one of its words: how probable all of it is, and whether the line may end there."""

    text: str
    probability: float
    closers: str | None
    # The probability that the line ends here.
    end: float = 0.0
    words: tuple[RememberedWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """A text that may be offered, and how likely some of it, or all, is what comes next."""

    text: str
    useful: float
    whole: float
    n_closers: int = 0
    end: float = 0.0
    words: tuple[RememberedWord, ...] = ()
    # Whether its first word is one that is lacking, and not remembered.
    is_led: bool = False

    @property
    def worth(self) -> float:
        """The keys that are saved, as far as one knows."""
        n_characters, n_steps = len(self.text), len(STEP.findall(self.text))
        partly = max(self.useful - self.whole, 0.0) * max(n_characters - n_steps, 0) / 2
        return self.whole * (n_characters - 1) + partly


def remembered_texts(
    expectation: Expectation,
    context: Sequence[int],
    begun: str,
    recognizer: Recognizer,
    closing: Closing,
    is_cancelled: Callable[[], bool] = lambda: False,
    stays: Staying = stays_anywhere,
    lacking: LackingWords = (),
) -> list[Remembered]:
    """The texts that may be offered behind a context and a word that is begun, the most worth first. Where
    words are `lacking`, they begin with one of them, if that fits."""
    at = expectation, context, begun, recognizer, closing, is_cancelled, stays
    found = list(beginnings(*at, lacking))
    offers = {one.text: replace(one, is_led=bool(lacking)) for one in offered_beginnings(found)}
    if lacking and not offers:
        offers = {one.text: one for one in offered_beginnings(list(beginnings(*at)))}
    return sorted(offers.values(), key=lambda one: -one.worth)


def beginnings(
    expectation: Expectation,
    context: Sequence[int],
    begun: str,
    recognizer: Recognizer,
    closing: Closing,
    is_cancelled: Callable[[], bool],
    stays: Staying,
    lacking: LackingWords = (),
) -> list[ProbableText]:
    words, line_end = expectation.words, expectation.words.line_end
    reading, behind = recognizer.fork(), [*context]
    text, probability = "", 1.0
    found: list[ProbableText] = []
    noted: tuple[RememberedWord, ...] = ()
    for _ in range(MOST_WORDS):
        if is_cancelled():
            break
        n_written = len(behind) - len(context)
        expected_words = expected_lacking(words, lacking, n_written) or expectation.next(behind, begun)
        expected = expected_words.probabilities
        refused = refused_going_on = 0.0
        is_stuck = False
        for number in sorted(expected, key=lambda one: (-expected[one], one))[:MOST_TRIED]:
            share = min(expected[number] / max(1.0 - refused, expected[number]), 1.0)
            if number == line_end:
                if found:
                    last = found[-1]
                    found[-1] = replace(last, end=share)
                return found
            added = words.text(number)[len(begun) :]
            following = reading.fork()
            if not added or following.advance(added):
                break
            refused += expected[number]
            refused_going_on += expected[number] * bool(GOES_ON.match(added))
        else:
            is_stuck = True
        if refused_going_on >= HALF:
            # The text there was the beginning of something else.
            return found[:-1]
        if is_stuck or not stays(text, added):
            return found
        noted = (*noted, remembered_word(expected_words, number, share))
        probability *= share
        if probability < LEAST_PROBABLE:
            break
        reading, text, begun = following if added else reading, text + added, ""
        behind.append(number)
        if text:
            closers = "" if reading.is_member() else closing(reading)
            found.append(ProbableText(text, probability, closers, words=noted))
    return found


def expected_lacking(words: Words, lacking: LackingWords, n_written: int) -> ExpectedWords | None:
    """What is expected where words are lacking: the one that is used first is twice as likely as the next."""
    found: dict[int, float] = {}
    share = 1.0
    for one in lacking:
        if n_written < len(one):
            number = words.number(one[n_written])
            found[number] = found.get(number, 0.0) + share
            share /= 2
    total = sum(found.values()) / LACKING
    return ExpectedWords({number: amount / total for number, amount in found.items()}) if found else None


def remembered_word(expected: ExpectedWords, number: int, probability: float) -> RememberedWord:
    others = (amount for other, amount in expected.probabilities.items() if other != number)
    n_times = sum(expected.followers.values())
    return RememberedWord(
        probability,
        max(others, default=0.0),
        expected.n_agreeing,
        expected.followers.get(number, 0.0) / n_times if n_times else 0.0,
        n_times,
        len(expected.followers),
    )


def offered_beginnings(found: Sequence[ProbableText]) -> list[Remembered]:
    """The beginnings behind which a file can be made to parse."""
    offers = []
    for one in found:
        # More was to come behind a comma than the closer of the list.
        if one.closers is None or (one.closers and one.text.rstrip().endswith(",")):
            continue
        text = one.text + one.closers
        whole = one.probability * (CLOSED_NEXT if one.closers else 1.0)
        early = next((some.probability for some in found if saves_by_words(some.text)), 0.0)
        partly = early if saves_by_words(one.text) else 0.0
        useful = max(whole if len(text) - 1 >= LEAST_SAVED else 0.0, partly)
        useful, whole = COMES_AGAIN * useful, COMES_AGAIN * whole
        offers.append(Remembered(text, useful, whole, len(one.closers), one.end, one.words))
    return offers


def saves_by_words(text: str) -> bool:
    return len(text) - len(STEP.findall(text)) >= LEAST_SAVED_BY_WORDS
