"""A person's keys: the intervals between them, drawn for a region, the same for every model.

Intervals differ between people, and between the keys of one person. Each region is typed by another person:
the mean interval is drawn as it varies over 168,000 people, 239 ms with a standard deviation of 112 ms
(Dhakal, Feit, Kristensson and Oulasvirta, *Observations on Typing from 136 Million Keystrokes*, CHI 2018; 52
words a minute on average, the fast ones 120 ms). Around it, a person's intervals have the shape of a
log-normal distribution, which González, Calot, Ierache and Hasperué find an excellent fit for typing of free
text (*On the shape of timings distributions in free-text keystroke dynamics profiles*, Heliyon 2021; their
log-logistic fits better still, and differs in the tail).

The rest is our own choice, which may be wrong: how wide a person's distribution is, and how much longer a key
takes where a word or a line begins. The person pauses to think only at the jump, while programmers also do so
elsewhere (Shrestha et al., *Pausing While Programming*, ICSE-SEET 2022, counts pauses of two seconds and
more). So a server has less time here than in life.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

# Seconds between keys, over people: Dhakal et al. 2018.
MEAN, DEVIATION = 0.239, 0.112
# No drawn person is faster than their fast ones, or slower than two deviations above the mean.
FASTEST, SLOWEST = 0.120, 0.463
# The standard deviation of the logarithm of one person's intervals: 95 of 100 lie between 0.46 and 2.2
# times the median. Our choice.
SPREAD = 0.4
# The shortest interval: two keys fall together where fingers roll.
SHORTEST = 0.030
# The factor where a word begins, and the seconds more where a line does. Our choice.
WORD_FACTOR = 1.5
LINE_SECONDS = 0.5
# The seconds from the jump to the first key: the person looks where they are.
JUMP_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Person:
    """A person who types: `mean` is the mean interval inside words and lines, in seconds."""

    mean: float

    @classmethod
    def draw_person(cls, random: Random) -> Person:
        return cls(min(max(log_normal(random, MEAN, DEVIATION), FASTEST), SLOWEST))

    def interval(self, random: Random, before: str, key: str) -> float:
        """Seconds between two keys, of which the second one is `key`, behind the text `before`."""
        # A log-normal distribution's mean lies above its median.
        median = self.mean / math.exp(SPREAD**2 / 2)
        seconds = median * math.exp(random.gauss(0.0, SPREAD))
        if begins_line(before, key):
            seconds += LINE_SECONDS
        elif begins_word(before, key):
            seconds *= WORD_FACTOR
        return max(seconds, SHORTEST)


def intervals(region: str, seed: str) -> list[float]:
    """The seconds before each character of a region is typed, or a text is accepted that begins with it.

    They belong to the place and not to the number of keys: a person who gets more offers types the rest no
    faster.
    """
    random = Random(f"{seed} intervals")
    person = Person.draw_person(random)
    found = [person.interval(random, region[:place], key) for place, key in enumerate(region)]
    return [JUMP_SECONDS, *found[1:]]


def begins_word(before: str, key: str) -> bool:
    return is_of_word(key) and not is_of_word(before[-1:])


def begins_line(before: str, key: str) -> bool:
    """Whether a key is the first one of its line that is not a blank."""
    line = before.rpartition("\n")[2]
    return not key.isspace() and not line.strip() and "\n" in before


def is_of_word(character: str) -> bool:
    return character.isalnum() or character == "_"


def log_normal(random: Random, mean: float, deviation: float) -> float:
    """A draw from the log-normal distribution with that mean and that standard deviation."""
    variance = math.log(1 + (deviation / mean) ** 2)
    return math.exp(random.gauss(math.log(mean) - variance / 2, math.sqrt(variance)))
