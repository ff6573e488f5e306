"""`await` and `yield` in TypeScript: they are names outside asynchronous functions and generators. Compared
with its own parser."""

from __future__ import annotations

from random import Random

import pytest

from tests.languages import judged
from tests.laws import typescript
from tests.membership import is_member

# Places where both words are names, and operators in front of a word on the same line.
PLAIN = (
    "@",
    "f(@)",
    "if (@) a",
    "function f() { @ }",
    "function f(a = @) {}",
    "async function f() { function g() { @ } }",
    "async function f() { () => @ }",
    "function* f() { class a { b = @ } }",
    "async () => { enum a { b = @ } }",
    "(a = @) => b",
    "class a { b() { @ } }",
    "class a { async [@]() {} }",
    "({ b() { @ } })",
    "({ get b() { @ } })",
    "label: @",
    "namespace a { @ }",
)
# Places inside asynchronous functions or generators.
WAITING = (
    "async function f() { @ }",
    "async function f(a = @) {}",
    "export async function f() { @ }",
    "async () => @",
    "async (a = @) => b",
    "class a { async b() { @ } }",
    "class a { static async b() { @ } }",
    "class a { static { @ } }",
    "({ async b() { @ } })",
    "async function* f() { @ }",
    "async function* f() { class a { [@]() {} } }",
)
NAMES = (
    "await",
    "await()",
    "await.b",
    "await = b",
    "a + await",
    "await ? b : c",
    "[await]",
    "`${await}`",
    "({ await })",
)
OPERATORS = ("await a", "await 1", "await 'b'", "await new a", "await this.a")
TOKENS = [
    "await",
    "yield",
    "a",
    "(",
    ")",
    "[",
    "]",
    "+",
    ";",
    ",",
    "=",
    ".",
    "in",
    "of",
    "as",
    "'s'",
    "1",
    "/",
    "\n",
    "{",
    "}",
    "!",
    "`t`",
    "=>",
    ":",
    "?",
    "...",
    "async",
    "function",
    "*",
    "-",
    "++",
    "<",
    "&&",
    "new",
    "let",
]


@pytest.mark.parametrize("place", PLAIN)
def test_nothing_waits(place: str) -> None:
    for expression in (*NAMES, *OPERATORS):
        for word in ("await", "yield"):
            text = place.replace("@", expression.replace("await", word))
            assert judged.fault("typescript", text) is None, text
            assert is_member("typescript", text), text


@pytest.mark.parametrize("place", WAITING)
def test_something_waits(place: str) -> None:
    for expression in NAMES:
        text = place.replace("@", expression)
        if expression != "await()":
            assert judged.fault("typescript", text) is not None, text
            assert not is_member("typescript", text), text
    for expression in OPERATORS:
        text = place.replace("@", expression)
        assert judged.fault("typescript", text) is None, text
        assert is_member("typescript", text), text


def test_arrow_functions_and_labels() -> None:
    for text in (
        "await => 1",
        "async await => 1",
        "(await, b) => 1",
        "async (await) => 1",
        "await: for (;;) break await",
        "yield: for (;;) continue yield",
        "async function f() { (a, await) => b }",
    ):
        assert judged.fault("typescript", text) is None, text
        assert is_member("typescript", text), text


@pytest.mark.parametrize("language", ["typescript", "typescriptreact"])
def test_nonsense(language: str) -> None:
    random = Random("waiting")
    n_asked = 0
    for _ in range(1_500):
        parts = [random.choice(TOKENS) for _ in range(random.randint(1, 5))]
        parts[random.randrange(len(parts))] = random.choice(["await", "yield"])
        text = random.choice(PLAIN + WAITING).replace("@", " ".join(parts))
        said = judged.fault(language, text)
        if typescript.is_left_open(said):
            continue
        n_asked += 1
        assert is_member(language, text) == (said is None), (text, said)
    assert n_asked > 700
