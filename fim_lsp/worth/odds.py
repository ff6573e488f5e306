"""Logarithms of odds, and the probabilities that they are.

This is all of the judge that the server itself needs, and must not load numpy.
"""

import math


def probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(min(log_odds, 30.0), -30.0)))


def log_odds(probability: float) -> float:
    """The logarithm of the odds of a probability that is neither 0 nor 1."""
    return math.log(probability / (1 - probability))
