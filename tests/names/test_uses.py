"""The names that may be used in a hole."""

import pytest

from quotient import Language
from tests.names.holes import refusal


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        # Names that are bound earlier, in an outer scope, or by the language.
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
        # Names that are bound later, for code that runs later.
        ("def f():\n    $0\n\nx = 1\n", "return x"),
        ("$0\nx = 1\n", "f = lambda: x"),
        ("while True:\n    $0\n    x = 1\n", "f = lambda: x"),
        ("class A:\n    def f(self):\n        $0\n\nclass B:\n    pass\n", "return A, B"),
        ("def f() -> $0: ...\n\nclass A: pass\n", "'A'"),
        ("from typing import Literal\nx: $0 = 1\n", "Literal['nobody']"),
        # Names that the text binds itself.
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
        # Names that may not be deleted, or that are bound again.
        ("x = 1\ndel x.y, x[0], f(x).y\n$0\n", "x"),
        ("x = 1\nif x:\n    del x\n$0\n", "x"),
        ("x = 1\nif x: del x\n$0\n", "x"),
        ("x = 1\ndel x\nx = 2\n$0\n", "x"),
        ("for x in []:\n    y = x\n    del x\n    $0\n", "x"),
        ("def f():\n    global g\n    del g\n    $0\n", "g"),
        # Attributes and keywords, which are not variables.
        ("x = 1\n$0\n", "x.nobody.knows"),
        ("$0\n", "not None"),
        ("x = $0\n", "f''"),
        ("x = $0\n", "rb''"),
        # In doubt, a name is accepted.
        ("from a import *\n$0\n", "nobody"),
        ("exec('x = 1')\n$0\n", "x"),
        ("exec('x = 1',)\n$0\n", "x"),
        ("exec(code, globals())\n$0\n", "x"),
        ("exec(code, *rest)\n$0\n", "x"),
        ("import m\nrun(m.exec, exec)\n$0\n", "x"),
        ("IntEnum._convert_('Signals', __name__, lambda name: True)\n$0\n", "x"),
        ("_('text')\n$0\n", "_('another')"),
        ("$0\n", "größe"),
        # A half name that cannot be completed belongs to its author.
        ("x = nobod$0\n", "y"),
        ("x = prin$0\n", "t"),
        # Conditions of a comprehension run before its element.
        ("$0\n", "[y for x in [] if (y := x)]"),
        ("$0\n", "dict(tuple(y for x in [] if not int(y := x)) for z in [])"),
        # An f-string without fields has attributes, too.
        ("$0\n", "x = f'a'.join([])"),
        ("$0\n", "print(rf'a' f'b'.strip())"),
        # Names that later lines of the file bind, as opposed to those of the function.
        ("from __future__ import annotations\n$0\n    pass\n\nclass A: pass\n", "def f(x: A) -> A:"),
        ("class A:\n    $0\n        pass\n    class B: pass\n", "def f(x: 'A') -> 'B':"),
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
        # A name that is bound later in a loop does not exist in the first round.
        ("while True:\n    $0\n    x = 1\n", "print(x)", "x"),
        ("def f():\n    for i in []:\n        $0\n        x = 1\n", "print(x)", "x"),
        ("x = 1\ndef f():\n    while x:\n        $0\n        x = 2\n", "print(x)", "x"),
        # A walrus binds after its value is computed.
        ("$0\n", "(x := x)", "x"),
        ("$0\n", "print(x := [x, 1])", "x"),
        ("$0\n", "if x := f'{x}': pass", "x"),
        ("$0\n", "print(x := (y := 1) + x)", "x"),
        # A bare annotation of a name binds nothing.
        ("class A:\n    x: int\n    $0\n", "y = x", "x"),
        ("$0\n", "x: int\nprint(x)", "x"),
        ("class A:\n    x: int\n    def f(self): return self.x\n    $0\n    y = 1\n", "z = x", "x"),
        # A comprehension binds names for its element, but not for its first iterable.
        ("x = {y.name: y for y in [$0]}\n", "y.name", "y"),
        # A name that was certainly deleted no longer exists.
        ("x = 1\ndel x\n$0\n", "x.y", "x"),
        ("x = y = 1\ndel y, (x)\n$0\n", "print(x)", "x"),
        ("$0\n", "x = 1\ndel [x]\nx.y", "x"),
        ("def f(x):\n    del x\n    $0\n", "return x", "x"),
        ("$0\nx = 1\n", "del x", "x"),
        # Code that runs in a namespace of its own binds nothing here.
        ("exec('x = 1', space)\n$0\n", "x", "x"),
        ("exec(compile(a, b, 'exec'), {})\n$0\n", "x", "x"),
        ("self.exec(code)\n$0\n", "x", "x"),
        ("def f():\n    return exec, (code,)\n$0\n", "x", "x"),
        ("$0\ndef f():\n    return exec, (code,)\n", "x", "x"),
        ("self._convert(1)\n$0\n", "x", "x"),
        # A `for` behind the brackets could bind it, but there is none.
        ("print([\n{'a': 1,\n$0\n'c': 3},\n" + "{'a': 1},\n" * 2000 + "])\n", "'b': x,", "x"),
        # A name that a condition of an inner comprehension binds does not exist in the outer element.
        ("$0\n", "[y for x in [] if [z for z in [] if z]]", "y"),
        ("$0\n", "[y, (y := 1)]", "y"),
        # A call that only reads the names binds none.
        ("x = 'a' in globals()\n$0\n", "x.y, a", "a"),
        ("if 'a' not in globals():\n    pass\n$0\n", "a", "a"),
        # Names that the lines of a function bind do not exist in its header.
        ("from __future__ import annotations\n$0\n    x = 1\n", "def f(a: x):", "x"),
        ("from __future__ import annotations\ndef f() -> $0\n    x = 1\n", "x:", "x"),
        ("$0\n    x = 1\n", "def f(a: 'x'):", "x"),
        # The left context ends in the middle of a joined line.
        ("x = 1 + \\\n$0\n", "y", "y"),
        ("def f():\n    return int(1 + \\\n$0)\n", "x", "x"),
        ("x = 1 + \\$0\n", "\n y", "y"),
        ("x = 1 + \\\r$0\n", "y", "y"),
        # The hole begins in a comment.
        ("def f(a):\n    # wh$0    return a\n", "ich\n    print(nobody)\n", "nobody"),
    ],
)
def test_names_that_nothing_binds_are_refused(hole: str, text: str, name: str) -> None:
    assert refusal(hole, text) == f"`{name}` is not defined here"


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


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("x = 1\ndef f(a): b = c\n", {"x", "f"}),
        ("class A:\n    def f(a): pass\n    b = 1\n", {"A", "f", "b"}),
        ("    return x\n  except E as e:\n    y += 1\n) \nclass A: pass", {"y", "A"}),
        ("import a.b, c as d\nglobal g", {"a", "d", "g"}),
        ("x = 1\ndef f(a, *b: c) -> d:\n", {"x", "f", "a", "b"}),
        ("from a import *\n", None),
        ("x = (\ny = 1\n", None),
        ("x = '''\n", None),
    ],
)
def test_a_part_of_a_file_tells_what_it_binds(text: str, names: set[str] | None) -> None:
    found = Language.load("python", "3.12").bound_names(text)
    assert (None if found is None else set(found)) == names
    assert Language.load("json").bound_names(text) is None
