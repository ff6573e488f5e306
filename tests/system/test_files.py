"""Files are put in place while another program reads them, are locked, and have names that each system
allows."""

from __future__ import annotations

import errno
import io
import os
import stat
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from fim_lsp.system import consoles, files, folders, programs
from fim_lsp.system.kind import is_windows


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")


def in_use(number: int) -> OSError:
    """The error that Windows returns."""
    error = PermissionError(13, "Access is denied")
    error.winerror = number  # type: ignore[attr-defined]
    return error


def refusing(errors: list[OSError]) -> Callable[[Path, Path], Path]:
    """`Path.replace` while another program has the file open."""
    replace = Path.replace

    def replaced(path: Path, target: Path) -> Path:
        if errors:
            raise errors.pop(0)
        return replace(path, target)

    return replaced


@pytest.mark.parametrize("number", [5, 32, 33])
@pytest.mark.usefixtures("windows")
def test_windows_is_asked_again_while_a_scanner_has_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_text("new")
    old.write_text("old")
    pauses: list[float] = []
    monkeypatch.setattr(Path, "replace", refusing([in_use(number) for _ in range(5)]))
    files.put_in_place(new, old, pauses.append)
    assert (old.read_text(), new.exists(), len(pauses)) == ("new", False, 5)


@pytest.mark.usefixtures("windows")
def test_windows_is_asked_for_a_second_and_then_it_is_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    new, old = tmp_path / "new", tmp_path / "old"
    new.write_text("new")
    pauses: list[float] = []
    monkeypatch.setattr(Path, "replace", refusing([in_use(32) for _ in range(100)]))
    with pytest.raises(PermissionError, match="another program has it open") as raised:
        files.put_in_place(new, old, pauses.append)
    assert raised.value.filename == str(old)
    assert sum(pauses) == pytest.approx(1.0)


@pytest.mark.usefixtures("windows")
def test_a_folder_in_the_way_is_no_open_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "replace", refusing([in_use(5) for _ in range(100)]))
    with pytest.raises(IsADirectoryError, match="Is a directory") as raised:
        files.put_in_place(tmp_path / "new", tmp_path, lambda _seconds: None)
    assert raised.value.filename == str(tmp_path)


@pytest.mark.parametrize(("system", "place"), [("win32", "Scripts/ruff.exe"), ("linux", "Scripts/ruff")])
def test_programs_of_packages_lie_where_the_system_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, system: str, place: str
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setattr(sysconfig, "get_path", {"scripts": str(tmp_path / "Scripts")}.get)
    assert programs.program_of_package("ruff") is None
    (tmp_path / "Scripts").mkdir()
    (tmp_path / place).touch()
    assert programs.program_of_package("ruff") == str(tmp_path / place)


@pytest.mark.parametrize("platform", ["win32", "linux", "darwin"])
def test_what_no_waiting_mends_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    pauses: list[float] = []
    full = OSError(28, "No space left on device")
    monkeypatch.setattr(Path, "replace", refusing([full]))
    with pytest.raises(OSError, match="No space left"):
        files.put_in_place(tmp_path / "new", tmp_path / "old", pauses.append)
    assert pauses == []


@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_elsewhere_no_program_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    pauses: list[float] = []
    monkeypatch.setattr(Path, "replace", refusing([PermissionError(13, "Permission denied")]))
    with pytest.raises(PermissionError, match="Permission denied"):
        files.put_in_place(tmp_path / "new", tmp_path / "old", pauses.append)
    assert pauses == []


def test_a_lock_is_one_process_s(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with path.open("wb") as first:
        assert files.is_locked(first)
        with path.open("wb") as second:
            assert not files.is_locked(second)
    with path.open("wb") as third:
        assert files.is_locked(third)


@pytest.mark.usefixtures("windows")
def test_windows_locks_the_first_byte_wherever_the_file_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def locking(descriptor: int, mode: int, n_bytes: int) -> None:
        asked.append((os.lseek(descriptor, 0, os.SEEK_CUR), mode, n_bytes))

    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(LK_NBLCK=2, locking=locking))
    path = tmp_path / "lock"
    path.write_text("what an earlier one has written")
    with path.open("a") as file:
        assert files.is_locked(file)
    assert asked == [(0, 2, 1)]


@pytest.mark.usefixtures("windows")
def test_on_windows_rights_are_the_folder_s(tmp_path: Path) -> None:
    assert files.is_ours(tmp_path, stat.S_IFDIR, 0o700)
    assert not files.is_ours(tmp_path, stat.S_IFREG, 0o600)


@pytest.mark.skipif(is_windows(), reason="Windows' pipes have no numbers of their own")
def test_what_goes_nowhere_is_known() -> None:
    with Path(os.devnull).open("wb") as nowhere, Path(__file__).open("rb") as somewhere:
        assert files.is_nowhere(nowhere.fileno())
        assert not files.is_nowhere(somewhere.fileno())


@pytest.mark.parametrize(
    ("platform", "scripts", "name"),
    [("win32", "Scripts", "ty.exe"), ("linux", "bin", "ty"), ("darwin", "bin", "ty")],
)
def test_what_programs_are_called(
    monkeypatch: pytest.MonkeyPatch, platform: str, scripts: str, name: str
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert programs.scripts_of(Path("a", ".venv")) == Path("a", ".venv", scripts)
    assert programs.executable("ty") == name


@pytest.mark.parametrize(("platform", "expected"), [("win32", ["begin libraries", "end"]), ("linux", [])])
def test_libraries_find_those_beside_them(
    monkeypatch: pytest.MonkeyPatch, platform: str, expected: list[str]
) -> None:
    said = []

    class Added:
        def __init__(self, folder: str) -> None:
            said.append(f"begin {folder}")

        def __enter__(self) -> None: ...

        def __exit__(self, *_: object) -> None:
            said.append("end")

    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(os, "add_dll_directory", Added, raising=False)
    with programs.libraries_in(Path("libraries")):
        assert len(said) == len(expected) // 2
    assert said == expected


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("win32", {"LOCALAPPDATA": "/local"}, "/local"),
        ("darwin", {}, "/home/me/Library/Caches"),
        ("linux", {"XDG_CACHE_HOME": "/cache"}, "/cache"),
        ("linux", {}, "/home/me/.cache"),
    ],
)
def test_where_others_keep_what_they_fetch(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("LOCALAPPDATA", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", "USERPROFILE": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert folders.cache_folder() == Path(expected)


@pytest.mark.parametrize(
    ("encoding", "written"),
    [
        ("utf-8", "«ü✗»…😀"),
        ("cp1252", "«ü-»…\\U0001f600"),
        ("cp437", "«ü-»...\\U0001f600"),
        ("ascii", "<<\\xfc->>...\\U0001f600"),
    ],
)
def test_a_sign_that_is_not_there_is_replaced(
    monkeypatch: pytest.MonkeyPatch, encoding: str, written: str
) -> None:
    content = io.BytesIO()
    stream = io.TextIOWrapper(content, encoding, write_through=True)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, stream)
    monkeypatch.setattr(sys, "platform", "linux")
    consoles.take_all_signs()
    stream.write("«ü✗»…😀")
    assert content.getvalue().decode(encoding) == written


@pytest.mark.parametrize(
    ("system", "written"),
    [("win32", "«✗\\udc80»".encode()), ("linux", "«✗".encode() + b"\x80" + "»".encode())],
)
def test_on_windows_what_python_lets_through_is_replaced_too(
    monkeypatch: pytest.MonkeyPatch, system: str, written: bytes
) -> None:
    for name in consoles.CHOSEN:
        monkeypatch.delenv(name, raising=False)
    content = io.BytesIO()
    encoding = "cp1252" if system == "win32" else "utf-8"
    stream = io.TextIOWrapper(content, encoding, errors="surrogateescape", write_through=True)
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, stream)
    monkeypatch.setattr(sys, "platform", system)
    consoles.take_all_signs()
    stream.write("«✗\udc80»")
    assert content.getvalue() == written


class Screen(io.BytesIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("raw", "variables", "encoding"),
    [
        (io.BytesIO, {}, "utf-8"),
        (Screen, {}, "cp850"),
        (io.BytesIO, {"PYTHONIOENCODING": "cp850"}, "cp850"),
        (io.BytesIO, {"PYTHONUTF8": "0"}, "cp850"),
    ],
)
@pytest.mark.usefixtures("windows")
def test_on_windows_a_pipe_has_utf_8_unless_the_user_has_chosen(
    monkeypatch: pytest.MonkeyPatch, raw: type[io.BytesIO], variables: dict[str, str], encoding: str
) -> None:
    for name in consoles.CHOSEN:
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    stream = io.TextIOWrapper(raw(), "cp850")
    for name in ("stdout", "stderr"):
        monkeypatch.setattr(sys, name, stream)
    consoles.take_all_signs()
    assert stream.encoding == encoding


@pytest.mark.parametrize(
    ("error", "here", "on_windows"),
    [
        (BrokenPipeError(errno.EPIPE, "Broken pipe"), True, True),
        (OSError(errno.EINVAL, "Invalid argument"), False, True),
        # A name that the system does not allow.
        (OSError(errno.EINVAL, "Invalid argument", "a?b"), False, False),
        (OSError(errno.ENOSPC, "No space left on device"), False, False),
    ],
)
def test_a_reader_that_is_gone_is_told_from_what_is_wrong(
    monkeypatch: pytest.MonkeyPatch, error: OSError, here: bool, on_windows: bool
) -> None:
    for said, is_gone in ((False, here), (True, on_windows)):
        monkeypatch.setattr(consoles, "is_windows", lambda said=said: said)
        assert consoles.is_reader_gone(error) is is_gone
