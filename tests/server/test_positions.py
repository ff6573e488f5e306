"""Positions in all three units, compared with a plain definition, and lines by LSP's rule."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fim_lsp.positions import Lines, Position, Units

CODECS: dict[Units, tuple[str, int]] = {
    "utf-8": ("utf-8", 1),
    "utf-16": ("utf-16-le", 2),
    "utf-32": ("utf-32-le", 4),
}
TEXTS = st.text(st.sampled_from("ab\n\r\t\f\v\x1c\x85\u2028äß漢😀𝒳"), max_size=40)


def units_before(text: str, units: Units) -> int:
    codec, width = CODECS[units]
    return len(text.encode(codec)) // width


@given(TEXTS, st.sampled_from(list(CODECS)), st.data())
def test_a_position_is_the_lines_before_and_the_units_before(
    text: str, units: Units, data: st.DataObject
) -> None:
    offset = data.draw(st.integers(0, len(text)))
    before = re.split("\r\n|\n|\r", text[:offset])
    # An offset between CR and LF belongs to the line that they end.
    if text[offset - 1 : offset + 1] == "\r\n" and offset > 0:
        before = [*before[:-2], before[-2] + "\r"]
    position = Lines(text).position(offset, units)
    assert position == Position(len(before) - 1, units_before(before[-1], units))


@given(TEXTS, st.sampled_from(list(CODECS)), st.data())
def test_there_and_back(text: str, units: Units, data: st.DataObject) -> None:
    offset = data.draw(st.integers(0, len(text)))
    if offset > 0 and text[offset - 1 : offset + 1] == "\r\n":
        offset -= 1
    lines = Lines(text)
    assert lines.offset(lines.position(offset, units), units) == offset


@pytest.mark.parametrize(
    ("text", "position", "units", "expected"),
    [
        ("", Position(0, 0), "utf-16", 0),
        ("", Position(7, 7), "utf-16", 0),
        ("ab\ncd", Position(0, 99), "utf-16", 2),
        ("ab\r\ncd", Position(0, 99), "utf-16", 2),
        ("ab\ncd", Position(9, 0), "utf-16", 5),
        # In the middle of a character, the place in front of it counts.
        ("a😀b", Position(0, 2), "utf-16", 1),
        ("a😀b", Position(0, 3), "utf-8", 1),
        ("a😀b", Position(0, 3), "utf-16", 2),
        ("a😀b", Position(0, 5), "utf-8", 2),
    ],
)
def test_positions_at_the_edges(text: str, position: Position, units: Units, expected: int) -> None:
    assert Lines(text).offset(position, units) == expected


def test_only_line_feeds_and_carriage_returns_end_lines() -> None:
    text = "a\fb\vc\x1cd\x85e\u2028f\u2029g\nh"
    assert len(Lines(text).starts) == 2
    assert len(text.splitlines()) > 2
