"""Offers in Go are aligned with gofmt's columns."""

from __future__ import annotations

import pytest

from fim_lsp.known_languages import GO, JAVASCRIPT
from fim_lsp.server.worker.columns import in_columns

FIELDS = "type route struct {\n\tname             string\n"
KEYS = 'found := route{\n\tname:        "a",\n'


@pytest.mark.parametrize(
    ("left", "offer", "right", "expected"),
    [
        # The cursor is behind a name, in a name, and behind some of the blanks.
        (FIELDS + "\tretry", " int", "\n}\n", "            int"),
        (FIELDS + "\tre", "try int", "\n}\n", "try            int"),
        (FIELDS + "\tretry  ", "int", "\n}\n", "          int"),
        # The line below determines the column, too.
        ("type route struct {\n\tname", " string", "\n\tretryCount int\n}\n", "       string"),
        (KEYS + "\tid:", " 1,", "\n}\n", "          1,"),
        # A longer name moves the others' columns.
        (FIELDS + "\tretryFiltersOfAll", " int", "\n}\n", " int"),
        # Texts that are not fields, or not of the same block.
        ("func f() {\n\tname             string\n\tretry", " int", "\n}\n", " int"),
        (FIELDS + "\n\tretry", " int", "\n}\n", " int"),
        (FIELDS + "\tinner struct {\n\t\tretry", " int", "\n}\n", " int"),
        ("switch a {\ncase 1:      f()\ndefault:", " g()", "\n}\n", " g()"),
    ],
)
def test_a_field_or_a_value_stands_below_the_others(left: str, offer: str, right: str, expected: str) -> None:
    assert in_columns(offer, left, right, GO) == expected
    assert in_columns(offer, left, right, JAVASCRIPT) == offer
