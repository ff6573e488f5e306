"""Expressions that no text matches, because they always need a character of an empty set.

Lark accepts such terminals and never reads them. To the engine they would promise impossible texts, so
foreign grammars are read without them and without everything that needs them.
"""

from __future__ import annotations

from quotient.expressions.character_sets import is_empty_set
from quotient.expressions.regexes import (
    CharacterSet,
    Choice,
    Group,
    IgnoreCase,
    Regex,
    Repeat,
    Sequence,
)


def is_textless(regex: Regex, is_case_ignored: bool = False) -> bool:
    """Whether the expression matches no text in any context."""
    match regex:
        case CharacterSet(rust):
            return is_empty_set(rust, is_case_ignored)
        case Sequence(parts):
            return any(is_textless(part, is_case_ignored) for part in parts)
        case Choice(options):
            return all(is_textless(option, is_case_ignored) for option in options)
        case Repeat(part, least):
            return least > 0 and is_textless(part, is_case_ignored)
        case IgnoreCase(part):
            return is_textless(part, True)
        case Group(_, part):
            return is_textless(part, is_case_ignored)
        case _:
            return False
