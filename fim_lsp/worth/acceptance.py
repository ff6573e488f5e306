"""The bar, the least probability of a shown offer: set by a setting, and moved a little by the user's accepts
and refusals in one workspace.

A user who accepts more than expected sees more offers, and fewer otherwise. The history stays in memory while
the server runs, goes nowhere else, and the command `fim-lsp.forgetAcceptance` clears it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fim_lsp.worth.odds import log_odds, probability

# The bar for each eagerness.
BARS = {"quiet": 0.6, "balanced": 0.4, "eager": 0.2}
# The expected share of useful offers, with the weight of so many offers.
EXPECTED = 0.6
N_EXPECTED = 25.0
# In the long run the history has the weight of so many offers.
N_REMEMBERED = 200.0
# The most that the bar moves, in log odds: from 0.4 to 0.27 or to 0.55.
MOST = 0.6


@dataclass(slots=True)
class AcceptanceHistory:
    """The number of shown offers, and of those that were accepted in part or whole; old ones fade."""

    n_shown: float = 0.0
    n_accepted: float = 0.0
    expected: float = EXPECTED
    n_expected: float = N_EXPECTED
    # The bar may fall further than it may rise.
    most_eager: float = MOST

    def note(self, is_accepted: bool) -> None:
        fading = 1 - 1 / N_REMEMBERED
        self.n_shown = self.n_shown * fading + 1
        self.n_accepted = self.n_accepted * fading + is_accepted

    @property
    def eagerness(self) -> float:
        """The eagerness: how much more than usual offers are wanted, in logarithms of the odds."""
        accepted = self.n_accepted + self.n_expected * self.expected
        refused = self.n_shown - self.n_accepted + self.n_expected * (1 - self.expected)
        found = math.log(accepted / refused) - log_odds(self.expected)
        return max(-MOST, min(self.most_eager, found))

    def adjusted_bar(self, bar: float) -> float:
        """A bar, moved for this user."""
        if not 0 < bar < 1:
            return bar
        return probability(log_odds(bar) - self.eagerness)
