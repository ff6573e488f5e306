"""Texts of a model that lack only closers: invented ends are not offered."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from fim_lsp.decoding.texts.completion import Completion, StoppedBy
from fim_lsp.decoding.texts.marks import Mark
from fim_lsp.known_languages import PYTHON, language_named
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.attempt import Attempt, CandidateText
from fim_lsp.server.worker.choosing import Choosing
from fim_lsp.server.worker.closed_beginnings import closed_beginnings, is_made_up
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.offer_request import OfferRequest
from tests.footings import footing_between

JAVASCRIPT = language_named("javascript")


def ended(text: str, n_written: int, stopped_by: StoppedBy = "forced") -> Completion:
    marks = (Mark(n_written, -0.1, -0.1, -0.1),) if n_written else ()
    return Completion(text, stopped_by, 3, 1, -0.1, 0.0, marks)


@pytest.mark.parametrize(
    ("text", "n_written", "expected"),
    [
        ("subscribe(sub=>{", 13, True),
        ("iterable}from''", 9, True),
        ("x.y&&a{}", 3, True),
        ("for x in y:\n    pass", 11, True),
        ("a", 0, True),
        # A label that no programmer would write.
        ("if (d == null) d:;", 16, True),
        # An invented value is refused, and an invented block is not.
        ("x = {}", 4, True),
        ("f(a, {})", 5, True),
        ("save(item);\n}", 10, False),
        ("save([item])", 10, False),
        ('name: "a"}', 8, False),
        ("<b>c</b></a>", 8, False),
        ("save(item)", 10, False),
        ("if (limit) {", 9, False),
        # A block that is closed at once has no body: of a method, a condition or a function.
        ("if (limit) {}", 9, True),
        ("size() {}", 4, True),
        ("on(() => {})", 8, True),
        ("func (s *Store) Size() int {}", 26, True),
        ("import ()", 8, True),
        ("const ()", 7, True),
        ("important()", 10, False),
        # A body that the model itself wrote may be empty.
        ("catch (e) {}", 12, False),
    ],
)
def test_what_the_engine_made_up_to_end_a_text_is_not_offered(
    text: str, n_written: int, expected: bool
) -> None:
    assert is_made_up(text, ended(text, n_written), JAVASCRIPT) is expected
    # The engine's end does not count if it is no longer in the text.
    assert not is_made_up(text[:n_written] or "b", ended(text, n_written), JAVASCRIPT)
    assert not is_made_up(text, ended(text, n_written, "eos"), JAVASCRIPT)


def test_data_have_no_blocks() -> None:
    assert is_made_up('"a": {}', ended('"a": {}', 5), language_named("json"))


def test_a_block_opens_with_the_sign_of_its_language() -> None:
    assert is_made_up("if a{", ended("if a{", 4), PYTHON)
    assert not is_made_up("if a:", ended("if a:", 4), PYTHON)


def written(*tokens: str, end: str) -> Completion:
    """A text of these tokens that was given up, with an end by the engine."""
    marks, n_bytes = [], 0
    for token in tokens:
        n_bytes += len(token.encode())
        marks.append(Mark(n_bytes, -0.5, -0.5, -0.5))
    return Completion("".join(tokens) + end, "forced", len(marks) + 1, 1, -0.5, 0.0, tuple(marks))


def beginnings(left: str, right: str, evidence: Completion, language: str = "javascript") -> list[str]:
    footing = footing_between(left, right, language)
    assert fits(footing.recognizer, evidence.text)
    found = closed_beginnings(
        evidence, footing.recognizer, language_named(language), footing.site.lines.before
    )
    texts = []
    for one in found:
        assert fits(footing.recognizer, one.text)
        assert one.stopped_by == "forced"
        texts.append(one.text)
    return texts


def test_what_was_given_up_is_cut_back_to_where_closers_end_it() -> None:
    evidence = written("if", " (", "limit", ".", "length", " >", end="a){")
    assert beginnings("function f(limit) {\n  ", "\n    g();\n  }\n}\n", evidence) == [
        "if (limit.length) {",
        "if (limit) {",
    ]


def test_no_word_is_cut_and_no_call_left_without_what_it_is_called_with() -> None:
    evidence = written("sa", "ve", "(", "order", "s", ".", end="a)")
    assert beginnings("x = ", ";\n", evidence) == ["save(orders)", "save()"]


def test_no_beginning_has_the_error_that_a_checker_sees() -> None:
    evidence = replace(written("save", "(", "order", ".", "nmae", ", ", end="a)"), wrong_from=11)
    assert beginnings("x = ", ";\n", evidence) == ["save(order)", "save()"]


def test_a_condition_is_not_closed_with_a_semicolon() -> None:
    evidence = written("f", " (", "d", " ==", end="a);")
    assert beginnings("function f(d) {\n  i", "\n}\n", evidence) == []


def test_characters_of_several_bytes_are_not_cut() -> None:
    evidence = Completion(
        "save('é', x +a)", "forced", 5, 1, -0.5, 0.0,
        tuple(Mark(n, -0.5, -0.5, -0.5) for n in (5, 7, 8, 9, 10, 12, 14)),
    )  # fmt: skip
    for text in beginnings("", "\n", evidence):
        assert "é" in text or text == "save()"


@pytest.mark.parametrize(
    ("marked", "language", "evidence", "texts"),
    [
        ("for (const [key, value] of $0\n", "javascript", ended("{})a", 1), ()),
        ("x = f($0;\n", "javascript", ended("a)", 1), ("a)",)),
        # On request, a block of Python may have any body.
        ("$0\n", "python", ended("for x in y:\n    pass", 11), ("for x in y:\n    pass",)),
    ],
)
def test_a_user_who_asks_gets_no_words_either_that_the_engine_made_up(
    marked: str, language: str, evidence: Completion, texts: tuple[str, ...]
) -> None:
    left, right = marked.split("$0")
    footing = footing_between(left, right, language)
    asked = Wishes(1, 64, 20, True, "", False, None, is_asked=True)
    request = OfferRequest(footing.site, asked, time.perf_counter() + 1.0)
    candidates = [CandidateText(evidence.text, 1.0, evidence)]
    assert Choosing().chosen_texts(Attempt(footing, request), candidates, "bundled")[0] == texts


def test_what_stands_in_front_of_a_fault_in_a_block_is_offered_with_its_brace() -> None:
    left, right = "package p\n\nfunc f(open bool) {\n\t", "\n}\n"
    footing = footing_between(left, right, "go")
    tokens = ("if", " open", " {", "\n\t\t", "used", "(", ")")
    evidence = replace(written(*tokens, end="\n\t}"), stopped_by="scope")
    typing = Wishes(1, 64, 20, True, "", False, None, bar=0.01)
    request = OfferRequest(footing.site, typing, time.perf_counter() + 1.0)

    def chosen(found: Completion) -> tuple[str, ...]:
        candidates = [CandidateText(found.text, 1.0, found)]
        return Choosing().chosen_texts(Attempt(footing, request), candidates, "bundled")[0]

    [sound] = chosen(evidence)
    assert "used()" in sound
    assert chosen(replace(evidence, wrong_from=evidence.text.index("used"))) == ("if open {}",)
