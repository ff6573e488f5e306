"""What may be used, bound and returned in a hole, where names are looked at."""

import doctest
from pathlib import Path

import numpy as np
import pytest

from quotient import Language, Vocabulary


def refusal(hole: str, text: str, version: str = "3.12") -> str | None:
    """Why a text does not fit at the `$0` of a file; None if it does. Each prefix of it is read, too."""
    left, right = hole.split("$0")
    recognizer = Language.load("python", version).recognizer(left, right, names=())
    for character in text:
        if not recognizer.advance(character):
            found = recognizer.refusal(character)
            assert found is not None, f"the grammar refuses {text!r} at {character!r}"
            return found[2]
    if not recognizer.is_member():
        found = recognizer.refusal("")
        assert found is not None or recognizer.without_names().is_member()
        return found[2] if found else "the text may not end there"
    return None


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        # What is bound in front, further out, or by the language.
        ("x = 1\n$0\n", "print(x)"),
        ("def f(a, *b, c=1, **d):\n    $0\n", "return a, b, c, d"),
        ("class A:\n    x = 1\n    $0\n", "y = x"),
        ("class A:\n    def f(self):\n        $0\n", "return __class__"),
        ("import os.path as p, sys\nfrom a import b as c, d\n$0\n", "p, sys, c, d"),
        ("try:\n    pass\nexcept E as e:\n    $0\n", "raise e"),
        ("with a as (b, c):\n    $0\n", "b, c"),
        ("def f[T](x: T):\n    $0\n", "y: T = x"),
        ("for i, (j, k) in []:\n    pass\n$0\n", "i, j, k"),
        ("def f():\n    global g\n    g = 1\n$0\n", "g"),
        ("match 1:\n    case {'a': x, **y} | z:\n        $0\n", "x, y"),
        # What is bound behind, for what runs later.
        ("def f():\n    $0\n\nx = 1\n", "return x"),
        ("$0\nx = 1\n", "f = lambda: x"),
        ("while True:\n    $0\n    x = 1\n", "f = lambda: x"),
        ("class A:\n    def f(self):\n        $0\n\nclass B:\n    pass\n", "return A, B"),
        ("def f() -> $0: ...\n\nclass A: pass\n", "'A'"),
        ("from typing import Literal\nx: $0 = 1\n", "Literal['nobody']"),
        # What the text binds itself.
        ("$0\n", "x = 1\nprint(x)"),
        ("$0\n", "x = y = 1"),
        ("$0\n", "(a, [b, *c]) = 1, [2]\na, b, c"),
        ("$0\n", "[x for x in [1]]"),
        ("$0\n", "[f(x, y) for f in [] for x, y in []]"),
        ("$0\n", "{k: [k for _ in v] for k, v in {}}"),
        ("$0\n", "print(x for x in [])"),
        ("[$0 for x in []]\n", "x"),
        ("[$0for x in []]\n", "x "),
        ("$0 = 1\n", "x"),
        ("$0 in []: pass\n", "for x"),
        ("$0\n", "if (x := 1) > 0: print(x)"),
        ("$0\n", "print(x := 1, x)"),
        ("$0\n", "[y := 1, y, (z := y), z]"),
        ("$0\n", "{(x := 1): x, **{x: (y := [x])[0]}}, y"),
        ("$0\n", "f = (x := lambda: x)"),
        ("$0\n", "if x := int(): print(x)"),
        ("$0\n", "[(y := x, y) for x in [] if (z := x) and z], z"),
        ("x = 1\n$0\n", "(x := x + 1)"),
        # Headers whose suites stand behind them.
        ("$0\n    return 1\n", "def f():"),
        ("x = 1\n$0\n    break\n", "while x:"),
        ("def f():\n    $0\n        return 1\n", "if f:"),
        ("for x in []:\n    $0\n        continue\n", "if x:"),
        ("$0\n    def g(self):\n        return 1\n", "class A:"),
        ("print($0)\n", "end=''"),
        ("$0\n", "def f(a, b=1): return a, b, f"),
        ("$0\n", "lambda a, *b: (a, b)"),
        ("$0\n", "class A(metaclass=type):\n    def f(self): return A"),
        ("$0\n", "with open('f') as f: f.read()"),
        ("$0\n", "import a.b, c as d\na, d"),
        ("$0\n", "match [1]:\n    case [x, *rest] if x: rest"),
        ("$0\n", "match = 1\nmatch"),
        ("$0\n", "type A = int\nA"),
        ("$0\n", "f'{1:{2}} {[x for x in []]}'"),
        ("$0\n", "x: int = 1\nx"),
        ("def f():\n    x = 1\n    def g():\n        $0\n", "nonlocal x"),
        # Names that are none of variables, and keywords.
        ("x = 1\n$0\n", "x.nobody.knows"),
        ("$0\n", "not None"),
        ("x = $0\n", "f''"),
        ("x = $0\n", "rb''"),
        # Doubt means yes.
        ("from a import *\n$0\n", "nobody"),
        ("exec('x = 1')\n$0\n", "x"),
        ("exec('x = 1',)\n$0\n", "x"),
        ("exec(code, globals())\n$0\n", "x"),
        ("exec(code, *rest)\n$0\n", "x"),
        ("import m\nrun(m.exec, exec)\n$0\n", "x"),
        ("IntEnum._convert_('Signals', __name__, lambda name: True)\n$0\n", "x"),
        ("_('text')\n$0\n", "_('another')"),
        ("$0\n", "größe"),
        # A half name that nobody can end is its author's.
        ("x = nobod$0\n", "y"),
        ("x = prin$0\n", "t"),
        # The right context decides.
        ("x = pr$0nt\n", "i"),
        ("x = '$0\ny = 1\n", "' + str(1)"),
    ],
)
def test_names_that_exist_are_let_through(hole: str, text: str) -> None:
    assert refusal(hole, text) is None


@pytest.mark.parametrize(
    ("hole", "text", "name"),
    [
        ("$0\n", "print(x)", "x"),
        ("$0\n", "x = y", "y"),
        ("$0\n", "x", "x"),
        ("$0\n", "x += 1", "x"),
        ("$0\n", "x.y = 1", "x"),
        ("$0\n", "x[0] = 1", "x"),
        ("$0\n", "x = x + 1", "x"),
        ("$0\n", "for x in x: pass", "x"),
        ("$0\n", "[x for y in []]", "x"),
        ("$0\n", "[x, 1]", "x"),
        ("$0\n", "[y for y in [] if x]", "x"),
        ("$0\n", "f'{x}'", "x"),
        ("$0\n", "lambda: x", "x"),
        ("$0\n", "def f(a: x): pass", "x"),
        ("$0\n", "def f(a: 'x'): pass", "x"),
        ("$0\n", "@x\ndef f(): pass", "x"),
        ("$0\n", "class A(x): pass", "x"),
        ("$0\n", "del x", "x"),
        ("$0\n", "print(int(x, base=2))", "x"),
        ("$0\n", "match [1]:\n    case X(): pass", "X"),
        ("$0\n", "with open(x): pass", "x"),
        ("print($0)\n", "x", "x"),
        ("[$0 for y in []]\n", "x", "x"),
        ("class A:\n    x = 1\n    def f(self):\n        $0\n", "return x", "x"),
        ("try:\n    pass\nexcept E as e:\n    pass\n$0\n", "e", "e"),
        ("def f():\n    x = 1\n$0\n", "x", "x"),
        ("[x for x in []]\n$0\n", "x", "x"),
        ("$0\nx = 1\n", "print(x)", "x"),
        ("x = 1\ndef f():\n    $0\n    x = 2\n", "print(x)", "x"),
        ("def f():\n    $0\n\ndef g():\n    y = 1\n", "return y", "y"),
        ("class A:\n    $0\n\n    def f(self): pass\n", "g = f", "f"),
        ("x = prin$0\n", "x", "prinx"),
        # What is bound behind in a loop is not there yet when it runs first.
        ("while True:\n    $0\n    x = 1\n", "print(x)", "x"),
        ("def f():\n    for i in []:\n        $0\n        x = 1\n", "print(x)", "x"),
        ("x = 1\ndef f():\n    while x:\n        $0\n        x = 2\n", "print(x)", "x"),
        # A walrus binds when its value is there.
        ("$0\n", "(x := x)", "x"),
        ("$0\n", "print(x := [x, 1])", "x"),
        ("$0\n", "if x := f'{x}': pass", "x"),
        ("$0\n", "print(x := (y := 1) + x)", "x"),
        # What says of what type a name is, and no more, binds nothing.
        ("class A:\n    x: int\n    $0\n", "y = x", "x"),
        ("$0\n", "x: int\nprint(x)", "x"),
        ("class A:\n    x: int\n    def f(self): return self.x\n    $0\n    y = 1\n", "z = x", "x"),
        # What a comprehension's element uses is bound by it, and not there for its iterable.
        ("x = {y.name: y for y in [$0]}\n", "y.name", "y"),
        # With a namespace of its own, what runs binds nothing here.
        ("exec('x = 1', space)\n$0\n", "x", "x"),
        ("exec(compile(a, b, 'exec'), {})\n$0\n", "x", "x"),
        ("self.exec(code)\n$0\n", "x", "x"),
        ("self._convert(1)\n$0\n", "x", "x"),
        # Behind what is passed there could be a `for` that binds it, but there is none.
        ("print([\n{'a': 1,\n$0\n'c': 3},\n" + "{'a': 1},\n" * 2000 + "])\n", "'b': x,", "x"),
        # The hole begins in a comment.
        ("def f(a):\n    # wh$0    return a\n", "ich\n    print(nobody)\n", "nobody"),
    ],
)
def test_names_that_nothing_binds_are_refused(hole: str, text: str, name: str) -> None:
    assert refusal(hole, text) == f"`{name}` is not defined here"


@pytest.mark.parametrize(
    ("hole", "text", "words"),
    [
        ("$0\n", "return 1", "stands outside of functions"),
        ("class A:\n    $0\n", "yield", "stands outside of functions"),
        ("def f():\n    $0\n", "await int()", "stands outside of asynchronous functions"),
        ("def f():\n    $0\n", "async for x in []: pass", "stands outside of asynchronous functions"),
        ("$0\n", "break", "stands outside of loops"),
        ("while 1:\n    def f():\n        $0\n", "continue", "stands outside of loops"),
        ("$0\n", "def f(a, a): pass", "is repeated"),
        ("$0\n", "lambda a, *a: 1", "is repeated"),
        ("$0\n", "print(end=1, end=2)", "is repeated"),
        ("async def f():\n    yield 1\n    $0\n", "return 1", "does not fit an asynchronous generator"),
        ("async def f():\n    $0\n    yield 1\n", "return 1", "does not fit an asynchronous generator"),
        ("async def f():\n    $0\n", "yield from []", "does not fit an asynchronous generator"),
        ("def f():\n    $0\n", "nonlocal x", "no function around this one binds `x`"),
        ("def f(x):\n    $0\n", "global x", "is bound before it is declared"),
        ("def f():\n    $0\n", "from a import *", "outside of the module's own lines"),
        ("try: pass\nexcept: pass\n$0\n", "except int: pass", "nothing is left"),
        ("match 1:\n    case _: pass\n    $0\n", "case 1: pass", "nothing is left"),
        ("def f():\n    $0\n    return 1\n", "pass\n\nclass A:\n    pass", "would leave their function"),
        ("$0\n    return 1\n", "class A:", "would leave their function"),
        ("x = 1\n$0\n    return 1\n", "if x:", "would leave their function"),
        ("def f():\n    $0\n        return 1\n", "class A:", "would leave their function"),
        ("x = 1\n$0\n    break\n", "if x:", "would leave their function"),
        ("def f():\n    $0\n        await g\n        async for x in y: pass\n", "if f:", "would leave"),
    ],
)
def test_what_does_not_compile_is_refused(hole: str, text: str, words: str) -> None:
    assert words in (refusal(hole, text) or "")


@pytest.mark.parametrize(
    ("hole", "text", "words"),
    [
        ("x = []\n$0\n", "*x", "in a row of others"),
        ("x = []\ny = $0\n", "*x", "in a row of others"),
        ("x = []\n$0 = 1\n", "*x", "in a row of others"),
        ("x = []\n$0\n", "for *y in x: pass", "in a row of others"),
        ("x = []\n$0\n", "[y for *y in x]", "in a row of others"),
        ("x = []\n$0\n", "with open('') as *y: pass", "in a row of others"),
        ("x = []\nf'{$0}'\n", "*x", "in a row of others"),
        ("x = []\n$0\n", "*y, *z = x", "has one star"),
        ("x = y = z = a = []\n$0\n", "(*y, *z), a = x", "has one star"),
        ("x = []\n$0\n", "for *y, *z in x: pass", "has one star"),
        ("match 1:\n    case $0: pass\n", "[*x, *y]", "has one star"),
        ("def f():\n    $0\n", "[(yield) for _ in []]", "does not fit a comprehension"),
        ("def f():\n    $0\n", "[1 for _ in [] for _ in (yield)]", "does not fit a comprehension"),
        ("$0\n", "[x for x in (y := [])]", "does not fit a comprehension"),
        ("$0\n", "[x for x in (lambda: (y := []))()]", "does not fit a comprehension"),
        ("$0\n", "[(x := 1) for x in []]", "does not fit a comprehension"),
        ("$0\n", "[1 for x in [] if (x := 1)]", "does not fit a comprehension"),
        ("class A:\n    $0\n", "[(x := 1) for _ in []]", "does not fit a comprehension"),
        ("def f(x):\n    $0\n", "return [y async for y in x]", "outside of asynchronous functions"),
        ("def f(x):\n    $0\n", "return [await y for y in x]", "outside of asynchronous functions"),
        ("async def f(x):\n    $0\n", "lambda: await x", "outside of asynchronous functions"),
        ("match 1:\n    case $0: pass\n", "x | 1", "nothing is left"),
        ("match 1:\n    case $0: pass\n", "[_ | 1]", "nothing is left"),
        ("match 1:\n    case $0: pass\n", "[x] | 1", "capture the same names"),
        ("match 1:\n    case $0: pass\n", "[x, x]", "captured twice"),
        ("match 1:\n    case [x, $0]: pass\n", "x", "captured twice"),
        ("match 1:\n    case $0: pass\n", "int(real=1, real=2)", "is repeated"),
        ("x = 1\ndef f():\n    print(x)\n    $0\n", "global x", "is bound before it is declared"),
        ("def f(x):\n    def g():\n        global x\n        $0\n", "nonlocal x", "before it is declared"),
        ("def f():\n    global x\n    $0\n", "x: int", "is bound before it is declared"),
        ("x = 1\n$0\n", "nonlocal x", "no function around this one binds `x`"),
        ("x = 1\ndef f():\n    $0\n\ny = 1\n", "nonlocal y", "no function around this one binds `y`"),
        ("$0\n", "__debug__ = 1", "cannot be bound"),
        ("$0\n", "from os import path as __debug__", "cannot be bound"),
        ("$0\n", "print(__debug__=1)", "cannot be bound"),
        ("$0\n", "from __future__ import braces", "has no `braces`"),
        ("$0\n", "def f[T: (x := 1)](): pass", "description of a type"),
        ("$0\n", "type X = (x := 1)", "description of a type"),
        ("for x in []:\n    try: pass\n    except* int:\n        $0\n", "break", "cannot leave an `except*`"),
        ("def f():\n    try: pass\n    except* int:\n        $0\n", "return", "cannot leave an `except*`"),
        ("def f():\n    pass\n\nx = 1; $0\\\n    return 1\n", "x;", "leave their function or loop"),
        ("match 1:\n    case $0: pass\n", "{'a': _ | 1}", "nothing is left"),
        ("from os import a\nmatch 1:\n    case $0: pass\n", "{a.b: _ | 1}", "nothing is left"),
        ("from __future__ import annotations\n$0\n", "x: [(y := 1)]", "description of a type"),
        ("def f():\n    $0\n    global x\n", "x = 1", "`x` is bound before it is declared"),
        ("def f():\n    $0\n    if 1:\n        global x\n", "(x := 1)", "is bound before it is declared"),
        ("def f(x):\n    def g():\n        $0\n        nonlocal x\n", "x = 1", "before it is declared"),
        ("x = 1\ndef f():\n    $0)\n    global x\n", "print(x", "is bound before it is declared"),
        ("from __future__ $0\n", "import *", "has no `*`"),
        ("from __future__ import $0ns\n", "division, ", "has no `ns`"),
    ],
)
def test_what_takes_more_than_one_symbol_is_refused(hole: str, text: str, words: str) -> None:
    assert words in (refusal(hole, text) or "")


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("x = []\n$0\n", "*x,"),
        ("x = []\n$0\n", "*x, *x"),
        ("x = []\n$0\n", "y = *x, *x"),
        ("x = []\n$0\n", "(*y, a), *z = x"),
        ("x = []\n$0\n", "(*x, *x)[0].real = 1"),
        ("x = []\n$0\n", "print(*x, *x)"),
        ("x = []\n$0, = 1\n", "*x"),
        ("x = []\nprint(x[$0])\n", "*x"),
        ("try: pass\n$0\n", "except* int: pass"),
        ("def f():\n    $0\n", "[x for x in (yield)]"),
        ("def f():\n    $0\n", "[lambda: (yield) for x in []]"),
        ("$0\n", "[(y := x) for x in [] if (z := x)]"),
        ("class A:\n    $0\n", "lambda: [(x := 1) for _ in []]"),
        ("def f(x):\n    $0\n", "return (await y for y in x)"),
        ("def f(x):\n    $0\n", "return (y async for y in x)"),
        ("def f(x):\n    $0\n", "return (1 for y in x if await y)"),
        ("async def f(x):\n    $0\n", "return [await y async for y in x]"),
        ("match 1:\n    case $0: pass\n", "[x, 1] | [1, x]"),
        ("match 1:\n    case $0: pass\n    case 2: pass\n", "()"),
        ("match 1:\n    case $0: pass\n", "1 | _"),
        ("match 1:\n    case $0: pass\n", "(1 | 2) as x"),
        ("match 1:\n    case $0: pass\n", "{'a': x, 'b': [y, *z], **rest}"),
        ("x = 1\ndef f():\n    [x for _ in []]\n    lambda: x\n    $0\n", "global x"),
        ("x = 1\ndef f():\n    global x\n    x = 2\n    $0\n", "print(x)"),
        ("x = []\ndef f():\n    x.pop()\n    $0():\n    global x\n", "x.pop()\n\ndef g"),
        ("def f(x):\n    def g():\n        nonlocal x\n        $0\n", "nonlocal x"),
        ("def f():\n    def g():\n        $0\n    x = 1\n", "nonlocal x"),
        ("$0\n", "print(__debug__)"),
        ("try: pass\nexcept* int:\n    $0\n", "for x in []: break"),
        ("try: pass\nexcept* int:\n    $0\n", "def f(): return"),
        ("match 1:\n    case $0: pass\n", "{'a': 1 | _}"),
        ("from __future__ import annotations\n$0\n", "x: [(y := 1) for _ in []]"),
        ("$0\n", "def f[T: [(x := 1) for _ in []]](): pass"),
        ("def f(y):\n    $0\n", "x: f'{*y}'"),
        ("from __future__ import annotations\ny = []\n$0\n", "x: f'{*y}'"),
        ("def f(y):\n    $0\n", "x: (await y)"),
        ("$0\n", "match to := 1:\n    case _: pass"),
        ("$0\n", "print(1.0.album, 1..album, 1j.album)"),
        ("x = 1.0$0\n", ".album"),
        ("x = 1.0.al$0\n", "bum"),
        ("def f():\n    $0\n    def g():\n        global x\n", "x = 1"),
        ("def f():\n    x = 1\n    $0\n    global x\n", "print(x)"),
        ("from __future__ import $0ns\n", "annotatio"),
        ("$0\nclass Later: pass\n", "type X = Later"),
        ("$0\nclass Later: pass\n", "def f[T: Later](): pass"),
    ],
)
def test_what_is_near_it_and_compiles_is_let_through(hole: str, text: str) -> None:
    assert refusal(hole, text, "3.13") is None


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("$0\nfrom __future__ import division\n", "import os"),
        ("$0\nfrom __future__ import division\n", "from os import path"),
        ("$0\nfrom __future__ import division\n", "print()"),
        ("import os\n$0\n", "from __future__ import division"),
        ("def f():\n    $0\n", "from __future__ import division"),
    ],
)
def test_imports_from_the_future_come_first(hole: str, text: str) -> None:
    assert refusal(hole, text) == "imports from `__future__` come first"


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("$0\nfrom __future__ import division\nimport os\n", "'What it is.'"),
        ("$0\nfrom __future__ import division\n", "# for division\nfrom __future__ import annotations"),
        ("'What it is.'\nfrom __future__ import division\n$0\n", "from __future__ import annotations"),
        ("from __future__ import division\n$0\n", "import os"),
        ("import os\n$0\nfrom __future__ import division\n", "print(os)"),
    ],
)
def test_what_imports_from_the_future_may_stand_in_front(hole: str, text: str) -> None:
    assert refusal(hole, text) is None


@pytest.mark.parametrize("text", ["return", "return 1", "yield 1", "await int()", "async with int(): pass"])
def test_what_compiles_in_an_asynchronous_function_is_let_through(text: str) -> None:
    assert refusal("async def f():\n    $0\n", text) is None


@pytest.mark.parametrize(
    ("name", "version", "exists"),
    [
        ("aiter", "3.9", False),
        ("aiter", "3.10", True),
        ("ExceptionGroup", "3.10", False),
        ("WindowsError", "3.8", True),
    ],
)
def test_builtins_are_those_of_the_version(name: str, version: str, exists: bool) -> None:
    assert (refusal("$0\n", name, version) is None) == exists


def test_a_refusal_says_where_the_wrong_name_begins() -> None:
    recognizer = Language.load("python").recognizer("print(", "\n", names=())
    assert recognizer.advance("nobody")
    assert recognizer.refusal(" + 1)") == ("nobody", 6, "`nobody` is not defined here")
    assert recognizer.refusal(" + 1 for nobody in []") is None
    assert recognizer.refusal("=1)") is None
    assert recognizer.refusal(")(") == ("nobody", 6, "`nobody` is not defined here")
    assert recognizer.refusal("]") is None, "the grammar is against it"


def test_the_examples_of_the_page_are_true() -> None:
    page = Path(__file__).parent.parent / "docs" / "names.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0


def test_names_of_elsewhere_exist() -> None:
    language = Language.load("python")
    assert not language.recognizer(names=()).advance("+somebody")
    assert language.recognizer(names=["somebody"]).advance("+somebody")


def test_other_languages_have_no_names() -> None:
    recognizer = Language.load("json").recognizer("[", "]", names=())
    assert not recognizer.has_names
    assert recognizer.advance("1")
    assert recognizer.is_member()


def test_tokens_are_taken_back_with_their_names() -> None:
    recognizer = Language.load("python").recognizer("", "\n", names=())
    assert recognizer.advance("x = 1\n")
    assert recognizer.advance("+x")
    recognizer.rollback(2)
    assert not recognizer.advance("+x")
    assert recognizer.without_names().advance("+x")


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("def f(a):\n    return $0\n", ""),
        ("$0\n", "[x"),
        ("$0\n", "x = prin"),
        ("with open($0\n", ""),
        ("$0\n", "nobody"),
    ],
)
def test_the_witness_uses_names_that_exist(hole: str, text: str) -> None:
    left, right = hole.split("$0")
    recognizer = Language.load("python").recognizer(left, right, names=())
    assert recognizer.advance(text)
    assert recognizer.advance(recognizer.witness())
    assert recognizer.is_member()


def test_a_document_follows_edits_of_its_names() -> None:
    document = Language.load("python").document("x = 1\n\n")
    assert document.recognizer(6, names=[]).advance("+x")
    document.edit(0, 1, "y")
    assert not document.recognizer(6, names=[]).advance("+x")
    assert document.recognizer(6, names=[]).advance("+y")


WORDS = (
    "print", " print", "(x", "x)", " = ", "self", ".self", "for x in", "\n    ", "\n", "lambda",
    " lambda x: x", "x", "xy", "y(", "True", 'f"{', 'x}"', "return", " return x",
    "import x\nx", "def f(x): x", "x]", ",\n 'HA", " 'HA", "\"HA", "#x", "</s>",
)  # fmt: skip
TOKENS = [*(bytes([byte]) for byte in range(256)), *(word.encode() for word in WORDS)]


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("$0\n", ""),
        ("x = 1\n$0\n", "pri"),
        ("xyz = 1\nprint($0)\n", "x"),
        ("def f(self):\n    $0\n", "return "),
        ("[$0 for x in []]\n", ""),
        ("$0\n", 'f"{'),
        ("$0\n", 'f"'),
        ("$0\n", 'f"a'),
        ("$0\n", "rb"),
        ("$0\n", "# x"),
        ("def f(a: $0): pass\n", "'"),
        ("$0\n", "x = [i"),
        ("$0\n", "match pri"),
        ("future = 1\nx = [futur$0\n]\n", ""),
        ("future = 1\nx = [futur, $0\n]\n", ""),
        ("$0\n", "x = [y, "),
        ("def f():\n    $0\n", "retu"),
        ("x = 1\n$0\n", "x"),
        ("$0\n", "nobody"),
        ("x = '$0'\n", "a"),
        ("def f(selfish):\n    return sel$0\n", ""),
    ],
)
def test_a_mask_is_what_could_be_read(hole: str, text: str) -> None:
    left, right = hole.split("$0")
    recognizer = Language.load("python").recognizer(left, right, names=())
    vocabulary = Vocabulary(TOKENS, eos=len(TOKENS) - 1)
    assert recognizer.advance(text)
    mask = np.unpackbits(recognizer.mask(vocabulary).view(np.uint8), bitorder="little")
    expected = [recognizer.fork().advance_token(vocabulary, token) for token in range(len(TOKENS))]
    assert [bool(bit) for bit in mask[: len(TOKENS)]] == expected
    allowed = [token for token in range(len(TOKENS)) if expected[token]]
    assert all(recognizer.first_allowed(vocabulary, [token]) == token for token in allowed)


# The hole's text ends in a statement, header, comment or string that the right context goes on with.
@pytest.mark.parametrize(
    ("hole", "text", "fits"),
    [
        ("class A:\n    def f(self):\n        pass\n$0      return self\n", "    def g(self):\n  ", True),
        ("class A:\n    def f(self):\n        pass\n$0      return 1\n", "    class B:\n  ", False),
        ("x = []\nfor i in x:\n    $0      if i:\n            break\n", "for j in x:\n  ", True),
        ("x = []\nif x:\n    $0      if x:\n            break\n", "if x:\n  ", False),
        ("$0f(x):\n    return x\n", "def ", True),
        ("$0print(1):\n    return 1\n", "if ", False),
        ("x = 1\n$0x:\n    break\n", "while ", True),
        ("x = 1\n$0x:\n    break\n", "if ", False),
        ("$0print(1) as x:\n    await x\n", "with ", False),
        ("x = 1\n$0x\n    def f(self):\n        return 1\n", "class A:#", True),
        ("x = 1\n$0(self):\n        return 1\n", "class A:#", False),
        ("x = y = 1\n$0*(x + y)\n", "x", True),
        ("x = y = 1\n$0*(x + y)\n", "x = 1\n", False),
        ("try:\n    pass\n$0\nexcept ValueError:\n    pass\n", "except TypeError: pass", True),
        ("try:\n    pass\n$0\nexcept ValueError:\n    pass\n", "except: pass", False),
        ("match 1:\n    case 2: pass\n    $0\n    case 3: pass\n", "case 4: pass", True),
        ("match 1:\n    case 2: pass\n    $0\n    case 3: pass\n", "case _: pass", False),
        ("x = 1\n$0\n    return 1\n", "def f(): # x", True),
        ("x = 1\n$0    return 1\n", "'''", False),
        ("$0\ndef f():\n    return 1\n'''\n", "x = '''a", True),
    ],
)
def test_an_end_is_judged_with_what_follows(hole: str, text: str, fits: bool) -> None:
    left, right = hole.split("$0")
    recognizer = Language.load("python", "3.12").recognizer(left, right, names=())
    assert recognizer.advance(text)
    if not fits or recognizer.without_names().is_member():
        assert recognizer.is_member() == fits
    else:
        pytest.fail("the grammar is against it")


def test_a_beginning_of_what_is_let_through_is_let_through() -> None:
    language = Language.load("python", "3.12")
    for hole in (
        "$0\n",
        "print($0)\n",
        "f'{$0}'\n",
        "x = [$0]\n",
        "match $0\n",
        "@$0\ndef f(): pass\n",
        "del $0\n",
    ):
        left, right = hole.split("$0")
        recognizer = language.recognizer(left, right, names=())
        for text in (
            "to ",
            "to\n",
            "to ,",
            "to :",
            "to#",
            "t",
            "x = to ",
            "print(to ",
            "f'{to ",
            "with open(to ",
        ):
            if recognizer.fork().advance(text):
                stepwise = recognizer.fork()
                assert all(stepwise.advance(character) for character in text), (hole, text)


@pytest.mark.parametrize(
    ("hole", "text", "names"),
    [
        ("$0\nprint(x, y.z, len)\n", "", ["x", "y"]),
        ("$0\nprint(x, y.z, len)\n", "x = 1", ["y"]),
        ("$0\nprint(x, y.z, len)\n", "for x, y in []: pass", []),
        ("def f(a):\n    $0\n    return a + b\n", "", ["b"]),
        ("def f(a):\n    $0\n    return a + b\n", "with a as b: pass", []),
        ("class A:\n    def f(self):\n        return x\n    $0\n    y = x\n", "", []),
        ("$0\n\ndef f():\n    x = 1\n    return x, g()\n", "", ["g"]),
        ("$0\n\ndef f():\n    x = 1\n    return x, g()\n", "def g(): pass", []),
        ("$0\n    return x, y\n", "def f(x):", ["y"]),
        ("$0\nfrom a import x\ndef f(): return x\n", "", []),
        # Nobody can tell.
        ("from a import *\n$0\nprint(x)\n", "", []),
        ("$0\nprint(x)\nexec('x = 1')\n", "", []),
    ],
)
def test_what_is_used_behind_a_hole_is_wanted(hole: str, text: str, names: list[str]) -> None:
    left, right = hole.split("$0")
    recognizer = Language.load("python", "3.12").recognizer(left, right, names=())
    if not text and not recognizer.is_member():
        text = "pass"
    assert recognizer.advance(text)
    assert sorted(recognizer.wanted()) == names
    assert recognizer.without_names().wanted() == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = 1\ndef f(a): b = c\n", {"x", "f"}),
        ("class A:\n    def f(a): pass\n    b = 1\n", {"A", "f", "b"}),
        ("    return x\n  except E as e:\n    y += 1\n) \nclass A: pass", {"y", "A"}),
        ("import a.b, c as d\nglobal g", {"a", "d", "g"}),
        ("from a import *\n", None),
        ("x = (\ny = 1\n", None),
        ("x = '''\n", None),
    ],
)
def test_a_part_of_a_file_tells_what_it_binds(text: str, names: set[str] | None) -> None:
    found = Language.load("python", "3.12").bound_names(text)
    assert (None if found is None else set(found)) == names
    assert Language.load("json").bound_names(text) is None
