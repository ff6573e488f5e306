"""CPython as the judge: whether a text parses, or whether this process cannot tell; and whether it is JSON.

`ast.parse` runs the tokenizer and the parser and then copies the tree into Python objects. Only the first two
define the language. The copying may exceed the recursion limit, and the parser may exceed its stack: both are
limits of the host, so such texts have no verdict and are left out of the laws.
"""

import ast
import json
import warnings
from enum import Enum


class Verdict(Enum):
    """The verdict of CPython on a whole text."""

    VALID = "valid"
    INVALID = "invalid"
    BEYOND_LIMITS = "beyond the limits of the host"


def verdict(text: str | bytes) -> Verdict:
    """Return CPython's verdict on the whole text."""
    # Pytest makes warnings errors, and the warning for "\d" would then look like a syntax error.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(text)
        except (RecursionError, MemoryError):
            return Verdict.BEYOND_LIMITS
        except (SyntaxError, ValueError) as error:
            # Lone surrogates and null characters are ValueErrors in some versions and texts, SyntaxErrors
            # in others. A literal of over 4300 digits is refused by a setting of the process, not by the
            # grammar.
            is_digit_limit = "integer string conversion" in str(error)
            return Verdict.BEYOND_LIMITS if is_digit_limit else Verdict.INVALID
    return Verdict.VALID


def parses(text: str | bytes) -> bool:
    """Return whether CPython's parser accepts the whole text."""
    return verdict(text) is Verdict.VALID


def is_json(text: str) -> bool:
    """Return whether Python's reader accepts the text as JSON, its own NaN and Infinity aside."""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    try:
        json.loads(text, parse_constant=refuse)
    except ValueError:
        return False
    return True
