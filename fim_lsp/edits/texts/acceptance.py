"""How sure an edit has to be for a user who has taken those before it in the document, or refused them.

Users who take nearly all that they are shown are shown more, those who refuse many are shown less. Where
nothing was taken or refused yet, the bar is the setting's.
"""

from __future__ import annotations

from fim_lsp.worth.acceptance import AcceptanceHistory

# The share of what is shown that is expected to be taken, with the weight of so many edits.
EXPECTED, N_EXPECTED = 0.75, 5.0
# The bar falls no further than this, in logarithms of the odds: from 0.65 to 0.46.
MOST_EAGER = 0.77


def new_acceptance() -> AcceptanceHistory:
    """The history of a document in which no edit was taken or refused."""
    return AcceptanceHistory(expected=EXPECTED, n_expected=N_EXPECTED, most_eager=MOST_EAGER)
