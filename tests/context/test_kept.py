"""Outlines on disk: found at the next start, private, and limited in size."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import zlib
from collections.abc import Iterator
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
)
from fim_lsp.context.outline import PythonOutline
from fim_lsp.memory.workspace import Scan
from fim_lsp.server.worker.completers import GrammarAlone
from fim_lsp.server.worker.folder_reading import admission_in
from fim_lsp.server.worker.job_loop import JobLoop, Own
from fim_lsp.server.worker.messages import Folders, ForgetCaches
from fim_lsp.system.user_cache import user_cache
from tests.context.kept_outlines import CONTENT, UNIX, find, keep, n_kept, write_garbage
from tests.context.test_context import PLANTED, PRICES, SECRET
from tests.sessions.client import PATIENCE


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "outlines"


def keys(folder: Path) -> set[bytes]:
    with closing(sqlite3.connect(folder / NAME)) as connection:
        return {key for (key,) in connection.execute("SELECT key FROM outlines")}


def scanned(project: Path, folder: Path | None, exclude: tuple[str, ...] = ()) -> dict[str, PythonOutline]:
    """The first scan after a start of the server, with nothing in memory."""
    is_admitted = admission_in(Folders((str(project),), exclude))
    scan = Scan(lambda _: [], 1, is_admitted, has_tokens=False, has_outlines=True, outlines_folder=folder)
    found = scan.workspace([str(project)])
    assert found is not None
    return {path.name: found.modules.outlines[uri] for uri, path in found.modules.paths.items()}


@contextmanager
def no_parsing(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(text: str) -> PythonOutline:
        raise AssertionError(f"parsed: {text[:40]}")

    with monkeypatch.context() as patched:
        patched.setattr(PythonOutline, "of", refuse)
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
        # A copy and a moved file have the same content.
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


def test_rows_used_longest_ago_leave_when_there_is_no_room(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_outlines, "MOST_BYTES", 64_000)
    monkeypatch.setattr(kept_outlines, "WRITTEN_BYTES", 5_000)
    # Names of about a kilobyte in total that cannot be compressed, and are too short to be secrets.
    contents = ["".join(f"C{os.urandom(5).hex()} = 1\n" for _ in range(100)).encode() for _ in range(90)]
    monkeypatch.setattr(kept_outlines, "today", lambda: 1)
    keep(folder, *contents[:10])
    monkeypatch.setattr(kept_outlines, "today", lambda: 2)
    # A row that is used stays longer than its neighbours.
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
def test_no_other_user_may_read_it(folder: Path) -> None:
    with KeptOutlines(folder) as kept:
        kept.keep(CONTENT, PythonOutline.of(PRICES))
        kept._write()
        modes = {path.name: path.stat().st_mode & 0o777 for path in (folder, *folder.iterdir())}
    assert modes == {"outlines": 0o700, **dict.fromkeys((NAME, f"{NAME}-wal", f"{NAME}-shm"), 0o600)}
    # The rights of other users are removed.
    folder.chmod(0o755)
    (folder / NAME).chmod(0o644)
    assert find(folder) is not None
    assert [path.stat().st_mode & 0o777 for path in (folder, folder / NAME)] == [0o700, 0o600]


@UNIX
def test_what_is_another_users_is_not_touched(
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
    # The rest of the file holds no path and no text either.
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
    said: SimpleQueue[Own] = SimpleQueue()
    job_loop = JobLoop(lambda _: None, said.put)
    job_loop.serving.completer = GrammarAlone()
    with closing(sqlite3.connect(outlines_folder() / NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        job_loop.handle(Folders((str(tmp_path),), (), is_kept=True))
        job_loop.handle(ForgetCaches())
        # Both are still waiting, on threads of their own.
        waiting = [one for one in threading.enumerate() if one.name in ("remembering", "forgetting")]
        assert {one.name for one in waiting} == {"remembering", "forgetting"}
        other.execute("ROLLBACK")
    job_loop.handle(said.get(timeout=PATIENCE))
    assert job_loop.around.project_context.modules.only_definition("Prices") is not None
    for thread in waiting:
        thread.join(PATIENCE)


@pytest.mark.parametrize("is_kept", [True, False])
def test_the_setting_and_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_kept: bool) -> None:
    monkeypatch.setenv("FIM_LSP_CACHE", str(tmp_path / "cache"))
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "prices.py").write_text(PRICES)
    said: SimpleQueue[Own] = SimpleQueue()
    job_loop = JobLoop(lambda _: None, said.put)
    job_loop.serving.completer = GrammarAlone()
    job_loop.handle(Folders((str(tmp_path / "project"),), (), is_kept=is_kept))
    job_loop.handle(said.get(timeout=PATIENCE))
    assert job_loop.around.project_context.modules.only_definition("Prices") is not None
    assert (outlines_folder() / NAME).exists() == is_kept
    job_loop.handle(ForgetCaches())
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
