"""The sources of files: a folder, a table (JSON lines or parquet), the hub, or the standard library.

The paper takes 10,000 Python files of `bigcode/the-stack-smol-xl`, whose rows have their text in `content`.
The standard library is the default because every machine has it.
"""

from __future__ import annotations

import gzip
import io
import json
import re
import sysconfig
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.replay.case import Excluded
from fim_lsp.sources import Unreadable, files_below, python_files, read_source

# The columns under which data sets of code keep a file's text and its name, the Stack's first.
TEXT_COLUMNS = ("content", "text", "code", "source")
NAME_COLUMNS = ("max_stars_repo_path", "path", "file_path", "name", "id")
HUB_NAME = re.compile(r"(?P<name>[\w.-]+/[\w.-]+)(?::(?P<folder>.+))?")
# The folder of Python files in the Stack's smaller versions.
STACK_FOLDER = "data/python"
# Packages that were installed beside the standard library are not part of it.
INSTALLED = {"site-packages", "dist-packages"}
# The reason why a file takes no part.
UNREADABLE = "cannot be read"
UNPARSABLE = "does not parse"


class NoData(Exception):
    """A source of cases is missing or unusable; the message says what to do."""


@dataclass(frozen=True, slots=True)
class File:
    name: str
    text: str


def files(source: str | None, known_language: KnownLanguage = PYTHON) -> list[File | Excluded]:
    """The files of a source, in an order that does not depend on the machine."""
    if source is None:
        if known_language is not PYTHON:
            raise NoData(f"which files of {known_language.title}? --data names a folder that has some")
        return list(standard_library())
    path = Path(source)
    if path.is_dir():
        names = (
            python_files(source)
            if known_language is PYTHON
            else files_below(source, known_language.extensions)
        )
        return list(folder_files(path, names, known_language))
    if path.is_file():
        return list(table_files(table_rows(path)))
    if hub_name := HUB_NAME.fullmatch(source):
        return list(table_files(hub_rows(hub_name["name"], hub_name["folder"])))
    raise NoData(f"{source}: no such folder, file, or name on the hub (owner/name)")


def standard_library() -> Iterator[File | Excluded]:
    library = Path(sysconfig.get_path("stdlib"))
    own = (name for name in python_files(str(library)) if not INSTALLED & set(Path(name).parts))
    return folder_files(library, own)


def folder_files(
    folder: Path, names: Iterable[str], known_language: KnownLanguage = PYTHON
) -> Iterator[File | Excluded]:
    for name in names:
        relative = Path(name).relative_to(folder).as_posix()
        try:
            yield File(relative, read_source(name, is_python=known_language is PYTHON).text)
        except Unreadable as error:
            yield Excluded(relative, UNREADABLE, str(error))


def table_files(rows: Iterable[dict[str, Any]]) -> Iterator[File | Excluded]:
    for row_idx, row in enumerate(rows):
        found = next((str(row[column]) for column in NAME_COLUMNS if row.get(column)), "")
        # Names in such tables repeat (`setup.py`); the number makes them one file's.
        name = f"{row_idx}:{found}" if found else str(row_idx)
        text = next((row[column] for column in TEXT_COLUMNS if isinstance(row.get(column), str)), None)
        if text is None:
            yield Excluded(name, UNREADABLE, f"none of the columns {', '.join(TEXT_COLUMNS)} holds text")
        else:
            yield File(name, text.removeprefix("\ufeff"))


def table_rows(path: Path) -> Iterator[dict[str, Any]]:
    """The rows of a .parquet, .jsonl or .json file of lines, the latter two also with .gz behind."""
    if path.suffix == ".parquet":
        yield from parquet_rows(path)
        return
    try:
        content = path.read_bytes()
        if content[:2] == b"\x1f\x8b":
            content = gzip.decompress(content)
        lines = io.StringIO(content.decode("utf-8"), newline="\n")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise NoData(f"{path}: not readable as lines of JSON: {error}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield json_row(path, number, line)


def json_row(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise NoData(f"{path}:{number}: not JSON: {error}") from error
    if not isinstance(row, dict):
        raise NoData(f"{path}:{number}: a row is a JSON object, not {type(row).__name__}")
    return row


def parquet_rows(path: Path) -> Iterator[dict[str, Any]]:
    if find_spec("pyarrow") is None:
        raise NoData(f"{path}: parquet needs pyarrow; pip install 'fim-lsp[replay]'")
    parquet = import_module("pyarrow.parquet")
    try:
        table = parquet.ParquetFile(path)
        wanted = [name for name in table.schema_arrow.names if name in (*TEXT_COLUMNS, *NAME_COLUMNS)]
        for batch in table.iter_batches(batch_size=256, columns=wanted or None):
            yield from batch.to_pylist()
    except (OSError, ValueError) as error:  # pyarrow's own errors are kinds of ValueError
        raise NoData(f"{path}: not readable as parquet: {error}") from error


def hub_rows(name: str, folder: str | None) -> Iterator[dict[str, Any]]:
    library = hub_library()
    if library is None:
        raise NoData(
            f"{name}: no such file here, and to load it from the hub the `datasets` library is needed:"
            " pip install datasets, log in where the data set asks for it, or download a file and name it"
        )
    folder = folder or (STACK_FOLDER if name.startswith("bigcode/the-stack") else None)
    try:
        yield from library.load_dataset(name, data_dir=folder, split="train")
    except Exception as error:  # of any library below it: network, login, format
        raise NoData(f"{name}: the `datasets` library could not load it: {error}") from error


def hub_library() -> Any | None:
    """The `datasets` library, if it is installed. A folder of that name looks like it, and we have one."""
    try:
        library = import_module("datasets")
    except ImportError:
        return None
    return library if hasattr(library, "load_dataset") else None
