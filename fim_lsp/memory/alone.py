"""Texts from memory alone, constrained by the engine, for languages without a model.

The likeliest allowed word is taken, one after the other, to the end of the line. Each beginning of such a
text may be offered with which the file parses, perhaps with closers behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nsmallest

from fim_lsp.memory.expectation import Expectation, ExpectedWords
from fim_lsp.memory.words import Words
from quotient import Recognizer

# The most words of a text, and the most candidates that are tried for each word.
MOST_WORDS, MOST_TRIED = 24, 12
# A less probable word ends the text.
LEAST_PROBABLE = 0.02
# The probability that a closer comes next if a bracket is open.
CLOSED_NEXT = 0.4
# A remembered text recurs less often than its counts say: by this factor on the tuning packages.
COMES_AGAIN = 0.75
# If a larger share of the next words is refused, the text in front has another meaning here. A text that the
# right side closes or ends is whole.
HALF = 0.5
# The probability that one of the lacking names comes next.
LACKING = 0.9
GOES_ON = re.compile(r"\s*[^\s)\]};,:]")
# A step of "accept next word".
STEP = re.compile(r"\s*(?:\w+|[^\w\s]+)")
# An offer, or its first words, is useful if it saves so many keys.
LEAST_SAVED, LEAST_SAVED_BY_WORDS = 2, 3

# Names that the code below lacks, each with the text that must follow it.
LackingWords = Sequence[tuple[str, ...]]
Closing = Callable[[Recognizer], str | None]
# Whether a word behind a text keeps the cursor's enclosure.
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
    """A text up to one of its words, with its probability, and whether the line may end there."""

    text: str
    probability: float
    closers: str | None
    # The probability that the line ends here.
    end: float = 0.0
    words: tuple[RememberedWord, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """A text that may be offered, with the probabilities that a part of it, or all of it, is right."""

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
        """The expected number of saved keys."""
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
        for word in likeliest(expected, words):
            share = min(expected[word] / max(1.0 - refused, expected[word]), 1.0)
            if word == line_end:
                if found:
                    last = found[-1]
                    found[-1] = replace(last, end=share)
                return found
            added = words.text(word)[len(begun) :]
            following = reading.fork()
            if not added or following.advance(added):
                break
            refused += expected[word]
            refused_going_on += expected[word] * bool(GOES_ON.match(added))
        else:
            is_stuck = True
        if refused_going_on >= HALF:
            # In its old place the text was the beginning of something else.
            return found[:-1]
        if is_stuck or not stays(text, added):
            return found
        noted = (*noted, remembered_word(expected_words, word, share))
        probability *= share
        if probability < LEAST_PROBABLE:
            break
        reading, text, begun = following if added else reading, text + added, ""
        behind.append(word)
        if text:
            closers = "" if reading.is_member() else closing(reading)
            found.append(ProbableText(text, probability, closers, words=noted))
    return found


def likeliest(expected: Mapping[int, float], words: Words) -> list[int]:
    """The likeliest words, in the order in which they are tried. Of two equally likely ones the longer comes
    first, since it saves more keys; their numbers depend on the order in which files were read."""

    def order(word: int) -> tuple[float, int, str]:
        text = words.text(word)
        return -expected[word], -len(text), text

    return nsmallest(MOST_TRIED, expected, key=order)


def expected_lacking(words: Words, lacking: LackingWords, n_written: int) -> ExpectedWords | None:
    """What is expected where words are lacking: the one that is used first is twice as likely as the next."""
    found: dict[int, float] = {}
    share = 1.0
    for one in lacking:
        if n_written < len(one):
            word = words.id_of(one[n_written])
            found[word] = found.get(word, 0.0) + share
            share /= 2
    total = sum(found.values()) / LACKING
    return ExpectedWords({word: amount / total for word, amount in found.items()}) if found else None


def remembered_word(expected: ExpectedWords, word: int, probability: float) -> RememberedWord:
    others = (amount for other, amount in expected.probabilities.items() if other != word)
    n_times = sum(expected.followers.values())
    return RememberedWord(
        probability,
        max(others, default=0.0),
        expected.n_agreeing,
        expected.followers.get(word, 0.0) / n_times if n_times else 0.0,
        n_times,
        len(expected.followers),
    )


def offered_beginnings(found: Sequence[ProbableText]) -> list[Remembered]:
    """The beginnings that can be closed so that the file parses."""
    offers = []
    for one in found:
        # Behind a comma more must follow than the list's closer.
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
