"""The common part of the tests of outlines on disk: writing and finding one outline."""

from __future__ import annotations

import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest

from fim_lsp.context.kept_outlines import (
    NAME,
    KeptOutlines,
)
from fim_lsp.context.outline import PythonOutline
from tests.context.test_context import PRICES

CONTENT = PRICES.encode()
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")


def keep(folder: Path, *contents: bytes) -> None:
    with KeptOutlines(folder) as kept:
        for content in contents:
            kept.keep(content, PythonOutline.of(content.decode()))


def find(folder: Path, content: bytes = CONTENT) -> PythonOutline | None:
    with KeptOutlines(folder) as kept:
        return kept.find(content)


def n_kept(folder: Path) -> int:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        return int(connection.execute("SELECT count(*) FROM outlines").fetchone()[0])


def write_garbage(path: Path) -> None:
    path.write_bytes(b"no database at all " * 1000)
