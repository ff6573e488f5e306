"""Source files as texts, and places in them as the command line names them.

A Python file names its own encoding (by a byte order mark or a coding comment, else it is UTF-8).
Line ends are kept as they are: an offset in the text is an offset in the file.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.positions import Lines, Position

STANDARD_INPUT = "-"
PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+):(?P<column>\d+)")
# The message of `tokenize` for bytes other than UTF-8 where no encoding is declared in the first two lines.
NOT_UTF_8 = "invalid or missing encoding declaration"
PYTHON_FILES = (".py", ".pyi")
# The file that marks a virtual environment.
VIRTUAL = "pyvenv.cfg"
SKIPPED_FOLDERS = {"__pycache__", "node_modules"}


class Unreadable(Exception):
    """A source could not be read; the message names it and says why."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file's name as the user gave it, and its text."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class SourcePosition:
    """FILE:LINE:COL, where LINE and COL count characters from 1, as compilers and editors show them."""

    name: str
    line: int
    column: int

    @classmethod
    def parse(cls, argument: str) -> SourcePosition | None:
        """The place that an argument names; None if it names a file, be it one with colons in its name."""
        found = PLACE.fullmatch(argument)
        if found is None or Path(argument).exists():
            return None
        return cls(found["path"], int(found["line"]), int(found["column"]))

    def offset(self, text: str) -> int:
        """The offset of the place in the text; a `ValueError` for people when there is no such place."""
        lines = Lines(text)
        if not 1 <= self.line <= len(lines.starts):
            n_lines = len(lines.starts)
            counted = "1 line" if n_lines == 1 else f"{n_lines} lines"
            raise ValueError(f"{self.name} has {counted}, so no line {self.line}")
        n_columns = len(lines.content(self.line - 1)) + 1
        if not 1 <= self.column <= n_columns:
            raise ValueError(
                f"line {self.line} of {self.name} has columns 1 to {n_columns}, so no column {self.column}"
            )
        return lines.offset(Position(self.line - 1, self.column - 1))


def read_source(name: str, is_python: bool = True) -> SourceFile:
    """Reads a file, or standard input for `-`. Files of other languages than Python are in UTF-8."""
    if not name:
        # An empty path would be the folder that this runs in.
        raise Unreadable("'': no file has an empty name")
    try:
        content = sys.stdin.buffer.read() if name == STANDARD_INPUT else content_of(name)
        return SourceFile(name, text_in(content, is_python))
    except OSError as error:
        raise Unreadable(f"{name}: {error.strerror or error}") from error
    except MemoryError as error:
        raise Unreadable(f"{name}: larger than the memory") from error
    except UnicodeDecodeError as error:
        encoding = "UTF-8" if error.encoding == "utf-8" else "the encoding that the file declares"
        line = 1 + error.object.count(b"\n", 0, error.start)
        raise Unreadable(f"{name}: not readable as source: line {line} is not in {encoding}") from error
    except (SyntaxError, LookupError, ValueError) as error:
        # The bytes are not in their encoding; or in one that is unknown, or of bytes (`# coding: hex`).
        raise Unreadable(f"{name}: not readable as source: {error}") from error


def content_of(name: str) -> bytes:
    """A file's bytes. Pipes are read, since shells make them from commands. A device has bytes without end,
    and a file of the kernel without a size may keep a reader waiting."""
    state = Path(name).stat()
    if stat.S_ISBLK(state.st_mode) or (stat.S_ISCHR(state.st_mode) and not is_terminal_or_null(name)):
        raise Unreadable(f"{name}: a device is no source")
    if stat.S_ISREG(state.st_mode) and not state.st_size:
        return b""
    return Path(name).read_bytes()


def is_terminal_or_null(name: str) -> bool:
    with Path(name).open("rb", buffering=0) as file:
        return file.isatty() or Path(name).samefile(os.devnull)


def text_in(content: bytes, is_python: bool) -> str:
    """The text of a file of Python, or of another language, without its byte order mark. Raises what a codec
    raises: `SyntaxError`, `LookupError`, `ValueError`."""
    return decode_source(content) if is_python else content.decode("utf-8-sig")


def decode_source(content: bytes) -> str:
    """The bytes of a Python file as text, without its byte order mark."""
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    except SyntaxError as error:
        if str(error) == NOT_UTF_8:
            raise SyntaxError("neither UTF-8 nor in an encoding that it declares") from error
        raise
    return content.decode(encoding)


def is_folder(argument: str) -> bool:
    return argument not in ("", STANDARD_INPUT) and Path(argument).is_dir()


def python_files(folder: str) -> Iterator[str]:
    """The .py and .pyi files below a folder."""
    return files_below(folder, PYTHON_FILES)


@dataclass(frozen=True, slots=True)
class FolderListing:
    """A folder's own files of some endings, and the folders in it that are worth a look; with their paths."""

    files: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    is_virtual: bool = False
    has_links: bool = False

    @classmethod
    def of(cls, beginning: str, extensions: tuple[str, ...]) -> FolderListing:
        """`beginning` is the folder's path with a separator behind it. An unreadable folder has nothing."""
        try:
            with os.scandir(beginning or ".") as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except OSError:
            return cls()
        named = (entry for entry in entries if entry.name.lower().endswith(extensions))
        shown = (one for one in entries if not one.name.startswith(".") and one.name not in SKIPPED_FOLDERS)
        return cls(
            tuple(beginning + entry.name for entry in named if is_file(entry)),
            tuple(f"{beginning}{entry.name}{os.sep}" for entry in shown if is_own_folder(entry)),
            any(entry.name == VIRTUAL for entry in entries),
            any(entry.is_symlink() for entry in entries),
        )


def files_below(
    folder: str,
    extensions: tuple[str, ...],
    listing: Callable[[str, tuple[str, ...]], FolderListing] = FolderListing.of,
) -> Iterator[str]:
    """Files whose names end so, leaving out hidden folders, caches and virtual environments.

    A path that ends so and is no file is left out, too: pipes, and links to nowhere, as Emacs makes them to
    lock what is being edited. `listing` may know folders already.
    """
    # Names are texts, and entries know what they are: with `Path` 5,000 files take three times as long.
    waiting = [str(Path(folder, "x"))[:-1]]
    is_first = True
    while waiting:
        found = listing(waiting.pop(), extensions)
        if is_first or not found.is_virtual:
            yield from found.files
            waiting += reversed(found.folders)
        is_first = False


def is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def is_own_folder(entry: os.DirEntry[str]) -> bool:
    """Whether an entry is a folder, and no link to one."""
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False
