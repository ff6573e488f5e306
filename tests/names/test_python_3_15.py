"""Names in the new syntax of Python 3.15: lazy imports, and unpacking in comprehensions."""

from __future__ import annotations

import pytest

from tests.names.holes import named, refusal

# If no import may follow, `lazy i` can only use a name.
NO_NAME = "`lazy` is not defined here"


@pytest.mark.parametrize(
    ("hole", "text", "reason"),
    [
        ("def f():\n    $0\n", "lazy import os", NO_NAME),
        ("class A:\n    $0\n", "lazy from os import path", "in no function, class or `try`"),
        ("class A:\n    if 1:\n        $0\n", "lazy import os", NO_NAME),
        ("try:\n    $0\nfinally: pass\n", "lazy import os", NO_NAME),
        ("try: $0\nfinally: pass\n", "lazy import os", NO_NAME),
        ("try:\n    while 1:\n        $0\nfinally: pass\n", "lazy import os", NO_NAME),
        ("try: pass\nexcept OSError:\n    $0\n", "lazy import os", NO_NAME),
        ("try: pass\nfinally:\n    $0\n", "lazy import os", NO_NAME),
        ("def f():\n    $0\n", "lazy from os import path", "in no function, class or `try`"),
        ("try:\n    $0\nfinally: pass\n", "lazy from os import path", "in no function, class or `try`"),
        ("$0\n", "lazy from os import *", "a lazy import has no `*`"),
        ("lazy from os import $0\n", "*", "a lazy import has no `*`"),
        ("$0\n", "lazy import __debug__", "cannot be bound"),
        ("lazy import os\n$0\n", "from __future__ import division", "come first"),
        ("$0\nfrom __future__ import division\n", "lazy import os", "come first"),
        ("$0\n", "lazy import os; print(sys)", "`sys` is not defined here"),
        ("$0\n", "print(lazy)", "`lazy` is not defined here"),
        ("$0\n", "lazy - 1", "`lazy` is not defined here"),
        ("$0\n", "[*row for other in []]", "`row` is not defined here"),
        ("$0\n", "{**row}", "`row` is not defined here"),
        ("$0\n", "print(*row)", "`row` is not defined here"),
        ("def f(x):\n    $0\n", "return [*(yield) for _ in x]", "does not fit a comprehension"),
        ("def f(x):\n    $0\n", "return {**(yield) for _ in x}", "does not fit a comprehension"),
        ("def f(x):\n    $0\n", "return [*y async for y in x]", "outside of asynchronous functions"),
        ("$0\n", "[*x for *x in []]", "stands in a row of others"),
    ],
)
def test_what_compilers_refuse(hole: str, text: str, reason: str) -> None:
    found = refusal(hole, text, "3.15")
    assert found is not None
    assert reason in found, found


@pytest.mark.parametrize(
    ("hole", "text"),
    [
        ("$0\n", "lazy import os; print(os.path)"),
        ("$0\n", "lazy import os.path as p, sys; print(p, sys)"),
        ("$0\n", "lazy from os import (path as p, sep,); print(p, sep)"),
        ("lazy import os\n$0\n", "print(os)"),
        ("lazy import $0\nprint(os)\n", "os"),
        ("def f():\n    return $0\nlazy import os\n", "os"),
        ("if 1:\n    $0\n", "lazy import os"),
        ("with open(1):\n    while 1:\n        $0\n", "lazy import os"),
        ("try: pass\nfinally: pass\n$0\n", "lazy import os"),
        ("lambda: 1\n$0\n", "lazy import os"),
        ("$0\n", "lazy = 1"),
        ("lazy = 1\n$0\n", "print(lazy)"),
        ("lazy = 1\n$0\n", "lazy.real"),
        ("$0\n", "import lazy; lazy import lazy"),
        ("'text'\n$0\n", "from __future__ import division; lazy import os"),
        ("$0\n", "print([*row for row in []])"),
        (
            "rows = []\n$0\n",
            "print({*row.cells for row in rows}, {**row for row in rows}, (*r for r in rows))",
        ),
        ("rows = []\n$0\n", "print(*row for row in rows)"),
        ("rows = []\nprint([*row.$0 for row in rows])\n", "cells"),
        ("rows = []\nprint([*$0 for row in rows])\n", "row"),
        ("rows = []\nprint([$0\n", "*row for row in rows])"),
        ("rows = []\n$0\n", "[*a, b] = rows"),
        ("async def f(x):\n    $0\n", "return [*y async for y in x]"),
        ("class A:\n    rows = []\n    $0\n", "cells = [*row for row in rows]"),
    ],
)
def test_what_compilers_let_through(hole: str, text: str) -> None:
    assert refusal(hole, text, "3.15") is None


def test_a_star_in_brackets_waits_for_no_comprehension_where_there_is_none() -> None:
    assert not named("$0\n", "3.14").advance("{**row ")
    recognizer = named("$0\n", "3.15")
    assert recognizer.advance("{**row ")
    witness = recognizer.witness()
    assert witness is not None
    assert refusal("$0\n", f"{{**row {witness}", "3.15") is None
