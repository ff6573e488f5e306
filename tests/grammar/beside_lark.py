"""Verdicts of Lark and of the engine on all short texts."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from lark import Lark
from lark.exceptions import LarkError

from quotient import Language, NoCompletion


def texts(pieces: str | Iterable[str], longest: int) -> list[str]:
    """All texts of at most `longest` pieces, each once. `~` may stand between the pieces."""
    alphabet = pieces.split("~") if isinstance(pieces, str) else list(pieces)
    found = ("".join(parts) for n in range(longest + 1) for parts in product(alphabet, repeat=n))
    return list(dict.fromkeys(found))


def is_read(lark: Lark, text: str) -> bool:
    try:
        lark.parse(text)
    except LarkError:
        return False
    return True


def is_member(language: Language, text: str) -> bool:
    return fits(language, "", text, "")


def fits(language: Language, left: str, middle: str, right: str) -> bool:
    try:
        recognizer = language.recognizer(left, right)
    except NoCompletion:
        return False
    return recognizer.advance(middle) and recognizer.is_member()
