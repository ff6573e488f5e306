"""A changed header of a function: the edits in its body and its calls."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

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
        "a parameter is new, and the caller was given such a variable with it",
        "def f(a):\n    return a\n\n\ndef g(a):\n    return f(a)\n",
        ("def f(a):\n    return a", "def f(a, key):\n    return a, key"),
        ("def g(a)", "def g(a, key)"),
        then=(("return f(a)", "return f(a, key)"),),
    ),
    case(
        "a parameter with a default is new, and the caller was given such a variable with it",
        "def f(a):\n    return a\n\n\ndef g(a):\n    return f(a)\n",
        ("def f(a):\n    return a", "def f(a, key=None):\n    return a, key"),
        ("def g(a)", "def g(a, key=None)"),
        then=(("return f(a)", "return f(a, key=key)"),),
    ),
    case(
        "a parameter with a default is new, and the caller had such a variable before",
        "def f(a):\n    return a\n\n\ndef g(a, key):\n    return key, f(a)\n",
        ("def f(a):\n    return a", "def f(a, key=None):\n    return a, key"),
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
        "a new parameter stands in a call where it stands in the header",
        "def make(name, tries=1, then=None):\n    return name, tries, then\n\n\n"
        "def enqueue(name, tries=1, then=None):\n    return make(name, tries=tries, then=then)\n",
        ("make(name, tries=1, then", "make(name, tries=1, wait=0, then"),
        ("enqueue(name, tries=1, then", "enqueue(name, tries=1, wait=0, then"),
        then=(("tries=tries, then=then", "tries=tries, wait=wait, then=then"),),
    ),
    case(
        "a constructor's new parameter is none of the parent's, which `super()` means",
        "class A(Base):\n    def __init__(self, rows):\n        super().__init__(rows)\n\n\n"
        "class B(A):\n    def __init__(self, rows, *, own):\n        super().__init__(rows)\n",
        ("def __init__(self, rows):", "def __init__(self, rows, *, own):"),
        then=(
            (
                "B(A):\n    def __init__(self, rows, *, own):\n        super().__init__(rows)",
                "B(A):\n    def __init__(self, rows, *, own):\n        super().__init__(rows, own=own)",
            ),
        ),
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


@pytest.mark.parametrize("case", HEADERS, ids=lambda case: case.name)
def test_what_follows(case: Case) -> None:
    check(case)
