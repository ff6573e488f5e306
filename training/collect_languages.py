"""Collects sources of Go, Java, JavaScript and TypeScript, for the second bundled model.

The packages are listed in `packages_languages.txt`: a language, a package by its name in the language's own
tool, and the licence that its LICENSE file, its POM or its `package.json` named when the list was made.
Tests, generated files, tables of data, files with errors, and copies of other files or of held-out packages
are left out. All languages give the same amount.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import tree_sitter

from fim_lsp.document.syntax import parser
from fim_lsp.known_languages import KnownLanguage, UnknownLanguage, language_named, of_file
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.typing.packages import folder_of
from training.collect import (
    GENERATED,
    LONG_NUMBERS,
    Source,
    TrainingDocument,
    non_ascii_share,
    readable,
    without_licence_header,
)
from training.duplicates import SeenWindows, stable_hash
from training.progress import Progress

HERE = Path(__file__).parent
PACKAGES, HELD_OUT = HERE / "packages_languages.txt", HERE / "held_out_languages.txt"
UNWANTED_PARTS = re.compile(
    r"(^|/)(tests?|__tests__|testing|testdata|fixtures|mocks?|vendor|third_party|node_modules|examples?|docs"
    r"|benchmarks?|locales?|generated|dist|build|umd|bundles?|esm\d*|_?esm|_?cjs|commonjs|es6?|fesm\d*)/"
    r"|(^|/)(package-info|module-info)\.java$|\.d\.[mc]?ts$|\.min\.[mc]?js$"
    r"|([._-]test|[._-]spec|\.pb|_pb|\.gen|_generated|\.stories|bindata|_mock|Tests?)\.\w+$"
)
# Headers of files: comments of either kind, and blank lines.
LEADING_COMMENTS = re.compile(r"\A(?:\s*(?://[^\n]*\n|/\*.*?\*/))+\s*", re.DOTALL)
BLOCK_COMMENT = re.compile(r"/\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
# The names of functions, methods and closures in tree-sitter's trees.
FUNCTION = re.compile(
    r"(function|method|constructor|func)_?(declaration|definition|literal|expression)?$|arrow_function"
)
N_BYTES_A_PACKAGE, N_BYTES_A_LANGUAGE = 1_000_000, 60_000_000


class Listed(NamedTuple):
    """A line of a list."""

    language: KnownLanguage
    package: str
    licence: str

    @property
    def title(self) -> str:
        """The title of its documents, with the language, because packages of two languages may share a
        name."""
        return f"{self.language.name} {self.package}"

    @property
    def name_and_version(self) -> tuple[str, str]:
        """The name and the version. A scope's name begins with the `@` that separates them elsewhere."""
        name, _, version = self.package.rpartition("@" if "@" in self.package[1:] else ":")
        return name, version


def listed(path: Path) -> list[Listed]:
    """Reads a list of packages. A line that begins with `#` is a remark."""
    lines = (line.split(maxsplit=2) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        Listed(language_named(language), package, " ".join(licence))
        for language, package, *licence in (line for line in lines if line and not line[0].startswith("#"))
    ]


def collect_languages(kept: Path, progress: Progress) -> tuple[list[TrainingDocument], list[Source]]:
    """The documents of all languages, in an order that depends on their contents alone, and their origin.
    Packages that are not in `kept` yet are fetched into it."""
    seen = SeenWindows()
    for one in listed(HELD_OUT):
        for _path, text in files_of(one, kept):
            seen.add(text)
    documents: list[TrainingDocument] = []
    packages = listed(PACKAGES)
    for done, one in enumerate(packages):
        progress.show(done / len(packages), f"reading {one.package}")
        try:
            documents += taken_from(files_of(one, kept), one, seen)
        except NoData as error:
            progress.done(f"{one.package} is left out: {error}")
    documents = balanced(documents)
    sources = sources_of(documents, packages)
    progress.done(f"{len(documents)} files of {len(sources)} packages")
    return documents, sources


def sources_of(documents: Iterable[TrainingDocument], packages: Iterable[Listed]) -> list[Source]:
    """The packages that gave something, and how much."""
    lengths: dict[str, list[int]] = {}
    for document in documents:
        lengths.setdefault(document.package, []).append(len(document.text.encode()))
    found = []
    for one in packages:
        taken = lengths.get(one.title)
        if taken:
            found.append(Source(*one.name_and_version, one.licence, len(taken), sum(taken)))
    return found


def files_of(one: Listed, kept: Path) -> Iterator[tuple[str, str]]:
    """The sources of a package, in an order that mixes its folders."""
    folder = folder_of(one.package, one.language, kept)
    paths = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    for path in sorted(paths, key=stable_hash):
        text = readable(folder / path) if is_source(path, one.language) else None
        if text is not None:
            yield path, text


def is_source(path: str, language: KnownLanguage) -> bool:
    """Whether a file belongs to a language's family, and is neither generated nor a test."""
    if UNWANTED_PARTS.search(path):
        return False
    try:
        return of_file(path).family == language.family
    except UnknownLanguage:
        return False


def taken_from(
    files: Iterable[tuple[str, str]], one: Listed, seen: SeenWindows
) -> Iterator[TrainingDocument]:
    """The documents of a package that are worth reading, until the package has given its share."""
    n_bytes = 0
    for path, text in files:
        if n_bytes >= N_BYTES_A_PACKAGE:
            return
        text = without_licence_header(text, LEADING_COMMENTS)
        if not is_worth_reading(text, of_file(path)) or seen.is_repeated(text):
            continue
        seen.add(text)
        n_bytes += len(text)
        yield TrainingDocument(one.title, path, text)


def balanced(documents: list[TrainingDocument]) -> list[TrainingDocument]:
    """The documents, the same amount of each language as far as they suffice, evenly mixed: each beginning of
    the list is a fair sample."""
    of_language: dict[str, list[TrainingDocument]] = {}
    for document in sorted(documents, key=lambda document: stable_hash(document.text)):
        of_language.setdefault(of_file(document.path).name.removesuffix("react"), []).append(document)
    placed = []
    for language, its in sorted(of_language.items()):
        taken = list(up_to_bytes(its, N_BYTES_A_LANGUAGE))
        placed += [((rank + 0.5) / len(taken), language, document) for rank, document in enumerate(taken)]
    return [document for _place, _language, document in sorted(placed, key=lambda one: one[:2])]


def up_to_bytes(documents: Iterable[TrainingDocument], n_bytes: int) -> Iterator[TrainingDocument]:
    for document in documents:
        if n_bytes <= 0:
            return
        n_bytes -= len(document.text)
        yield document


def is_worth_reading(text: str, language: KnownLanguage) -> bool:
    """Whether a text is written by people, with functions in it and more code than prose, and parses."""
    lines = text.split("\n")
    if not 300 <= len(text) <= 100_000 or max(map(len, lines)) > 250:
        return False
    if GENERATED.search(text[:1500]) or non_ascii_share(text) > 0.02:
        return False
    if len(LONG_NUMBERS.findall(text)) > len(lines) / 10:
        return False
    # A compiler's output has hardly any indented line and hardly a blank one.
    if len(text) / len(lines) > 60:
        return False
    if sum(len(comment) for comment in BLOCK_COMMENT.findall(text)) > 0.6 * len(text):
        return False
    tree = parser(language).parse(text.encode())
    return not tree.root_node.has_error and has_functions(tree)


def has_functions(tree: tree_sitter.Tree) -> bool:
    """Whether a text has functions; tables of data and lists of exports have none."""
    cursor = tree.walk()
    while True:
        if FUNCTION.match(cursor.node.type if cursor.node else ""):
            return True
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return False
