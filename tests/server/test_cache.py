"""Answers are found by both contexts, typed through, and limited in number."""

from __future__ import annotations

import pytest

from fim_lsp.server.cache import CompletionCache, Suggestion


def remembered(left: str, right: str, *texts: str) -> CompletionCache:
    cache = CompletionCache(8)
    cache.put(left, right, tuple(map(Suggestion, texts)))
    return cache


def test_typing_through_an_answer_shortens_it() -> None:
    cache = remembered("x = ", "\n", "width")
    assert cache.get("x = ", "\n") == (Suggestion("width"),)
    assert cache.get("x = wi", "\n") == (Suggestion("dth"),)
    assert cache.get("x = wa", "\n") is None
    assert cache.get("x = width", "\n") is None
    assert cache.get("x =", "\n") is None


def test_a_change_on_either_side_is_another_place() -> None:
    cache = remembered("x = ", "\n", "width")
    assert cache.get("y = ", "\n") is None
    assert cache.get("x = ", "\ny") is None
    assert cache.get("y = wi", "\n") is None


def test_that_there_was_nothing_is_an_answer_too() -> None:
    assert remembered("x = 1", "\n").get("x = 1", "\n") == ()


@pytest.mark.parametrize(
    ("text", "typed", "closers", "expected"),
    [
        ("(x)", "(", ")", Suggestion("x")),
        ("([x])", "([", "])", Suggestion("x")),
        ("(x)\nprint(2)", "(", ")", Suggestion("x)\nprint(2)", 1)),
        ("(x) + 1", "(", ")", Suggestion("x) + 1", 1)),
        ("'a'", "'", "'", Suggestion("a")),
        ("(x", "(", ")", None),
        ("()", "(", ")", None),
        ("(x]", "(", ")", None),
    ],
)
def test_closers_that_the_editor_put_there_are_part_of_the_answer(
    text: str, typed: str, closers: str, expected: Suggestion | None
) -> None:
    found = remembered("f", "\n", text).get("f" + typed, closers + "\n")
    assert found == (None if expected is None else (expected,))


def test_the_answer_used_last_stays() -> None:
    cache = CompletionCache(2)
    cache.put("a", "", (Suggestion("1"),))
    cache.put("b", "", (Suggestion("2"),))
    assert cache.get("a", "") is not None
    cache.put("c", "", (Suggestion("3"),))
    assert cache.get("b", "") is None
    assert cache.get("a", "") == (Suggestion("1"),)
    assert len(cache) == 2
