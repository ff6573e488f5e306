"""What the judge is told of a place: whether it is in quotes, in languages with braces by the engine."""

from __future__ import annotations

import time

import pytest

from fim_lsp.server.worker.attempt import Attempt
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from tests.footings import footing_between

TYPING = Wishes(1, 64, 20, True, "", False, None)


@pytest.mark.parametrize(
    ("language", "text", "is_quoted"),
    [
        ("go", "package p\n\nvar a = `one\n$0 two`\n", True),
        ("go", "package p\n\nvar a = `don't` + $0b\n", False),
        ("go", 'package p\n\nvar a = "$0"\n', True),
        ("javascript", "const a = `one $0`;\n", True),
        ("javascript", "const a = `don't ${$0b}`;\n", False),
        ("javascript", "const a = /don't/.test($0b);\n", False),
        ("java", "class A { char a = '\"'; int b = $01; }\n", False),
        # Python's lines are counted.
        ("python", "a = 'one' + $0b\n", False),
        ("python", "a = 'one $0'\n", True),
    ],
)
def test_a_place_is_in_quotes_where_the_engine_is(language: str, text: str, is_quoted: bool) -> None:
    left, right = text.split("$0")
    footing = footing_between(left, right, language)
    attempt = Attempt(footing, OfferRequest(footing.site, TYPING, time.perf_counter() + 1.0))
    assert bool(attempt.judged_place.place["in quotes"]) is is_quoted
