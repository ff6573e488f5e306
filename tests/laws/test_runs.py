"""Long runs: processes work off the chunks, and a stopped run continues."""

import os
from pathlib import Path

import pytest

from tests.laws import runs
from tests.laws.cases import LOST, Case, Failure, Outcome, Tally
from tests.laws.runs import Journal, Runs

FAILURE = Failure("a", "refused", Case("x = ", "é\r\n", ""), "why", "some.py")


@pytest.fixture(autouse=True)
def journals(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runs, "JOURNALS", tmp_path)


def doubled(number: int) -> Outcome:
    """A chunk's work. A negative chunk crashes its process."""
    if number < 0:
        os._exit(1)
    return Outcome(Tally(sums=2 * number))


def test_a_run_that_was_stopped_goes_on() -> None:
    asked = "double some numbers"
    journal = Journal("sums", asked)
    journal.add("one", Outcome(Tally(sums=100, failures=1), [FAILURE]))
    for _ in range(2):
        again = Runs(jobs=1)
        outcome = again.run("sums", doubled, {"one": 1, "two": 2}, "sums", asked)
        assert outcome.tally["sums"] == 104, "what was known is taken, what was not is worked out"
        assert outcome.failures == [FAILURE]
    again.end()
    assert not journal.outcomes(), "a command that has ended begins anew"


def test_a_line_that_was_cut_off_counts_for_nothing() -> None:
    journal = Journal("sums", "double")
    journal.add("one", Outcome(Tally(sums=100)))
    journal.path.write_bytes(journal.path.read_bytes()[:-3])
    journal.add("two", Outcome(Tally(sums=200)))
    assert {name: dict(outcome.tally) for name, outcome in journal.outcomes().items()} == {
        "two": {"sums": 200}
    }


def test_another_question_or_another_engine_is_another_run(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = Journal("sums", "double").path
    assert Journal("sums", "treble").path != asked
    monkeypatch.setattr(runs, "fingerprint", lambda: "of another engine")
    assert Journal("sums", "double").path != asked


def test_a_process_that_dies_takes_down_its_own_chunk_only() -> None:
    outcome = Runs(jobs=1).run("sums", doubled, {"one": 1, "two": -1, "three": 3}, "sums", "double")
    assert outcome.tally["sums"] == 8
    assert outcome.tally[LOST] == outcome.n_failures == 1
    assert outcome.tally["lost: two"] == 1
