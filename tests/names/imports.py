"""Missing imports in files of real packages: whether an offer comes with the import that was removed.

    python -m tests.names.imports --language go --count 300

An import that a file uses on one line only is removed, and so is that line: the offer is the line.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from fim_lsp.declared.advice import hole_declarations
from fim_lsp.declared.go_imports import imports_of as go_imports
from fim_lsp.declared.java_outline import outline
from fim_lsp.declared.javascript_imports import imports_of as javascript_imports
from fim_lsp.declared.missing_import import FOUND, missing_import
from fim_lsp.declared.tree import spans_of
from fim_lsp.known_languages import GO, JAVA, KnownLanguage, language_named
from fim_lsp.replay.typing.packages import folder_of, of_language
from tests.laws.npm_packages import LISTS, fetch
from tests.laws.npm_packages import packages as npm_packages
from tests.names.declared import FETCHED, LIST

LARGEST = 80_000


@dataclass(frozen=True, slots=True)
class Case:
    """A file without an import and without the line that uses it."""

    path: Path
    left: str
    offer: str
    right: str
    # The module's name in the import.
    module: str


def cases(path: Path, known_language: KnownLanguage) -> Iterator[Case]:
    """Return the cases of a file."""
    content = path.read_bytes()
    if not content.isascii():
        return
    for name, module in bound_by(content, path, known_language):
        places = [start for start, _ in spans_of(name.encode(), content)]
        lines = {content.count(b"\n", 0, place) for place in places}
        texts = content.decode().splitlines(keepends=True)
        head = [
            row
            for row, text in enumerate(texts)
            if any(one in text for one in written(module, known_language))
        ]
        said = [row for row in head if row in lines]
        used = sorted(lines - set(said))
        if len(head) == len(used) == 1 and head[0] < used[0]:
            left = "".join(text for row, text in enumerate(texts[: used[0]]) if row != head[0])
            right = "".join(texts[used[0] + 1 :])
            yield Case(path, left, texts[used[0]], right, module)


def written(module: str, known_language: KnownLanguage) -> tuple[str, ...]:
    """An import's possible spellings of its module."""
    return (f"import {module};",) if known_language is JAVA else (f'"{module}"', f"'{module}'")


def bound_by(content: bytes, path: Path, known_language: KnownLanguage) -> Iterator[tuple[str, str]]:
    """The names that a file's imports bind, and their modules."""
    if known_language is GO:
        for one in go_imports(content):
            yield one.name or one.path.rpartition("/")[2], one.path
    elif known_language is JAVA:
        for plain in outline(content).imports:
            if not plain.is_static and not plain.is_all:
                yield plain.name, plain.path
    else:
        imports = javascript_imports(content, path.suffix)
        for local in imports:
            if sum(one.module == local.module for one in imports) == 1:
                yield local.local, local.module


def verdict(case: Case, known_language: KnownLanguage) -> str:
    """The result of a case: the original import, another one, or none."""
    declared = hole_declarations(known_language, case.left, case.right, str(case.path))
    assert declared is not None
    if not declared.diagnostics(case.offer):
        return "not missed"
    added = missing_import(declared, case.offer)
    if added is None:
        return "none"
    return "the same" if case.module in added.statement else f"another: {added.statement}, not {case.module}"


def folders(known_language: KnownLanguage) -> list[Path]:
    """The folders of the packages of a language, fetched if they are missing."""
    if known_language in (GO, JAVA):
        lines = LIST.read_text(encoding="utf-8").splitlines()
        return [folder_of(one, known_language, FETCHED) for one in of_language(lines, known_language)]
    found = [
        one
        for name in LISTS
        if language_named(name).family == known_language.family
        for one in npm_packages(name)
    ]
    for one in found:
        if not one.folder.is_dir():
            fetch(one)
    return sorted({one.folder for one in found})


def main(arguments: list[str]) -> int:
    """Prints the results of some cases."""
    parsed = argparse.ArgumentParser(description=__doc__)
    parsed.add_argument("--language", default=GO.name, choices=sorted(FOUND))
    parsed.add_argument("--count", type=int, default=300)
    parsed.add_argument("--seed", type=int, default=1)
    given = parsed.parse_args(arguments)
    known_language = language_named(given.language)
    found = [
        (path, known_language)
        for folder in folders(known_language)
        for path in sorted(folder.rglob("*"))
        if path.suffix in known_language.extensions and path.stat().st_size <= LARGEST and path.is_file()
    ]
    Random(given.seed).shuffle(found)
    some = (case for path, language in found for case in cases(path, language))
    counted: Counter[str] = Counter()
    for _, case in zip(range(given.count), some, strict=False):
        said = verdict(case, known_language)
        if said.startswith("another"):
            print(f"{case.path}: {said}")
        counted[said.partition(":")[0]] += 1
    print(", ".join(f"{often} {said}" for said, often in counted.most_common()))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
