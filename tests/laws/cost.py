"""Law i: the work per character does not grow with the file, whatever is repeated and on whichever side.

Each family is a way to make a file long. Costs are compared between one size and eight times that size, with
the hole behind the text, in front of it and in its middle, and with a bound for each character. The factors
are generous, because the law is about growth; the benches are about speed.
"""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random
from time import thread_time

from quotient import Language, NoCompletion
from tests.laws.cases import Case, Failure, Tally
from tests.laws.oracle import parses

SMALL, GROWTH = 1500, 8
# A linear cost grows eightfold; the paper's prototype grew with the square, sixty-four-fold.
LARGEST_COLD_GROWTH = 20.0
# The cost of typing a character does not depend on the file at all.
LARGEST_STEP_GROWTH = 4.0
# Seconds for a character of the file, whatever the family repeats. The paper's prototype takes 283e-6.
LARGEST_CHARACTER_COST = 8e-6

UNITS: dict[str, Callable[[int], str]] = {
    "assignments": lambda n: "x = 1\n" * n,
    "list elements": lambda n: "x = [\n" + "1,\n" * n + "]\n",
    "dict entries": lambda n: "x = {" + "a: b, " * n + "}\n",
    "nested strings": lambda n: "x = (\n" + "  'a'\n" * n + ")\n",
    "operators": lambda n: "x = a" + " + a" * min(n, 800) + "\n",
    "elifs": lambda n: "if a:\n  b\n" + "elif c:\n  d\n" * min(n, 800),
    "excepts": lambda n: "try:\n  a\n" + "except b:\n  c\n" * n,
    "attributes": lambda n: "x = a" + ".b" * min(n, 800) + "\n",
    "calls": lambda n: "x = a" + "(b)[c]" * min(n, 400) + "\n",
    "patterns": lambda n: "match a:\n  case " + "b() | " * n + "c(): pass\n",
    "functions": lambda n: "def f(a, b=1):\n    return a\n\n" * n,
    "methods": lambda n: "class A:\n" + "    def f(self):\n        return 1\n" * n,
    "decorators": lambda n: "@a\n" * n + "def f(): pass\n",
    "arguments": lambda n: "f(" + "a=b, " * n + ")\n",
    "comments": lambda n: "# x 'y' (z\n" * n,
    "docstrings": lambda n: 'def f():\n    """a\n    b\'c\n    """\n' * n,
    "quotes": lambda n: "x = 'it' \"is\"\n" * n,
    "one line of semicolons": lambda n: "a; " * n + "\n",
    "cases": lambda n: "match a:\n" + "  case 1: pass\n" * n,
    "imports": lambda n: "from a import (" + "b as c, " * n + ")\n",
    "f-strings": lambda n: "x = f'{a!r:>{w}} {{ {b}'\n" * n,
    "with tabs": lambda n: "if a:\n" + "\tif b:\n\t\tc\n" * n,
    "CRLF": lambda n: "if a:\r\n  b\r\n" * n,
    "non-ASCII": lambda n: "é = 'ñ名'\n" * n,
}


def seconds(action: Callable[[], object]) -> float:
    """Return how long the action keeps this thread busy: other work on the machine does not count."""
    start = thread_time()
    action()
    return thread_time() - start


def cold(language: Language, case: Case) -> float:
    """The time to make a recognizer with empty caches: the best of several, because the machine is shared.

    A document keeps nothing of earlier texts, while a language does.
    """
    documents = (language.document(case.left + case.right) for _ in range(5))
    return min(seconds(partial(document.recognizer, len(case.left))) for document in documents)


def step(language: Language, case: Case) -> float:
    """The time to type the middle and to ask after each character whether to stop."""
    empty = language.recognizer(case.left, case.right)

    def type_middle() -> None:
        recognizer = empty.fork()
        for character in case.middle:
            recognizer.advance(character)
            recognizer.is_member()
        if not recognizer.is_member():
            raise AssertionError("the middle of a valid file is not a member")

    return min(seconds(type_middle) for _ in range(20))


def hole_in(text: str, place: str) -> Case:
    """Return a hole behind the text, before it, or in its middle."""
    half = len(text) // 2
    match place:
        case "behind":
            return Case(text, "yy = (z,)\n", "")
        case "before":
            return Case("", "yy = (z,)\n", text)
        case _:
            return Case(text[:half], text[half : half + 10], text[half + 10 :])


def growth(random: Random, language: Language, tally: Tally) -> Iterator[Failure]:
    """Compares one family, at one place of the hole, with itself eight times as long."""
    name, place = random.choice(tuple(UNITS)), random.choice(("behind", "before", "inside"))
    unit = UNITS[name]
    n = SMALL // max(1, len(unit(2)) - len(unit(1)))
    short, long = unit(n), unit(GROWTH * n)
    if not parses(short) or not parses(long):
        raise AssertionError(f"the family {name!r} is not Python")
    tally["families"] += 1
    factor = len(long) / len(short)
    try:
        small, large = (hole_in(text, place) for text in (short, long))
        cold_growth = cold(language, large) / cold(language, small)
        step_growth = step(language, large) / step(language, small)
        character_cost = cold(language, large) / len(long)
    except NoCompletion:
        yield Failure("i", "no completion, yet the file parses", hole_in(short, place), name)
        return
    for kind, measured, largest in (
        (
            "a recognizer costs more than the file is longer",
            cold_growth,
            LARGEST_COLD_GROWTH * factor / GROWTH,
        ),
        ("a character costs more in a longer file", step_growth, LARGEST_STEP_GROWTH),
        ("a recognizer costs too much for each character", character_cost, LARGEST_CHARACTER_COST),
    ):
        if measured > largest:
            detail = f"{name}, hole {place}: {measured:.3g}, for {factor:.1f} times the text"
            yield Failure("i", kind, Case("", "", ""), detail)
