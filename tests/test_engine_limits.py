"""CPython counts what both sides of a hole have open together; and refusing is quick for any length."""

import ast

import pytest

from quotient import Language, NoCompletion

PYTHON = Language.load("python", version="3.11")


def nested(n: int) -> list[str]:
    """Return the lines of `n` blocks, each inside the one before, the innermost with a statement."""
    return [" " * depth + "if a:\n" for depth in range(n)] + [" " * n + "b\n"]


def parses(text: str) -> bool:
    """Return whether CPython's own parser accepts the file."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


@pytest.mark.parametrize("cut", [0, 1, 50, 98, 99])
def test_ninety_nine_blocks_are_read_wherever_they_are_cut(cut: int) -> None:
    lines = nested(99)
    assert parses("".join(lines))
    assert PYTHON.recognizer("".join(lines[:cut]), "".join(lines[cut:])).is_member()


@pytest.mark.parametrize("cut", [1, 50, 98, 99])
def test_a_hundred_blocks_are_too_many_wherever_they_are_cut(cut: int) -> None:
    lines = nested(100)
    left, right = "".join(lines[:cut]), "".join(lines[cut:])
    assert not parses(left + right)
    recognizer = PYTHON.recognizer(left, right)
    assert not recognizer.is_member()
    witness = recognizer.witness()
    assert parses(left + witness + right)
    assert recognizer.advance(witness)
    assert recognizer.is_member()


def test_suites_that_begin_in_the_hole_count_too() -> None:
    for n, is_member in ((99, True), (100, False)):
        lines = nested(n)
        recognizer = PYTHON.recognizer("".join(lines[:40]), "".join(lines[60:]))
        assert recognizer.advance("".join(lines[40:60]))
        assert recognizer.is_member() == is_member


def test_a_right_context_alone_may_nest_too_deep() -> None:
    lines = nested(100)
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer("", "".join(lines))
    assert raised.value.side == "right"


def test_blocks_that_have_closed_do_not_count() -> None:
    left, right = "".join(nested(90)[:90]), " " * 90 + "b\n" + "".join(nested(99))
    assert parses(left + right)
    assert PYTHON.recognizer(left, right).is_member()


@pytest.mark.timeout(20)
def test_an_error_far_in_front_is_found_at_once() -> None:
    text = "x = 1 '" + "a" * 2_000_000
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer(text, "")
    assert (raised.value.side, raised.value.offset) == ("left", 6)


@pytest.mark.timeout(60)
def test_deep_nesting_neither_overflows_nor_explodes() -> None:
    deep = 20_000
    brackets = Language.load("json").recognizer("[" * deep, "]" * deep)
    assert brackets.advance("1")
    assert brackets.is_member()
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer("(" * deep, ")" * deep)
    assert (raised.value.side, raised.value.offset) == ("left", 200)
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer("", ")\n" * deep)
    assert raised.value.side == "right"
