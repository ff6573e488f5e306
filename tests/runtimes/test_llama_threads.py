"""llama.cpp computes on fewer threads while other programs need the processors."""

from __future__ import annotations

import itertools
import os

import pytest

from fim_lsp.runtimes.llama import threads as threads_module
from fim_lsp.runtimes.llama.threads import LATE, SOON, Threads, core_of, n_cores


def test_threads_that_have_their_processors_stay() -> None:
    threads = Threads(4)
    for second in range(100):
        threads.note_reading(0.02, 0.078, now=float(second))
    assert (threads.n, threads.number_to_try(100.0)) == (4, None)


def test_threads_that_wait_for_processors_are_fewer_and_more_are_tried_later() -> None:
    threads = Threads(4)
    threads.note_reading(1.0, 2.1, now=10.0)
    assert threads.n == 2
    assert threads.number_to_try(10.0 + SOON / 2) is None
    assert threads.number_to_try(10.0 + SOON) == 4
    threads.note_trial(4, 0.02, 0.079, now=10.6)
    assert threads.n == 4


def test_one_reading_in_which_the_system_did_something_else_changes_nothing() -> None:
    threads = Threads(2)
    threads.note_reading(0.02, 0.04, now=1.0)
    threads.note_reading(0.03, 0.039, now=1.1)
    assert threads.n == 2


def test_each_trial_that_fails_is_a_longer_pause() -> None:
    threads = Threads(2)
    threads.note_reading(1.0, 0.9, now=0.0)
    assert threads.n == 1
    now, waits = 0.0, []
    for _ in range(8):
        begun = now
        while threads.number_to_try(now) is None:
            now += 0.05
        waits.append(now - begun)
        threads.note_failure(now)
    assert all(later >= earlier - 0.1 for earlier, later in itertools.pairwise(waits))
    assert waits[0] == pytest.approx(SOON, abs=0.1)
    assert waits[-1] == pytest.approx(LATE, abs=0.1)


def test_more_threads_that_were_kept_from_processors_do_not_stay() -> None:
    threads = Threads(2, n=1)
    threads.note_trial(2, 0.05, 0.06, now=3.0)
    assert threads.n == 1


def test_what_was_raised_too_soon_is_tried_later_than_before() -> None:
    threads = Threads(2)
    threads.note_reading(1.0, 1.0, now=0.0)
    threads.note_trial(2, 0.02, 0.04, now=1.0)
    threads.note_reading(1.0, 1.0, now=1.2)
    assert threads.number_to_try(1.2 + SOON + 0.01) is None
    assert threads.number_to_try(1.2 + 2 * SOON + 0.01) == 2


def test_a_number_that_the_user_named_stays() -> None:
    threads = Threads(2, is_fixed=True)
    threads.note_reading(1.0, 0.1, now=0.0)
    assert threads.n == 2


@pytest.mark.skipif(not hasattr(os, "getloadavg"), reason="this system counts no waiting programs")
def test_on_a_busy_machine_one_thread_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads_module, "n_cores", lambda: 4)
    monkeypatch.setattr(os, "cpu_count", lambda: 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (9.0, 1.0, 1.0))
    assert (Threads.of_machine().n, Threads.of_machine().most) == (1, 4)
    monkeypatch.setattr(os, "getloadavg", lambda: (0.3, 9.0, 9.0))
    assert Threads.of_machine().n == 4


def test_a_processor_that_nothing_is_told_of_is_a_core() -> None:
    assert n_cores() >= 1
    assert core_of(100_000) == "100000"
