"""The other files of a folder, which form a package with a file. They are read again only when they change;
for an open file, the editor's text counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

import tree_sitter

from fim_lsp.bounded_files import OverLimit, bounded_bytes
from fim_lsp.document.syntax import encode_text, parser
from fim_lsp.known_languages import KnownLanguage
from fim_lsp.system.addresses import path_at

# A folder with more files, or a larger one, is not read: nothing is known of it then.
MOST_FILES = 1_000


@dataclass(frozen=True, slots=True)
class FileLocation:
    """Where a text lies, None for nowhere, and the other open documents, by address."""

    path: Path | None
    opened: Mapping[Path, str] = field(default_factory=dict)

    @classmethod
    def of(cls, uri: str, opened: Mapping[str, str] | None = None) -> FileLocation:
        """By the address that an editor gives, or by a path."""
        others = {path: text for one, text in (opened or {}).items() if (path := path_of(one)) is not None}
        return cls(path_of(uri), others)


def path_of(uri: str) -> Path | None:
    parts = urlsplit(uri)
    if parts.scheme == "file":
        return path_at(unquote(parts.path))
    # One letter is a drive.
    return Path(uri).absolute() if uri and len(parts.scheme) < 2 else None


def sources(folder: Path, known_language: KnownLanguage, place: FileLocation) -> dict[Path, bytes] | None:
    """The other files of a language in a folder; None if not all of it can be read."""
    try:
        paths = {path for path in folder.iterdir() if path.suffix in known_language.extensions}
    except OSError:
        return None
    paths |= {
        path for path in place.opened if path.parent == folder and path.suffix in known_language.extensions
    }
    if len(paths) > MOST_FILES:
        return None
    found = {path: source(path, place) for path in sorted(paths) if path != place.path}
    known_ones = {path: content for path, content in found.items() if content is not None}
    return known_ones if len(known_ones) == len(found) else None


def source(path: Path, place: FileLocation) -> bytes | None:
    """A file's bytes; None where it cannot be read."""
    if path in place.opened:
        return encode_text(place.opened[path])
    try:
        state = path.stat()
    except OSError:
        return None
    return kept_content(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=2_000)
def kept_content(path: Path, changed_ns: int, size: int) -> bytes | None:  # noqa: ARG001 - what it is kept by
    try:
        return bounded_bytes(path)
    except OverLimit:
        return None


def root_of_source(content: bytes, known_language: KnownLanguage) -> tree_sitter.Node:
    return parser(known_language).parse(content).root_node
