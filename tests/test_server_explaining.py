"""What a person is told who asks why: what the model wanted, and what was refused."""

from __future__ import annotations

import pytest

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.session import Session
from fim_lsp.server.worker.messages import Traced
from fim_lsp.server.worker.tracing import quoted, traced
from quotient import Language
from tests.models import writing_model

PYTHON = Language.load("python", version="3.11")


def explained(left: str, right: str, wish: str, **options: object) -> Traced:
    session = Session(writing_model(left, wish))
    return traced(session, left, right, PYTHON.recognizer(left, right), Options(**options))  # type: ignore[arg-type]


def test_a_wish_that_fits_is_not_refused() -> None:
    found = explained("x = max(", ")\n", "rows, key=len")
    assert (found.offered, found.wanted, found.refused) == ("rows, key=len", "rows, key=len", ())


def test_what_would_not_parse_is_named_with_what_came_instead() -> None:
    found = explained("x = max(", ")\n", "rows] + 1")
    assert found.wanted == "rows] + 1"
    assert found.offered.startswith("rows")
    [sentence, *_] = found.refused
    assert sentence.startswith("behind `(rows`, it wanted `]`: refused, the file would not parse; ")
    assert sentence.endswith(" came instead")


def test_an_end_that_does_not_fit_is_named() -> None:
    found = explained("x = max(rows, ", "\n", "key")
    assert any("it wanted to end: refused" in sentence for sentence in found.refused)


@pytest.mark.parametrize(("text", "shown"), [("a)", "`a)`"), ("\n", r"`'\n'`"), (" a", "`' a'`")])
def test_white_space_is_seen(text: str, shown: str) -> None:
    assert quoted(text) == shown
