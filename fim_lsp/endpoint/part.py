"""The part of a file that a plugin sends of it, and what can be held to it.

Plugins send some hundred lines around the cursor. Such a window begins and ends in the middle of blocks, so
as a file it may not parse whatever is written. Then less of it is looked at, at least the cursor's line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fim_lsp.fitting.documents import DOCUMENTS
from fim_lsp.fitting.ends import end_of
from fim_lsp.fitting.fit import SURROGATE
from fim_lsp.known_languages import JAVASCRIPT, JSON, KNOWN, KnownLanguage
from fim_lsp.positions import LINE_END
from quotient import Language, NoCompletion, Recognizer, TooCostly

# In which order languages are tried where none is named: the stricter ones first.
BY_WHAT_PARSES = ("json", "python", "go", "java", "typescript", "typescriptreact", "javascript", "toml")
# JSX stands in files of both names.
DIALECTS = {JAVASCRIPT: ("javascriptreact",)}
ALL_BY_WHAT_PARSES = (*BY_WHAT_PARSES, *(name for names in DIALECTS.values() for name in names))
# The most lines of each side that are left, where the whole does not parse.
STEPS = (100, 30, 8, 1)
# What may stand around lines from the middle of a file, so that they are one.
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
    """A hole that can be filled, in a language; what stands around it may be a frame."""

    known_language: KnownLanguage
    language: Language
    left: str
    right: str

    @property
    def can_be_filled(self) -> bool:
        try:
            self.recognizer()
        # Where that is not known, less is looked at.
        except (NoCompletion, TooCostly):
            return False
        return True

    @property
    def can_be_filled_with_code(self) -> bool:
        """Whether more may stand there than what makes a comment of the rest of the line, which fits in many
        a language."""
        recognizer = self.recognizer()
        return recognizer.is_member() or end_of(recognizer, self.known_language, None, False) is not None

    def recognizer(self) -> Recognizer:
        """A recognizer for its hole. Raises `NoCompletion`."""
        return DOCUMENTS.recognizer(self.language, self.left, self.right, None)


def part_of(left: str, right: str, said: KnownLanguage | None) -> FillablePart | None:
    """The largest part that can be filled around a hole; None where there is none."""
    if SURROGATE.search(left) or SURROGATE.search(right):
        return None
    names = BY_WHAT_PARSES if said is None else (said.name, *DIALECTS.get(said, ()))
    for one_left, one_right in windows(left, right):
        first: FillablePart | None = None
        for part in framed_parts(one_left, one_right, names):
            if not part.can_be_filled:
                continue
            if len(names) == 1 or part.can_be_filled_with_code:
                return part
            first = first or part
        if first is not None:
            return first
    return None


def framed_parts(left: str, right: str, names: Sequence[str]) -> Iterator[FillablePart]:
    """Two sides in each language as they are, and then within what may stand around them."""
    is_empty = not (left + right).strip()
    for name in names:
        # An empty file is none of JSON, unless it is said to be one.
        if len(names) == 1 or name != JSON.name or not is_empty:
            yield FillablePart(named_language(name), Language.load(name), left, right)
    for name in names:
        for before, behind in FRAMES.get(name, ()):
            yield FillablePart(named_language(name), Language.load(name), before + left, right + behind)


def named_language(name: str) -> KnownLanguage:
    return next(known_language for known_language in KNOWN if known_language.name == name)


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
