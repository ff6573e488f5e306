"""From the written text to the offer: the file's indentation, nothing twice, no longer than wanted."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from fim_lsp.document.indentation import Style, habit, has_foreign_indentation
from fim_lsp.document.sent import Indentation
from fim_lsp.presentable import swallows_rest
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.wording import offered_text, without_repetition
from tests.footings import footing_between

WISHES = Wishes(
    n=1, max_tokens=64, max_lines=20, multi_line=True, scope="", in_comments=False, indentation=None
)


def test_a_header_alone_is_offered_with_its_body() -> None:
    left, written = "def f(a):\n    ", "for b in a:\n        g(b)"
    one_line = replace(WISHES, multi_line=False)
    assert offered_text(written, footing_between(left, "\n"), one_line) == written
    assert offered_text(written, footing_between(left, "\n        h(b)\n"), one_line) == "for b in a:"
    assert offered_text("g(a)\n    h(a)", footing_between(left, "\n"), one_line) == "g(a)"


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("", "    "),
        ("def f():\n  return 1\n", "  "),
        ("def f():\n\tif x:\n\t\treturn 1\n", "\t"),
        ("x = [\n      1,\n]\nif x:\n   pass\n", "   "),
        ("if a:\n  b\nif c:\n    d\nif e:\n    f\n", "    "),
    ],
)
def test_the_file_s_step_is_told_from_its_blocks(text: str, unit: str) -> None:
    assert habit(text) == unit


def check(marked: str, written: str, expected: str | None, said: str | None = None) -> None:
    """Checks the offer at `$0` for a written text, in the file's style or in the editor's."""
    left, _, right = marked.partition("$0")
    indentation = None if said is None else Indentation(len(said), said != "\t")
    wishes = replace(WISHES, indentation=indentation)
    assert offered_text(written, footing_between(left, right), wishes) == expected
    if expected is not None:
        ast.parse(left + expected + right)


@pytest.mark.parametrize(
    ("marked", "written", "expected"),
    [
        ("def f(x):\n\t$0\n", "if x:\n        return 1\n    return 2", "if x:\n\t\treturn 1\n\treturn 2"),
        ("def f(x):\n\t$0\n", "if x:\n\t\treturn 1\n\treturn 2", "if x:\n\t\treturn 1\n\treturn 2"),
        ("if 1:\n  pass\n$0", "if x:\n    a\nb", "if x:\n  a\nb"),
        ("if 1:\n        pass\n$0", "if x:\n    a\nb", "if x:\n        a\nb"),
        ("if 1:\n  pass\n$0", "if x:\n\ta\nb", "if x:\n  a\nb"),
        ("a = 1\n\n$0", "if x:\n   a\n\n   \nb", "if x:\n    a\n\n\nb"),
        # A comment has the column of its statement.
        (
            "def f():\n\t$0\n",
            "if x:\n    # y\n        z\n    # a\n    b",
            "if x:\n\t\t# y\n\t\tz\n\t# a\n\tb",
        ),
        # Text that continues with a comment is not indentation.
        ("def f():\n  a\n  # b$0\n", " c\n  d", " c\n  d"),
        # A text that does not fit the file's blocks still gets the file's line ends.
        ("x = [1, $0  if a:\r        b\r    c\r", "]\nif a:\n  ", "]\rif a:\r  "),
        ("def f():\r\n  if x:\r\n    pass\r\n  $0\r\n", "if x:\n      a\n  b", "if x:\r\n    a\r\n  b"),
    ],
)
def test_statements_are_indented_and_lines_ended_as_the_file_s_are(
    marked: str, written: str, expected: str
) -> None:
    check(marked, written, expected)


@pytest.mark.parametrize(
    ("marked", "written", "expected"),
    [
        # A hanging indent is one of the file's steps, or as many spaces as were written.
        ("if 1:\n\tpass\n$0", "f(\n    a,\n    g(\n        b\n    ),\n)", "f(\n\ta,\n\tg(\n\t\tb\n\t),\n)"),
        ("if 1:\n  pass\n$0", "f(\n    a,\n)\nc", "f(\n    a,\n)\nc"),
        # An aligned line keeps its distance from the statement.
        ("if 1:\n\tpass\n$0", "fo(a,\n   b)\nc", "fo(a,\n   b)\nc"),
        ("def f():\n\tif 1:\n\t\t$0\n", "fo(a,\n           b)", "fo(a,\n\t\t   b)"),
        # The bracket may have been opened in front of the cursor.
        ("def f(x):\n\tx = [\n\t\t1,\n\t\t$0\n\t]\n", "2,\n        3,", "2,\n\t\t3,"),
    ],
)
def test_lines_inside_brackets_keep_their_distance(marked: str, written: str, expected: str) -> None:
    check(marked, written, expected)


@pytest.mark.parametrize(
    ("marked", "written", "expected"),
    [
        ("def f():\n\t$0", 'x = """\n    y\n\n  z"""\n    a', 'x = """\n    y\n\n  z"""\n\ta'),
        ("def f():\n\t$0", 'g("""\n    y\n   \n""", [\n        1])', 'g("""\n    y\n   \n""", [\n\t\t1])'),
        ("def f():\n\t$0", 'f"""\n    {x}\n"""\n    a', 'f"""\n    {x}\n"""\n\ta'),
        ("def f():\n\t$0", "x = 'a\\\n    b'\n    c", "x = 'a\\\n    b'\n\tc"),
        ('x = """\n    $0\n"""\n', "    y\n      z", "    y\n      z"),
        ("def f():\n\t$0", "x = 1 + \\\n        2\n    y", "x = 1 + \\\n        2\n\ty"),
    ],
)
def test_the_inside_of_strings_and_of_joined_lines_is_not_touched(
    marked: str, written: str, expected: str
) -> None:
    check(marked, written, expected)


def test_in_mixed_files_a_block_is_written_on_as_it_was_begun() -> None:
    mixed = "class A:\n\tdef f(self):\n\t\tpass\nclass B:\n    def g(self, x):\n        $0\n"
    spaces = "if x:\n            return 1\n        return 2"
    check(mixed, spaces, spaces, said="\t")
    tabs = mixed.replace("    def", "\tdef").replace("        $0", "\t\t$0")
    check(tabs, spaces, "if x:\n\t\t\treturn 1\n\t\treturn 2", said="    ")


@pytest.mark.parametrize(
    ("marked", "written", "expected"),
    [
        ("def f(x):\n    $0\n", "    return x", "return x"),
        ("def f(x):\n    $0\n", "\n    return x", "return x"),
        (
            "def f(x):\n    $0\n",
            "    if x:\n            return\n        g()",
            "if x:\n        return\n    g()",
        ),
        # A required block begins exactly one step to the right.
        ("def f(x):\n    if x:\n    $0\n", "       return x", "    return x"),
        ("def f(x):\n$0\n", "        return x", "    return x"),
        # In strings and brackets, white space is not indentation.
        ('x = """\n$0\n"""\n', "    y", "    y"),
        ("x = f($0)\n", "  a", "  a"),
    ],
)
def test_no_text_begins_with_more_white_space_than_it_needs(marked: str, written: str, expected: str) -> None:
    check(marked, written, expected)


def test_foreign_indentation_is_seen() -> None:
    assert has_foreign_indentation("a\n    b", Style("\t", "\n"))
    assert has_foreign_indentation("a\n\tb", Style("    ", "\n"))
    assert not has_foreign_indentation("a\n\tb", Style("\t", "\n"))


@pytest.mark.parametrize(
    ("marked", "written", "expected"),
    [
        ("from a import b, $0\n", "b, c", None),
        ("from a import b, $0\n", "c, d, c", "c, d"),
        ("from a import b, $0\n", "c as b, d as b", "c as b, d as b"),
        ("from a import b as e, $0\n", "e", "e"),
        ("from a import (\n    b,\n    $0\n)\n", "c,\n    b,", "c"),
        ("from a import $0, c\n", "b, c", "b"),
        # The word is begun; the next line is no part of the list.
        ("from a import bc, b$0\n", "c", None),
        ("from a import bc, b$0\n", "d", "d"),
        ("from a import b, $0\n", "c\nb = c", "c\nb = c"),
        ("from a import b\nx = b, $0\n", "b", "b"),
    ],
)
def test_no_import_gets_a_name_twice(marked: str, written: str, expected: str | None) -> None:
    check(marked, written, expected)


@pytest.mark.parametrize(
    ("text", "right", "kept"),
    [
        ("return 1\n\ndef g():\n    pass", "\n\ndef g():\n    pass\n", "return 1"),
        ("a = 1\nb = 2", "\nb = 2\nc = 3\n", "a = 1"),
        ("b = 2", "\nb = 2\n", ""),
        ("a\nb = 2", "\nc = 3\nb = 2\n", "a\nb = 2"),
        ("f(\n    x\n)", "\n)\n", "f(\n    x\n)"),
        ("a = 1", "\n", "a = 1"),
    ],
)
def test_following_lines_are_not_repeated(text: str, right: str, kept: str) -> None:
    assert without_repetition(text, right) == kept


@pytest.mark.parametrize(
    ("text", "right", "is_so"),
    [
        ("x)  #", "prices)\n", True),
        ("x\n    #", "prices)\n", True),
        ("x  # sum", "\ny = 1\n", False),
        ("'#', ", "prices)\n", False),
        ("# one\nx, ", "prices)\n", False),
    ],
)
def test_comments_do_not_swallow_the_rest_of_the_line(text: str, right: str, is_so: bool) -> None:
    assert swallows_rest(text, right) == is_so


@pytest.mark.parametrize(
    ("marked", "written", "expected"),
    [
        ("x = (a$0\n)\n", " + \\", None),
        ("x = (a$0\n)\n", " + b\\", None),
        ("x = a$0\ny = 1\n", " + b\nc \\", " + b"),
        ("x = a$0\ny = 1\n", " + \\\n    b", " + \\\n    b"),
    ],
)
def test_nothing_ends_in_a_backslash(marked: str, written: str, expected: str | None) -> None:
    check(marked, written, expected)
