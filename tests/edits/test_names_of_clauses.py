"""Names that a clause binds for itself: the exception of an `except`, and the names in a `case`."""

from __future__ import annotations

import pytest

from tests.edits.everyday_edits import Case, case, check

CAUGHT = """\
def run():
    try:
        go()
    except KeyError as e:
        log(e)
    except ValueError as e:
        log(e)
        raise Wrong(str(e)) from e
    return 1
"""
MATCHED = """\
def handle(event):
    match event:
        case {"type": "key", "code": code}:
            return press(code)
        case Quit(code=code):
            return code
    return None
"""
USED_BEHIND = """\
def handle(event):
    match event:
        case [code]:
            log(code)
        case Quit(code):
            log(code)
    return code
"""
NESTED = """\
try:
    a()
except OSError as e:
    try:
        b(e)
    except KeyError as e:
        c(e)
"""
NESTED_PATTERNS = """\
match x:
    case (1, n):
        match n:
            case [n]:
                a(n)
        b(n)
"""

CASES = [
    case(
        "the first of two handlers",
        CAUGHT,
        ("KeyError as e", "KeyError as error"),
        then=(("log(e)", "log(error)"),),
    ),
    case(
        "the second of two handlers",
        CAUGHT,
        ("ValueError as e", "ValueError as error"),
        then=(
            ("ValueError as error:\n        log(e)", "ValueError as error:\n        log(error)"),
            ("str(e)) from e", "str(error)) from error"),
        ),
    ),
    case(
        "the first of two patterns",
        MATCHED,
        ('"code": code}', '"code": key}'),
        then=(("press(code)", "press(key)"),),
    ),
    case(
        "the second of two patterns",
        MATCHED,
        ("Quit(code=code)", "Quit(code=status)"),
        then=(("            return code", "            return status"),),
    ),
    case(
        "a handler inside of a handler",
        NESTED,
        ("OSError as e", "OSError as error"),
        then=(("b(e)", "b(error)"),),
    ),
    case(
        "a pattern inside of a pattern",
        NESTED_PATTERNS,
        ("(1, n)", "(1, rest)"),
        then=(("match n", "match rest"), ("b(n)", "b(rest)")),
    ),
    case(
        "a name that is used behind all patterns is one variable",
        USED_BEHIND,
        ("case [code]", "case [status]"),
        then=(
            (
                "log(code)\n        case Quit(code):\n            log(code)\n    return code",
                "log(status)\n        case Quit(status):\n            log(status)\n    return status",
            ),
        ),
    ),
]


@pytest.mark.parametrize("one", CASES, ids=lambda one: one.name)
def test_a_clause_s_name_is_its_own(one: Case) -> None:
    check(one)
