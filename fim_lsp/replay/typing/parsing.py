"""Whether a text parses: by the language's own parser, or by the engine if that is not on this machine."""

from __future__ import annotations

import ast
import warnings
from functools import cache

from fim_lsp.dialects import read_as
from fim_lsp.holes import first_fault
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.replay import judges
from quotient import Language


def parsed_module(text: str) -> ast.Module | None:
    """The tree of a Python file; None if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def parses(text: str, known_language: KnownLanguage) -> bool:
    known_language = read_as(known_language, text)
    if known_language is PYTHON:
        return parsed_module(text) is not None
    if has_judge(known_language):
        return judges.fault(known_language.name, text) is None
    return first_fault(Language.load(known_language.name), text) is None


@cache
def has_judge(known_language: KnownLanguage) -> bool:
    """Whether the language's own parser is here."""
    try:
        judges.check(known_language.name)
    except judges.NoJudge:
        return False
    return True


def parser_name(known_language: KnownLanguage) -> str:
    """The parser that decides, as a report says it."""
    if known_language is PYTHON:
        return "Python"
    return judges.NAMES[known_language.name] if has_judge(known_language) else "the engine alone"
