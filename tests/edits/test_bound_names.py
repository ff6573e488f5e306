"""A Python name that is renamed where it is bound: the edits where it is used."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import SHOP, Case, case, check

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


@pytest.mark.parametrize("case", RENAMES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
