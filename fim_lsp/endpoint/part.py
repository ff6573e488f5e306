"""The part of a file that a plugin sends, cut or framed until a text in the hole can make it parse.

Plugins send some hundred lines around the cursor. Such a window begins and ends inside blocks, so there may
be no text with which it parses. Then smaller windows are tried, down to the cursor's line.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fim_lsp.fitting.documents import DOCUMENTS
from fim_lsp.fitting.ends import end_of
from fim_lsp.fitting.fit import SURROGATE, place_of
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.known_languages import JAVASCRIPT, JSON, KNOWN, PYTHON, TOML, KnownLanguage
from fim_lsp.positions import LINE_END
from quotient import Language, NoCompletion, Recognizer, TooCostly

# The order in which languages are tried if none is named: stricter ones first.
BY_WHAT_PARSES = ("json", "python", "go", "java", "typescript", "typescriptreact", "javascript", "toml")
# The header of a table of TOML. In Python it would be a list that is not used.
TABLE = re.compile(r"""^\[\[?[ \t]*[\w."'-]+[ \t]*\]\]?[ \t]*(?:#.*)?\r?$""", re.MULTILINE)
# Files of both languages hold JSX.
DIALECTS = {JAVASCRIPT: ("javascriptreact",)}
ALL_BY_WHAT_PARSES = (*BY_WHAT_PARSES, *(name for names in DIALECTS.values() for name in names))
# Versions of Python as `Language.load` names them; None is the newest.
PythonVersions = tuple[str | None, ...]
NEWEST: PythonVersions = (None,)
# How many lines of a side are left in smaller windows.
STEPS = (100, 30, 8, 1)
# How long the parts of one file are tried.
MOST_SECONDS = 5.0
# Frames around lines from the middle of a file, with which they may parse.
MEMBERS, STATEMENTS = ("class A {\n", "\n}"), ("async function* f() {\n", "\n}")
IN_JAVASCRIPT = (STATEMENTS, MEMBERS)
FRAMES = {
    "python": (("if 1:\n", ""),),
    "go": (("package p\n", ""), ("package p\nfunc f() {\n", "\n}")),
    "java": (MEMBERS, ("class A { void f() {\n", "\n}}")),
    "javascript": IN_JAVASCRIPT,
    "javascriptreact": IN_JAVASCRIPT,
    "typescript": IN_JAVASCRIPT,
    "typescriptreact": IN_JAVASCRIPT,
}


@dataclass(frozen=True, slots=True)
class FillablePart:
    """A hole in a language, perhaps with a frame around its sides."""

    known_language: KnownLanguage
    language: Language
    left: str
    right: str
    # The recognizer, once it is made.
    _made: list[Recognizer] = field(default_factory=list, repr=False, compare=False)

    @property
    def can_be_filled(self) -> bool:
        try:
            self.recognizer()
        # If the engine gives up, a smaller window is tried.
        except (NoCompletion, TooCostly):
            return False
        return True

    @property
    def can_be_filled_with_code(self) -> bool:
        """Whether an end fits that does not turn the rest of the line into a comment. A comment would fit in
        many languages, so it does not identify one."""
        recognizer = self.recognizer()
        return recognizer.is_member() or end_of(recognizer, self.known_language, None, False) is not None

    def recognizer(self) -> Recognizer:
        """A recognizer for its hole. Raises `NoCompletion`."""
        if not self._made:
            self._made.append(DOCUMENTS.recognizer(self.language, self.left, self.right, None))
        return self._made[0].fork()

    @property
    def place(self) -> FittingContext:
        return place_of(self.language, self.left, self.right, None)


def part_of(
    left: str,
    right: str,
    said: KnownLanguage | None,
    pythons: PythonVersions = NEWEST,
    seconds: float = MOST_SECONDS,
) -> FillablePart | None:
    """The largest part around a hole that can be filled; None if there is none, or none is found in time.

    `pythons` are the versions that Python is tried in, one after the other.
    """
    if SURROGATE.search(left) or SURROGATE.search(right):
        return None
    end = time.monotonic() + seconds
    names = names_tried(left, right) if said is None else (said.name, *DIALECTS.get(said, ()))
    for one_left, one_right in windows(left, right):
        first: FillablePart | None = None
        for part in framed_parts(one_left, one_right, names, pythons):
            if time.monotonic() >= end:
                return first
            if not part.can_be_filled:
                continue
            if len(names) == 1 or part.can_be_filled_with_code:
                return part
            first = first or part
        if first is not None:
            return first
    return None


def names_tried(left: str, right: str) -> tuple[str, ...]:
    """The languages in the order of trying, if none is named."""
    if TABLE.search(left) is None and TABLE.search(right) is None:
        return BY_WHAT_PARSES
    strict = (JSON.name, TOML.name)
    return (*strict, *(name for name in BY_WHAT_PARSES if name not in strict))


def framed_parts(
    left: str, right: str, names: Sequence[str], pythons: PythonVersions
) -> Iterator[FillablePart]:
    """The two sides in each language, first as they are, then within each frame."""
    is_empty = not (left + right).strip()
    for name in names:
        # An empty file counts as JSON only if the client says so.
        if len(names) == 1 or name != JSON.name or not is_empty:
            for language in languages_of(name, pythons):
                yield FillablePart(named_language(name), language, left, right)
    for name in names:
        for before, behind in FRAMES.get(name, ()):
            for language in languages_of(name, pythons):
                yield FillablePart(named_language(name), language, before + left, right + behind)


def languages_of(name: str, pythons: PythonVersions) -> Iterator[Language]:
    """The grammars of a language: Python's in each of the versions."""
    for version in pythons if name == PYTHON.name else NEWEST:
        yield Language.load(name, version)


def named_language(name: str) -> KnownLanguage:
    return next(known_language for known_language in KNOWN if known_language.name == name)


def windows(left: str, right: str) -> Iterator[tuple[str, str]]:
    """Both sides, then smaller windows: less of one side, less of the other, less of both. None is there
    twice."""
    known = set()
    for n_lines in (None, *STEPS):
        less_left = left if n_lines is None else last_lines(left, n_lines)
        less_right = right if n_lines is None else first_lines(right, n_lines)
        for window in ((left, less_right), (less_left, right), (less_left, less_right)):
            lengths = tuple(map(len, window))
            if lengths not in known:
                known.add(lengths)
                yield window


def first_lines(text: str, n_lines: int) -> str:
    ends = [found.start() for found in LINE_END.finditer(text)][:n_lines]
    return text if len(ends) < n_lines else text[: ends[-1]]


def last_lines(text: str, n_lines: int) -> str:
    ends = [found.end() for found in LINE_END.finditer(text)][-n_lines:]
    return text if len(ends) < n_lines else text[ends[0] :]
