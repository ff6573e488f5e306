"""The bar that an offer has to reach to be shown: by the setting, and by what a person accepts and refuses in
one workspace, with which it moves a little.

A person who accepts more than was to be expected is shown more, and less otherwise. It is kept in memory as
long as the server runs, goes nowhere else, and is forgotten by the command `fim-lsp.forgetAcceptance`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from fim_lsp.worth.odds import log_odds, probability

# The least sureness of an offer for each eagerness.
BARS = {"quiet": 0.6, "balanced": 0.4, "eager": 0.2}
# The share of what is shown that is expected to be of use, with the weight of so many offers.
EXPECTED = 0.6
N_EXPECTED = 25.0
# A new offer counts as much as the last ones together, in the long run.
N_REMEMBERED = 200.0
# The bar moves no further than this, in logarithms of the odds: from 0.4 to 0.27 or to 0.55.
MOST = 0.6


@dataclass(slots=True)
class AcceptanceHistory:
    """The number of offers that were shown, and of those of which anything was accepted; old ones fade."""

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
        """A bar as it is for this person."""
        if not 0 < bar < 1:
            return bar
        return probability(log_odds(bar) - self.eagerness)
