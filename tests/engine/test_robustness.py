"""The engine's Python interface under misuse: odd arguments, odd bytes, and several threads at once."""

import contextlib
import random
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from quotient import EncodingError, Language, NoCompletion, Vocabulary
from tests.laws.oracle import parses
from tests.membership import is_member

VERSION = "3.11"
PYTHON = Language.load("python", VERSION)
VOCABULARY = Vocabulary([b"a", b"(", b")", b"\n", b"</s>"], eos=4)


@pytest.mark.parametrize("n", [-1, -(2**70), 3, 2**70])
def test_more_than_was_read_cannot_be_taken_back(n: int) -> None:
    recognizer = PYTHON.recognizer("f(", ")")
    assert recognizer.advance("a")
    assert recognizer.advance("(")
    with pytest.raises(ValueError, match="texts"):
        recognizer.rollback(n)
    assert recognizer.witness() == ")", "nothing has changed"
    recognizer.rollback(0)
    recognizer.rollback(2)
    assert recognizer.is_member()
    with pytest.raises(ValueError, match="fewer than 1"):
        recognizer.rollback()


@pytest.mark.parametrize("n", [1.0, "1", None])
def test_a_number_of_texts_is_an_integer(n: Any) -> None:
    with pytest.raises(TypeError):
        PYTHON.recognizer().rollback(n)


@pytest.mark.parametrize("token", [-1, 5, 2**32 - 1, 2**32, 2**70, -(2**70)])
def test_an_id_that_is_no_token_may_never_come(token: int) -> None:
    recognizer = PYTHON.recognizer()
    assert not recognizer.advance_token(VOCABULARY, token)
    assert recognizer.first_allowed(VOCABULARY, [token, 0]) == 0
    assert recognizer.first_allowed(VOCABULARY, [token]) is None
    with pytest.raises(ValueError, match="token"):
        VOCABULARY.token(token)


@pytest.mark.parametrize("text", [bytearray(b"a"), memoryview(b"a"), 1, None, ["a"]])
def test_a_text_is_a_str_or_bytes(text: Any) -> None:
    recognizer = PYTHON.recognizer()
    with pytest.raises(TypeError, match="expected str or bytes"):
        recognizer.advance(text)
    for left, right in ((text, ""), ("", text)):
        with pytest.raises(TypeError, match="expected str or bytes"):
            PYTHON.recognizer(left, right)
    for act in (lambda: PYTHON.document(text), lambda: PYTHON.document("").edit(0, 0, text)):
        with pytest.raises(TypeError):
            act()
    assert recognizer.witness() == ""


class Name(str):
    """A str with a class of its own."""


class Raw(bytes):
    """Bytes with a class of their own."""


def test_subclasses_of_str_and_bytes_are_texts() -> None:
    recognizer = PYTHON.recognizer(Name("é = ("), Raw(b")\n"))
    assert recognizer.advance(Name("a"))
    assert recognizer.advance(Raw(b"+b"))
    assert recognizer.is_member()
    document = PYTHON.document(Name("é = 1\n"))
    document.edit(4, 5, Name("ü"))
    assert document.text == "é = ü\n"
    assert type(document.text) is str


@pytest.mark.parametrize("offset", [0.5, "0", None])
def test_an_offset_is_an_integer(offset: Any) -> None:
    document = PYTHON.document("a = 1\n")
    with pytest.raises(TypeError):
        document.recognizer(offset)
    with pytest.raises(TypeError):
        document.edit(0, offset, "")
    assert document.text == "a = 1\n"


@pytest.mark.parametrize("odd", ["\0", "\ud800", "\ufeff", "\x1a", "\x7f", "\u200b"])
@pytest.mark.parametrize(
    "place", ["x = 1 {}\n", "x = '{}'\n", "# {}\n", "{}x = 1\n", "x{} = 1\n", "'''{}'''"]
)
def test_odd_characters_are_refused_where_cpython_refuses_them(place: str, odd: str) -> None:
    text = place.format(odd)
    at = text.index(odd)
    is_fine = parses(text)
    recognizer = PYTHON.recognizer(text[:at], text[at + 1 :])
    assert recognizer.advance(odd) == is_fine
    for left, right in ((text, ""), ("", text), (text[:at], text[at:]), (text[: at + 1], text[at + 1 :])):
        assert is_member("python", left, right, VERSION) == is_fine


def test_a_byte_order_mark_begins_a_file_of_bytes_and_nothing_else() -> None:
    mark = b"\xef\xbb\xbf"
    assert parses(mark + b"x = 1\n")
    assert PYTHON.recognizer(mark + b"x = ", b"1\n").is_member()
    assert not parses(mark + mark + b"x = 1\n")
    for text in (mark + mark + b"x", b"x = 1\n" + mark):
        with pytest.raises(NoCompletion) as raised:
            PYTHON.recognizer(text, b"")
        assert (raised.value.side, raised.value.offset) == ("left", len(text.rstrip(b"x")) - 1), (
            "its last byte"
        )


@pytest.mark.parametrize(
    "text", ["a\rb\r", "if a:\r  b\r", "\r", "a = 1\r\r\nb\r", "a = '\r'", "a = (\r)", "a \\\rb"]
)
def test_a_carriage_return_alone_ends_a_line(text: str) -> None:
    for cut in range(len(text) + 1):
        assert is_member("python", text[:cut], text[cut:], VERSION) == parses(text)


@pytest.mark.parametrize("text", [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80"])
def test_bytes_that_are_no_text_are_refused_everywhere(text: bytes) -> None:
    for left, right in ((b"# " + text, b""), (b"", b"# " + text + b"\n"), (b"x = '", text + b"'\n")):
        with pytest.raises(EncodingError):
            PYTHON.recognizer(left, right)
    assert not PYTHON.recognizer("# ", "").advance(text)
    assert not PYTHON.recognizer("x = '", "'\n").advance(text)


def test_recognizers_outlive_edits_of_their_document() -> None:
    document = PYTHON.document("f(\n)\n")
    before = document.recognizer(2)
    document.edit(0, 5, "x = '")
    after = document.recognizer(5)
    fork = before.fork()
    del document
    assert before.advance("a, b")
    assert before.is_member()
    assert not fork.advance("]")
    assert fork.witness() == ""
    assert after.witness() == "'"


@pytest.mark.timeout(60)
def test_a_text_of_ten_megabytes_is_read_or_refused() -> None:
    huge = "x = [1, 2, 3]\n" * 700_000
    recognizer = PYTHON.recognizer(huge, "y = 1\n")
    assert recognizer.is_member()
    assert recognizer.advance(huge)
    with pytest.raises(NoCompletion) as raised:
        PYTHON.recognizer(huge + ")", "")
    assert (raised.value.side, raised.value.offset) == ("left", len(huge))


def together(n_threads: int, act: Callable[[int], None]) -> None:
    """Runs `act` in several threads that begin at once, and raises the first exception of any of them."""
    barrier = threading.Barrier(n_threads)

    def run(number: int) -> None:
        barrier.wait()
        act(number)

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(run, range(n_threads)))


@pytest.mark.timeout(60)
def test_threads_that_share_a_recognizer_take_turns() -> None:
    """No call is lost, refused or observed half done, whatever the other threads do."""
    recognizer = PYTHON.recognizer("x = [", "]\n")
    n_rounds, n_threads = 200, 6

    def act(number: int) -> None:
        for _ in range(n_rounds):
            assert recognizer.advance("a, ")
            assert recognizer.is_member()
            assert recognizer.witness() == ""
            assert recognizer.fork().advance("b")
            assert not recognizer.advance("]]")
            assert recognizer.mask(VOCABULARY).any()
            assert recognizer.explain()
            assert recognizer.nesting().n_brackets == 1
            if number % 2:
                recognizer.rollback()

    together(n_threads, act)
    n_left = n_rounds * n_threads // 2
    recognizer.rollback(n_left)
    with pytest.raises(ValueError, match="fewer"):
        recognizer.rollback()


@pytest.mark.timeout(60)
def test_threads_that_share_a_document_take_turns() -> None:
    document = PYTHON.document("x = [\n]\n" * 200)
    n_edits = 100

    def act(number: int) -> None:
        chance = random.Random(number)
        for _ in range(n_edits):
            if number % 2:
                document.edit(5, 5, "é, ")
            else:
                at = chance.randrange(len(document))
                with contextlib.suppress(NoCompletion):
                    assert document.recognizer(at).witness() is not None
                assert document.text.endswith("x = [\n]\n")
                assert document.memory > 0

    together(6, act)
    assert document.text == "x = [" + "é, " * 3 * n_edits + "\n]\n" + "x = [\n]\n" * 199
    assert document.recognizer(5).is_member()


@pytest.mark.timeout(60)
def test_other_threads_run_while_a_text_is_read() -> None:
    """A thread that only counts would get no turn if the reader held the GIL all the time."""
    text = "x = [1, 2, {3: 4}]\n" * 50_000
    n_turns = 0
    is_done = threading.Event()

    def count() -> None:
        nonlocal n_turns
        while not is_done.wait(0.0005):
            n_turns += 1

    counter = threading.Thread(target=count)
    counter.start()
    try:
        while n_turns < 1:
            pass
        before = n_turns
        assert PYTHON.recognizer(text, text).is_member()
        during = n_turns - before
    finally:
        is_done.set()
        counter.join()
    assert during > 3
