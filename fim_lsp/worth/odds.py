"""Log odds and probabilities.

The server's own process needs only these functions of the judge, and must not load numpy.
"""

import math


def probability(log_odds: float) -> float:
    return 1 / (1 + math.exp(-max(min(log_odds, 30.0), -30.0)))


def log_odds(probability: float) -> float:
    """The log odds of a probability, which is neither 0 nor 1."""
    return math.log(probability / (1 - probability))
