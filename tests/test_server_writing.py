"""From what was written to what is offered: the file's indentation, nothing twice, no longer than wished."""

from __future__ import annotations

import pytest

from fim_lsp.server.worker.fitting import swallows, without_repetition
from fim_lsp.server.worker.indentation import Style, habit, has_foreign_indentation, restyled


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


@pytest.mark.parametrize(
    ("written", "left", "unit", "expected"),
    [
        ("if x:\n        return 1", "def f(x):\n\t", "\t", "if x:\n\t\treturn 1"),
        ("if x:\n    a\nb", "", "  ", "if x:\n  a\nb"),
        # Inside brackets the distance from the statement is kept.
        ("f(a,\n  b)\nc", "", "\t", "f(a,\n  b)\nc"),
        ('x = """\n   y"""', "", "\t", 'x = """\n   y"""'),
        ("a\n\nb", "", "\t", "a\n\nb"),
    ],
)
def test_texts_are_indented_as_the_file_is(written: str, left: str, unit: str, expected: str) -> None:
    assert restyled(written, left, Style(unit, "\n"), 4) == expected


def test_lines_end_as_the_file_s_do() -> None:
    assert restyled("a\nb", "", Style("    ", "\r\n"), 8) == "a\r\nb"


def test_foreign_indentation_is_seen() -> None:
    assert has_foreign_indentation("a\n    b", Style("\t", "\n"))
    assert has_foreign_indentation("a\n\tb", Style("    ", "\n"))
    assert not has_foreign_indentation("a\n\tb", Style("\t", "\n"))


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
    assert swallows(text, right) == is_so
