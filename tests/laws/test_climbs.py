"""Climbs in search of costly texts: their shares, what a missed bound says, and refused texts."""

from dataclasses import replace
from typing import cast

import pytest

from quotient import Language, TooCostly
from tests.laws import climb
from tests.laws.cases import Case, Failure, Outcome, Tally
from tests.laws.climb import CHUNK, MATERIALS, Search, cost, highest, searches
from tests.laws.runs import Runs


class RefusedDocument:
    """A document that the engine does not read to its end."""

    memory = 1 << 20

    def recognizer(self, _: int) -> None:
        raise TooCostly


class RefusingLanguage:
    """A language whose every text is refused."""

    def document(self, _: str) -> RefusedDocument:
        return RefusedDocument()


def test_shares_have_all_texts_and_their_own_seeds() -> None:
    shares = searches("json", None, 2 * CHUNK + 7, "1").values()
    assert [share.n_steps for share in shares] == [CHUNK, CHUNK, 7]
    assert len({share.seed for share in shares}) == 3


def test_a_climb_within_its_bounds_shows_its_highest_place() -> None:
    outcome = highest(Search("json", None, 100, "a"))
    (worst,) = outcome.failures
    assert outcome.n_failures == 0
    assert outcome.tally["texts"] == 100
    assert 0 < float(worst.kind) <= 1


def test_a_missed_bound_ends_a_climb(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MATERIALS, "json", replace(MATERIALS["json"], max_bytes=1))
    outcome = highest(Search("json", None, 100, "a"))
    (worst,) = outcome.failures
    assert outcome.n_failures == 1
    assert float(worst.kind) > 1
    assert "MB" in worst.detail


def test_a_refused_text_costs_what_it_took_until_then() -> None:
    found = cost(cast("Language", RefusingLanguage()), "", "}")
    assert found.is_refused
    assert found.n_bytes == RefusedDocument.memory
    assert str(found).endswith("refused as too costly")


@pytest.mark.parametrize(("height", "code"), [("2.5", 1), ("0.5", 0)])
def test_the_command_shows_the_costliest_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], height: str, code: int
) -> None:
    found = [Failure("cost", one, Case("a", "", one), f"{one} ms") for one in ("0.1", height, "0.2")]
    outcome = Outcome(Tally(texts=9, failures=code), found)
    monkeypatch.setattr(Runs, "run", lambda *_: outcome)
    monkeypatch.setattr("sys.argv", ["climb", "--languages", "json"])
    assert climb.main() == code
    assert capsys.readouterr().out == f"json: {height} ms: 'a' | {height!r}\n"
