"""The typist on a clock: the times of keys, the seen offers, and the rules, in simulated time."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean, pstdev

import pytest

from fim_lsp.replay.typing.clock import person
from fim_lsp.replay.typing.clock.filler import seconds_of_others
from fim_lsp.replay.typing.clock.person import JUMP_SECONDS, Person, intervals, log_normal
from fim_lsp.replay.typing.clock.processes import (
    family,
    machine_seconds,
    peak_megabytes,
    processor_seconds,
)
from fim_lsp.replay.typing.clock.report import Clock, share_kept, two_percentiles
from fim_lsp.replay.typing.clock.screen import OnScreen, after_answer, after_key, seen_text
from fim_lsp.replay.typing.clock.typist import Arrival, TypedOnClock, typed_on_clock
from fim_lsp.replay.typing.filler import Tally

# --- what has been seen ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("offer", "at", "expected"),
    [
        (None, 9.0, ""),
        (OnScreen("x", 1.0), 1.0, ""),
        (OnScreen("x", 1.0), 1.149, ""),
        (OnScreen("x", 1.0), 1.151, "x"),
        (OnScreen("x", 1.0), 60.0, "x"),
    ],
)
def test_what_was_there_for_less_than_150_ms_has_not_been_seen(
    offer: OnScreen | None, at: float, expected: str
) -> None:
    assert seen_text(offer, at) == expected


@pytest.mark.parametrize(
    ("offer", "typed", "left"),
    [
        (None, "a", None),
        (OnScreen("abc", 1.0), "a", OnScreen("bc", 1.0)),
        (OnScreen("abc", 1.0), "ab", OnScreen("c", 1.0)),
        (OnScreen("abc", 1.0), "b", None),
        (OnScreen("abc", 1.0), "abc", None),
        (OnScreen("abc", 1.0), "abcd", None),
    ],
)
def test_what_goes_on_with_a_key_stays_and_keeps_its_time(
    offer: OnScreen | None, typed: str, left: OnScreen | None
) -> None:
    assert after_key(offer, typed) == left


@pytest.mark.parametrize(
    ("offer", "text", "left"),
    [
        (None, "", None),
        (None, "bc", OnScreen("bc", 2.0)),
        (OnScreen("bc", 1.0), "bc", OnScreen("bc", 1.0)),
        (OnScreen("bc", 1.0), "bcd", OnScreen("bcd", 2.0)),
        (OnScreen("bc", 1.0), "", None),
    ],
)
def test_an_answer_with_another_text_takes_the_place_of_an_offer(
    offer: OnScreen | None, text: str, left: OnScreen | None
) -> None:
    assert after_answer(offer, text, 2.0) == left


# --- when keys fall --------------------------------------------------------------------------------------


def test_the_same_region_is_typed_with_the_same_intervals() -> None:
    region = "total = price\n    return total"
    assert intervals(region, "0 a.py:1") == intervals(region, "0 a.py:1")
    assert intervals(region, "0 a.py:1") != intervals(region, "1 a.py:1")
    assert len(intervals(region, "0")) == len(region)
    assert intervals(region, "0")[0] == JUMP_SECONDS == 2.0


def test_people_differ_as_they_were_measured_to() -> None:
    random = Random(0)
    means = [log_normal(random, person.MEAN, person.DEVIATION) for _ in range(20_000)]
    assert fmean(means) == pytest.approx(0.239, rel=0.02)
    assert pstdev(means) == pytest.approx(0.112, rel=0.05)
    drawn = [Person.draw_person(random).mean for _ in range(2_000)]
    assert min(drawn) == person.FASTEST
    assert max(drawn) == person.SLOWEST
    # Leaving out the extreme people at both ends hardly changes the mean.
    assert fmean(drawn) == pytest.approx(0.239, rel=0.05)


def test_a_word_and_a_line_take_longer_to_begin() -> None:
    somebody = Person(0.2)

    def mean(before: str, key: str) -> float:
        random = Random(0)
        return fmean(somebody.interval(random, before, key) for _ in range(4_000))

    inside = mean("tot", "a")
    assert inside == pytest.approx(0.2, rel=0.02)
    assert mean("x = ", "t") == pytest.approx(person.WORD_FACTOR * inside)
    assert mean("x = 1\n    ", "t") == pytest.approx(person.LINE_SECONDS + inside)
    assert mean("x = 1", "\n") == pytest.approx(inside)
    assert mean("x = 1\n", " ") == pytest.approx(inside)


# --- the rules -------------------------------------------------------------------------------------------


@dataclass
class Virtual:
    """An editor with simulated time. A question is answered after some seconds, by its place; a place without
    an entry is never answered."""

    answers: dict[int, tuple[float, str]]
    text: str = ""
    time: float = 100.0
    asked_at: float = 0.0
    accepted: list[str] = field(default_factory=list)

    def now(self) -> float:
        return self.time

    def ask(self) -> None:
        self.asked_at = self.time

    async def until(self, at: float) -> Arrival | None:
        self.time = at
        latency, text = self.answers.get(len(self.text), (1e9, ""))
        came = self.asked_at + latency
        return Arrival(came, text) if came <= at else None

    def write(self, text: str, *, is_accepted: bool) -> None:
        self.text += text
        if is_accepted:
            self.accepted.append(text)

    def processor_seconds(self) -> float:
        # Half of a processor.
        return self.time / 2


def check(
    region: str,
    answers: dict[int, tuple[float, str]],
    keys: int,
    shown: list[tuple[int, str, int, bool]],
    intervals: Sequence[float] | None = None,
) -> TypedOnClock:
    """`shown`: for each seen offer its place, its text, the accepted part, and whether all of it was
    accepted."""
    editor = Virtual(answers)
    done = asyncio.run(typed_on_clock(region, intervals or [2.0, *[0.2] * len(region)], editor))
    assert editor.text == region
    assert done.typed.n_keys == len(done.asked) == keys
    assert [(one.place, one.text, one.n_accepted, one.is_whole) for one in done.typed.shown] == shown
    assert editor.accepted == [
        region[one.place : one.place + one.n_accepted] for one in done.typed.shown if one.is_whole
    ]
    return done


def test_what_comes_in_time_is_accepted_where_the_next_key_would_fall() -> None:
    done = check("total = 1", {0: (1.0, "total = 1")}, keys=1, shown=[(0, "total = 1", 9, True)])
    assert done.seconds == pytest.approx(2.0)
    assert [(one.fate, one.in_time) for one in done.asked] == [("offered", True)]
    assert done.asked[0].seconds == pytest.approx(1.0)


def test_what_comes_behind_the_next_key_was_not_offered() -> None:
    done = check("ab", {0: (2.1, "ab"), 1: (0.3, "b")}, keys=2, shown=[])
    assert [one.fate for one in done.asked] == ["late", "late"]
    # Wasted until the key that made it useless.
    assert [one.seconds for one in done.asked] == pytest.approx([2.0, 0.2])
    assert [one.processor for one in done.asked] == pytest.approx([1.0, 0.1])


def test_what_is_there_for_a_moment_can_neither_be_accepted_nor_blamed() -> None:
    done = check("abcd", {0: (1.95, "abcd"), 1: (0.08, "xyz")}, keys=4, shown=[])
    assert [one.is_unseen for one in done.asked] == [True, True, False, False]
    assert not any(one.in_time for one in done.asked)


def test_what_goes_on_with_a_key_is_seen_at_the_next_one() -> None:
    # 100 ms at the first key, 300 ms at the second.
    done = check("abcdef", {0: (1.9, "abcdef"), 1: (0.01, "bcdef")}, keys=2, shown=[(1, "bcdef", 5, True)])
    assert [one.was_offered for one in done.asked] == [False, True]
    assert Clock([], [done.asked]).key_to_offer == []


def test_what_is_seen_and_not_accepted_is_one_offer_until_a_key_contradicts() -> None:
    done = check("abcd", {0: (0.1, "abxy"), 1: (0.01, "bxy")}, keys=4, shown=[(0, "abxy", 0, False)])
    assert [one.in_time for one in done.asked] == [True, True, True, False]


def test_an_offer_that_was_seen_before_another_took_its_place_is_blamed_alone() -> None:
    # The offer that agrees with the first key is there from 1.95 to 2.15, the other one for 50 ms.
    check("axcd", {0: (1.95, "axyz"), 1: (0.15, "other")}, keys=4, shown=[(1, "xyz", 0, False)])


def test_an_answer_without_an_offer_takes_away_what_was_there() -> None:
    check("abcdef", {0: (1.9, "abcdef"), 1: (0.01, "")}, keys=6, shown=[])


def test_the_first_words_are_accepted_a_key_each() -> None:
    answers = {0: (0.1, "total = sum[y]"), 5: (0.01, " = sum[y]"), 7: (0.01, " sum[y]")}
    done = check("total = sum(x)", answers, keys=3 + 3, shown=[(0, "total = sum[y]", 11, False)])
    assert [one.place for one in done.asked] == [0, 5, 7, 11, 12, 13]
    assert done.seconds == pytest.approx(2.0 + 5 * 0.2)


def test_words_are_no_longer_accepted_where_another_offer_takes_their_place() -> None:
    answers = {0: (0.1, "total = sum[y]"), 5: (0.01, " + 1")}
    check("total = sum(x)", answers, keys=10, shown=[(0, "total = sum[y]", 5, False), (5, " + 1", 0, False)])


def test_the_interval_is_that_of_the_place() -> None:
    pace = [2.0, 0.1, 0.1, 0.1, 0.7, 0.1]
    done = check("abcdef", {0: (0.1, "abcd")}, keys=3, shown=[(0, "abcd", 4, True)], intervals=pace)
    assert done.seconds == pytest.approx(2.0 + 0.7 + 0.1)


# --- figures ---------------------------------------------------------------------------------------------


def test_what_came_too_late_never_came() -> None:
    done = check("abcdef", {0: (0.3, ""), 1: (0.1, "x"), 2: (0.05, "")}, keys=6, shown=[])
    found = Clock([{"seconds": 6.0, "processor": 3.0, "delay": 0.0} | COSTS], [done.asked]).as_json()
    assert found["jump_to_answer_ms"] == {"p50": 300.0, "p95": 300.0}
    assert found["jump_to_offer_ms"] == {"p50": None, "p95": None}
    assert found["key_to_offer_ms"] == {"p50": 100.0, "p95": 100.0}
    assert found["key_to_answer_ms"] == {"p50": "never", "p95": "never"}
    assert (found["requests"], found["late"], found["late_s"], found["unseen"]) == (6, 3, 0.6, 1)
    assert found["processor_s_per_minute"] == 30.0
    assert two_percentiles([]) == {"p50": None, "p95": None}


COSTS = {"peak_mb": None, "opening_processor": None, "others": None}


def test_the_share_that_is_kept() -> None:
    assert share_kept([(Tally(10, 6), Tally(10, 5)), (Tally(10, 10), Tally(10, 5))]) == pytest.approx(0.4)
    assert share_kept([(Tally(10, 10), Tally(10, 10))]) is None


# --- what it costs ---------------------------------------------------------------------------------------


def test_processes_are_counted_with_all_that_they_have_begun(tmp_path: Path) -> None:
    for pid, children, ticks, peak in ((10, "11 12", 100, 1000), (11, "", 50, 9000), (12, "13", 25, 2000)):
        folder = tmp_path / str(pid)
        (folder / "task" / str(pid)).mkdir(parents=True)
        (folder / "task" / str(pid) / "children").write_text(children)
        fields = ["S", "1", *["0"] * 9, str(ticks), str(ticks), "0", "0", "20"]
        (folder / "stat").write_text(f"{pid} (a (strange) name) {' '.join(fields)}\n")
        (folder / "status").write_text(f"Name:\tx\nVmHWM:\t{peak} kB\n")
    # The thirteenth has ended meanwhile.
    assert [*family(10, tmp_path)] == [10, 11, 12, 13]
    assert processor_seconds(10, tmp_path) == pytest.approx(2 * 175 / 100)
    assert peak_megabytes(10, tmp_path) == 9.0
    assert processor_seconds(99, tmp_path) is None
    assert machine_seconds(tmp_path) is None
    (tmp_path / "stat").write_text("cpu  100 10 50 90000 800 20 20 5 7 7\ncpu0 1 1\n")
    assert machine_seconds(tmp_path) == pytest.approx(2.05)
    assert seconds_of_others((2.0, 0.1), (5.0, 0.2), 1.5) == pytest.approx(1.4)
    assert seconds_of_others((2.0, 0.1), (5.0, 0.2), None) is None
    assert peak_megabytes(99, tmp_path) is None
