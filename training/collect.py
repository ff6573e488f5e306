"""Collects Python sources from installed packages under permissive licences.

Tests, generated files, tables of data, and copies of other files or of the standard library are left out. The
standard library and the packages of `held-out.txt` are held out for evaluation. Each package gives at most a
few megabytes, so that a few large ones do not dominate. SOURCES.md lists the sources that were taken.
"""

from __future__ import annotations

import ast
import json
import re
import sysconfig
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

from training.duplicates import SeenWindows, stable_hash
from training.licences import permissive_licence
from training.progress import Progress

HELD_OUT = Path(__file__).parent / "held-out.txt"
UNWANTED_PARTS = re.compile(
    r"(^|/)(tests?|testing|_?vendor(ed)?|externals?|migrations|locales?|benchmarks?|examples?_data|data|_generated)/"
    r"|(^|/)(test_[^/]*|[^/]*_tests?|conftest|[^/]*_pb2|_version|version|setup)\.py$"
)
GENERATED = re.compile(
    r"(auto-?\s?generated|automatically generated|generated (by|from|using)|do not edit)", re.IGNORECASE
)
LICENCE_WORDS = re.compile(r"copyright|licen[cs]e|all rights reserved|spdx", re.IGNORECASE)
LEADING_COMMENTS = re.compile(r"\A(?:[ \t]*#[^\n]*\n|[ \t]*\n)+")
LONG_NUMBERS = re.compile(r"\d[\d._eE+-]{5,}|0x[0-9a-fA-F]{4,}")


@dataclass(frozen=True, slots=True)
class TrainingDocument:
    package: str
    path: str
    text: str


@dataclass(frozen=True, slots=True)
class Source:
    """A package and how much of it was taken."""

    name: str
    version: str
    licence: str
    n_files: int
    n_bytes: int


def collect(
    folders: Iterable[Path], max_package_bytes: int, progress: Progress
) -> tuple[list[TrainingDocument], list[Source]]:
    """The documents, in an order that depends on their contents alone, and their origin."""
    seen = SeenWindows()
    for path in held_out_files():
        seen.add(readable(path) or "")
    documents: list[TrainingDocument] = []
    sources: list[Source] = []
    packages = permissive_packages(folders)
    for done, (distribution, licence) in enumerate(packages):
        name = distribution.metadata["Name"]
        progress.show(done / len(packages), f"reading {name}")
        taken = list(taken_from(distribution, seen, max_package_bytes))
        documents += taken
        if taken:
            n_bytes = sum(len(document.text.encode()) for document in taken)
            sources.append(Source(name, distribution.version, licence, len(taken), n_bytes))
    progress.done(f"{len(documents)} files of {len(sources)} packages")
    documents.sort(key=lambda document: stable_hash(document.text))
    return documents, sources


def permissive_packages(folders: Iterable[Path]) -> list[tuple[Distribution, str]]:
    """The packages by name, each from the first folder that has it, without those that judge the model."""
    unwanted = {"fim-lsp", *held_out_packages()}
    found: dict[str, tuple[Distribution, str]] = {}
    for folder in folders:
        for distribution in distributions(path=[str(folder)]):
            licence = permissive_licence(distribution)
            name = distribution.metadata["Name"].lower()
            if licence is not None and name not in unwanted:
                found.setdefault(name, (distribution, licence))
    return [found[name] for name in sorted(found)]


def taken_from(distribution: Distribution, seen: SeenWindows, max_bytes: int) -> Iterator[TrainingDocument]:
    """Files of a package, in an order that mixes its folders, until the package has given its share."""
    paths = sorted((str(path) for path in distribution.files or () if path.suffix == ".py"), key=stable_hash)
    n_bytes = 0
    for path in paths:
        if UNWANTED_PARTS.search(path) or n_bytes >= max_bytes:
            continue
        text = readable(Path(str(distribution.locate_file(path))))
        text = None if text is None else without_licence_header(text)
        if text is None or not is_worth_reading(text) or seen.is_repeated(text):
            continue
        seen.add(text)
        n_bytes += len(text.encode())
        yield TrainingDocument(distribution.metadata["Name"], path, text)


def readable(path: Path) -> str | None:
    """The text of a file with LF line ends; None if it is missing or not UTF-8."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def without_licence_header(text: str, comments: re.Pattern[str] = LEADING_COMMENTS) -> str:
    """The text without leading comments about the licence, which a model need not learn to recite."""
    header = comments.match(text)
    return text[header.end() :] if header and LICENCE_WORDS.search(header[0]) else text


def is_worth_reading(text: str) -> bool:
    """Whether a text is written by people, contains statements, and parses."""
    lines = text.split("\n")
    if not 400 <= len(text) <= 200_000 or max(map(len, lines)) > 250:
        return False
    if GENERATED.search(text[:1000]) or non_ascii_share(text) > 0.02:
        return False
    if len(LONG_NUMBERS.findall(text)) > len(lines) / 10:
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return has_functions_more_than_prose(tree, len(text))


def has_functions_more_than_prose(tree: ast.Module, length: int) -> bool:
    """Whether a text has functions and more code than prose; tables of data and manuals in docstrings do
    not."""
    n_functions = n_prose = n_constants = n_nodes = 0
    for node in ast.walk(tree):
        n_nodes += 1
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            n_functions += 1
        elif isinstance(node, ast.Constant):
            n_constants += 1
            if isinstance(node.value, str) and len(node.value) > 60:
                n_prose += len(node.value)
    return n_functions > 0 and n_prose < 0.4 * length and n_constants < 0.3 * n_nodes


def non_ascii_share(text: str) -> float:
    return sum(character > "\x7f" for character in text) / len(text)


def held_out_files() -> list[Path]:
    """The standard library without its tests, and without installed packages."""
    library = Path(sysconfig.get_path("stdlib"))
    unwanted = {"site-packages", "dist-packages", "test", "tests", "idlelib", "lib2to3", "__pycache__"}
    return sorted(
        path for path in library.rglob("*.py") if not unwanted & set(path.relative_to(library).parts)
    )


def held_out_packages() -> list[str]:
    """The names of the packages that no training sees."""
    lines = HELD_OUT.read_text(encoding="utf-8").splitlines()
    return [line.partition("==")[0].lower() for line in lines if line and not line.startswith("#")]


def write_documents(path: Path, documents: Iterable[TrainingDocument]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as file:
        for document in documents:
            print(json.dumps(asdict(document)), file=file)


def read_documents(path: Path) -> list[TrainingDocument]:
    with path.open(encoding="utf-8") as file:
        return [TrainingDocument(**json.loads(line)) for line in file]


def sources_table(
    sources: Iterable[Source],
    step: str = "collect",
    held_out: str = "The standard library and the packages of `held-out.txt` are held out.",
) -> str:
    """SOURCES.md: the sources on which the bundled model was trained."""
    rows = sorted(sources, key=lambda source: source.name.lower())
    total = sum(source.n_bytes for source in rows)
    n_files = sum(source.n_files for source in rows)
    head = [
        "# What the bundled model was trained on",
        "",
        f"Written by `python -m training {step}`: {n_files} files of {len(rows)} packages,",
        f"{total / 1e6:.1f} MB after filtering and removing duplicates. Licences are as the packages' own",
        f"metadata states them. {held_out}",
        "",
        "| Package | Version | Licence | Files | kB |",
        "|---|---|---|---|---|",
    ]
    lines = [
        f"| {row.name} | {row.version} | {row.licence} | {row.n_files} | {row.n_bytes / 1e3:.0f} |"
        for row in rows
    ]
    return "\n".join([*head, *lines]) + "\n"
