"""Returns that agree with their function's header: in Java whether there is a value, in Go how many. And tags
of elements that match.

A text in the hole stands between `[[` and `]]`.
"""

from __future__ import annotations

import pytest

from fim_lsp.declared.laws import NOT_DECLARED, NOT_USED
from tests.names.marked import faults_of

OTHERS = NOT_DECLARED, NOT_USED
JAVA = "class A { A() { %s } void f() { %s } int g() { %s } }"
GO = "package a\nfunc f(%s) %s {\n%s\n}\n"


def wrong(language: str, marked: str) -> list[str]:
    return [one.name for one in faults_of(language, marked) if one.why not in OTHERS]


@pytest.mark.parametrize(
    ("language", "marked", "found"),
    [
        ("java", JAVA % ("[[return 1;]]", "", "return 1;"), "1"),
        ("java", JAVA % ("", "[[return count;]]", "return 1;"), "count"),
        ("java", JAVA % ("", "return [[count]];", "return 1;"), "count"),
        ("java", JAVA % ("", "", "[[return;]]"), "return"),
        ("java", JAVA % ("", "if (a) { [[return 1;]] }", "return 1;"), "1"),
        ("java", "class A { void f() { new B() { void g() { [[return 1;]] } }; } }", "1"),
        ("java", "record A(int a) { A { [[return a;]] } }", "a"),
        ("go", GO % ("e error", "", "[[return e]]"), "e"),
        ("go", GO % ("e error", "error", "[[return]]"), "return"),
        ("go", GO % ("e error", "([]byte, error)", "[[return nil]]"), "nil"),
        ("go", GO % ("e error", "([]byte, error)", "[[return nil, nil, e]]"), "e"),
        ("go", GO % ("e error", "([]byte, error)", "return nil, nil[[, e]]"), "e"),
        ("go", GO % ("e error", "", "[[return g()]]"), "g()"),
        ("go", GO % ("e error", "error", "g(func() { [[return e]] })\nreturn e"), "e"),
        ("go", GO % ("e error", "(a, b int, c error)", "[[return 1, e]]"), "e"),
    ],
)
def test_what_is_returned_and_cannot_be(language: str, marked: str, found: str) -> None:
    assert wrong(language, marked) == [found]


@pytest.mark.parametrize(
    ("language", "marked", "found"),
    [
        ("javascriptreact", "a = <ul><li[[ty></li>]]</ul>", 1),
        ("javascriptreact", "a = <ul>[[<li></ul>]]</li>;", 1),
        ("typescriptreact", "a = <a.b>[[</a.c>]]", 1),
        ("typescriptreact", "a = <a.b>[[<c/></a.b>]]", 0),
        ("javascriptreact", "a = <ul>[[<></>]]</ul>", 0),
        ("typescriptreact", "a = <b /* c */ .d>[[e]]</b.d>", 0),
        ("typescriptreact", "a = [[<b /* c */ .d>e</b . d>]]", 0),
        ("typescriptreact", "a = [[<b /* c */ .d>e</b . c>]]", 1),
        # A fault outside the text belongs to its author.
        ("javascriptreact", "a = <ul>[[b]]</li>", 0),
    ],
)
def test_the_tags_of_an_element_go_together(language: str, marked: str, found: int) -> None:
    assert len(wrong(language, marked)) == found


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("java", JAVA % ("if (a) { [[return;]] }", "[[return;]]", "return 1;")),
        ("java", JAVA % ("[[return;]] g();", "", "return 1;")),
        ("java", JAVA % ("", "", "[[return 1;]]")),
        ("java", JAVA % ("", "g(() -> { [[return 1;]] });", "return 1;")),
        ("java", JAVA % ("", "g(() -> { [[return;]] });", "return 1;")),
        # A fault outside the text belongs to its author.
        ("java", JAVA % ("", "[[g();]] return 1;", "return 1;")),
        ("java", "class A { <T> T f() { [[return /* a */ null;]] } }"),
        ("go", GO % ("e error", "error", "[[return e]]")),
        ("go", GO % ("e error", "(error)", "[[return e]]")),
        ("go", GO % ("e error", "([]byte, error)", "[[return nil, e]]")),
        ("go", GO % ("e error", "([]byte, error)", "[[return g()]]")),
        ("go", GO % ("e error", "(int, error)", "[[return g[int](e)]]")),
        ("go", GO % ("e error", "(int, error)", "[[return (g[a.B, int](e))]]")),
        ("go", GO % ("e error", "(b []byte, _ error)", "[[return]]")),
        ("go", GO % ("e error", "(a, b int, c error)", "[[return 1, 2, e]]")),
        ("go", GO % ("e error", "", "if e != nil {\n[[return]]\n}")),
        ("go", GO % ("e error", "", "g(func() error { [[return e]] })")),
        ("go", GO % ("e error", "func() (int, error)", "[[return nil]]")),
        ("go", GO % ("e error", "map[string]int", "[[return nil // e]]")),
    ],
)
def test_what_may_be_returned(language: str, marked: str) -> None:
    assert wrong(language, marked) == []
