"""The engine's Python interface: arguments, results and errors."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from quotient import Language, NoCompletion

PYTHON = Language.load("python", version="3.11")


def refusal(left: str, right: str) -> NoCompletion:
    """The NoCompletion of a hole that nothing fits."""
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer(left, right)
    return raised.value


def test_an_empty_hole_in_an_empty_file() -> None:
    recognizer = PYTHON.recognizer()
    assert recognizer.is_member()
    assert recognizer.witness() == ""


def test_advance_is_all_or_nothing() -> None:
    recognizer = PYTHON.recognizer("x = (", ")\n")
    assert not recognizer.advance("a + ] + b")
    assert recognizer.advance("a + b")
    assert recognizer.is_member()


def test_a_fork_goes_its_own_way() -> None:
    recognizer = PYTHON.recognizer("x = (", ")\n")
    assert recognizer.advance("a")
    fork = recognizer.fork()
    assert fork.advance(" +")
    assert recognizer.is_member()
    assert not fork.is_member()


def test_half_a_character_waits_for_the_other_half() -> None:
    recognizer = PYTHON.recognizer("x = '", "'\n")
    first, second = "é".encode()[:1], "é".encode()[1:]
    assert recognizer.advance(first)
    assert not recognizer.is_member()
    assert not recognizer.fork().advance("a")
    assert recognizer.advance(second)
    assert recognizer.is_member()


def test_bytes_that_begin_no_character_are_refused() -> None:
    recognizer = PYTHON.recognizer("x = '", "'\n")
    assert not recognizer.advance(b"\xff")
    assert not recognizer.advance(b"\x80")
    assert not recognizer.advance(b"\xc0\x80")
    assert not recognizer.advance("\ud800".encode(errors="surrogatepass"))
    assert recognizer.is_member()


@pytest.mark.parametrize(
    ("left", "right", "side", "offset"),
    [
        ("x = 1 1", "", "left", 6),
        ("é = )", "", "left", 4),
        ("if a:\n    b\n  c", "d\n", "left", 14),
        ("𝒳 = '𝒴' 1", "", "left", 8),
        ("x = 1 'aé", "'\n", "left", 6),
        ("x = '\ud800", "'\n", "left", 5),
        ("x = 1\0", "", "left", 5),
    ],
)
def test_the_offset_is_that_of_the_first_error(left: str, right: str, side: str, offset: int) -> None:
    reason = refusal(left, right)
    assert reason.side == side
    assert reason.offset == offset
    assert str(offset) in str(reason)


def test_an_error_on_the_right_is_placed_in_its_characters() -> None:
    # Read from the end, `a` is the first symbol that nothing may precede.
    right = "é\n# 𝒳\na b\n"
    reason = refusal("", right)
    assert (reason.side, reason.offset) == ("right", right.index("a b"))


@pytest.mark.parametrize(
    "marked",
    [
        "\nx ^= = 1\n",
        "\nx = = 1\ny = 2\nz ^= = 3\nw = 4\n",
        "\nx = ^(1\ny = 2\nz = 3\n",
        "\nx = ^[1)\ny = 2\n",
        "\n) = 1\n) ) ^(\n",
        "\ndef f^(:\n    pass\n",
        "\nx = 1 ^$ 2\ny = 3\n",
        "\nx = ^0or 1\nx = 1_\n",
        "\nx = ^'abc\ny = 2\n",
        '\nx = ^"""abc\ny = 2\n',
        "\nx = f'{^a b}'\ny\n",
        "\nx^\0y\nz\n",
        "\n^\ufeffx\ny\n",
        "\nx = ^'é\ud800'\ny\n",
        "\nif a^:\nb\nc\n",
        "\n^try:\n  a\nb\n",
        "\nif a:\n\tb\n        ^c\nd\n",
        "\n  x = 1\n y\n\t^z\n",
        "\nx = (\n  1,\n  ^2 3,\n)\ny\n",
        "\nx = 1\n^return = 2\ny = 3\n",
    ],
)
def test_an_error_on_the_right_is_the_last_symbol_that_nothing_may_stand_in_front_of(marked: str) -> None:
    right = marked.replace("^", "")
    reason = refusal("", right)
    assert (reason.side, reason.offset) == ("right", marked.index("^"))
    document = PYTHON.document("é = 1" + right)
    with pytest.raises(NoCompletion) as raised:
        document.recognizer(2, 5)
    assert (raised.value.side, raised.value.offset) == ("right", reason.offset)


def test_offsets_count_bytes_where_the_contexts_are_bytes() -> None:
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer("𝒳 = 1 1".encode(), b"")
    assert (raised.value.side, raised.value.offset) == ("left", 9)


def test_a_document_counts_from_the_hole_on_the_right() -> None:
    document = PYTHON.document("𝒳 = 1\n# é\nx = \na b\n")
    with pytest.raises(NoCompletion) as raised:
        document.recognizer(14)
    assert (raised.value.side, raised.value.offset) == ("right", 1)


def test_two_good_sides_may_not_go_together() -> None:
    # Any two Python files can be joined, so Python has no such pair.
    language = Language.from_lark('start: "(" start ")" | "a"', start="start", layout="none")
    with pytest.raises(NoCompletion) as raised:
        language.recognizer("((a", "a)")
    assert (raised.value.side, raised.value.offset) == ("both", 3)
    assert str(raised.value)


def test_explain_says_what_may_come() -> None:
    assert ")" in PYTHON.recognizer("f(a ", "").explain()


def test_a_document_keeps_its_text() -> None:
    document = PYTHON.document("a = 1\nbé = 2\n")
    document.edit(6, 8, "çd")
    assert document.text == "a = 1\nçd = 2\n"
    recognizer = document.recognizer(11, 12)
    assert recognizer.advance("3")
    assert recognizer.is_member()


@pytest.mark.parametrize(
    ("start", "stop"), [(-1, 0), (0, 7), (7, 7), (3, 2), (-3, -2), (2**70, 2**70), (0, -(2**70))]
)
def test_offsets_out_of_range_are_refused(start: int, stop: int) -> None:
    document = PYTHON.document("é = 1\n")
    with pytest.raises(ValueError, match="no range"):
        document.recognizer(start, stop)
    with pytest.raises(ValueError, match="no range"):
        document.edit(start, stop, "x")
    assert document.text == "é = 1\n"


def test_offsets_at_the_ends_are_in_range() -> None:
    document = PYTHON.document("é = 1\n")
    assert document.recognizer(0).is_member()
    assert document.recognizer(6).is_member()
    assert document.recognizer(0, 6).is_member()


@pytest.mark.parametrize(("name", "version"), [("cobol", None), ("python", "2.7"), ("../python", None)])
def test_an_unknown_language_is_refused(name: str, version: str | None) -> None:
    with pytest.raises((ValueError, LookupError, FileNotFoundError)):
        Language.load(name, version=version)


def test_threads_have_documents_of_their_own() -> None:
    text = "def f(a):\n    return [a, {a: (a,)}]\n\n" * 200

    def type_at(position: int) -> bool:
        document = PYTHON.document(text)
        recognizer = document.recognizer(position)
        return bool(recognizer.is_member()) and bool(recognizer.advance(" "))

    starts = [text.index("\n", 100 * index) + 1 for index in range(8)]
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(type_at, starts))
