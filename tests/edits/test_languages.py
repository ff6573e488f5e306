"""Next edits in the other languages, and repairs of a file that no longer parses."""

from __future__ import annotations

import pytest

from fim_lsp.edits.next_edits import next_edits
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.holes import first_fault
from fim_lsp.known_languages import (
    GO,
    JAVA,
    JAVASCRIPT,
    JSON,
    PYTHON,
    TOML,
    TYPESCRIPT,
    TYPESCRIPTREACT,
    KnownLanguage,
)
from quotient import Language

CASES = (
    (
        "a parameter of JavaScript",
        JAVASCRIPT,
        "function area(width) {\n  const f = (width) => width;\n  return o.width + g({width: width});\n}\n",
        ("area(width", "area(breadth"),
        (
            "function area(breadth) {\n  const f = (width) => width;\n"
            "  return o.width + g({width: breadth});\n}\n"
        ),
    ),
    (
        "a variable of TypeScript",
        TYPESCRIPT,
        "function f(n: number): number {\n  let total = 0;\n  total += n;\n  return total;\n}\n",
        ("let total", "let sum"),
        "function f(n: number): number {\n  let sum = 0;\n  sum += n;\n  return sum;\n}\n",
    ),
    (
        "a parameter of a component",
        TYPESCRIPTREACT,
        "function Area(size: number) {\n  return <p size={size}>size {size}</p>;\n}\n",
        ("Area(size", "Area(width"),
        "function Area(width: number) {\n  return <p size={width}>size {width}</p>;\n}\n",
    ),
    (
        "a variable of Go",
        GO,
        "package p\n\nfunc f(n int) int {\n\ttotal := n\n\ttotal += x.total\n\treturn total\n}\n",
        ("total :=", "sum :="),
        "package p\n\nfunc f(n int) int {\n\tsum := n\n\tsum += x.total\n\treturn sum\n}\n",
    ),
    (
        "a method of Java",
        JAVA,
        "class A {\n  int area(int w) {\n    return area(1) + x.area(2);\n  }\n}\n",
        ("int area", "int surface"),
        "class A {\n  int surface(int w) {\n    return surface(1) + x.area(2);\n  }\n}\n",
    ),
    (
        "a bracket of JavaScript",
        JAVASCRIPT,
        "f(a);\n",
        ("f(a)", "f(g(a)"),
        "f(g(a));\n",
    ),
    ("a bracket of JSON", JSON, '{"a": [1, 2]}\n', ("[1, 2]", "[[1], [2]"), '{"a": [[1], [2]]}\n'),
    ("a comma of JSON", JSON, '{"a": 1\n}\n', ("1\n", '1\n "b": 2\n'), '{"a": 1\n ,"b": 2\n}\n'),
    ("a bracket of TOML", TOML, "a = [1, 2]\n", ("[1, 2]", "[[1], [2]"), "a = [[1], [2]]\n"),
    (
        "the end of a block of Go",
        GO,
        "package p\n\nfunc f() int {\n\treturn 1\n}\n",
        ("\treturn 1", "\tif x {\n\t\treturn 1"),
        "package p\n\nfunc f() int {\n\tif x {\n\t\treturn 1\n\t}\n}\n",
    ),
    ("a colon", PYTHON, "if x:\n    y = 1\n", ("if x:", "if x and z"), "if x and z:\n    y = 1\n"),
    ("a quote", PYTHON, "x = 1\ny = 2\n", ("x = 1", "x = 'one"), "x = 'one'\ny = 2\n"),
    ("what is left over", PYTHON, "x = (a + b)\n", ("(a", "a"), "x = a + b\n"),
    ("a bracket that was taken away", PYTHON, "x = f(a)\n", ("(a)", "(a"), "x = f(a)\n"),
)


@pytest.mark.parametrize(
    ("known_language", "old", "pair", "wanted"), [case[1:] for case in CASES], ids=[case[0] for case in CASES]
)
def test_what_follows(known_language: KnownLanguage, old: str, pair: tuple[str, str], wanted: str) -> None:
    language = Language.load(known_language.name)
    text = old.replace(*pair, 1)
    for _ in range(10):
        found = next_edits(FileChange.of("a", old, text, known_language), language)
        if not found:
            break
        text = found[0].edited_text(text)
        assert first_fault(language, text) is None
    assert text == wanted


def test_what_was_typed_is_not_taken_away() -> None:
    """The bracket that was just typed is the superfluous one, so no edit is shown."""
    old, new = "x = f(a)\n", "x = f(a))\n"
    for edit in next_edits(FileChange.of("a.py", old, new), Language.load("python"), bar=0.0):
        assert edit.edited_text(new) != old


@pytest.mark.parametrize(
    ("typed", "mended"),
    [
        ("with open()", None),
        ("while ready()", None),
        ("for one in range()", None),
        ("if items[]", None),
        ("if one - two", None),
        ("class Order()", None),
        ("if ready return", "if ready: return"),
        ("if ready print(1)", "if ready: print(1)"),
    ],
)
def test_a_header_that_is_being_typed_is_not_cut_by_a_colon(typed: str, mended: str | None) -> None:
    """`with open:()` parses, and an editor closes the bracket as soon as it is typed."""
    before, after = "def load(path, ready, one, two):\n", "\n\n\ndef total():\n    return 0\n"
    old, new = f"{before}    pass{after}", f"{before}    pass\n    {typed}{after}"
    found = next_edits(FileChange.of("a.py", old, new), Language.load("python"))
    texts = [edit.edited_text(new) for edit in found]
    assert texts == ([] if mended is None else [new.replace(typed, mended)])


def test_a_file_that_did_not_parse_before_is_not_mended() -> None:
    old, new = "x = (\ny = 1\n", "x = (\ny = 2\n"
    assert next_edits(FileChange.of("a.py", old, new), Language.load("python")) == []


def test_a_file_that_does_not_parse_gets_no_worse() -> None:
    old = "x = (\n\ndef f(a):\n    return a\n"
    new = old.replace("f(a)", "f(b)")
    for edit in next_edits(FileChange.of("a.py", old, new), Language.load("python")):
        assert edit.edited_text(new) == new.replace("return a", "return b")
