"""The judge's features of a remembered text that no model has written: how sure memory is of its words, and
the features of any offer and its place.
"""

from __future__ import annotations

from math import log

from fim_lsp.memory.alone import Remembered, RememberedWord
from fim_lsp.worth.features import MOST_AGREEING, MOST_TIMES, JudgedPlace, of_text

# The numbers of a text in which no word is remembered.
NO_WORD = RememberedWord(1.0, 0.0, 0, 0.0, 0.0, 0)
LEAST_PROBABLE = 1e-6


def remembered_features(offer: str, remembered: Remembered, site: JudgedPlace) -> dict[str, float]:
    """The features of a text that memory writes, or of a beginning of it."""
    return {**of_words(remembered), **of_text(offer, site), **site.place}


def of_words(remembered: Remembered) -> dict[str, float]:
    words = remembered.words or (NO_WORD,)
    first = words[0]
    logprobs = [logarithm(word.probability) for word in words]
    return {
        "probability of the beginning": logprobs[0],
        "probability of the second word": logprobs[1] if len(words) > 1 else 0.0,
        "least probable word": min(logprobs),
        "mean probability": sum(logprobs) / len(logprobs),
        "probability of the end": logprobs[-1],
        "probability of all": sum(logprobs),
        "next best beginning": logarithm(first.next_best),
        "sure to be of use": remembered.useful,
        "sure to be whole": remembered.whole,
        "remembered: beginning": first.share,
        "remembered: mean": sum(word.share for word in words) / len(words),
        "remembered: least": min(word.share for word in words),
        "context agrees: beginning": float(min(first.n_agreeing, MOST_AGREEING)),
        "context agrees: least": float(min(MOST_AGREEING, *(word.n_agreeing for word in words))),
        "context stands there": min(first.n_times, MOST_TIMES),
        "different words followed": float(min(first.n_followers, MOST_TIMES)),
        "tokens": float(len(remembered.words)),
        "closers": float(remembered.n_closers),
        "the line ends there": remembered.end,
    }


def logarithm(probability: float) -> float:
    return log(max(probability, LEAST_PROBABLE))
