"""Conversions into equivalent code: the other places where they are made, and the places where they are
not."""

from __future__ import annotations

import pytest

from fim_lsp.edits.next_edits import EditContext, next_edits
from fim_lsp.edits.projects.history import History
from fim_lsp.edits.texts.change import FileChange
from tests.edits.everyday_edits import Case, case, check, loaded

TEXTS = """\
def show(name, count, rows):
    a = "hello %s" % name
    b = "{} of {{it}}".format(count)
    c = 'it is %s' % rows[0].path
    d = "%s: %r, 100%%" % (name, count)
    e = "%5s" % name
    f = "%s" % "x"
    g = "{0} and {0}".format(name)
    h = "{name!r:>3} is {}".format(count.x, name=name)
    i = "%d" % count
    j = "%(name)s" % rows
    k = "%s %s" % name
    return a, b, c, d, e, f, g, h, i, j, k
"""
TYPES = """\
from typing import Dict, List, Optional, Union


def f(a: Optional[int], b: Optional[str] = None) -> Optional[List[int]]:
    c: Dict[str, "Optional[int]"] = {}
    d: Optional["Later"] = None
    return c[a], d


def g(a: Union[int, List[int]], b: Dict[str, int]) -> Optional[Dict[str, int]]:
    return b
"""
CASES = (
    case(
        "a text with `%`, once: what is as plain, and no `%d`",
        TEXTS,
        ('"hello %s" % name', 'f"hello {name}"'),
        then=(
            ("'it is %s' % rows[0].path", "f'it is {rows[0].path}'"),
            ('"%s: %r, 100%%" % (name, count)', 'f"{name}: {count!r}, 100%"'),
        ),
    ),
    case(
        "a text with `%d`",
        "a = '%d' % x\nb = '%d of %s' % (x, y)\nc = '%.2f %d' % (x, y)\n",
        ("'%d' % x", "f'{x}'"),
        then=(("'%d of %s' % (x, y)", "f'{x} of {y}'"),),
    ),
    case(
        "a text with `.format`",
        TEXTS,
        ('"{} of {{it}}".format(count)', 'f"{count} of {{it}}"'),
        then=(('"{name!r:>3} is {}".format(count.x, name=name)', 'f"{name!r:>3} is {count.x}"'),),
    ),
    case(
        "who writes something else is not followed",
        "a = 'a %s' % x\nb = 'b %s' % y\n",
        ("'a %s' % x", "f'a {x!r}'"),
    ),
    case(
        "a type that may be nothing, in its line first",
        TYPES,
        ("a: Optional[int]", "a: int | None"),
        then=(
            ("b: Optional[str]", "b: str | None"),
            ("-> Optional[List[int]]", "-> List[int] | None"),
            ("-> Optional[Dict[str, int]]", "-> Dict[str, int] | None"),
        ),
    ),
    case(
        "a type with a name of its own, and its import",
        TYPES,
        ("-> Optional[List[int]]", "-> Optional[list[int]]"),
        then=(("Union[int, List[int]]", "Union[int, list[int]]"), ("Dict, List, Optional", "Dict, Optional")),
    ),
    case(
        "nothing, compared",
        "def f(a, b):\n    if a == None:\n        return 1\n    if b.c == None or b != None:\n"
        "        return b == 3\n",
        ("a == None", "a is None"),
        then=(("b.c == None or b != None", "b.c is None or b is not None"),),
    ),
    case(
        "`super` of its own class alone",
        "class A(B):\n    def f(self):\n        super(A, self).f()\n\n    def g(self):\n"
        "        super(A, self).g()\n"
        "        super(B, self).g()\n\n    def h(this):\n        super(A, self).g()\n",
        ("super(A, self).f", "super().f"),
        then=(("super(A, self).g()", "super().g()"),),
    ),
    case(
        "a logger is told one text",
        "def f(log, x):\n    print('a')\n    x += 1\n    print(x)\n    x += 2\n    print('b')\n"
        "    print('c', x)\n"
        "    print()\n    print('d', file=x)\n    print(*x)\n",
        ("print('a')", "log.info('a')"),
        ("print(x)", "log.info(x)"),
        then=(("print('b')", "log.info('b')"),),
    ),
    case(
        "what stands nearer comes first",
        "def f(self):\n    self.assertEquals(1, 1)\n    if self:\n        self.assertEquals(2, 2)\n\n\n"
        "def g(self):\n    self.assertEquals(3, 3)\n",
        ("self.assertEquals(1, 1)", "self.assertEqual(1, 1)"),
        then=(
            ("self.assertEquals(2, 2)", "self.assertEqual(2, 2)"),
            ("self.assertEquals(3", "self.assertEqual(3"),
        ),
    ),
    case(
        "two names of a row",
        "console.log('a');\nconsole.log('b', 1);\nconsole.log('c');\n",
        ("console.log('a')", "logger.info('a')"),
        ("console.log('b'", "logger.info('b'"),
        then=(("console.log('c')", "logger.info('c')"),),
        language="javascript",
    ),
    case(
        "the same twice in a line",
        "package p\n\nfunc f(a interface{}) interface{} { return a }\n\n"
        "func g(a map[string]interface{}) {}\n",
        ("f(a interface{}) interface{}", "f(a any) any"),
        then=(("map[string]interface{}", "map[string]any"),),
        language="go",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)


def test_what_was_converted_in_other_files_is_converted_here() -> None:
    """One conversion is weak evidence; three are enough to propose the others."""
    text = "from typing import Dict, List\n\na: List[int] = []\nb: Dict[str, int] = {}\n"
    shown = []
    for n_made in (1, 3):
        history = History()
        for number in range(n_made):
            history.add(FileChange.of(f"{number}.py", "x: List[str] = []\n", "x: list[str] = []\n"))
        around = EditContext(earlier=history.of(text), converted=history.converted)
        found = next_edits(FileChange.of("a.py", text, text), loaded("python"), around)
        shown.append([(one.old, one.new) for one in found])
    assert shown[0] == [("List[int]", "list[int]")]
    assert shown[1] == [("List[int]", "list[int]"), ("Dict[str, int]", "dict[str, int]")]
