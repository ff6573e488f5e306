"""Edits that follow a change of Python. A case has a text, the user's change, and the resulting lines."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import pytest

from fim_lsp.edits.next_edits import next_edits
from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import NextEdit
from fim_lsp.edits.texts.source import SourceText
from quotient import Language

PYTHON = Language.load("python")


@dataclass(frozen=True)
class Case:
    name: str
    old: str
    # The user's replacements: old texts and new ones.
    changed: tuple[tuple[str, str], ...]
    # The resulting lines, if they differ from those of the text.
    lines: tuple[str, ...]


def case(name: str, old: str, *pairs: tuple[str, str], lines: tuple[str, ...] = ()) -> Case:
    return Case(name, old, pairs, lines)


CASES = (
    case(
        "a parameter, where it is that one",
        "def area(width, height):\n    inner = [width for width in height]\n    return width * height\n"
        "width = 1\n",
        ("def area(width", "def area(breadth"),
        lines=("    return breadth * height",),
    ),
    case(
        "a parameter's keyword at the calls",
        "def area(width, height):\n    return 0\n\n\nprint(area(1, height=2))\narea(width=3, height=4)\n",
        ("width,", "breadth,"),
        lines=("area(breadth=3, height=4)",),
    ),
    case(
        "a variable, up to where it is another one",
        "def f(rows):\n    total = 0\n    for row in rows:\n        total += row\n    print(total)\n"
        "    total = 3\n    return total\n",
        ("total = 0", "count = 0"),
        lines=("        count += row", "    print(count)"),
    ),
    case(
        "a function at the margin, and in `__all__`",
        "__all__ = ['net', 'gross']\n\n\ndef net(x):\n    return x\n\n\ndef gross(net):\n    return net\n"
        "\n\nnet(1)\n",
        ("def net(x)", "def clear(x)"),
        lines=("__all__ = ['clear', 'gross']", "clear(1)"),
    ),
    case(
        "an attribute of a class and of those made of it",
        "class A:\n    def __init__(self):\n        self.n = 0\n\n    def go(self):\n        return self.n\n"
        "\n\nclass B(A):\n    def back(self):\n        return -self.n\n"
        "\n\nclass C:\n    n = 2\n\n    def go(self):\n        return self.n\n",
        ("self.n = 0", "self.count = 0"),
        lines=("        return self.count", "        return -self.count"),
    ),
    case(
        "a method",
        "class A:\n    def run(self):\n        return 1\n\n    def go(self):\n        return self.run()\n",
        ("def run", "def start"),
        lines=("        return self.start()",),
    ),
    case(
        "a parameter that is gone",
        "def f(a, b, c=1):\n    return a\n\n\nf(1, 2, 3)\nf(1, b=2)\nf(*x)\n",
        ("a, b, c=1", "a, c=1"),
        lines=("f(1, 3)", "f(1)"),
    ),
    case(
        "parameters in another order",
        "def f(a, b):\n    return a\n\n\nf(1, 2)\nf(b=1, a=2)\n",
        ("a, b", "b, a"),
        lines=("f(2, 1)",),
    ),
    case(
        "parameters that are given by name",
        "def f(a, b):\n    return a\n\n\nf(1, 2)\n",
        ("a, b", "a, *, b"),
        lines=("f(1, b=2)",),
    ),
    case(
        "a default that has gone",
        "def f(a, b=None):\n    return a\n\n\nf(1)\nf(1, 2)\n",
        ("b=None", "b"),
        lines=("f(1, None)",),
    ),
    case(
        "a new parameter that callers have a value for",
        "def f(a):\n    return a\n\n\ndef g(theme):\n    return f(1)\n\n\ndef h():\n    return f(1)\n",
        ("def f(a)", "def f(a, theme)"),
        lines=("    return f(1, theme)",),
    ),
    case(
        "a new parameter that one call was given already",
        "def f(a):\n    return a\n\n\nx = f(1)\ny = f(2)\nz = f(3)\n",
        ("def f(a)", "def f(a, b)"),
        ("x = f(1)", "x = f(1, None)"),
        lines=("y = f(2, None)", "z = f(3, None)"),
    ),
    case(
        "`await`, where it may stand",
        "def f():\n    return 1\n\n\nasync def g():\n    asyncio.run(f())\n    return f()\n"
        "\n\ndef h():\n    return f()\n",
        ("def f()", "async def f()"),
        lines=("    return await f()",),
    ),
    case(
        "no `await` any more",
        "async def f():\n    return 1\n\n\nasync def g():\n    return await f()\n",
        ("async def f()", "def f()"),
        lines=("    return f()",),
    ),
    case(
        "the same in the same construct",
        "class T:\n    def a(self):\n        self.assertEquals(1, 1)\n        self.assertEquals(2, 2)\n"
        "        self.assertEquals(3, 3)\n        assertEquals = 3\n",
        ("self.assertEquals(1, 1)", "self.assertEqual(1, 1)"),
        ("self.assertEquals(2, 2)", "self.assertEqual(2, 2)"),
        lines=("        self.assertEqual(3, 3)",),
    ),
    case(
        "an import without a use",
        "import json\nimport os\n\n\ndef f(x):\n    return json.dumps(x), os.sep\n",
        ("json.dumps(x), os.sep", "x, os.sep"),
        lines=("-import json",),
    ),
    case(
        "an import that is missing",
        "import os\n\nx = os.getcwd()\n",
        ("os.getcwd()", "os.path.join(re.escape(os.sep))"),
        lines=("import re",),
    ),
    case(
        "a module that is imported otherwise",
        "from os import path\n\nx = path.join('a', path.sep)\n",
        ("from os import path", "import os"),
        lines=("x = os.path.join('a', os.path.sep)",),
    ),
    case(
        "a bracket",
        "def f(x):\n    return g(x)\n",
        ("g(x)", "g(len(x)"),
        lines=("    return g(len(x))",),
    ),
    case(
        "the lines of a block whose header has gone",
        "def f(x):\n    if x:\n        a = 1\n        b = 2\n    return a\n",
        ("    if x:\n", ""),
        lines=("    a = 1", "    b = 2"),
    ),
)


def changed(old: str, pairs: tuple[tuple[str, str], ...]) -> str:
    text = old
    for before, after in pairs:
        assert text.count(before) >= 1, before
        text = text.replace(before, after, 1)
    return text


def chain(old: str, new: str, most: int = 20) -> tuple[str, list[NextEdit]]:
    """Takes the first edit again and again, and checks each one."""
    text, taken = new, []
    for _ in range(most):
        found = next_edits(FileChange.of("a.py", old, text), PYTHON)
        if not found:
            break
        for edit in found:
            assert text[edit.start : edit.end] == edit.old
        edit = found[0]
        after = edit.edited_text(text)
        ast.parse(after)
        taken.append(edit)
        text = after
    else:
        pytest.fail("there is no end to it")
    return text, taken


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    new = changed(case.old, case.changed)
    text, taken = chain(case.old, new)
    removed = [line[1:] for line in case.lines if line.startswith("-")]
    wanted = [line for line in case.lines if not line.startswith("-")]
    before, after = new.split("\n"), text.split("\n")
    come = [line for line in after if line not in before]
    assert sorted(come) == sorted(wanted)
    assert [line for line in removed if line in after] == []
    assert taken
    # The typed text is unchanged.
    assert all(written in text for _, written in case.changed)


QUIET = (
    ("nothing was changed", "x = 1\n", "x = 1\n"),
    ("a number", "x = 1\ny = 1\n", "x = 2\ny = 1\n"),
    ("a new function", "x = 1\n", "def f(a):\n    return a\n\n\nx = 1\n"),
    ("a comment", "# one\nx = 1\n", "# two\nx = 1\n"),
    ("a variable that is bound twice", "x = 1\nx = 2\nprint(x)\n", "y = 1\nx = 2\nprint(x)\n"),
    ("a star import may define anything", "from a import *\nx = 1\n", "from a import *\nx = re.sub()\n"),
    ("an import of a package's own file", "from a import b\n", "from a import c\n"),
)


@pytest.mark.parametrize(("name", "old", "new"), QUIET)
def test_where_nothing_follows(name: str, old: str, new: str) -> None:
    assert next_edits(FileChange.of("a.py", old, new), PYTHON) == [], name


def test_a_name_that_would_be_caught_by_another_is_left_alone() -> None:
    old = "def f(a):\n    g = lambda b: a + b\n    return a\n"
    text, _ = chain(old, old.replace("f(a)", "f(b)"))
    assert text == "def f(b):\n    g = lambda b: a + b\n    return b\n"


def test_an_edit_that_was_refused_is_not_shown_again() -> None:
    from fim_lsp.edits.next_edits import EditContext

    old = "def f(a):\n    return a\n"
    new = "def f(b):\n    return a\n"
    [edit] = next_edits(FileChange.of("a.py", old, new), PYTHON)
    around = EditContext(refused={(edit.path, edit.old, edit.new)})
    assert next_edits(FileChange.of("a.py", old, new), PYTHON, around) == []


def test_characters_of_any_width_are_counted() -> None:
    old = "# 🐍 é\ndef f(größe):\n    return 'ß', größe\n"
    text, _ = chain(old, old.replace("f(größe)", "f(weite)"))
    assert text == "# 🐍 é\ndef f(weite):\n    return 'ß', weite\n"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends_stay_what_they_are(end: str) -> None:
    old = "import json\ndef f(a):\n    return json.a(a)\n".replace("\n", end)
    new = "import json\ndef f(b):\n    return re.a(a)\n".replace("\n", end)
    text, _ = chain(old, new)
    assert text == "import re\ndef f(b):\n    return re.a(b)\n".replace("\n", end)


def test_an_annotation_brings_no_name_that_is_not_there() -> None:
    """If annotations are not evaluated, Python accepts an unbound name there."""
    proof = Proof(
        SourceText("a.py", "from __future__ import annotations\n\n\ndef f(lib, size):\n    return lib\n"),
        PYTHON,
    )
    start = proof.source.text.index("lib,")
    assert not proof.holds(start, start + 3, "lib: Library")
    assert proof.holds(start, start + 3, "lib: int")


def test_a_word_of_nothing_stands_nowhere() -> None:
    assert [*FileChange.of("a", "def f(): pass\n", "def f(): pass\n").new.places("")] == []
