"""The bar for edits in a document: it follows the edits that the user has taken and refused there.

A user who takes nearly all shown edits is shown more, one who refuses many is shown less. Until an edit is
taken or refused, the bar is the setting's.
"""

from __future__ import annotations

from fim_lsp.worth.acceptance import AcceptanceHistory

# The expected share of shown edits that are taken, with the weight of so many edits.
EXPECTED, N_EXPECTED = 0.75, 5.0
# The bar falls no further than this, in logarithms of the odds: from 0.65 to 0.46.
MOST_EAGER = 0.77


def new_acceptance() -> AcceptanceHistory:
    """The history of a document in which no edit was taken or refused."""
    return AcceptanceHistory(expected=EXPECTED, n_expected=N_EXPECTED, most_eager=MOST_EAGER)
