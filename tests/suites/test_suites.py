"""Peers' test suites: the page names every difference, each with its reason, and there are no others."""

from __future__ import annotations

import pytest

from fim_lsp.replay.judges import NoJudge
from tests.suites import page, sources
from tests.suites.cases import SUITES, Case, Suite
from tests.suites.differences import UNEXPLAINED, Reading, read


def reading(suite: Suite) -> Reading:
    try:
        return read(suite)
    except (sources.NotFetched, NoJudge) as why:
        pytest.skip(str(why))


@pytest.mark.parametrize("suite", SUITES, ids=lambda suite: suite.name)
def test_the_page_says_what_is_so(suite: Suite) -> None:
    """Each installed Go has its own texts, so for Go only the differences are compared."""
    found = reading(suite)
    assert found.n_valid > 100
    assert found.n_invalid > 50
    on_page = page.on_page()
    row = list(page.table([found]))[2]
    if suite.name == "go":
        assert found.differences == ()
    else:
        assert row in on_page
    assert "\n".join(page.listed(found)) in on_page
    assert [one.name for one in found.differences if one.reason == UNEXPLAINED] == []


def suite_of(*cases: Case) -> Suite:
    return Suite("made", "a suite that was made up", "toml", "1.0", lambda: iter(cases))


def test_differences_are_found_and_have_reasons() -> None:
    found = read(
        suite_of(
            Case("right", b"a = 1", True),
            Case("twice", b"a = 1\na = 2", False),
            Case("wrongly valid", b"a = ", True),
            Case("no text", b"a = '\xff'", False),
            Case("asked", b"b", None),
        )
    )
    assert (found.n_valid, found.n_invalid, found.n_open) == (2, 3, 0)
    assert [(one.name, one.is_member, one.reason) for one in found.differences] == [
        ("twice", True, "keys and tables defined twice"),
        ("wrongly valid", False, UNEXPLAINED),
    ]
    assert next(iter(page.listed(found))) == "**made**, refused though valid, 1: unexplained"


def test_what_is_not_there_is_said() -> None:
    missing = sources.Source("npm", "no-such-suite", "0", "")
    with pytest.raises(
        sources.NotFetched, match=r"no-such-suite 0 is not there: python -m tests\.suites\.fetch"
    ):
        assert missing.folder
