"""CPython's limits count what both sides of a hole have open together, and refusals are quick for any
length."""

import pytest

from quotient import Language, NoCompletion, Vocabulary
from tests.laws.oracle import parses
from tests.membership import is_member

PYTHON = Language.load("python", version="3.11")


def nested(n: int) -> list[str]:
    """The lines of `n` nested blocks, the innermost with a statement."""
    return [" " * depth + "if a:\n" for depth in range(n)] + [" " * n + "b\n"]


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
    for n, is_few in ((99, True), (100, False)):
        lines = nested(n)
        recognizer = PYTHON.recognizer("".join(lines[:40]), "".join(lines[60:]))
        assert recognizer.advance("".join(lines[40:60]))
        assert recognizer.is_member() == is_few


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


def headers(n: int) -> str:
    """The headers of `n` nested blocks, the innermost without a body."""
    return "".join(nested(n)[:n])


@pytest.mark.parametrize("header", ["if a:", "def f():", "class c:", "try:", "with a: # b"])
def test_behind_the_hundredth_column_a_body_stays_on_its_header_s_line(header: str) -> None:
    for n, may_open in ((98, True), (99, False)):
        left = headers(n) + " " * n
        recognizer = PYTHON.recognizer(left)
        assert recognizer.fork().advance(header + "\n") == may_open
        for text in (header.split("#")[0], header.split(":")[0], header.split(":")[0] + ": b\n"):
            fork = recognizer.fork()
            assert fork.advance(text)
            assert parses(left + text + fork.witness())


def test_a_match_has_no_room_there_from_its_subject_on() -> None:
    for n, may_open in ((98, True), (99, False)):
        recognizer = PYTHON.recognizer(headers(n) + " " * n)
        for text in ("match b", "match (b) :", "match [b]: # c\n"):
            assert recognizer.fork().advance(text) == may_open
        for text in ("match", "match = 1", "match (b)", "match[b]: c = 1", "match a"):
            assert recognizer.fork().advance(text), "a name, too; the last may become `match and`"


@pytest.mark.parametrize(("line", "n_good"), [("if a:\n", 5), ("if a: # b\n", 6), ("match b", 6)])
def test_a_left_context_errs_where_its_suite_cannot_open(line: str, n_good: int) -> None:
    before = headers(99) + " " * 99
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer(before + line)
    assert (raised.value.side, raised.value.offset) == ("left", len(before) + n_good)


@pytest.mark.parametrize("version", ["3.8", "3.9", "3.10", "3.12", "3.13", "3.14", "3.15"])
def test_every_version_keeps_a_hundred_columns(version: str) -> None:
    recognizer = Language.load("python", version=version).recognizer(headers(99) + " " * 99)
    assert recognizer.fork().advance("if a: b\n")
    assert not recognizer.fork().advance("if a:\n")
    assert recognizer.fork().advance("match = a\n")
    assert not recognizer.fork().advance("match b")


def test_a_mask_knows_where_no_suite_may_open() -> None:
    tokens = [
        b"\n",
        b" b\n",
        b"\n" + b" " * 100 + b"b",
        b"#\n",
        b" ",
        b"match b",
        b"match",
        b"match b ",
        b"match (b)\n",
    ]
    vocabulary = Vocabulary(tokens)
    behind_header = [False, True, False, False, True, False, True, False, True]
    # Levels that a right context needs count, too.
    for line, right, expected in (
        ("if a:", "", behind_header),
        ("if a:", "\n" + " " * 100 + "b\n", behind_header),
        ("", ":\n" + " " * 100 + "case c: d\n", [True, True, True, True, True, False, True, False, True]),
    ):
        recognizer = PYTHON.recognizer(headers(99) + " " * 99 + line, right)
        allowed = [recognizer.fork().advance(token) for token in tokens]
        assert allowed == expected
        mask = int(recognizer.mask(vocabulary)[0])
        assert [bool(mask >> index & 1) for index in range(len(tokens))] == allowed


def test_a_suite_that_both_sides_fill_is_closed_and_begun_again() -> None:
    """The left side already has as many columns as there may be; the suites of the right side replace some of
    them."""
    left, right = headers(99) + " " * 99 + "if a:", "\n" + " " * 100 + "b\n" + " " * 50 + "c\n"
    recognizer = PYTHON.recognizer(left, right)
    assert not recognizer.is_member()
    assert parses(left + recognizer.witness() + right)


@pytest.mark.parametrize(("n", "fits"), [(33, True), (34, True), (35, False)])
def test_suites_between_the_lines_of_a_right_context_count(n: int, fits: bool) -> None:
    """Each `else` closes a suite that contains a `match`, which no line of the right context shows."""
    pairs = [" " * (3 * i + 2) + "case b: c\n" + " " * (3 * i) + "else: d\n" for i in reversed(range(n))]
    right = "".join(pairs)
    if fits:
        # Thirty-four fit only if the first line becomes a comment.
        assert parses(PYTHON.recognizer("", right).witness() + right)
    else:
        with pytest.raises(NoCompletion) as raised:
            PYTHON.recognizer("", right)
        assert raised.value.side == "right"


@pytest.mark.parametrize("version", ["3.12", "3.14"])
@pytest.mark.parametrize(
    ("opening", "closing", "most"),
    [("f'{", "}'", 148), ("f'{(", ")}'", 99), ("(", ")", 199), ("[{", "}]", 99)],
)
def test_a_right_context_in_an_f_string_may_open_more_than_cpython_keeps_open(
    version: str, opening: str, closing: str, most: int
) -> None:
    """The surroundings are unknown at first. CPython allows 149 nested f-strings, and 200 brackets and
    fields."""
    for n in (most, most + 1, 2 * most):
        right = f"{opening * n}a{closing * n}}}'\n"
        assert is_member("python", "x = f'{", right, version) == (n == most), n
