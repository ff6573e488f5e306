"""Renamings of every day in Python, and all edits that follow."""

from __future__ import annotations

import pytest

from fim_lsp.edits.renaming.renamed_places import renamed_occurrences
from fim_lsp.edits.texts.change import FileChange
from tests.edits.everyday_edits import Case, case, check

SHOP = '''\
from typing import Optional


class Item:
    def __init__(self, name, price):
        self.name = name
        self.price = price

    def label(self, width=10):
        return f"{self.name:>{width}} {self.price}"

    def shown(self):
        return self.label(width=20) + self.label()


class Fruit(Item):
    def label(self, width=10):
        return super().label(width) + "!" + self.name


def cheapest(items, limit=None):
    """The cheapest of some items.

    :param items: what to look at
    """
    found = sorted(items, key=lambda item: item.price)
    return found[:limit] if limit else found


def main(rows):
    items = [Item(name=row[0], price=row[1]) for row in rows]
    for item in cheapest(items, limit=3):
        print(item.label(width=4))
'''

CASES = (
    case(
        "a function's parameter: its uses, its keyword, its line in the docstring",
        SHOP,
        ("def cheapest(items, limit", "def cheapest(rows, limit"),
        then=((":param items:", ":param rows:"), ("sorted(items", "sorted(rows")),
    ),
    case(
        "a parameter that calls name",
        SHOP,
        ("limit=None", "most=None"),
        then=(("found[:limit] if limit", "found[:most] if most"), ("items, limit=3", "items, most=3")),
    ),
    case(
        "a constructor's parameter that calls name",
        SHOP,
        ("(self, name, price)", "(self, name, cost)"),
        then=(("self.price = price", "self.price = cost"), ("price=row", "cost=row")),
    ),
    case(
        "a method that self calls",
        SHOP,
        ("def shown", "def drawn"),
    ),
    case(
        "a method that is called by self, twice in a line",
        "class A:\n    def one(self):\n        return 1\n\n    def two(self):\n"
        "        return self.one() + self.one()\n\n    def three(self):\n        return self.one()\n",
        ("def one", "def first"),
        then=(("self.one() + self.one()", "self.first() + self.first()"), ("self.one()", "self.first()")),
    ),
    case(
        "an attribute that is given its value in the constructor",
        "class A:\n    def __init__(self, n):\n        self.n = n\n\n    def go(self):\n"
        "        return self.n + 1\n\n"
        "    def back(self):\n        self.n -= 1\n\n\na = A(1)\nprint(a.n)\n",
        ("self.n = n", "self.count = n"),
        then=(("self.n + 1", "self.count + 1"), ("self.n -= 1", "self.count -= 1"), ("a.n", "a.count")),
    ),
    case(
        "an attribute, and no other class's",
        "class A:\n    def __init__(self):\n        self.n = 0\n\n    def go(self):\n"
        "        return self.n\n\n\n"
        "class B:\n    def __init__(self):\n        self.n = 0\n\n    def go(self):\n        return self.n\n",
        ("self.n = 0", "self.count = 0"),
        then=(("return self.n", "return self.count"),),
    ),
    case(
        "a name in a text with fields",
        'def greet(who):\n    print(f"hello {who}, {who!r}, {{who}}")\n    return "who"\n',
        ("greet(who)", "greet(person)"),
        then=(("{who}, {who!r}", "{person}, {person!r}"),),
    ),
    case(
        "what an exception is called",
        "try:\n    f()\nexcept ValueError as e:\n    print(e, e.args)\n    raise KeyError from e\n",
        ("as e:", "as error:"),
        then=(
            (
                "print(e, e.args)\n    raise KeyError from e",
                "print(error, error.args)\n    raise KeyError from error",
            ),
        ),
    ),
    case(
        "what a file is called",
        "with open('a') as f:\n    for line in f:\n        print(line, f.name)\n",
        ("as f:", "as file:"),
        then=(("in f:", "in file:"), ("f.name", "file.name")),
    ),
    case(
        "a walrus",
        "import re\n\n\ndef f(text):\n    if (m := re.match('a', text)) is not None:\n"
        "        return m[0]\n    return m\n",
        ("(m :=", "(found :="),
        then=(("return m[0]\n    return m", "return found[0]\n    return found"),),
    ),
    case(
        "a global",
        "count = 0\n\n\ndef f():\n    global count\n    count += 1\n\n\ndef g():\n    count = 3\n"
        "    return count\n",
        ("count = 0", "total = 0"),
        then=(("global count\n    count += 1", "global total\n    total += 1"),),
    ),
    case(
        "a name that is not local",
        "def f():\n    n = 0\n\n    def g():\n        nonlocal n\n        n += 1\n"
        "        return n\n\n    return g\n",
        ("    n = 0", "    size = 0"),
        then=(
            (
                "nonlocal n\n        n += 1\n        return n",
                "nonlocal size\n        size += 1\n        return size",
            ),
        ),
    ),
    case(
        "two variables of a loop",
        "def f(d):\n    for k, v in d.items():\n        print(k, v)\n    return k\n",
        ("for k, v", "for key, value"),
        then=(("print(k, v)\n    return k", "print(key, value)\n    return key"),),
    ),
    case(
        "a decorator",
        "def cached(f):\n    return f\n\n\n@cached\ndef a():\n    pass\n\n\n@cached\ndef b():\n"
        "    cached = 1\n",
        ("def cached", "def kept"),
        then=(("@cached", "@kept"), ("@cached", "@kept")),
    ),
    case(
        "a class: in annotations, texts of annotations, checks and what is made of it",
        "class Node:\n    next: 'Node | None' = None\n\n\nclass Leaf(Node):\n    pass\n\n\n"
        "def f(node: Node) -> 'Node':\n    return isinstance(node, Node)\n",
        ("class Node", "class Knot"),
        then=(
            ("'Node | None'", "'Knot | None'"),
            ("Leaf(Node)", "Leaf(Knot)"),
            ("node: Node) -> 'Node'", "node: Knot) -> 'Knot'"),
            ("(node, Node)", "(node, Knot)"),
        ),
    ),
    case(
        "what an import is called",
        "import numpy as np\n\n\ndef f(a):\n    return np.sum(a) + np.mean(a)\n",
        ("as np", "as xp"),
        then=(("np.sum(a) + np.mean(a)", "xp.sum(a) + xp.mean(a)"),),
    ),
    case(
        "a constant in a default, a text and a function",
        "SIZE = 3\n\n\ndef f(n=SIZE):\n    return n + SIZE, f'{SIZE} SIZE'\n",
        ("SIZE = 3", "LENGTH = 3"),
        then=(("n=SIZE", "n=LENGTH"), ("n + SIZE, f'{SIZE}", "n + LENGTH, f'{LENGTH}")),
    ),
    case(
        "a method that belongs to the class",
        "class A:\n    @staticmethod\n    def make(n):\n        return n\n\n\nA.make(1)\n"
        "print(A.make(2), B.make(3))\n",
        ("def make", "def build"),
        then=(("A.make(1)\nprint(A.make(2)", "A.build(1)\nprint(A.build(2)"),),
    ),
    case(
        "what a pattern catches",
        "match x:\n    case [first, *rest]:\n        print(first, rest)\n    case {'a': a}:\n"
        "        print(a)\n",
        ("*rest]", "*others]"),
        then=(("print(first, rest)", "print(first, others)"),),
    ),
    case(
        "a name that would be caught is left alone",
        "def f(x):\n    def g(y):\n        return x + y\n    return g\n",
        ("def f(x)", "def f(y)"),
    ),
    case(
        "a function that was moved",
        "def a():\n    return 1\n\n\ndef b():\n    return a()\n",
        ("def a():\n    return 1\n\n\n", ""),
        ("    return a()\n", "    return a()\n\n\ndef a():\n    return 1\n"),
    ),
    case(
        "a new function asks for nothing",
        "def a():\n    return 1\n",
        ("    return 1\n", "    return 1\n\n\ndef b():\n    return a()\n"),
    ),
    case(
        "a field of a class of data",
        "from dataclasses import dataclass\n\n\n@dataclass\nclass P:\n    x: int\n    y: int = 0\n\n"
        "    def far(self):\n        return self.x + self.y\n\n\np = P(x=1, y=2)\nprint(p.x)\n",
        ("    x: int", "    left: int"),
        then=(("self.x +", "self.left +"), ("P(x=1", "P(left=1"), ("p.x", "p.left")),
    ),
    case(
        "a method of a parent stays, which `super()` means",
        "class A(Base):\n    def close(self):\n        super().close()\n\n    def stop(self):\n"
        "        self.close()\n\n\nclass B(A):\n    def halt(self):\n        super().close()\n",
        ("def close(self)", "def shut(self)"),
        then=(
            ("        self.close()", "        self.shut()"),
            ("halt(self):\n        super().close()", "halt(self):\n        super().shut()"),
        ),
    ),
    case(
        "an attribute that keeps what a renamed parameter gives",
        "class A:\n    def __init__(self, path):\n        self._path = path\n\n    def read(self):\n"
        "        return open(self._path).read()\n",
        ("self, path", "self, root"),
        ("self._path = path", "self._root = root"),
        then=(("open(self._path)", "open(self._root)"),),
    ),
    case(
        "an attribute of another kind is another one, however alike it is called",
        "class A:\n    def __init__(self):\n        self._changed = {}\n\n    def forget(self):\n"
        "        self._changed.clear()\n",
        ("self._changed = {}", "self._is_changed = False"),
    ),
    case(
        "an attribute that is given what comes in is none that was put together",
        "from os.path import join\n\n\nclass A:\n    def __init__(self, base, name):\n"
        "        self.target = join(base, name)\n\n    def read(self):\n        return open(self.target)\n",
        ("self.target = join(base, name)", "self.base = base"),
        then=(("from os.path import join\n\n\n", ""),),
    ),
    case(
        "what is kept of a variable is not given to itself",
        "class A:\n    def __init__(self, data):\n        key = load(data)\n        check(key)\n"
        "        print(key)\n        self._key = key\n",
        ("        key = load(data)\n", ""),
        ("check(key)", "check(self._key)"),
        then=(("print(key)", "print(self._key)"),),
    ),
    case(
        "a function in the place of another one, which takes something else",
        "def chrome():\n    return which('chrome')\n\n\ndef start():\n    return run(chrome())\n",
        ("def chrome():", "def find_program(*places):"),
    ),
    case(
        "a field of another type is another one",
        "class File:\n    target_path: str\n\n    def read(self):\n        return open(self.target_path)\n",
        ("target_path: str", "folder: str | None"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)


def test_what_comes_in_keeps_its_name_where_a_variable_is_made_of_it() -> None:
    """The proof alone would allow it: the new name is bound there, but too late."""
    old = "def serve(folder, path):\n    path = join(folder, path)\n    return open(path)\n"
    new = old.replace("    path = join", "    whole = join")
    found = [*renamed_occurrences(FileChange.of("a", old, new))]
    assert [one.start for one in found] == [new.index("path)\n", new.index("open"))]
