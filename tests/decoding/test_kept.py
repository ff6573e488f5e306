"""The rest of a completion behind its first characters."""

from __future__ import annotations

from dataclasses import replace

from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.texts.kept import KeptCompletions, rest_of
from fim_lsp.decoding.texts.marks import Mark


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
