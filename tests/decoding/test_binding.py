"""The ways in which a statement may bind the names that later lines use."""

from __future__ import annotations

import pytest

from fim_lsp.decoding.choices.binding import BindingConstraint, no_imports, wanted_binding
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from quotient import Language
from tests.models import writing_model

PYTHON = Language.load("python", version="3.11")
SHOP = {"total": ["from shop import ", "from . import "], "price": ["from shop import "]}


def binding(source: str, imports: dict[str, list[str]]) -> BindingConstraint | None:
    left, right = source.split("$0")
    recognizer = PYTHON.recognizer(left, right, ())
    found = wanted_binding(recognizer, left, right.encode(), lambda name: imports.get(name, []))
    return BindingConstraint(found) if found.ways else None


def behind(text: str) -> Hypothesis:
    return Hypothesis(None, text=text.encode())


def is_on_the_way(rule: BindingConstraint, text: str) -> bool:
    return all(rule.allows(behind(text[:n]), text[n : n + 1].encode()) for n in range(len(text)))


@pytest.mark.parametrize(
    ("source", "binds", "no_way"),
    [
        ("$0\nprint(total)\n", ["total = 1", "total: int = 1", "total, b = 1, 2"], ["total == 1", "totals"]),
        ("$0\nprint(total)\n", ["from a.b import total", "def total(", "async def total("], ["class total"]),
        ("$0\nTotal()\n", ["class Total:", "class Total(A):", "Total = 1"], ["def Total", "Total()"]),
        ("$0\nmath.sin(1)\n", ["import math"], ["import mathx", "import math.x", "from a import math"]),
        # No function is compared, computed with or looked into.
        ("$0\nassert total == [1]\n", ["total = 1"], ["def total("]),
        ("$0\nprint(total[0])\n", ["total = 1"], ["def total(", "from a import total"]),
        # At the left margin, the next line shows the block.
        ("def f():\n    a()\n$0\n    return total\n", ["    total = 1"], ["    for a in b", "from "]),
        # Functions seldom contain imports.
        ("def f():\n    $0\n    return total\n", ["total = 1"], ["from ", "import "]),
        # The text behind the hole is an indented block.
        ("$0\n    print(total)\n", ["for total in a:", "for i, total in a:"], ["total = 1", "for i in a"]),
        ("$0\n    print(total)\n", ["with open(a) as total:", "except A as total:"], ["with open(a):"]),
        ("$0\n    print(total)\n", ["def f(total)", "def f(self, total=1)"], ["def f()", "def f(a"]),
        ("$0\n    print(a, b)\n", ["def f(b: int, a", "def f(a=1, b"], ["def f(c"]),
        # Functions see names that are bound around them.
        ("$0\ndef f():\n    return a\n\ndef g():\n    return b\n", ["a = 1", "b = 1"], ["c = 1"]),
        ("def f():\n    b = 1\n    $0\n    return a\n", ["a = 1"], ["c = 1"]),
        # The binding has begun in front of the cursor.
        ("to$0\nprint(total)\n", ["tal = 1"], ["p = 1", " = 1"]),
        ("total $0\nprint(total)\n", ["= 1"], ["== 1", "+= 1"]),
        ("from shop import a, to$0\nprint(total)\n", ["tal"], ["tals", "p"]),
        ("from shop import (\n    a,\n    $0\n)\nprint(total)\n", ["total"], ["b"]),
        ("def f(a, $0):\n    return total\n", ["total", "total=1"], ["b"]),
        ("for $0 in a:\n    print(total)\n", ["total", "i, total"], ["i"]),
        ("class A:\n    def f($0\n        return self.a\n", ["self"], ["a"]),
    ],
)
def test_a_statement_binds_what_is_used_below(source: str, binds: list[str], no_way: list[str]) -> None:
    rule = binding(source, {})
    assert rule is not None
    for text in binds:
        assert is_on_the_way(rule, text), text
        assert rule.may_end(behind(text + " ")), text
    for text in no_way:
        assert not is_on_the_way(rule, text + " "), text


@pytest.mark.parametrize(
    ("left", "blanks", "expected"),
    [
        ("", b"\n", True),
        ("", b"  ", False),
        ("def f():\n    a()\n", b"    ", True),
        ("def f():\n    a()\n", b"  ", False),
    ],
)
def test_no_more_blanks_than_needed_stand_in_front_of_a_binding(
    left: str, blanks: bytes, expected: bool
) -> None:
    right = "\n    assert total == 1\n" if left else "\nassert total == 1\n"
    recognizer = PYTHON.recognizer(left, right, ())
    rule = BindingConstraint(wanted_binding(recognizer, left, right.encode(), no_imports))
    assert rule.allows(Hypothesis(recognizer), blanks) is expected
    assert not rule.allows(Hypothesis(recognizer, text=b"\n"), b"\n")


@pytest.mark.parametrize("text", ["from shop import total", "from . import total", "total = 1"])
def test_what_the_project_imports_is_imported_from_there(text: str) -> None:
    rule = binding("$0\nprint(total)\n", SHOP)
    assert rule is not None
    assert is_on_the_way(rule, text)
    assert not is_on_the_way(rule, "from store import total")


@pytest.mark.parametrize(
    ("wants", "used", "expected"),
    [
        ("os.environ", "os.environ", "os"),
        ("os.path.join", "os.path.join", "os"),
        ("os.path", "os.path.join", "os.path"),
        ("xml.dom", "xml.dom", "xml.dom"),
    ],
)
def test_what_is_imported_whole_is_a_module(wants: str, used: str, expected: str) -> None:
    """The memory of a file that uses `os.environ` writes just that behind `import`."""
    left, right = "import ", f"\nprint({used})\n"
    recognizer = PYTHON.recognizer(left, right, names=())
    request = CompletionRequest(left, right, recognizer, Options(max_tokens=12))
    [completion] = DecodingSession(writing_model(left, wants)).complete(request)
    assert completion.text == expected


def test_what_comes_from_one_module_is_imported_at_once() -> None:
    rule = binding("from shop $0\nprint(total, price)\n", SHOP)
    assert rule is not None
    assert rule.rests(b"import ") == (b"price, total",)


@pytest.mark.parametrize(
    "source",
    [
        # The name is bound already, that is unknown, or one statement cannot bind enough.
        "total = 1\n$0\nprint(total)\n",
        "from a import *\n$0\nprint(total)\n",
        "$0\nprint(a, b, c, d, e)\n",
        # This statement could not bind all of them: other functions do not see what is bound here.
        "def f():\n    $0\n    return a\n\ndef g():\n    return b\n",
        "def f():\n    c = 1\n    $0\n    return a\n\ndef g():\n    return b\n",
        "class A:\n    def f($0):\n        a.b = 1\n\ndef g():\n    return b\n",
        "def f():\n    $0\n\nprint(a)\n",
        "def f(): $0\nprint(a)\n",
        # The statement in front of the cursor can no longer bind the name.
        "print($0\nprint(total)\n",
        "top$0\nprint(total)\n",
        "$0 + 1\nprint(total)\n",
    ],
)
def test_where_nothing_is_to_be_bound_everything_may_come(source: str) -> None:
    assert binding(source, SHOP) is None
