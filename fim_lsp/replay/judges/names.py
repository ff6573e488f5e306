"""Judges of names in other languages than Python: which names of a file are declared nowhere.

In JavaScript and TypeScript TypeScript's own checker judges, in Go go/types, with the files beside the file
and without imported ones. In Java our own law judges: javac reports no names of a file whose project cannot
be built.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from fim_lsp.declared.beside import FileLocation
from fim_lsp.declared.laws import LAWS, NOT_DECLARED, FilePart
from fim_lsp.document.syntax import encode_text, parser
from fim_lsp.known_languages import GO, JAVASCRIPT, KnownLanguage
from fim_lsp.replay.judges import SOURCES, TYPESCRIPT, JudgeProcess, NoJudge, go_program, node, package

OUR_LAW = "fim-lsp's own law"
# The most characters of the files beside a file that Go's judge gets.
MOST_CHARACTERS = 4_000_000


class NamedNowhere(NamedTuple):
    """A name that is declared nowhere, and the character that it begins at."""

    name: str
    start: int


def names_nowhere(
    known_language: KnownLanguage, text: str, beside: Sequence[str], path: Path | None
) -> list[NamedNowhere]:
    """The names of a file that are declared nowhere, by the judge that `judge_of` names."""
    match judge_of(known_language):
        case "TypeScript's checker":
            return of_typescript([text], known_language.extensions[0])[0]
        case "go/types":
            return of_go(text, beside)
        case _:
            return of_our_law(known_language, text, path)


@cache
def judge_of(known_language: KnownLanguage) -> str:
    """The judge of names of a language, in the words of a report; `nobody` where no law is known."""
    if known_language.family not in LAWS:
        return "nobody"
    try:
        if known_language.family == JAVASCRIPT.family:
            checker(known_language.extensions[0])
            return "TypeScript's checker"
        if known_language is GO:
            go_types()
            return "go/types"
    except NoJudge:
        pass
    return OUR_LAW


def of_typescript(texts: list[str], extension: str) -> list[list[NamedNowhere]]:
    """The names in each text that TypeScript does not find. Raises `NoJudge` if it is not installed."""
    said = checker(extension).answer(json.dumps(texts))
    if said is None:
        return [[] for _ in texts]
    return [
        [NamedNowhere(name, n_characters(text, start)) for name, start in found]
        for text, found in zip(texts, json.loads(said), strict=True)
    ]


def n_characters(text: str, n_units: int) -> int:
    """The number of characters in so many UTF-16 units of a text."""
    units = text.encode("utf-16-le", "surrogatepass")[: 2 * n_units]
    return len(units.decode("utf-16-le", "surrogatepass"))


@cache
def checker(extension: str) -> JudgeProcess:
    folder = package("typescript", TYPESCRIPT, "TypeScript", "typescript-6")
    return JudgeProcess([node(), str(SOURCES / "undeclared.js"), str(folder), extension])


def of_go(text: str, beside: Sequence[str]) -> list[NamedNowhere]:
    given, size = [text], 0
    for other in beside:
        size += len(other)
        if size > MOST_CHARACTERS:
            return []
        given.append(other)
    said = go_types().answer(json.dumps(given))
    content = encode_text(text)
    return [
        NamedNowhere(name, len(content[:start].decode("utf-8", "surrogatepass")))
        for name, start in (json.loads(said) if said else [])
    ]


@cache
def go_types() -> JudgeProcess:
    return go_program("the judge of Go's names", SOURCES / "names.go")


def of_our_law(known_language: KnownLanguage, text: str, path: Path | None) -> list[NamedNowhere]:
    """The verdict of the law that offers obey. A second opinion only on texts written without it."""
    if known_language.family not in LAWS:
        return []
    content = encode_text(text)
    root = parser(known_language).parse(content).root_node
    found = LAWS[known_language.family](FilePart(root, content, 0, len(content), FileLocation(path)))
    return [
        NamedNowhere(one.name, len(content[: one.start].decode("utf-8", "surrogatepass")))
        for one in found
        if one.why == NOT_DECLARED
    ]
