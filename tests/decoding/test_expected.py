"""A text that another model expects is read ahead: the result stays equal, with fewer readings."""

from __future__ import annotations

from dataclasses import replace

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.drafts import MOST_EXPECTED, Expected
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.decoding.writing.unfinished import Unfinished
from quotient import Language
from tests.models import Script, writing_model

PYTHON = Language.load("python", version="3.11")
LEFT, TEXT = "def area(width, height):\n    return ", "width * height + height"
OPTIONS = Options(scope="statement", max_tokens=40)


def written(expected: str, left: str = LEFT, session: DecodingSession | None = None) -> tuple[str, int]:
    """The written text, and the number of readings."""
    made = session or DecodingSession(writing_model(LEFT, TEXT))
    runtime = made.model.runtime
    assert isinstance(runtime, Script)
    before = runtime.n_calls
    recognizer = PYTHON.recognizer(left=left, right="\n")
    request = CompletionRequest(left, "\n", recognizer, replace(OPTIONS), expected=expected)
    [completion] = made.complete(request)
    return completion.text, runtime.n_calls - before


def test_what_is_expected_changes_the_speed_alone() -> None:
    text, n_alone = written("")
    assert text == TEXT
    for expected in (TEXT, TEXT[:9], "width * depth", "something.else()", "é€😀", ")"):
        assert written(expected)[0] == TEXT
    assert written(TEXT)[1] < n_alone
    assert written("something.else()")[1] <= n_alone + 1


def test_guesses_end_where_the_text_is_another() -> None:
    guesses = Expected((1, 2, 3, 4, 5, 6, 7))
    assert guesses.next([]) == [1, 2, 3, 4][:MOST_EXPECTED]
    assert guesses.next([1, 2]) == [3, 4, 5, 6][:MOST_EXPECTED]
    assert guesses.next([1, 9]) == []
    assert guesses.next([1, 2, 3, 4, 5, 6, 7]) == []


def request(left: str, expected: str = "") -> CompletionRequest:
    return CompletionRequest(left, "\n", None, OPTIONS, expected=expected)


def test_a_key_that_agrees_is_followed_by_what_was_being_written() -> None:
    unfinished = Unfinished()
    first = unfinished.followed_request(request("a = "))
    assert first.on_partial is not None
    first.on_partial("value")
    first.on_partial("value + 1")
    assert unfinished.followed_request(request("a = va")).expected == "lue + 1"
    # This also holds if that request ended before it had written as much.
    assert unfinished.followed_request(request("a = val")).expected == "ue + 1"


def test_a_key_that_differs_is_followed_by_nothing() -> None:
    unfinished = Unfinished()
    first = unfinished.followed_request(request("a = "))
    assert first.on_partial is not None
    first.on_partial("value")
    assert unfinished.followed_request(request("a = x", "yz")).expected == "yz"
    assert unfinished.followed_request(request("b = ")).expected == ""


def test_code_that_follows_a_text_is_told_of_it_all_the_same() -> None:
    heard: list[str] = []
    followed = Unfinished().followed_request(replace(request("a = "), on_partial=heard.append))
    assert followed.on_partial is not None
    followed.on_partial("value")
    assert heard == ["value"]
