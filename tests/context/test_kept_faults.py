"""Outlines on disk that are damaged, foreign, locked, or have no room: no request fails because of them."""

from __future__ import annotations

import json
import sqlite3
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from fim_lsp.context import kept_outlines
from fim_lsp.context.kept_outlines import (
    NAME,
    forget_kept,
    key_of,
    pack_outline,
    unpack_outline,
)
from fim_lsp.context.outline import PythonOutline
from tests.context.kept_outlines import CONTENT, UNIX, find, keep, n_kept, write_garbage
from tests.context.test_context import PRICES
from tests.sessions.client import PATIENCE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "outlines"


def test_other_code_has_other_outlines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(folder, CONTENT)
    assert find(folder) == PythonOutline.of(PRICES)
    monkeypatch.setattr(kept_outlines, "code", lambda: b"another version")
    assert find(folder) is None
    # If the version of the code is unknown, nothing is kept.
    monkeypatch.setattr(kept_outlines, "code", lambda: None)
    keep(folder, b"class Other: ...\n")
    assert n_kept(folder) == 1


# --- what goes wrong -------------------------------------------------------------------------------------


def cut_off(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def scribble(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = b"\xff" * (len(content) - 4096)
    path.write_bytes(content)


def replace_by_another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE outlines (key, value)")


def replace_by_a_later_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")


def garble_rows(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE outlines SET value = substr(value, 1, 20)")


def lead_to_another_row(path: Path) -> None:
    """Points one row at another one, as a damaged index does: the outline found is sound, but belongs to
    another file."""
    other = b"class Other: ...\n"
    value = pack_outline(key_of(other), PythonOutline.of(other.decode()))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE outlines SET value = ?", (value,))


@pytest.mark.parametrize(
    "damage",
    [
        lead_to_another_row,
        write_garbage,
        cut_off,
        scribble,
        replace_by_another_program,
        replace_by_a_later_version,
        garble_rows,
    ],
)
def test_a_damaged_or_foreign_file_is_made_anew(folder: Path, damage: Callable[[Path], object]) -> None:
    keep(folder, CONTENT)
    damage(folder / NAME)
    assert find(folder) is None
    keep(folder, CONTENT)
    assert find(folder) == PythonOutline.of(PRICES)


def damages(sound: bytes, count: int, seed: int) -> Iterator[bytes]:
    """Contents with bytes flipped, cut off or overwritten; half of the damage hits the first page, which has
    the schema."""
    random = Random(seed)
    for number in range(count):
        content = bytearray(sound)
        place = random.randrange(len(sound) if number % 2 else 1_000)
        match random.randrange(4):
            case 0:
                new = random.randbytes(random.randrange(1, 300))
                content[place : place + len(new)] = new
            case 1:
                del content[place:]
            case _:
                content[place] ^= random.choice((1, 2, 32, 128, 255))
        yield bytes(content)


def test_an_index_that_has_lost_its_end_is_found_out_when_a_row_is_put_there(folder: Path) -> None:
    """Such an index found no row that had just been written, so each scan wrote the row again."""
    keep(folder, CONTENT, *(f"class C{number}: ...\n".encode() for number in range(30)))
    sound = (folder / NAME).read_bytes()
    for n_lost in range(6, 600, 4):
        for path in folder.iterdir():
            path.unlink()
        (folder / NAME).write_bytes(sound[:-n_lost])
        keep(folder, CONTENT)
        if find(folder) is None:
            keep(folder, CONTENT)
        assert find(folder) == PythonOutline.of(PRICES), n_lost


@pytest.mark.parametrize(
    ("count", "seed"), [(150, 0), pytest.param(20_000, 1, marks=[pytest.mark.long, pytest.mark.timeout(0)])]
)
def test_whatever_its_bytes_are_a_file_heals(folder: Path, count: int, seed: int) -> None:
    """A byte of the schema's text that was not UTF-8 disabled the project's outlines at every scan."""
    keep(folder, CONTENT, *(f"class C{number}: ...\n".encode() for number in range(30)))
    sound = (folder / NAME).read_bytes()
    for number, content in enumerate(damages(sound, count, seed)):
        for path in folder.iterdir():
            path.unlink()
        (folder / NAME).write_bytes(content)
        assert find(folder) in (None, PythonOutline.of(PRICES)), number
        # Damage that the first scan does not find is found by its write.
        keep(folder, CONTENT)
        if find(folder) is None:
            keep(folder, CONTENT)
        assert find(folder) == PythonOutline.of(PRICES), number
        if number % 3 == 0:
            (folder / NAME).write_bytes(content)
            forget_kept(folder)
            assert find(folder) is None, number


KEY = b"key"
OTHER_SHAPES: list[object] = [
    None,
    {},
    [],
    [[], []],
    [[], [], []],
    [KEY.hex(), [], [], []],
    [KEY.hex(), [["name"]], []],
    [KEY.hex(), [["name", 1]], []],
    [KEY.hex(), [], [["module", "name"]]],
    [KEY.hex(), ["ab"], [[]]],
    [KEY.hex(), [[["name"], "text"]], []],
    [KEY.hex(), 1, 2],
]


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        b"",
        b"not packed",
        pack_outline(KEY, PythonOutline.of(PRICES))[:-1],
        pack_outline(b"other", PythonOutline.of(PRICES)),
        *(zlib.compress(json.dumps(one).encode()) for one in OTHER_SHAPES),
        zlib.compress(b"[" * 100_000),
        zlib.compress(b" " * (kept_outlines.MOST_UNPACKED + 1)),
    ],
)
def test_a_row_that_was_not_written_by_us_is_not_believed(value: object) -> None:
    assert unpack_outline(KEY, value) is None


def test_what_is_read_is_what_was_written() -> None:
    for text in (PRICES, "", "import os, sys as s\nfrom . import *\nclass Ä(B, c.D): 'ß'\n"):
        assert unpack_outline(KEY, pack_outline(KEY, PythonOutline.of(text))) == PythonOutline.of(text)


def test_a_file_that_is_locked_is_read_and_not_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_outlines, "LOCKED_SECONDS", 0.01)
    keep(folder, CONTENT)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert find(folder) == PythonOutline.of(PRICES)
        keep(folder, b"class Other: ...\n")
        other.execute("ROLLBACK")
    assert n_kept(folder) == 1


def test_a_locked_file_that_is_new_is_not_waited_for_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_outlines, "LOCKED_SECONDS", 0.01)
    folder.mkdir(parents=True)
    n_opened = []
    opened = kept_outlines.open_store

    def counted(path: Path) -> sqlite3.Connection | None:
        n_opened.append(path)
        return opened(path)

    monkeypatch.setattr(kept_outlines, "open_store", counted)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        keep(folder, CONTENT, b"class Other: ...\n")
        other.execute("ROLLBACK")
    assert len(n_opened) == 1
    keep(folder, CONTENT)
    assert n_kept(folder) == 1


def test_a_file_that_is_read_only_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(folder, CONTENT)
    connected = kept_outlines.connect_to

    def read_only(path: Path) -> sqlite3.Connection:
        connection = connected(path)
        connection.execute("PRAGMA query_only = ON")
        return connection

    monkeypatch.setattr(kept_outlines, "connect_to", read_only)
    keep(folder, b"class Other: ...\n")
    assert find(folder) == PythonOutline.of(PRICES)
    assert n_kept(folder) == 1


@UNIX
def test_a_full_disk_is_no_error(folder: Path) -> None:
    import resource

    keep(folder, CONTENT)
    # A limit on the size of files makes writing fail, as on a full disk. The shared file is 32 kB long, below
    # the limit.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
    try:
        keep(folder, *(f"class C{number}: ...\n".encode() for number in range(1000)))
        assert find(folder) == PythonOutline.of(PRICES)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert n_kept(folder) == 1


def test_a_folder_that_cannot_be_made_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    keep(tmp_path / "file" / "outlines", CONTENT)
    assert find(tmp_path / "file" / "outlines") is None
    (tmp_path / NAME).mkdir()
    keep(tmp_path, CONTENT)
    assert find(tmp_path) is None
    forget_kept(tmp_path)


def test_a_python_without_sqlite_keeps_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sqlite3", None)
    keep(folder, CONTENT)
    assert find(folder) is None
    assert not folder.exists()


def test_several_servers_keep_at_once(folder: Path) -> None:
    contents = [f"class C{number}: ...\n".encode() for number in range(40)]
    begin = threading.Barrier(4)

    def serve(first: int) -> None:
        begin.wait(PATIENCE)
        # Two servers write each half, and all four create the file.
        for content in contents[first : first + 20]:
            keep(folder, content)

    servers = [threading.Thread(target=serve, args=(first,)) for first in (0, 0, 20, 20)]
    for server in servers:
        server.start()
    for server in servers:
        server.join(PATIENCE)
    for content in contents:
        found = find(folder, content)
        assert found is None or found == PythonOutline.of(content.decode())
    assert n_kept(folder) > 0
    with closing(sqlite3.connect(folder / NAME)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# --- what is kept ----------------------------------------------------------------------------------------
