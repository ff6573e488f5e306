"""Answers follow from the text alone, and not from earlier edits."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from fim_lsp.document import syntax
from fim_lsp.document.sent import SentEdit, SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import PYTHON
from tests.laws import histories as law
from tests.laws.histories import (
    CHUNK,
    PYTHON_VERSION,
    History,
    Said,
    SomeHistories,
    compared,
    difference,
    histories,
    shares,
    sources,
    stored,
)
from tests.thoroughness import n_tries

N_EDITS = n_tries(600, 1_500, least=600)


@pytest.mark.parametrize("history", stored(), ids=lambda history: history.language)
def test_a_past_that_once_counted_does_not(history: History) -> None:
    assert difference(history) is None


@pytest.mark.parametrize("seed", range(1, 3))
def test_no_past_counts(seed: int) -> None:
    drawn = list(histories(N_EDITS // 2, seed))
    assert {history.language for history in drawn} == set(sources())
    assert [history for history in drawn if difference(history) is not None] == []


def test_shares_have_all_edits_and_their_own_seeds() -> None:
    found = [*shares(2 * CHUNK + 7, 0).values(), *shares(2 * CHUNK + 7, 1).values()]
    assert [share.n_edits for share in found] == [CHUNK, CHUNK, 7] * 2
    assert len({share.seed for share in found}) == 6


def test_a_difference_is_counted_and_shown_with_its_history(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Said(("a",), None, None, None, None, ())
    monkeypatch.setattr(law, "difference", lambda _: (said, replace(said, texts=("b",))))
    outcome = compared(SomeHistories(1, 0))
    (failure,) = outcome.failures
    assert outcome.n_failures == outcome.tally["histories"] == 1
    row, edited, fresh = failure.detail.split("\n")
    assert json.loads(row)["language"] == failure.kind
    assert ("('a',)" in edited, "('b',)" in fresh) == (True, True)


def test_in_a_long_broken_file_a_part_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only a part of a long broken file is read, but its docstrings, comments and faults are known, and edits
    leave no trace."""
    monkeypatch.setattr(syntax, "WHOLE_BYTES", 100)
    functions = "".join(
        f"def f{number}(a):\n    '''Says.\n\n    More.'''\n    return a\n\n\n" for number in range(30)
    )
    whole = f"x = = 1\n{functions}def last(b):\n    '''One.'''\n    return b  # two\n"
    text = WorkerText(SentText("file:///a.py", 0, PYTHON_VERSION, ""), "")
    text.edit(SentEdit(0, 0, whole))
    assert not text.tree.is_certain
    assert text.is_docstring(whole.index("One"))
    assert text.is_docstring(whole.index("More", len(whole) // 2))
    assert not text.is_docstring(whole.index("return b"))
    assert text.is_comment(whole.index("two"))
    assert not text.is_comment(whole.index("return b"))
    place = whole.index("return b") + len("return b")
    assert text.is_worse_with(place, place, ") = (")
    assert not text.is_worse_with(place, place, ".c")
    assert [(fault.start, fault.stop) for fault in text.tree.faults(text.text)] == [
        (fault.start, fault.stop) for fault in syntax.SyntaxTree(whole, PYTHON).faults(whole)
    ]
