"""Changes of kind: methods become properties, fixtures other fixtures, keys attributes, and a variable takes
over the values of another one."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

CART = """\
class Cart:
    def __init__(self, rows):
        self.rows = rows

    def total(self):
        return sum(self.rows)

    def report(self, other):
        return f"{self.total()} in all, {other.total()}"


def show(asked: Cart):
    cart = Cart([1])
    print(cart.total(), asked.total(), cart.total)
"""
FIXTURES = """\
import pytest


@pytest.fixture
def client():
    return object()


@pytest.fixture
def user(client):
    return client.user()


def test_get(client):
    assert client.get("client")


def helper(client):
    return client


@pytest.mark.usefixtures("client")
def test_nothing():
    assert helper(client=1) == "client"
"""
ROWS = """\
def show(row, other):
    print(row["name"])
    print(row["size"], other["size"])
    if row["class"]:
        row["unit"] = row["a b"]


def again(row):
    return row["name"]
"""
VALUES = """\
def listed(value, other):
    if isinstance(value, str):
        value = [value]
    elif not value:
        value = list(value)
        value.sort()
    else:
        other.append(value)
    return [*value]
"""

PROPERTIES = (
    case(
        "a method that has become a property",
        CART,
        ("    def total", "    @property\n    def total"),
        then=(
            ("{self.total()}", "{self.total}"),
            ("cart.total(), asked.total()", "cart.total, asked.total"),
        ),
    ),
    case(
        "a property that is a method now",
        CART.replace("    def total", "    @property\n    def total").replace("total()", "total"),
        ("    @property\n    def total", "    def total"),
        then=(
            ("{self.total}", "{self.total()}"),
            ("cart.total, asked.total, cart.total", "cart.total(), asked.total(), cart.total()"),
        ),
    ),
    case(
        "a method that takes something is called still",
        CART.replace("total(self)", "total(self, rate=1)"),
        ("    def total", "    @property\n    def total"),
    ),
    case(
        "a method that another class overrides is called still",
        CART + "\n\nclass Mine(Cart):\n    def total(self):\n        return 1\n",
        ("    def total", "    @property\n    def total"),
    ),
)
FIXTURE = (
    case(
        "a fixture, where tests and fixtures take it",
        FIXTURES,
        ("def client()", "def api_client()"),
        then=(
            ("def user(client):\n    return client", "def user(api_client):\n    return api_client"),
            ("test_get(client):\n    assert client", "test_get(api_client):\n    assert api_client"),
            ('usefixtures("client")', 'usefixtures("api_client")'),
        ),
    ),
    case(
        "a fixture of a class is taken by its own methods",
        "import pytest\n\n\nclass TestIt:\n    @pytest.fixture\n    def client(self):\n        return 1\n\n"
        "    def test_a(self, client):\n        assert client\n\n\ndef test_b(client):\n    assert client\n",
        ("def client(", "def api("),
        then=(("test_a(self, client):\n        assert client", "test_a(self, api):\n        assert api"),),
    ),
    case(
        "what is no fixture is taken by nobody",
        FIXTURES.replace("@pytest.fixture\ndef client", "def client"),
        ("def client()", "def api_client()"),
    ),
    case(
        "a fixture with a name of its own keeps that",
        FIXTURES.replace("@pytest.fixture\ndef client", "@pytest.fixture(name='client')\ndef client"),
        ("def client()", "def api_client()"),
    ),
)
KEYS = (
    case(
        "a key that has become an attribute: all of the variable, where they are names",
        ROWS,
        ('print(row["name"])', "print(row.name)"),
        then=(('row["size"], other', "row.size, other"), ('row["unit"] =', "row.unit =")),
    ),
    case(
        "an attribute that has become a key",
        "def show(row, other):\n    print(row.name)\n    print(row.size, other.size)\n    row.sort()\n"
        "    row.unit = 'x'\n",
        ("print(row.name)", "print(row['name'])"),
        then=(("row.size, other", "row['size'], other"), ("row.unit =", "row['unit'] =")),
    ),
)
BRANCHES = (
    case(
        "a value that another variable takes over: what is used in another branch is still the parameter",
        VALUES,
        ("        value = [value]", "        found = [value]"),
        then=(
            (
                "        value = list(value)\n        value.sort",
                "        found = list(value)\n        found.sort",
            ),
            ("[*value]", "[*found]"),
        ),
    ),
    case(
        "an attribute that keeps something else is no rename",
        "class A:\n    def __init__(self):\n        self._rows = {}\n\n    def f(self):\n"
        "        return self._rows\n",
        ("self._rows = {}", "self._is_full = False"),
    ),
)
CONSTRUCTORS = (
    case(
        "a constructor with annotated parameters needs not say that it gives back nothing",
        "class A:\n    def __init__(self, a: int):\n        self.a = a\n\n    def f(self):\n"
        "        self.a = 1\n\n    def g(self):\n        self.a = 2\n",
        ("def f(self):", "def f(self) -> None:"),
        then=(("def g(self):", "def g(self) -> None:"),),
    ),
    case(
        "a constructor says so where others with annotated parameters do",
        "class A:\n    def __init__(self, a: int):\n        self.a = a\n\n\nclass B:\n"
        "    def __init__(self, a: int):\n        self.b = a\n",
        ("def __init__(self, a: int):", "def __init__(self, a: int) -> None:"),
        then=(
            (
                "class B:\n    def __init__(self, a: int):",
                "class B:\n    def __init__(self, a: int) -> None:",
            ),
        ),
    ),
    case(
        "what special methods give back is not what others do",
        "class A:\n    def f(self):\n        x()\n\n    def g(self):\n        x()\n\n    def __len__(self):\n"
        "        return f()\n\n    def h(self):\n        x()\n",
        ("def f(self):", "def f(self) -> None:"),
        ("def g(self):", "def g(self) -> None:"),
        then=(("def __len__(self):", "def __len__(self) -> int:"), ("def h(self):", "def h(self) -> None:")),
    ),
)


TOTAL = """\
class Sum:
    def run(self, rows):
        total = 0
        for row in rows:
            total += row
        print(total)
        return total

    def other(self, total):
        return total
"""
LIMIT = """\
LIMIT = 10


class Cart:
    def add(self, rows):
        return rows[:LIMIT]

    def full(self, rows, LIMIT):
        return len(rows) >= LIMIT

    def empty(self, rows):
        return len(rows) < LIMIT


def f(rows):
    return rows[:LIMIT]
"""
MOVED = (
    case(
        "a variable that has become an attribute",
        TOTAL,
        ("        total = 0", "        self.total = 0"),
        then=(
            ("            total += row", "            self.total += row"),
            ("print(total)\n        return total", "print(self.total)\n        return self.total"),
        ),
    ),
    case(
        "a variable that is given another value still",
        TOTAL.replace("        print(total)", "        total = total or 1\n        print(total)"),
        ("        total = 0", "        self.total = 0"),
    ),
    case(
        "an attribute that has become a variable of its only method",
        TOTAL.replace("        total", "        self.total")
        .replace("    total +=", "    self.total +=")
        .replace("print(total)\n        return total", "print(self.total)\n        return self.total"),
        ("self.total = 0", "total = 0"),
        then=(
            ("self.total += row", "total += row"),
            ("print(self.total)\n        return self.total", "print(total)\n        return total"),
        ),
    ),
    case(
        "an attribute that another method uses, too",
        TOTAL.replace("        total = 0", "        self.total = 0").replace(
            "return total\n\n    def other(self, total):\n        return total",
            "return self.total\n\n    def other(self):\n        return self.total",
        ),
        ("self.total = 0", "total = 0"),
    ),
    case(
        "what was imported, and now its module is",
        "from utils import helper\n\n\ndef a(x):\n    return helper(x)\n\n\ndef b(x):\n"
        "    return helper(x) + 1\n\n\ndef c(helper):\n    return helper\n",
        ("from utils import helper", "import utils"),
        ("return helper(x)\n", "return utils.helper(x)\n"),
        then=(("return helper(x) + 1", "return utils.helper(x) + 1"),),
    ),
    case(
        "a constant that a class has now",
        LIMIT,
        ("LIMIT = 10\n\n\nclass Cart:\n", "class Cart:\n    LIMIT = 10\n\n"),
        ("rows[:LIMIT]", "rows[:self.LIMIT]"),
        then=(("len(rows) < LIMIT", "len(rows) < self.LIMIT"),),
    ),
)
CONTRADICTED = (
    case(
        "a keyword is not given to a function of the file that takes none of that name",
        "def open_it(path, timeout=1):\n    return path, timeout\n\n\ndef f(path):\n"
        "    go(path, timeout=1)\n    go(path, timeout=2)\n    go(path, timeout=3)\n"
        "    return open_it(path, timeout=4)\n",
        ("go(path, timeout=1)", "go(path, wait=1)"),
        ("go(path, timeout=2)", "go(path, wait=2)"),
        then=(("go(path, timeout=3)", "go(path, wait=3)"),),
    ),
    case(
        "what is kept in something else than the object itself is not annotated there",
        "class A:\n    def a(self, rows):\n        self.rows = rows\n\n    def b(self, rows):\n"
        "        self.rows = rows\n\n    def c(self, rows, other):\n        self.rows = rows\n\n"
        "    def d(self, rows, other):\n        other.rows = rows\n",
        ("        self.rows = rows", "        self.rows: list = rows"),
        ("        self.rows = rows\n\n    def c", "        self.rows: list = rows\n\n    def c"),
        then=(("        self.rows = rows", "        self.rows: list = rows"),),
    ),
)


@pytest.mark.parametrize(
    "case",
    [*PROPERTIES, *FIXTURE, *KEYS, *BRANCHES, *CONSTRUCTORS, *MOVED, *CONTRADICTED],
    ids=lambda case: case.name,
)
def test_what_follows(case: Case) -> None:
    check(case)
