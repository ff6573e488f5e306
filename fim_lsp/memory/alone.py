"""Texts from memory alone, constrained by the engine, for languages without a model.

The likeliest allowed word is taken, one after the other, to the end of the line. Each beginning of such a
text may be offered with which the file parses, perhaps with closers behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from fim_lsp.memory.expectation import Expectation
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
GOES_ON = re.compile(r"\s*[^\s)\]};,:]")
# A step of "accept next word".
STEP = re.compile(r"\s*(?:\w+|[^\w\s]+)")
# An offer, or its first words, is useful if it saves so many keys.
LEAST_SAVED, LEAST_SAVED_BY_WORDS = 2, 3

Closing = Callable[[Recognizer], str | None]
# Whether a word behind a text keeps the cursor's enclosure.
Staying = Callable[[str, str], bool]


def stays_anywhere(_text: str, _added: str) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class ProbableText:
    """A text up to one of its words, with its probability, and whether the line may end there."""

    text: str
    probability: float
    closers: str | None
    # The probability that the line ends here.
    end: float = 0.0


@dataclass(frozen=True, slots=True)
class Remembered:
    """A text that may be offered, with the probabilities that a part of it, or all of it, is right."""

    text: str
    useful: float
    whole: float

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
) -> list[Remembered]:
    """The texts that may be offered behind a context and a begun word, the most valuable first."""
    found = list(beginnings(expectation, context, begun, recognizer, closing, is_cancelled, stays))
    offers = {one.text: one for one in offered_beginnings(found)}
    return sorted(offers.values(), key=lambda one: -one.worth)


def beginnings(
    expectation: Expectation,
    context: Sequence[int],
    begun: str,
    recognizer: Recognizer,
    closing: Closing,
    is_cancelled: Callable[[], bool],
    stays: Staying,
) -> list[ProbableText]:
    words, line_end = expectation.words, expectation.words.line_end
    reading, behind = recognizer.fork(), [*context]
    text, probability = "", 1.0
    found: list[ProbableText] = []
    for _ in range(MOST_WORDS):
        if is_cancelled():
            break
        expected = expectation.next(behind, begun)
        refused = refused_going_on = 0.0
        is_stuck = False
        for number in sorted(expected, key=lambda one: (-expected[one], one))[:MOST_TRIED]:
            share = min(expected[number] / max(1.0 - refused, expected[number]), 1.0)
            if number == line_end:
                if found:
                    last = found[-1]
                    found[-1] = ProbableText(last.text, last.probability, last.closers, share)
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
            # In its old place the text was the beginning of something else.
            return found[:-1]
        if is_stuck or not stays(text, added):
            return found
        probability *= share
        if probability < LEAST_PROBABLE:
            break
        reading, text, begun = following if added else reading, text + added, ""
        behind.append(number)
        if text:
            closers = "" if reading.is_member() else closing(reading)
            found.append(ProbableText(text, probability, closers))
    return found


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
        offers.append(Remembered(text, COMES_AGAIN * useful, COMES_AGAIN * whole))
    return offers


def saves_by_words(text: str) -> bool:
    return len(text) - len(STEP.findall(text)) >= LEAST_SAVED_BY_WORDS
