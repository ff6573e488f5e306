"""Names that must be unique but occur twice, and variables that are declared again.

A text in the hole stands between `[[` and `]]`.
"""

from __future__ import annotations

import pytest

import fim_lsp
from fim_lsp.declared.laws import NOT_TWICE
from tests.names.marked import faults_of

IN_JAVA = "class A { int f; void m(int p) { %s } }"
IN_GO = "package a\nfunc f(p int) (r int) {\n%s\n}\n"


def twice(language: str, marked: str) -> list[str]:
    return [one.name for one in faults_of(language, marked) if one.why == NOT_TWICE]


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("java", "class A { [[class A {}]] }"),
        ("java", "enum E { RED, [[RED]] }"),
        ("java", "enum E { [[RED]], RED }"),
        ("java", "class A { int f(int a) { return 1; } [[int f(int b) { return 2; }]] }"),
        ("java", "class A { int f(int[] a) { return 1; } [[int f(int b[]) { return 2; }]] }"),
        ("java", "class A { int a; [[int a;]] }"),
        ("java", "import a.B; [[import a.B;]] class A {}"),
        ("java", IN_JAVA % "switch (p) { case 1: break; [[case 1: break;]] }"),
        ("java", IN_JAVA % "int t; for (;;) { [[int t = 1;]] }"),
        ("java", IN_JAVA % "[[int t;]] int t;"),
        ("java", IN_JAVA % "[[int p;]]"),
        ("java", IN_JAVA % "for (A t : x) { [[int t;]] }"),
        ("java", IN_JAVA % "for (int i = 0;;) { [[int i;]] }"),
        ("java", IN_JAVA % "try (T t = g()) { [[int t;]] } catch (E e) { }"),
        ("java", IN_JAVA % "try { } catch (E t) { [[int t;]] }"),
        ("java", IN_JAVA % "int t; g(() -> { [[int t;]] });"),
        ("java", IN_JAVA % "switch (p) { case 1: int t; break; case 2: [[int t;]] }"),
        ("go", "package a\nfunc g() {}\n[[func g() {}]]\n"),
        ("go", "package a\nfunc (c *A) f() {}\n[[func (d A) f() {}]]\n"),
        ("go", "package a\ntype T struct {\n\tA int\n\t[[A string]]\n}\n"),
        ("go", IN_GO % "switch {\ncase p > 1: g()\n[[case p > 1: h()]]\n}"),
        ("go", "package a\nvar x = T{A: 1, [[A: 2]]}\n"),
        ("go", 'package a\nimport (\n\t"x"\n\t[["x"]]\n)\n'),
        ("go", IN_GO % "a := 1\n[[a := 2]]"),
        ("go", IN_GO % "[[a := 1]]\na := 2"),
        ("go", IN_GO % "[[p := 2]]"),
        ("go", IN_GO % "[[r := 2]]"),
        ("typescript", "interface A { a: string; [[a: number;]] }"),
        ("typescript", "enum E { A = 1, [[A = 2]] }"),
        ("javascript", "const a = {port: 1, [[port: 2]]};"),
        ("javascript", "const a = {'port': 1, [[port: 2]]};"),
        ("javascript", "import {a, [[a]]} from 'x';"),
        ("javascript", "class A { a() {} [[a() {}]] }"),
        ("javascript", "switch (a) { case 1: b(); [[case 1: c();]] }"),
        ("javascriptreact", "const a = <p a='1' [[a='2']]/>;"),
    ],
)
def test_what_is_there_is_not_said_again(language: str, marked: str) -> None:
    assert len(twice(language, marked)) == 1


@pytest.mark.parametrize(
    ("language", "marked"),
    [
        ("java", "class A { int f(int a) { return 1; } [[int f(long b) { return 2; }]] }"),
        ("java", "class A { int f(int a) { return 1; } [[int f(int a[]) { return 2; }]] }"),
        ("java", "class A { int x; [[int x() { return 1; }]] }"),
        ("java", IN_JAVA % "[[int f;]]"),
        ("java", IN_JAVA % "{ [[int t;]] } int t;"),
        ("java", IN_JAVA % "for (int i = 0;;) {} [[int i;]]"),
        ("java", IN_JAVA % "try { } catch (E t) {} [[int t;]]"),
        ("java", IN_JAVA % "try (T t = g()) { } catch (E e) { [[try (T t = g()) { }]] }"),
        ("java", IN_JAVA % "try (T t = g()) { } finally { [[int t;]] }"),
        ("java", IN_JAVA % "g(t -> t); [[int t;]]"),
        ("java", IN_JAVA % "int t; new B() { void g() { [[int t;]] } };"),
        ("java", IN_JAVA % "switch (p) { case 1 -> { int t; } case 2 -> { [[int t;]] } }"),
        ("java", IN_JAVA % "if (p > 1) { int t; } else { [[int t;]] }"),
        ("go", IN_GO % "const a, b = 1, 2\n[[const c, d = 1, 2]]"),
        ("go", "package a\nfunc init() {}\n[[func init() {}]]\n"),
        ("go", "package a\ntype T struct {\n\t_ int\n\t[[_ string]]\n}\n"),
        ("go", "package a\nfunc (c *A) f() {}\n[[func (d *B) f() {}]]\n"),
        ("go", 'package a\nfunc f(p string) { switch p {\ncase " ":\n[[case "  ":]]\n} }\n'),
        ("go", "package a\nvar x = T{g(): 1, [[g(): 2]]}\n"),
        ("go", "package a\nfunc f(v any) { switch v.(type) { [[case A, B, C:]] } }\n"),
        ("go", IN_GO % "a, err := g()\n[[b, err := h()]]\n_, _ = a, b"),
        ("go", IN_GO % "if p > 1 {\n[[p := 2]]\n_ = p\n}"),
        ("typescript", "class A { get a() {return 1} [[set a(b) {}]] static a = 1; }"),
        ("typescript", "class A { f(): void; [[f(a?: 1): void;]] f(a?: any) {} }"),
        ("javascript", "import {a as b, [[a]]} from 'x';"),
        ("javascript", "const a = {[b]: 1, [[[c]: 2]]};"),
        ("javascript", """const a = {'"': 1, [["'": 2]]};"""),
    ],
)
def test_what_may_be_there_twice_is(language: str, marked: str) -> None:
    assert twice(language, marked) == []


def test_the_line_above_a_loop_is_not_offered_in_it() -> None:
    """Memory once offered `double total = 0;` again, because it had followed such a line before."""
    text = (
        "class Cart {\n    double total() {\n        double total = 0;\n        for (Item item : items) {\n"
        "            $0\n        }\n        return total;\n    }\n}\n"
    )
    offset = text.index("$0")
    [found] = fim_lsp.complete(text.replace("$0", ""), offset, language="java")
    assert not found.text.startswith("double total")
