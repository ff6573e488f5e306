"""The rest of a completion behind its first characters."""

from __future__ import annotations

from dataclasses import replace
from math import log

import pytest

from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.kept import KeptCompletions, rest_of
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from quotient import Language
from tests.models import writing_model

PYTHON = Language.load("python", version="3.11")


def mark(n_bytes: int, logprob: float | None) -> Mark:
    return Mark(n_bytes, logprob, logprob, logprob)


#            `sé` `lf.` `total`, and the text that was removed from its end.
WHOLE = Completion(
    "sélf.total", "eos", 4, 1, -0.5, 0.1, (mark(3, -0.2), mark(6, None), mark(11, -0.4), mark(12, -3.0))
)


def test_tokens_that_were_typed_are_gone_and_one_that_was_typed_in_part_stays() -> None:
    rest = rest_of(WHOLE, "sél")
    assert rest is not None
    assert rest.text == "f.total"
    assert [one.n_bytes for one in rest.marks] == [2, 7, 8]
    assert (rest.n_tokens, rest.mean_logprob) == (3, -0.4)
    assert rest_of(WHOLE, "") is WHOLE


def test_a_token_that_was_typed_in_part_is_as_probable_as_it_is_among_those_that_agree() -> None:
    # `retu` and `result` begin alike, and `return` has half of what begins with `retu`.
    begun = Mark(6, log(0.2), log(0.2), log(0.5), agreeing=((log(0.8), log(0.5)), (log(0.4), log(0.2))))
    completion = replace(WHOLE, text="return a", marks=(mark(0, -3.0), begun, mark(8, -0.1)))
    for typed, logprob, top in (("r", log(0.2 / 0.8), log(0.5 / 0.8)), ("re", log(0.5), log(0.5))):
        rest = rest_of(completion, typed)
        assert rest is not None
        first = rest.marks[0]
        assert first.n_bytes == 6 - len(typed)
        assert first.logprob == pytest.approx(logprob)
        assert first.own_logprob == pytest.approx(logprob)
        assert first.top_logprob == pytest.approx(top)
        assert rest.mean_logprob == pytest.approx((logprob - 0.1) / 2)
    # More was typed than is known.
    rest = rest_of(completion, "ret")
    assert rest is not None
    assert rest.marks[0].logprob == pytest.approx(log(0.2))


def test_a_kept_text_is_as_probable_as_one_that_is_written_anew() -> None:
    left, right, wants = "x = ", "\n", "first(second, third)"
    session = DecodingSession(writing_model(left, wants))

    def completed(typed: str, is_kept: bool) -> Completion:
        at = left + typed, right
        recognizer = PYTHON.recognizer(*at)
        [found] = session.complete(CompletionRequest(*at, recognizer, Options(), is_kept=is_kept))
        return found

    whole = completed("", is_kept=True)
    # A letter of `se` was typed, one of `con`, and two.
    for typed in ("first(s", "first(sec", "first(seco"):
        rest, anew = rest_of(whole, typed), completed(typed, is_kept=False)
        assert rest is not None
        assert rest.text == anew.text
        [one, other] = rest.marks[0], anew.marks[0]
        assert one.n_bytes == other.n_bytes
        assert one.logprob == pytest.approx(other.logprob, abs=1e-4)
        assert one.top_logprob == pytest.approx(other.top_logprob, abs=1e-4)
    assert not any(mark.agreeing for mark in completed("", is_kept=False).marks)


def test_of_what_was_typed_otherwise_and_of_what_is_there_nothing_is_left() -> None:
    assert rest_of(WHOLE, "selb") is None
    assert rest_of(WHOLE, "sélf.total") is None
    assert rest_of(WHOLE, "sélf.totals") is None


def test_an_error_stays_where_it_is() -> None:
    for wrong_from, expected in ((7, 5), (1, 0), (None, None)):
        rest = rest_of(replace(WHOLE, wrong_from=wrong_from), "sé")
        assert rest is not None
        assert rest.wrong_from == expected


def test_what_is_kept_is_for_the_places_behind_it_with_the_same_text_right_of_them() -> None:
    kept = KeptCompletions("x = ", "\n", (WHOLE, replace(WHOLE, text="sum(a)")))
    assert [rest.text for rest in kept.behind("x = s", "\n")] == ["élf.total", "um(a)"]
    assert [rest.text for rest in kept.behind("x = su", "\n")] == ["m(a)"]
    assert kept.behind("x = s", ")\n") == ()
    assert kept.behind("x =", "\n") == ()
    assert kept.behind("y = s", "\n") == ()
