"""The part of docs/suites.md that `python -m tests.suites --write` generates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from tests.suites.differences import Difference, Reading

PAGE = Path(__file__).parents[2] / "docs" / "suites.md"
BEGIN, END = "<!-- written by python -m tests.suites --write -->", "<!-- end -->"


def written(readings: Sequence[Reading]) -> str:
    """A table of all suites, and each difference by its name, under its reason."""
    return "\n".join(
        [BEGIN, "", *table(readings), "", *(line for one in readings for line in listed(one)), END]
    )


def table(readings: Sequence[Reading]) -> Iterator[str]:
    yield (
        "| suite | read as | valid | invalid | left open | refused though valid | taken though invalid "
        "| with the law: refused | taken |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for one in readings:
        refused = sum(not difference.is_member for difference in one.differences)
        lawful = sum(difference.is_lawful for difference in one.differences)
        counts = (
            *(one.n_valid, one.n_invalid, one.n_open, refused, len(one.differences) - refused),
            *(refused + len(one.refused_by_law), lawful),
        )
        read_as = " ".join(filter(None, (one.suite.language, one.suite.version)))
        yield f"| {one.suite.title} | {read_as} | {' | '.join(f'{count:,}' for count in counts)} |"


def listed(reading: Reading) -> Iterator[str]:
    def order(difference: Difference) -> tuple[bool, str, str]:
        return difference.is_member, difference.reason, difference.name

    for (is_member, reason), group in groupby(
        sorted(reading.differences, key=order), lambda one: order(one)[:2]
    ):
        ones = list(group)
        said = "taken though invalid" if is_member else "refused though valid"
        lawful = [f"`{one.name}`" for one in ones if one.is_lawful]
        yield f"**{reading.suite.name}**, {said}, {len(ones)}: {reason}"
        yield ""
        yield ", ".join(f"`{one.name}`" for one in ones)
        yield ""
        if 0 < len(lawful) < len(ones):
            yield f"With the law, too: {', '.join(lawful)}"
            yield ""
        elif not lawful and is_member:
            yield "The law refuses them."
            yield ""
    if reading.refused_by_law:
        yield f"**{reading.suite.name}**, refused by the law though valid, {len(reading.refused_by_law)}:"
        yield ""
        yield ", ".join(f"`{name}`" for name in reading.refused_by_law)
        yield ""


def on_page() -> str:
    """The text of the page now."""
    text = PAGE.read_text(encoding="utf-8")
    return text[text.index(BEGIN) : text.index(END) + len(END)]


def write(readings: Sequence[Reading]) -> None:
    """Writes that part of the page anew."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(text.replace(on_page(), written(readings)), encoding="utf-8")
