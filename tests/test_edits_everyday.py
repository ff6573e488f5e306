"""The changes that people make every day, and all that follows from each: a text, what the user has
replaced in it, and what has to be replaced then, one edit after the other, until nothing comes next."""

from __future__ import annotations

import ast
from dataclasses import dataclass

import pytest

from fim_lsp.edits.change import FileChange
from fim_lsp.edits.next_edits import next_edits
from fim_lsp.known_languages import KNOWN
from quotient import Language

MOST_STEPS = 20


@dataclass(frozen=True)
class Case:
    name: str
    old: str
    made: tuple[tuple[str, str], ...]
    follows: tuple[tuple[str, str], ...] = ()
    language: str = "python"


def case(name: str, old: str, *made: tuple[str, str], then: tuple[tuple[str, str], ...] = ()) -> Case:
    return Case(name, old, made, then)


SHOP = """\
import json
import os

LIMIT = 10


class Cart:
    def __init__(self, owner, limit=LIMIT):
        self.owner = owner
        self.limit = limit
        self.rows = []

    def add(self, item, count=1):
        self.rows.append((item, count))
        return self

    def total(self):
        return sum(item.price * count for item, count in self.rows)


def load(path):
    with open(path) as handle:
        rows = json.load(handle)
    return rows


def save(path, rows):
    os.makedirs(os.path.dirname(path))
    with open(path, "w") as handle:
        json.dump(rows, handle)


def main():
    cart = Cart("owner", limit=3)
    cart.add("apple", count=2)
    for row in load("path"):
        cart.add(row)
    save("path", cart.rows)
    print(cart.total(), cart.owner)
"""

ASYNC = """\
async def get(url):
    return url


def read(url):
    return url


async def main():
    first = read("a")
    second = [read(one) for one in "ab"]
    print(await get("b"), first, second, read("c").upper())
"""

RENAMES = (
    case(
        "a local",
        "def total(rows):\n    s = 0\n    for row in rows:\n        s += row\n    return s\n\n\n"
        "s = 'sum s'\n",
        ("    s = 0", "    result = 0"),
        then=(("        s += row\n    return s", "        result += row\n    return result"),),
    ),
    case(
        "a local where it is used first is not renamed by half",
        "def f(xs):\n    first = xs[0]\n    print(first)\n    return first\n",
        ("first = xs", "head = xs"),
        then=(("print(first)\n    return first", "print(head)\n    return head"),),
    ),
    case(
        "a loop's variable",
        "def f(rows):\n    for r in rows:\n        print(r, 'r', r.r)\n",
        ("for r in", "for row in"),
        then=(("print(r, 'r', r.r)", "print(row, 'r', row.r)"),),
    ),
    case(
        "a parameter: its uses, and no other scope's",
        "def f(x):\n    def g(x):\n        return x\n    return g(x) + x\n\n\ndef h(x):\n    return x\n",
        ("def f(x)", "def f(value)"),
        then=(("g(x) + x", "g(value) + value"),),
    ),
    case(
        "a parameter: the keyword at calls",
        SHOP,
        ("def add(self, item, count=1)", "def add(self, item, quantity=1)"),
        then=(
            ("append((item, count))", "append((item, quantity))"),
            ('add("apple", count=2)', 'add("apple", quantity=2)'),
        ),
    ),
    case(
        "a constructor's parameter",
        SHOP,
        ("def __init__(self, owner, limit=LIMIT)", "def __init__(self, owner, most=LIMIT)"),
        then=(("self.limit = limit", "self.limit = most"), ('"owner", limit=3', '"owner", most=3')),
    ),
    case(
        "a constant",
        SHOP,
        ("LIMIT = 10", "MOST = 10"),
        then=(("limit=LIMIT", "limit=MOST"),),
    ),
    case(
        "a function",
        SHOP,
        ("def load(path)", "def read(path)"),
        then=(('in load("path")', 'in read("path")'),),
    ),
    case(
        "a method",
        SHOP,
        ("def add(self", "def put(self"),
        then=(('cart.add("apple"', 'cart.put("apple"'), ("cart.add(row)", "cart.put(row)")),
    ),
    case(
        "a method that is called by self",
        "class A:\n    def go(self):\n        return self._run() + self._run()\n\n    def _run(self):\n"
        "        return 1\n",
        ("def _run", "def _walk"),
        then=(("self._run() + self._run()", "self._walk() + self._walk()"),),
    ),
    case("a class", SHOP, ("class Cart", "class Basket"), then=(("= Cart(", "= Basket("),)),
    case(
        "a class in annotations and bases",
        "class Node:\n    pass\n\n\nclass Leaf(Node):\n    def up(self) -> Node | None:\n"
        "        x: list[Node] = []\n"
        "        return x[0] if isinstance(x, Node) else None\n\n\ndef f(n: 'Node') -> 'list[Node]':\n"
        "    return [n]\n",
        ("class Node", "class Tree"),
        then=(
            ("Leaf(Node)", "Leaf(Tree)"),
            ("-> Node |", "-> Tree |"),
            ("x: list[Node]", "x: list[Tree]"),
            ("isinstance(x, Node)", "isinstance(x, Tree)"),
            ("n: 'Node'", "n: 'Tree'"),
            ("'list[Node]'", "'list[Tree]'"),
        ),
    ),
    case(
        "an attribute",
        SHOP,
        ("self.rows = []", "self.items = []"),
        then=(
            ("self.rows.append", "self.items.append"),
            ("in self.rows)", "in self.items)"),
            ("cart.rows)", "cart.items)"),
        ),
    ),
    case(
        "a field of a dataclass",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    x: int\n    y: int\n\n"
        "    def far(self):\n        return self.x + self.y\n\n\np = Point(x=1, y=2)\nprint(p.x)\n",
        ("    x: int", "    left: int"),
        then=(("self.x +", "self.left +"), ("Point(x=1", "Point(left=1"), ("print(p.x)", "print(p.left)")),
    ),
    case(
        "a global that a function says is global",
        "n = 0\n\n\ndef up():\n    global n\n    n += 1\n\n\ndef other(n):\n    return n\n",
        ("n = 0", "count = 0"),
        then=(("global n\n    n += 1", "global count\n    count += 1"),),
    ),
    case(
        "an imported name's alias",
        "import numpy as np\n\nx = np.zeros(3)\ny = np.ones(3)\n",
        ("as np", "as numpy_"),
        then=(("np.zeros", "numpy_.zeros"), ("np.ones", "numpy_.ones")),
    ),
    case(
        "an f-string's variable",
        "def f(name):\n    return f'{name} is name'\n",
        ("f(name)", "f(who)"),
        then=(("f'{name} is", "f'{who} is"),),
    ),
    case(
        "an exception's name",
        "try:\n    x = 1\nexcept OSError as e:\n    print(e)\n    raise ValueError(e)\n",
        ("as e:", "as error:"),
        then=(("print(e)", "print(error)"), ("ValueError(e)", "ValueError(error)")),
    ),
    case(
        "a lambda's parameter",
        "x = 1\nf = lambda x, y: x + y\nprint(x)\n",
        ("lambda x, y", "lambda a, y"),
        then=((": x + y", ": a + y"),),
    ),
    case(
        "a comprehension's variable",
        "print([x * 2 for x in range(3) if x])\n",
        ("for x in", "for n in"),
        then=(("[x * 2", "[n * 2"), ("if x]", "if n]")),
    ),
)

HEADERS = (
    case(
        "a parameter is gone",
        "def f(a, b, c):\n    return a + c\n\n\nf(1, 2, 3)\nf(1, b=2, c=3)\n",
        ("(a, b, c)", "(a, c)"),
        then=(("f(1, 2, 3)", "f(1, 3)"), ("f(1, b=2, c=3)", "f(1, c=3)")),
    ),
    case(
        "the last parameter is gone",
        "def f(a, b):\n    return a\n\n\nprint(f(1, 2), f(3, b=4))\n",
        ("(a, b)", "(a)"),
        then=(("f(1, 2), f(3, b=4)", "f(1), f(3)"),),
    ),
    case(
        "parameters change places",
        "def f(a, b):\n    return a - b\n\n\nx = f(1, 2)\ny = f(a=1, b=2)\n",
        ("(a, b)", "(b, a)"),
        then=(("f(1, 2)", "f(2, 1)"),),
    ),
    case(
        "a parameter is new, and the caller has such a variable",
        "def f(a):\n    return a\n\n\ndef g(a, key):\n    return f(a)\n",
        ("def f(a):\n    return a", "def f(a, key):\n    return a, key"),
        then=(("return f(a)", "return f(a, key)"),),
    ),
    case(
        "a parameter is new, and one call was given it",
        "def f(a):\n    return a\n\n\nf(1)\nf(2)\nf(3)\n",
        ("def f(a):\n    return a", "def f(a, b):\n    return a + b"),
        ("f(1)", "f(1, None)"),
        then=(("f(2)\nf(3)", "f(2, None)\nf(3, None)"),),
    ),
    case(
        "a parameter with a default is new",
        "def f(a):\n    return a\n\n\nf(1)\n",
        ("def f(a):\n    return a", "def f(a, b=0):\n    return a + b"),
    ),
    case(
        "a parameter has to be named now",
        "def f(a, b):\n    return a - b\n\n\nx = f(1, 2)\n",
        ("(a, b)", "(a, *, b)"),
        then=(("f(1, 2)", "f(1, b=2)"),),
    ),
    case(
        "a default is gone",
        "def f(a, b=0):\n    return a - b\n\n\nx = f(1)\ny = f(1, 2)\n",
        ("b=0", "b"),
        then=(("f(1)", "f(1, 0)"),),
    ),
    case(
        "a method's parameter is gone",
        "class A:\n    def f(self, a, b):\n        return a\n\n    def g(self):\n"
        "        return self.f(1, 2)\n",
        ("(self, a, b)", "(self, a)"),
        then=(("self.f(1, 2)", "self.f(1)"),),
    ),
    case(
        "a constructor's parameter is gone",
        "class A:\n    def __init__(self, a, b):\n        self.a = a\n\n\nx = A(1, 2)\ny = A(1, b=2)\n",
        ("(self, a, b)", "(self, a)"),
        then=(("A(1, 2)", "A(1)"), ("A(1, b=2)", "A(1)")),
    ),
    case(
        "a function becomes asynchronous",
        ASYNC,
        ("def read", "async def read"),
        then=(
            ('first = read("a")', 'first = await read("a")'),
            ("[read(one)", "[await read(one)"),
            ('read("c").upper()', '(await read("c")).upper()'),
        ),
    ),
    case(
        "a function is asynchronous no longer",
        ASYNC,
        ("async def get", "def get"),
        then=(('await get("b")', 'get("b")'),),
    ),
    case(
        "a method becomes asynchronous",
        "class A:\n    def f(self):\n        return 1\n\n    async def g(self):\n"
        "        return self.f() + 1\n",
        ("    def f", "    async def f"),
        then=(("return self.f() + 1", "return await self.f() + 1"),),
    ),
)

AGAIN = (
    case(
        "the third place of a substitution",
        'a = get("x").strip()\nb = 2\nc = get("y").strip()\nd = 3\ne = get("z").strip()\n',
        ('get("x")', 'fetch("x")'),
        ('get("y")', 'fetch("y")'),
        then=(('get("z")', 'fetch("z")'),),
    ),
    case(
        "the third place of an attribute",
        "def f(log):\n    log.warn('a')\n    x = 1\n    log.warn('b')\n    y = 2\n    log.warn('c')\n",
        ("log.warn('a')", "log.warning('a')"),
        ("log.warn('b')", "log.warning('b')"),
        then=(("log.warn('c')", "log.warning('c')"),),
    ),
    case(
        "the third place of a wrapped argument",
        "print(x)\na = 1\nprint(y)\nb = 1\nprint(z)\n",
        ("print(x)", "print(repr(x))"),
        ("print(y)", "print(repr(y))"),
        then=(("print(z)", "print(repr(z))"),),
    ),
    case(
        "the third place of a method that became a function",
        "a = x.get('a')\nq = 1\nb = x.get('b')\nq = 2\nc = x.get('c')\n",
        ("x.get('a')", "x['a']"),
        ("x.get('b')", "x['b']"),
        then=(("x.get('c')", "x['c']"),),
    ),
    case(
        "the third place of an added argument",
        "open(a)\nq = 1\nopen(b)\nq = 2\nopen(c)\n",
        ("open(a)", 'open(a, encoding="utf-8")'),
        ("open(b)", 'open(b, encoding="utf-8")'),
        then=(("open(c)", 'open(c, encoding="utf-8")'),),
    ),
    case(
        "the third place of a constant",
        "x = retry(3)\na = 1\ny = retry(3)\nb = 1\nz = retry(3)\n",
        ("x = retry(3)", "x = retry(5)"),
        ("y = retry(3)", "y = retry(5)"),
        then=(("z = retry(3)", "z = retry(5)"),),
    ),
)

IMPORTS = (
    case(
        "an import that is still used comes back otherwise",
        "from os import path\n\nx = path.join('a', 'b')\n",
        ("from os import path", "import os"),
        then=(("x = path.join", "x = os.path.join"),),
    ),
    case(
        "a module in place of its member",
        "from json import loads\n\nx = loads('1')\ny = loads('2')\n",
        ("from json import loads", "import json"),
        then=(("= loads('1')\ny = loads", "= json.loads('1')\ny = json.loads"),),
    ),
    case(
        "a member in place of its module",
        "import json\n\nx = json.loads('1')\n",
        ("import json", "from json import loads"),
        then=(("json.loads", "loads"),),
    ),
    case(
        "the last use is gone",
        SHOP,
        ("    os.makedirs(os.path.dirname(path))\n", ""),
        then=(("import os\n", ""),),
    ),
    case(
        "one name of several lost its last use",
        "from os.path import exists, join\n\nprint(join('a', 'b'))\nprint(exists('a'))\n",
        ("print(exists('a'))\n", ""),
        then=(("import exists, join", "import join"),),
    ),
    case(
        "a module is used and not imported",
        "import os\n\nprint(os.name)\n",
        ("print(os.name)\n", "print(os.name)\nprint(json.dumps([]))\n"),
        then=(("import os\n", "import json\nimport os\n"),),
    ),
    case(
        "a name that everybody knows",
        "def f(rows):\n    found = {}\n    return found\n",
        ("found = {}", "found = defaultdict(list)"),
        then=(("def f(rows)", "from collections import defaultdict\n\n\ndef f(rows)"),),
    ),
    case(
        "an import is removed whose name is still used: nobody takes that back",
        "import json\nimport os\n\nprint(json.dumps(os.name))\n",
        ("import json\n", ""),
    ),
)

BROKEN = (
    case("a bracket is lost", "x = f(1, 2)\ny = 3\n", ("2)", "2"), then=(("f(1, 2", "f(1, 2)"),)),
    case("a colon is lost", "def f(a):\n    return a\n", ("(a):", "(a)"), then=(("(a)", "(a):"),)),
    case("a quote is lost", "x = 'a'\ny = 'b'\n", ("'a'", "'a"), then=(("'a", "'a'"),)),
    case(
        "a square bracket is lost",
        "rows = [\n    1,\n    2,\n]\nprint(rows)\n",
        ("]\n", "\n"),
        then=(("    2,\n\n", "    2,\n]\n"),),
    ),
)

OTHERS = (
    Case(
        "JavaScript: a parameter",
        "function area(width, height) {\n  return width * height;\n}\nlet width = area(1, 2);\n",
        (("area(width", "area(breadth"),),
        (("return width", "return breadth"),),
        "javascript",
    ),
    Case(
        "JavaScript: a function",
        "function load(a) {\n  return a;\n}\nconst x = load(1);\nconsole.log(x.load, load(2), 'load');\n",
        (("function load", "function read"),),
        (("x = load(1)", "x = read(1)"), (", load(2)", ", read(2)")),
        "javascript",
    ),
    Case(
        "TypeScript: a constant",
        "const limit: number = 3;\nexport function f(n: number): boolean {\n  return n < limit;\n}\n",
        (("const limit", "const most"),),
        (("n < limit", "n < most"),),
        "typescript",
    ),
    Case(
        "Go: a function",
        "package a\n\nfunc load(a int) int {\n\treturn a\n}\n\nfunc main() {\n\tload(1)\n\tload(2)\n}\n",
        (("func load", "func read"),),
        (("\tload(1)\n\tload(2)", "\tread(1)\n\tread(2)"),),
        "go",
    ),
    Case(
        "Go: a bracket is lost",
        "package a\n\nfunc main() {\n\tload(1)\n\tload(2)\n}\n",
        (("load(1)", "load(1"),),
        (("load(1", "load(1)"),),
        "go",
    ),
    Case(
        "Java: a variable",
        "class A {\n    int f(int[] rows) {\n        int s = 0;\n        for (int r : rows) s += r;\n"
        "        return s;\n    }\n}\n",
        (("int s = 0", "int sum = 0"),),
        ((") s += r;\n        return s", ") sum += r;\n        return sum"),),
        "java",
    ),
    Case(
        "JSON: a bracket is lost",
        '{"a": [1, 2], "b": 3}\n',
        (("2]", "2"),),
        (("[1, 2", "[1, 2]"),),
        "json",
    ),
)

CASES = (*RENAMES, *HEADERS, *AGAIN, *IMPORTS, *BROKEN, *OTHERS)


def replaced(text: str, pairs: tuple[tuple[str, str], ...]) -> str:
    for old, new in pairs:
        assert text.count(old) >= 1, old
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    language, known_language = (
        Language.load(case.language),
        next(one for one in KNOWN if one.name == case.language),
    )
    new = text = replaced(case.old, case.made)
    for _ in range(MOST_STEPS):
        found = next_edits(FileChange.of("a", case.old, text, known_language), language)
        if not found:
            break
        text = found[0].edited_text(text)
        if case.language == "python":
            ast.parse(text)
    assert text == replaced(new, case.follows)
