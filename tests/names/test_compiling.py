"""Texts that the grammar accepts in a hole and compilers refuse, with names."""

import pytest

from tests.names.holes import refusal


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
        # The hole ends in a suite on the line of its header.
        (
            "def f(a):\n    $0(a)\n    else:\n        a = 1\n    return a\n",
            "a\nif 1:\n    if 1:f",
            "would leave",
        ),
        ("for a in []:\n    $0(a)\n    except a:\n        break\n", "a\nif 1:\n    try:id", "would leave"),
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
        ("def f(x):\n  def g():\n    global x\n    def h():\n      $0\n", "nonlocal x", "no function around"),
        ("def f():\n  try: pass\n  except E as x: pass\n  $0\n", "global x", "before it is declared"),
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
        ("$0\n", "def f[T: [(x := 1) for _ in []]](): pass", "description of a type"),
        ("$0\n", "type X = [(y := 1) for _ in []]", "description of a type"),
        ("$0\n", "type X = [z for z in [] if (y := z)]", "description of a type"),
        ("from __future__ $0\n", "import *", "has no `*`"),
        ("from __future__ import $0ns\n", "division, ", "has no `ns`"),
        # An f-string is a value, with fields or without.
        ("async def f(b):\n    $0\n    yield b\n", "return f'a'", "an asynchronous generator"),
        ("async def f(b):\n    yield b\n    $0\n", "return f'a';", "an asynchronous generator"),
        ("async def f(b):\n    return f'a'\n    $0\n", "yield b", "an asynchronous generator"),
        # The later lines do not make their function asynchronous.
        ("$0\n    yield from b\n", "async def f(b):", "leave their function or loop"),
        ("$0\n    yield b\n    return b\n", "async def f(b):", "leave their function or loop"),
        ("$0\n    if b:\n        return b\n    yield\n", "async def f(b):", "leave their function or loop"),
        ("async def f(b):\n    $0\n    return b\n", "def g():\n        pass\n    yield 1", "generator"),
        # The text leaves a call open that contains the later lines.
        ("print(sep='')\n$0\n    sep='',\n)\n", "print(sep='a',", "the keyword `sep` is repeated"),
        ("print(sep='a', $0\n    sep='',\n)\n", "end='',", "the keyword `sep` is repeated"),
        # A name that a comprehension to the right binds.
        ("x = [$0 for c in []]\n", "(c := 1)", "does not fit a comprehension"),
        ("x = {1: $0 for c, d in []}\n", "(d := 1)", "does not fit a comprehension"),
        ("x = print(not $0 for c in [])\n", "(c := 1)", "does not fit a comprehension"),
        ("$0\nfrom __future__ import division\n", "'text',", "imports from `__future__` come first"),
        ("$0\nfrom __future__ import division\n", "'text'.strip()", "`__future__` come first"),
        ("$0\nfrom __future__ import division\n", "f'text'", "imports from `__future__` come first"),
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
        ("$0\n", "type X = lambda: [(y := 1) for _ in []]"),
        ("$0\nfrom __future__ import division\n", "'text'"),
        ("import os\n$0\n", "from .__future__ import division"),
        ("import os\n$0\n", "from ...__future__ import braces"),
        ("from .__future__ import a\n$0\n", "import os"),
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
        ("$0\n    yield from b\n", "def f(b):"),
        ("$0\n    yield b\n    return\n", "async def f(b):"),
        ("$0\n    return b\n", "async def f(b):\n    def g():\n        yield b"),
        ("async def f(b):\n    def g():\n        $0\n        return b\n    yield b\n", "yield b"),
        ("from __future__ import annotations\n$0\n", "def f() -> dict(a=1, a=2): pass"),
        ("$0\nfrom __future__ import division\n", "'text' 'more'"),
        ("x = [$0 for c in []]\n", "(d := 1)"),
        ("print(sep='a'$0\n    sep='',\n)\n", ")\nprint("),
        ("print($0\n    sep='',\n)\n", "int('1', base=2), print(sep=''),"),
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
