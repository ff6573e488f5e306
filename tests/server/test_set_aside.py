"""Parts set aside in a broken file: their names still count, and their cost is linear in their length."""

from __future__ import annotations

import time

import pytest

from fim_lsp.document.hole import Hole
from fim_lsp.document.repair.bindings import header_again, may_bind, simple
from fim_lsp.recognizers import fits
from fim_lsp.server.worker.ladder import footing
from fim_lsp.server.worker.site import Site
from quotient import Recognizer
from tests.footings import substitute_of, text_of

N_PIECES = 100_000
# Processor seconds, because machines are busy. Work that grew with the square of a line took minutes.
SOON = 15.0


def beside_what_is_set_aside(marked: str) -> Recognizer:
    """The recognizer at `$0` of a broken file, beside parts that are set aside, with names."""
    before, _, behind = marked.partition("$0")
    text, hole = text_of(before + behind), Hole(len(before), len(before), "")
    held = footing(Site.of(text, hole))
    assert held is not None
    assert held.rung == "set aside"
    return held.with_names().recognizer


def test_a_function_that_is_set_aside_stays_one() -> None:
    marked = "$0\n    def f(self) -> tupl[:\n        return 1\n\n    def g(self):\n        pass\n"
    # The `return` in its block would be outside its function.
    assert fits(beside_what_is_set_aside(marked), "class A:")


@pytest.mark.parametrize(
    ("broken", "may_be_bound"),
    [
        ("args = [_[0] for _ in tmp\n", {"args"}),
        ("ret.append(self.add(title)\n", set()),
        ("with self.lock\n", set()),
        ("with a as b, c(d as e:\n", {"b", "e"}),
        ("for a, b in c(:\n", {"a", "b"}),
        ("a, (b, *c) = d[e = = f\n", {"a", "b", "c"}),
        ("a: int = (\n", {"a"}),
        ("if (a := b > 3:\n", {"a"}),
        ("def f(a, b:\n", {"f", "a", "b"}),
        ("return a == b)\n", set()),
    ],
)
def test_what_is_set_aside_binds_what_it_may(broken: str, may_be_bound: set[str]) -> None:
    # Words that are not names do no harm.
    found = may_bind(broken, "")
    assert may_be_bound <= set(found)
    assert not {"_", "tmp", "ret", "self", "title", "lock"} & set(found)
    assert bool(found) == bool(may_be_bound)


@pytest.mark.parametrize(
    ("marked", "seen", "unseen"),
    [
        ("def f(a):\n    total = = a(rate)\n    $0\n", ["total", "a"], ["rate"]),
        # A name that a function binds, or that is local to it, is not visible elsewhere.
        ("def f(a):\n    total = = a(rate)\n$0\n", ["f"], ["total", "rate", "a"]),
        ("def f(self, total: int -> int:\n    return total\n\n$0\n", ["f"], ["self", "total", "int_"]),
        ("def f(\n    self,\n    total total,\n):\n    return self\n$0\n", ["f"], ["self", "total"]),
        ("async def f(rate:\n    await rate\n    return 1\n$0\n", ["f"], ["rate"]),
        ("class Shop(Base:\n    rate = 1\n\n$0\n", ["Shop"], ["Base", "rate"]),
        # Names bound below, or in an outer block.
        ("$0\nrate = = 1\n", [], ["rate"]),
        ("def f():\n    $0\nrate = = 1\n", ["rate"], []),
        ("for rate, total in f(:\n    pass\n$0\n", ["rate", "total"], ["f"]),
        ("with f( as rate:\n    pass\n$0\n", ["rate"], ["f"]),
        ("try:\n    pass\nexcept (A as rate:\n    x = rate\n$0\n", ["x"], ["rate", "A"]),
        ("if (rate := f(:\n    pass\n$0\n", ["rate"], ["f"]),
        ("from shop import (\n    rate,\n    price as total\nx = 1\n$0\n", ["rate", "total", "x"], ["price"]),
        ("def f():\n    global rate rate\n    rate = 1\n\n$0\n", ["rate"], []),
        # A bracket is set aside with all its lines.
        ("rates = {\n    1: [2,\n    2: [3],\n    4: [5],\n}\nx = 1\n$0\n", ["rates", "x"], []),
        ("f(\n    a\n    for a in (\n        1,\n        2 3,\n    )\n)\nx = 1\n$0\n", ["x"], ["a"]),
        # In the middle of a statement, the role of its words is unknown.
        ("x = [\n    1,\ntotal = = a.rate\n]\ny = 1\n$0\n", ["total", "y"], []),
    ],
)
def test_names_of_what_is_set_aside(marked: str, seen: list[str], unseen: list[str]) -> None:
    recognizer = beside_what_is_set_aside(marked)
    assert [name for name in (*seen, *unseen) if fits(recognizer, f"print({name})")] == seen


@pytest.mark.parametrize(
    ("marked", "fitting", "unfitting"),
    [
        # The header in the hole decides over its block, whose `return` is set aside.
        ("class A:\n    $0\n        x = 1\n        return [x\n\n    y = 2\n", "def f(self):", "if 1:"),
        (
            "class A:\n    $0\n        x = 1\n        await f(\n\n    y = 2\n",
            "async def f(self):",
            "def f(self):",
        ),
        ("async def f():\n    a, b = await g(\n    c = = 1\n    $0\n", "print(a, b, c)", "print(d)"),
    ],
)
def test_what_is_set_aside_needs_what_it_did(marked: str, fitting: str, unfitting: str) -> None:
    recognizer = beside_what_is_set_aside(marked)
    assert fits(recognizer, fitting)
    assert not fits(recognizer, unfitting)


def test_what_was_set_aside_for_another_hole_is_looked_at_again() -> None:
    """Without the header in the hole, its block is an error; with it, it is not."""
    before = "import os\n" * 20 + "class A:\n    "
    behind = "\n        return self.x\n\n    def g(self)\n        return 1\n"
    text = text_of(before + behind)
    assert footing(Site.of(text, Hole(0, 0, ""))) is not None
    held = footing(Site.of(text, Hole(len(before), len(before), "")))
    assert held is not None
    assert held.rung == "set aside"
    assert [patch.old for patch in substitute_of(text).patches] == ["    def g(self)\n"]
    recognizer = held.with_names().recognizer
    assert fits(recognizer, "def f(self):")
    assert not fits(recognizer, "x = 1")


def test_a_header_that_was_made_up_is_the_cursors_to_write() -> None:
    text = text_of("import re\nimport os\n\n    side = 3\n\ndef f():\n    x = = 1\n")
    elsewhere = footing(Site.of(text, Hole(0, 0, "")))
    assert elsewhere is not None
    assert elsewhere.rung == "set aside"
    held = footing(Site.of(text, Hole(20, 20, "")))
    assert held is not None
    assert held.rung == "set aside"
    assert not held.recognizer.is_member(), "a comment would do for a header"


@pytest.mark.parametrize(
    "statement",
    [
        "#" * N_PIECES + "'",
        "\n" * N_PIECES + "for x",
        "a:=" * N_PIECES,
        "as (" * N_PIECES,
        "def f(" + "a, " * N_PIECES,
        "(" * N_PIECES + ")" * N_PIECES + "=",
    ],
    ids=["comment", "blank lines", "walruses", "as", "parameters", "brackets"],
)
def test_to_read_a_statement_takes_what_it_is_long(statement: str) -> None:
    begun = time.process_time()
    simple(statement)
    may_bind(statement, "")
    for word in ("def", "for", "with", "except", "case", "if"):
        header_again(statement, word)
    assert time.process_time() - begun < SOON
