"""The tables of docs/models.md: what they say of what was measured."""

from __future__ import annotations

from benches.runtime_texts import Difference, Written
from benches.runtimes import DOCS, END, Run, alike_table, begin_of, times_table

MEASURE = Run("measure", [Written("a", (1, 2), True, 0.010), Written("b", (3,), True, 0.020)], [])
OTHER = Run(
    "server",
    [Written("a", (1, 2), True, 0.030, 1, 5), Written("c", (4,), False, 0.060, 3, 7)],
    [Difference(1, b"b", b"c", 0.25), Difference(0, b"", b"", None)],
)


def test_how_many_texts_are_alike_and_how_near_the_others_are() -> None:
    assert list(alike_table([MEASURE, OTHER]))[2:] == [
        "| measure | 2 |  | 2 |",
        "| server | 0 | 0.250, 1 by their ends | 1 |",
    ]


def test_what_a_completion_takes() -> None:
    assert list(times_table([MEASURE, OTHER]))[2:] == [
        "| measure |  |  | 10.0 | 15 |",
        "| server | 2.0 (at most 3) | 12, 3 | 30.0 | 45 |",
    ]


def test_the_page_has_a_place_for_each() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for what in ("alike", "times"):
        _, _, table = text.partition(begin_of(what))
        rows = table.partition(END)[0].strip().splitlines()
        assert len(rows) >= 5, what
