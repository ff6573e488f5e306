"""The part of a file that a plugin sends of it, and what can be held to it.

Plugins send some hundred lines around the cursor. Such a window begins and ends in the middle of blocks, so
as a file it may not parse whatever is written. Then less of it is looked at, at least the cursor's line.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fim_lsp.fitting.documents import DOCUMENTS
from fim_lsp.fitting.fit import SURROGATE
from fim_lsp.known_languages import JAVASCRIPT, KNOWN, KnownLanguage
from fim_lsp.positions import LINE_END
from quotient import Language, NoCompletion

# In which order languages are tried where none is named: the stricter ones first.
BY_WHAT_PARSES = ("python", "go", "java", "typescript", "typescriptreact", "javascript", "json", "toml")
# JSX stands in files of both names.
DIALECTS = {JAVASCRIPT: ("javascriptreact",)}
# So many lines of each side are left at most, where the whole does not parse.
STEPS = (400, 100, 40, 15, 5, 1)


@dataclass(frozen=True, slots=True)
class Part:
    """A hole that can be filled, in a language."""

    known: KnownLanguage
    language: Language
    left: str
    right: str


def part_of(left: str, right: str, said: KnownLanguage | None) -> Part | None:
    """The largest part that can be filled around a hole; None where there is none."""
    if SURROGATE.search(left) or SURROGATE.search(right):
        return None
    names = BY_WHAT_PARSES if said is None else (said.name, *DIALECTS.get(said, ()))
    for one_left, one_right in windows(left, right):
        for name in names:
            language = Language.load(name)
            try:
                DOCUMENTS.recognizer(language, one_left, one_right, None)
            except NoCompletion:
                continue
            return Part(known_as(name), language, one_left, one_right)
    return None


def known_as(name: str) -> KnownLanguage:
    return next(known for known in KNOWN if known.name == name)


def windows(left: str, right: str) -> Iterator[tuple[str, str]]:
    """Both sides, then less and less of them, first of the one, then of both."""
    yield left, right
    for n_lines in STEPS:
        yield left, first_lines(right, n_lines)
        yield last_lines(left, n_lines), right
        yield last_lines(left, n_lines), first_lines(right, n_lines)


def first_lines(text: str, n_lines: int) -> str:
    ends = [found.start() for found in LINE_END.finditer(text)][:n_lines]
    return text if len(ends) < n_lines else text[: ends[-1]]


def last_lines(text: str, n_lines: int) -> str:
    ends = [found.end() for found in LINE_END.finditer(text)][-n_lines:]
    return text if len(ends) < n_lines else text[ends[0] :]
