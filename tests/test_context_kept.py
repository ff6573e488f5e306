"""Outlines on disk: found at the next start, private, bounded, and nobody's trouble when they are broken."""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from queue import SimpleQueue

import pytest

from fim_lsp.context import kept_outlines
from fim_lsp.context.kept_outlines import (
    NAME,
    KeptOutlines,
    forget_kept,
    key_of,
    outlines_folder,
    packed,
    unpacked,
)
from fim_lsp.context.outline import Outline
from fim_lsp.memory.workspace import Scan
from fim_lsp.server.worker.completers import GrammarAlone
from fim_lsp.server.worker.desk import Desk, Ready
from fim_lsp.server.worker.folder_reading import Scanned, admitted
from fim_lsp.server.worker.messages import Folders, Forget
from quotient.user_cache import user_cache
from tests.sessions.client import PATIENCE
from tests.test_context import PLANTED, PRICES, SECRET

CONTENT = PRICES.encode()
UNIX = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "outlines"


def keep(folder: Path, *contents: bytes) -> None:
    with KeptOutlines(folder) as kept:
        for content in contents:
            kept.keep(content, Outline.of(content.decode()))


def find(folder: Path, content: bytes = CONTENT) -> Outline | None:
    with KeptOutlines(folder) as kept:
        return kept.find(content)


def n_kept(folder: Path) -> int:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        return int(connection.execute("SELECT count(*) FROM outlines").fetchone()[0])


def keys(folder: Path) -> set[bytes]:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        return {key for (key,) in connection.execute("SELECT key FROM outlines")}


def scanned(project: Path, folder: Path | None, exclude: tuple[str, ...] = ()) -> dict[str, Outline]:
    """A scan at a start of the server: nothing is known yet."""
    is_admitted = admitted(Folders((str(project),), exclude))
    scan = Scan(lambda _: [], 1, is_admitted, has_tokens=False, has_outlines=True, outlines_folder=folder)
    found = scan.workspace([str(project)])
    assert found is not None
    return {path.name: found.modules.outlines[uri] for uri, path in found.modules.paths.items()}


@contextmanager
def no_parsing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(text: str) -> Outline:
        raise AssertionError(f"parsed: {text[:40]}")

    with monkeypatch.context() as patched:
        patched.setattr(Outline, "of", refuse)
        yield


def test_the_second_start_parses_what_has_changed_and_nothing_else(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for number in range(3):
        (project / f"f{number}.py").write_text(f"{PRICES}class C{number}: ...\n")
    (project / "nothing.py").write_text("")
    first = scanned(project, folder)
    with no_parsing(monkeypatch):
        assert scanned(project, folder) == first
        # A copy and a file that was moved are the same content.
        (project / "f0.py").rename(project / "moved.py")
        assert scanned(project, folder)["moved.py"] == first["f0.py"]
    (project / "f1.py").write_text("class Other: ...\n")
    with no_parsing(monkeypatch), pytest.raises(AssertionError, match="class Other"):
        scanned(project, folder)
    again = scanned(project, folder)
    assert list(again["f1.py"].definitions) == ["Other"]
    assert again["f2.py"] == first["f2.py"]


def test_a_stopped_scan_has_kept_what_it_read(tmp_path: Path, folder: Path) -> None:
    for number in range(3):
        (tmp_path / f"f{number}.py").write_text(f"class C{number}: ...\n")
    scan = Scan(lambda _: [], 1, lambda _: True, has_outlines=True, outlines_folder=folder)
    n_asked = []

    def encode(text: str) -> list[int]:
        n_asked.append(text)
        scan.stop()
        return []

    scan.encode = encode
    assert scan.workspace([str(tmp_path)]) is None
    assert n_kept(folder) == 1


def test_other_code_has_other_outlines(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(folder, CONTENT)
    assert find(folder) == Outline.of(PRICES)
    monkeypatch.setattr(kept_outlines, "code", lambda: b"another version")
    assert find(folder) is None
    # Where nobody can say which code it is, nothing is kept.
    monkeypatch.setattr(kept_outlines, "code", lambda: None)
    keep(folder, b"class Other: ...\n")
    assert n_kept(folder) == 1


# --- what goes wrong -------------------------------------------------------------------------------------


def write_garbage(path: Path) -> None:
    path.write_bytes(b"no database at all " * 1000)


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


@pytest.mark.parametrize(
    "damage",
    [
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
    assert find(folder) == Outline.of(PRICES)


OTHER_SHAPES: list[object] = [
    None,
    {},
    [],
    [[], [], []],
    [[["name"]], []],
    [[["name", 1]], []],
    [[], [["module", "name"]]],
    [["ab"], [[]]],
    [[[["name"], "text"]], []],
    [1, 2],
]


@pytest.mark.parametrize(
    "value",
    [
        None,
        "text",
        b"",
        b"not packed",
        packed(Outline.of(PRICES))[:-1],
        *(zlib.compress(json.dumps(one).encode()) for one in OTHER_SHAPES),
        zlib.compress(b"[" * 100_000),
        zlib.compress(b" " * (kept_outlines.MOST_UNPACKED + 1)),
    ],
)
def test_a_row_that_was_not_written_by_us_is_not_believed(value: object) -> None:
    assert unpacked(value) is None


def test_what_is_read_is_what_was_written() -> None:
    for text in (PRICES, "", "import os, sys as s\nfrom . import *\nclass Ä(B, c.D): 'ß'\n"):
        assert unpacked(packed(Outline.of(text))) == Outline.of(text)


def test_a_file_that_is_locked_is_read_and_not_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_outlines, "LOCKED_SECONDS", 0.01)
    keep(folder, CONTENT)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert find(folder) == Outline.of(PRICES)
        keep(folder, b"class Other: ...\n")
        other.execute("ROLLBACK")
    assert n_kept(folder) == 1


def test_a_locked_file_that_is_new_is_not_waited_for_twice(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_outlines, "LOCKED_SECONDS", 0.01)
    folder.mkdir(parents=True)
    n_opened = []
    opened = kept_outlines.opened

    def counted(path: Path) -> sqlite3.Connection | None:
        n_opened.append(path)
        return opened(path)

    monkeypatch.setattr(kept_outlines, "opened", counted)
    with closing(sqlite3.connect(folder / NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        keep(folder, CONTENT, b"class Other: ...\n")
        other.execute("ROLLBACK")
    assert len(n_opened) == 1
    keep(folder, CONTENT)
    assert n_kept(folder) == 1


def test_a_file_that_is_read_only_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(folder, CONTENT)
    connected = kept_outlines.connected

    def read_only(path: Path) -> sqlite3.Connection:
        connection = connected(path)
        connection.execute("PRAGMA query_only = ON")
        return connection

    monkeypatch.setattr(kept_outlines, "connected", read_only)
    keep(folder, b"class Other: ...\n")
    assert find(folder) == Outline.of(PRICES)
    assert n_kept(folder) == 1


@UNIX
def test_a_full_disk_is_no_error(folder: Path) -> None:
    import resource

    keep(folder, CONTENT)
    # A limit on the size of files: writing fails as it does when the disk is full. What readers share is
    # 32 kB long, and has room.
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, limits[1]))
    try:
        keep(folder, *(f"class C{number}: ...\n".encode() for number in range(1000)))
        assert find(folder) == Outline.of(PRICES)
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
        # Each half has two servers; all of them make the file.
        for content in contents[first : first + 20]:
            keep(folder, content)

    servers = [threading.Thread(target=serve, args=(first,)) for first in (0, 0, 20, 20)]
    for server in servers:
        server.start()
    for server in servers:
        server.join(PATIENCE)
    for content in contents:
        found = find(folder, content)
        assert found is None or found == Outline.of(content.decode())
    assert n_kept(folder) > 0
    with closing(sqlite3.connect(folder / NAME)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# --- what is kept ----------------------------------------------------------------------------------------


def test_rows_used_longest_ago_leave_when_there_is_no_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_outlines, "MOST_BYTES", 64_000)
    monkeypatch.setattr(kept_outlines, "WRITTEN_BYTES", 5_000)
    # Names that cannot be packed small, and are too short to be secrets: about a kilobyte each.
    contents = ["".join(f"C{os.urandom(5).hex()} = 1\n" for _ in range(100)).encode() for _ in range(90)]
    monkeypatch.setattr(kept_outlines, "today", lambda: 1)
    keep(folder, *contents[:10])
    monkeypatch.setattr(kept_outlines, "today", lambda: 2)
    # It is used, so it stays longer than those beside it.
    assert find(folder, contents[0]) is not None
    monkeypatch.setattr(kept_outlines, "today", lambda: 3)
    for number in range(10, 90, 10):
        keep(folder, *contents[number : number + 10])
        assert (folder / NAME).stat().st_size <= 64_000
        left = keys(folder)
        if key_of(contents[1]) not in left:
            break
    assert key_of(contents[1]) not in left
    assert {key_of(contents[0]), key_of(contents[number])} <= left


@UNIX
def test_nobody_else_may_read_it(folder: Path) -> None:
    with KeptOutlines(folder) as kept:
        kept.keep(CONTENT, Outline.of(PRICES))
        kept._write()
        modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    assert modes == {"outlines": 0o700, **dict.fromkeys((NAME, f"{NAME}-wal", f"{NAME}-shm"), 0o600)}
    # What others were given rights to is taken back.
    folder.chmod(0o755)
    (folder / NAME).chmod(0o644)
    assert find(folder) is not None
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / NAME)] == [0o700, 0o600]


@UNIX
def test_what_is_somebody_elses_is_not_touched(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(folder, CONTENT)
    with monkeypatch.context() as patched:
        patched.setattr(os, "geteuid", lambda: -1)
        assert find(folder) is None
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert find(link) is None
    (folder / NAME).rename(tmp_path / "elsewhere")
    (folder / NAME).symlink_to(tmp_path / "elsewhere")
    assert find(folder) is None


def test_neither_excluded_files_nor_secrets_are_kept(tmp_path: Path, folder: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "client.py").write_text(PLANTED)
    for name in ("ignored", "excluded", "credentials"):
        (project / f"{name}.py").write_text(f"class Hidden{name}: ...\n")
    (project / ".gitignore").write_text("ignored.py\n")
    (project / ".env").write_text(f"class Hidden: {SECRET}\n")
    found = scanned(project, folder, ("excluded.py", "credentials.py"))
    assert list(found) == ["client.py"]
    with closing(sqlite3.connect(folder / NAME)) as connection:
        rows = connection.execute("SELECT value FROM outlines").fetchall()
    kept = b"".join(zlib.decompress(value) for (value,) in rows)
    assert b"class Client" in kept
    assert b"Hidden" not in kept
    assert SECRET.encode() not in kept
    # Nor is it beside the rows: no path, no text.
    whole = b"".join(path.read_bytes() for path in folder.iterdir())
    assert str(project).encode() not in whole
    assert b"class Client" not in whole


def test_it_can_be_deleted(folder: Path) -> None:
    forget_kept(folder)
    assert not folder.exists()
    keep(folder, *(os.urandom(20).hex().encode() + b" = 1\n" for _ in range(2000)), CONTENT)
    size = (folder / NAME).stat().st_size
    forget_kept(folder)
    assert find(folder) is None
    assert n_kept(folder) == 0
    assert (folder / NAME).stat().st_size < size / 4
    write_garbage(folder / NAME)
    forget_kept(folder)
    assert not (folder / NAME).exists() or n_kept(folder) == 0


def test_messages_do_not_wait_for_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FIM_LSP_CACHE", str(tmp_path))
    monkeypatch.setattr(kept_outlines, "LOCKED_SECONDS", PATIENCE)
    (tmp_path / "prices.py").write_text(PRICES)
    outlines_folder().mkdir()
    said: SimpleQueue[Ready | Scanned] = SimpleQueue()
    desk = Desk(lambda _: None, said.put)
    desk.completer = GrammarAlone()
    with closing(sqlite3.connect(outlines_folder() / NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        desk.handle(Folders((str(tmp_path),), (), is_kept=True))
        desk.handle(Forget())
        # Both are still waiting, on threads of their own.
        waiting = [one for one in threading.enumerate() if one.name in ("remembering", "forgetting")]
        assert {one.name for one in waiting} == {"remembering", "forgetting"}
        other.execute("ROLLBACK")
    desk.handle(said.get(timeout=PATIENCE))
    assert desk.telling.modules.only_definition("Prices") is not None
    for thread in waiting:
        thread.join(PATIENCE)


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_setting_and_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_kept: bool) -> None:
    monkeypatch.setenv("FIM_LSP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "prices.py").write_text(PRICES)
    said: SimpleQueue[Ready | Scanned] = SimpleQueue()
    desk = Desk(lambda _: None, said.put)
    desk.completer = GrammarAlone()
    desk.handle(Folders((str(tmp_path / "project"),), (), is_kept=is_kept))
    desk.handle(said.get(timeout=PATIENCE))
    assert desk.telling.modules.only_definition("Prices") is not None
    assert (outlines_folder() / NAME).exists() == is_kept
    desk.handle(Forget())
    for thread in threading.enumerate():
        if thread.name == "forgetting":
            thread.join(PATIENCE)
    assert find(outlines_folder()) is None


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/tmp/x"}, "/tmp/x/fim-lsp"),
        ("linux", {}, "/home/me/.cache/fim-lsp"),
        ("darwin", {}, "/home/me/Library/Caches/fim-lsp"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/fim-lsp"),
        ("linux", {"FIM_LSP_CACHE": "/disk", "XDG_CACHE_HOME": "/tmp/x"}, "/disk"),
    ],
)
def test_where_it_lies(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    for name in ("FIM_LSP_CACHE", "XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert user_cache() == Path(expected)
