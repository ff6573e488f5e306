"""Witnesses with names: behind any text, they use names that exist, and keep the later lines in their
functions and loops."""

import pytest

from tests.names.holes import named

LOOP_BEHIND_LOOP = """\
class A:
    def f(self):
        with self:
            if self:
                if$0b.c()
            if self:
                return 1
        for b in []:
            if b:
                break
        else:
            continue
        break
    else:
        b = 1
    return b
"""


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        # The text is unfinished.
        ("def f(a):\n    return $0\n", ""),
        ("$0\n", "[x"),
        ("$0\n", "x = prin"),
        ("with open($0\n", ""),
        ("$0\n", "nobody"),
        # The unfinished name is one of several targets.
        *(
            ("def f(a):\n    return $0\n        in a if level in a]\n", f"[m % n{text}")
            for text in (" f", " for", " for ", " for le", " for level", " for level,")
        ),
        # The later lines need a function.
        ("class A: pass\n\n$0\n    return f\n", ""),
        ("import a\n$0:\n    return 1\n", "\n"),
        ("import a\n$0(op):\n    return 1\n", "\n"),
        ("import a\n$0(op):\n    await op\n", ""),
        ("# as per $0: str) -> int:\n    return 1\n", "pep"),
        ("class A(o$0un(f):\n    g(f)\n    return f\n", ""),
        ("from a import Operation\n\nclass A(Oper$0, x):\n        return x\n", ""),
        ("x = {'a': 'b$0ext):\n    return ext\n", ""),
        ("class A:\n    x = 1\n $0\n        if x:\n            return 1\n", ""),
        ("$0      return 1\n    else:\n        return 2\n", "from a import b"),
        ('def f():\n    """A\n\n   $0ith a as b:\n        yield b\n', ""),
        (
            "class C:\n    def f(self):\n      $0   A\n        \"\"\"\n        return f\n",
            "  return 1\n\n    @prin",
        ),
        # A function inside the suite that the grammar's own text begins.
        (
            "def f():\n    raise E('$0name)\n        return 1\n\nelse:\n    x = 1\n",
            "",
        ),
        ("def g():\n    p(h$0_c(n):\n        return 1\n\nelse:\n    x = 1\n", ""),
        # A function behind the one that contains the hole.
        ("class A:\n  def f(a):\n    try:\n      g('$0h(a,\n b):\n    c = b\n    return c\n", ""),
        # The later lines need a loop, or a loop in a function.
        ("def f():\n    i = 1\n    $0\n        if i:\n            continue\n    return None\n", ""),
        ("i = 1\n$0\n        if i:\n            continue\n    return None\n", ""),
        ("if 1:\n    x = [\n    a$0tes:\n        try: pass\n        finally:\n            break\n", ""),
        ("try:\n    pass\nexcept E:\n    ret$0name in []:\n        if name:\n            continue\n", ""),
        # The loop is in a function of its own, at the columns of the later lines.
        ("class A:\n  def f(s):\n    f((s$0is 1:\n      continue\n    if f:\n      return\n  return 1\n", ""),
        ("class A:\n  def f(x):\n    f(x, $0== 1:\n      continue\n    if f:\n      f = 1\n  return 1\n", ""),
        (LOOP_BEHIND_LOOP, ""),
        # A function that binds the names that an inner function declares.
        ("class C$0e(a):\n    nonlocal b\n    b = 1\n  b = None\n  e(b)\n", ""),
        # The right context begins within a name.
        ("def f():\n    for$0try:\n        pass\n", " entr"),
        ("[\n    bucket$0cket in []\n]\n", "\n"),
        ("def f():\n    (out, err$0rue)\n    for x in '':\n        pass\n", ""),
        ("x = $0able\n", "("),
        ("from __future_$0nnotations\n\nx = 1\n", "_ "),
        # Names that comprehensions bind.
        ("[row for values in [] for row in val$0]\n", ""),
        ("f = lambda values: val$0\n", ""),
        ("print(\n    dt=delt$0\n    n=1)\n", ""),
        ("print([\n    f(\n        $0\n        n=1,\n    )\n    for delta, step in []])\n", "dt=delt"),
        ("x = [print(x, $0nge(3)]\n", "layer_idx) for laye"),
        ("x = 1\nx = [$0in x]\n", "format(v, x)"),
        ("def f(o):\n    y = [\n        $0nd not row.strip()\n    ]\n", "row.split('\\"),
        ("if all($0in []):\n    pass\n", "len(x) for"),
        # A name that is bound at its place.
        ("def f(e):\n    if e:\n        $0\n\n    return 1\n", "if beet"),
        # A suite, which must not belong to an asynchronous loop.
        ("import os\nx = os.$0    for y in x:\n        pass\n", "pa"),
        # Names behind an import of everything.
        ("def f():\n  from .syn$0_b = ''\n    c = f\n  class A: pass\nelse:\n  c = 1\n", ""),
        # The name in a declaration.
        (
            "def f():\n    state = 1\n    def g():\n        nonlo$0\n        state = 2\n",
            "cal sta",
        ),
        ("def f():\n    $0\n    total = 1\n", "global tot"),
        # A keyword that only some functions accept.
        ("def f():\n    if 1:\n        $0\n            return f\n    return 1\n", "async "),
        ("async def f():\n    x = [\n        $0\n        'a',\n        *y,\n    )\n", "1]\n    assert awa"),
    ],
)  # fmt: skip
def test_a_witness_fits(hole: str, text: str) -> None:
    filled(hole, text)


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ('print("-t", dest="theme", default="mono$0\n    dest="color",\n    default=None)\n', 'kai", help="'),
        ("print(end=''$0, end='')\n", ""),
        ("print(end='', sep='', $0sep='', end='')\n", ""),
        ("print(end='', sep$0='', end='')\n", ""),
        ("print(end='', se$0p='', end='')\n", ""),
        ("print(end='a$0b', end='')\n", ""),
        ("print(end='', sep=print.a$0b.c, end='')\n", ""),
        ("print(end='', # a comment $0\n    end='')\n", ""),
        ("print(end='', sep=$0] + [0], end='')\n", ""),
        # The hole begins within brackets, parameters or a field.
        ("print(end='', sep=[print(end='', $0)], end='')\n", ""),
        ("print(end='', sep=[print(end=x, sep=$0, end=x) for x in []])\n", ""),
        ("print(end='', sep={0: $0, 1: 2}, end='')\n", ""),
        ("print(end='', sep=lambda x: (x, print(end=$0, file=x)), end='')\n", ""),
        ("print(end='', sep=f'{$0}', end='')\n", ""),
        # Places where nothing more may be called.
        ("if 1:\n    class A(metaclass=type, x$0='', metaclass=type):\n        pass\n", ""),
    ],
)
def test_a_witness_says_no_keyword_again(hole: str, text: str) -> None:
    compile(filled(hole, text), "whole", "exec")


def filled(hole: str, text: str) -> str:
    """The file with the text and its witness, which fits."""
    recognizer = named(hole)
    assert recognizer.advance(text)
    witness = recognizer.witness()
    assert recognizer.advance(witness), witness
    assert recognizer.is_member(), witness
    return hole.replace("$0", text + witness)
