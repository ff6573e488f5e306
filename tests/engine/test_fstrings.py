"""F-strings that begin in a hole may end anywhere to its right, and nest as deeply as CPython allows."""

import ast
import sys
from itertools import cycle, islice

import pytest

from quotient import Language, NoCompletion, TooCostly
from tests.laws.climb import LEFTS, MAX_BYTES, MAX_SECONDS, steady_cost

QUOTES = ("'", '"', "'''", '"""')
OLD = ("3.8", "3.9", "3.10", "3.11")
NEW = ("3.12", "3.13", "3.14", "3.15")


def check(version: str, left: str, middle: str, right: str, *, member: bool = True) -> None:
    """Types a middle and asks. If nothing is typed, this Python judges the completion, if it can."""
    language = Language.load("python", version=version)
    recognizer = language.recognizer(left, right)
    completion = recognizer.witness()
    if version == f"{sys.version_info.major}.{sys.version_info.minor}":
        ast.parse(left + completion + right)
    assert recognizer.advance(completion), completion
    assert recognizer.is_member(), completion
    recognizer = language.recognizer(left, right)
    assert (recognizer.advance(middle) and recognizer.is_member()) == member


@pytest.mark.parametrize("version", OLD + NEW)
@pytest.mark.parametrize("n_characters", [2_100, 50_000])
def test_an_fstring_ends_far_into_the_right_context(version: str, n_characters: int) -> None:
    filling = "y" * n_characters
    check(version, "x = ", 'f"""', f'{{a}} {filling}"""\nz\n')
    check(version, "x = f", "", f'"""a {{b}} {filling}"""\nz\n')
    check(version, "x = ", 'f"""{', f'a:{filling}}} {filling}"""\nz\n')
    check(version, "x = ", "f'{(", f"{filling} + {{1: 2}}[3])!r}} {filling}'\n")


@pytest.mark.parametrize("version", OLD)
@pytest.mark.parametrize("n_brackets", [5, 30])
def test_an_fstring_in_many_brackets_of_another(version: str, n_brackets: int) -> None:
    opened, closed = "[" * n_brackets, "]" * n_brackets
    check(version, "x = ", f"f\"{{{opened}f'{{a", f"}}'{closed}}}\"\n")
    check(version, "x = ", f'f"""{{{opened}f\'{{({opened}1', f'{closed},)}}\'{closed}:>{{3}}}}"""\n')
    check(version, "x = ", f"f\"{{{opened}f'{{a", f"}}\"{closed}}}'\n", member=False)


@pytest.mark.parametrize("version", NEW)
@pytest.mark.parametrize("n_fstrings", [6, 10, 45])
@pytest.mark.parametrize("quotes", [("'",), ("'", '"'), ('"""', "'"), QUOTES])
def test_fstrings_nest(version: str, n_fstrings: int, quotes: tuple[str, ...]) -> None:
    used = list(islice(cycle(quotes), n_fstrings))
    opened = "".join(f"f{quote}{{" for quote in used)
    closed = "".join(f"}}{quote}" for quote in reversed(used))
    check(version, "x = ", f"{opened}a", f"{closed}\n")
    half = opened[: len(opened) // 2]
    check(version, f"x = {half}", f"{opened[len(half) :]}a", f"{closed}\n")
    # In another order, they end with other quotes than they began with.
    swapped = "".join(f"f{quote}{{" for quote in reversed(used))
    if swapped != opened:
        check(version, "x = ", f"{swapped}a", f"{closed}\n", member=False)


@pytest.mark.parametrize("version", NEW)
def test_no_more_fstrings_nest_than_cpython_keeps_open(version: str) -> None:
    language = Language.load("python", version=version)
    for n_fstrings, is_possible in [(149, True), (150, False)]:
        for n_left in (0, 70, n_fstrings - 1):
            left, text = "f'{" * n_left, "f'{" * (n_fstrings - n_left) + "a"
            recognizer = language.recognizer(f"x = {left}", "}'" * n_fstrings + "\n")
            assert (recognizer.advance(text) and recognizer.is_member()) == is_possible


# On a busy machine only a gross excess fails; `python -m tests.laws.climb` checks the exact bound.
SLACK = 4
COSTLY = (
    '}}"}}}}"\'}}"""""\'}\'}\'\'\'}\'}}"',
    "}'" * 500,
    "}'}\"" * 250,
    ")r}r}'" * 166,
    "rrr}}})" * 140,
    "[{f'" * 250,
    "})}" * 326 + "r,},r',},r'",
)


@pytest.mark.parametrize("version", OLD + NEW)
@pytest.mark.parametrize("text", COSTLY)
def test_no_text_costs_more_than_its_length_deserves(version: str, text: str) -> None:
    language = Language.load("python", version=version)
    for left in LEFTS:
        found = steady_cost(language, left, text)
        assert found.seconds < MAX_SECONDS * SLACK, left
        assert found.n_bytes < MAX_BYTES, left
    assert steady_cost(language, text, "").seconds < MAX_SECONDS * SLACK


def test_what_costs_too_much_is_no_hole_that_nothing_fits() -> None:
    # The engine's own tests give it a smaller budget; `tests/engine/test_not_looked_at.py` tests its callers.
    assert not issubclass(TooCostly, NoCompletion)
