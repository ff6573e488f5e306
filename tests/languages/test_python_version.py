"""The Python version of a file, by settings, projects, environments and PATH."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.python_version import (
    known_version,
    known_versions,
    lowest_admitted,
    nearest_known,
    python_version,
    requires_python,
)
from fim_lsp.system.kind import is_windows
from fim_lsp.system.programs import executable

NEWEST = known_versions()[-1]
OWN = nearest_known(tuple(sys.version_info[:3]))


@pytest.fixture(autouse=True)
def _no_python_on_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")


def project(folder: Path, specifier: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(f"[project]\nname = 'a'\nrequires-python = {specifier!r}\n")
    return folder / "a.py"


def environment(folder: Path, entry: str) -> None:
    folder.mkdir(parents=True)
    (folder / "pyvenv.cfg").write_text(f"home = /usr/bin\n{entry}\n")


@pytest.mark.parametrize(
    ("setting", "version"),
    [
        ("3.8", "3.8"),
        ("3.14", "3.14"),
        (" 3.12 ", "3.12"),
        ("3.12.4", "3.12"),
        ("3.12.9", "3.12"),
        ("3.12.10", "3.12.10"),
        ("3.12.13", "3.12.10"),
        ("3.13.10", "3.13"),
        ("3.7", None),
        ("3.99", None),
        ("2.7", None),
        ("3", None),
        ("newest", None),
        ("", None),
    ],
)
def test_a_setting(setting: str, version: str | None, tmp_path: Path) -> None:
    assert known_version(setting) == version
    path = project(tmp_path, ">=3.9")
    assert python_version(path, setting) == (version or "3.9")
    assert python_version(None, setting) == (version or python_version(None, None))


@pytest.mark.parametrize(
    ("specifier", "version"),
    [
        (">=3.10", "3.10"),
        (">= 3.10, <3.13", "3.10"),
        ("<3.13,>=3.9", "3.9"),
        (">=3.10.4", "3.10"),
        (">3.10", "3.10"),
        (">3.10.99", "3.11"),
        (">=3", "3.8"),
        (">=2.7", "3.8"),
        (">=2.7,!=3.0.*,!=3.1.*,!=3.8.*", "3.9"),
        (">=3.8,!=3.8.0", "3.8"),
        ("==3.12.*", "3.12"),
        ("==3.12", "3.12"),
        ("===3.12.3", "3.12"),
        ("===3.12.11", "3.12.10"),
        (">=3.12.12", "3.12.10"),
        (">=3.12.12,!=3.12.*", "3.13"),
        ("~=3.11", "3.11"),
        ("~=3.11.2", "3.11"),
        ("~=3.9,>=3.10", "3.10"),
        (">=3.12.0rc1", "3.12"),
        (">=3.13,", "3.13"),
        ("<=3.10", "3.8"),
        ("<3.8", "3.8"),
        ("==2.7.*", "3.8"),
        (">=3.99", NEWEST),
        (">=4", NEWEST),
        ("", None),
        ("3.10", None),
        (">=x", None),
        ("^3.10", None),
        (">=3.10 <3.12", None),
    ],
)
def test_the_lowest_version_that_a_specifier_admits(specifier: str, version: str | None) -> None:
    assert lowest_admitted(specifier) == version


@pytest.mark.parametrize(
    ("pyproject", "specifier"),
    [
        ('[project]\nrequires-python = ">=3.10"\n', ">=3.10"),
        ("[project]\r\nrequires-python='>=3.10'\r\n", ">=3.10"),
        ("[ project ] # what we are\n  requires-python = '>=3.10' # or newer\n", ">=3.10"),
        ("project.requires-python = '>=3.10'\n[tool]", ">=3.10"),
        ("[project]\n\"requires-python\" = '>=3.10'\n", ">=3.10"),
        ("[tool.x]\nrequires-python = '>=3.9'\n[project]\nrequires-python = '>=3.10'", ">=3.10"),
        ("[project]\nname = \n[[[\nrequires-python = '>=3.10'\n", ">=3.10"),
        ("[project]\ndependencies = [\n  'a>=1',\n]\nrequires-python = '>=3.10'\n", ">=3.10"),
        ("[project]\n# requires-python = '>=3.10'\n", None),
        ("[project.urls]\nrequires-python = '>=3.10'\n", None),
        ("[[project]]\n[tool]\nrequires-python = '>=3.10'\n", None),
        ("requires-python = '>=3.10'\n", None),
        ("[project]\nrequires-python = \n", None),
        ("[project]\nrequires-python = ''\n", None),
        ("", None),
    ],
)
def test_requires_python(pyproject: str, specifier: str | None) -> None:
    assert (requires_python(pyproject) or None) == specifier


def test_the_nearest_project_that_says_so_decides(tmp_path: Path) -> None:
    outer = project(tmp_path, ">=3.9")
    inner = project(tmp_path / "inner", ">=3.12")
    silent = tmp_path / "inner" / "silent" / "deep" / "a.py"
    silent.parent.mkdir(parents=True)
    (silent.parent / "pyproject.toml").write_text("[tool.ruff]\n")
    odd = project(tmp_path / "odd", "whatever")
    assert [python_version(path, None) for path in (outer, inner, silent, odd)] == [
        "3.9",
        "3.12",
        "3.12",
        "3.9",
    ]


def test_a_folder_and_a_file_that_is_not_there_yet(tmp_path: Path) -> None:
    project(tmp_path, ">=3.9")
    assert python_version(tmp_path, None) == "3.9"
    assert python_version(tmp_path / "new" / "a.py", None) == "3.9"


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project(tmp_path, ">=3.9")
    monkeypatch.chdir(tmp_path)
    assert python_version(Path("a.py"), None) == "3.9"


def test_a_project_file_that_cannot_be_read(tmp_path: Path) -> None:
    project(tmp_path, ">=3.9")
    (tmp_path / "a" / "pyproject.toml").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "pyproject.toml").write_bytes(b"\xff\xfe\x00[project]\n")
    assert python_version(tmp_path / "a" / "a.py", None) == "3.9"
    assert python_version(tmp_path / "b" / "a.py", None) == "3.9"


@pytest.mark.parametrize(
    ("entry", "version"),
    [
        ("version = 3.12.3", "3.12"),
        ("version_info = 3.12.11.final.0", "3.12.10"),
        ("version_info = 3.10.1.final.0", "3.10"),
        ("version_info=3.13", "3.13"),
        ("version = 3.7.1", "3.8"),
        ("version = 3.99.0", NEWEST),
    ],
)
@pytest.mark.parametrize("name", [".venv", "venv"])
def test_a_virtual_environment(entry: str, version: str, name: str, tmp_path: Path) -> None:
    environment(tmp_path / name, entry)
    assert python_version(tmp_path / "src" / "a.py", None) == version
    assert python_version(tmp_path / name / "lib" / "a.py", None) == version
    project(tmp_path, ">=3.9")
    assert python_version(tmp_path / "src" / "a.py", None) == "3.9"


def test_text_in_no_file_takes_the_environment_of_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment(tmp_path / ".venv", "version = 3.9.1")
    monkeypatch.chdir(tmp_path)
    assert python_version(None, None) == "3.9"


def test_the_python_on_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert python_version(tmp_path / "a.py", None) == OWN
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / executable("python3")
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(programs))
    assert python_version(tmp_path / "a.py", None) == OWN
    (tmp_path / "pyvenv.cfg").write_text("version = 3.13.0\n")
    assert python_version(Path(tmp_path.anchor), None) == "3.13"


@pytest.mark.parametrize(
    ("folder", "version"),
    [("Python312", "3.12"), ("Python39-32", "3.9"), ("Python313-arm64", "3.13"), ("WindowsApps", OWN)],
)
def test_windows_has_a_folder_for_each_version(
    folder: str, version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / folder / executable("python")
    program.parent.mkdir()
    program.touch(mode=0o755)
    monkeypatch.setenv("PATH", str(program.parent))
    # Windows also searches the current folder.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("fim_lsp.python_version.is_windows", lambda: True)
    assert python_version(tmp_path / "a.py", None) == version
    monkeypatch.setattr("fim_lsp.python_version.is_windows", lambda: False)
    assert python_version(tmp_path / "a.py", None) == OWN


@pytest.mark.skipif(is_windows(), reason="Windows' Python is no link to a name that tells its version")
def test_the_python_on_path_is_a_link_to_its_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "python3.9").write_text("#!/bin/sh\n")
    (tmp_path / "python3.9").chmod(0o755)
    (tmp_path / "python3").symlink_to("python3.9")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert python_version(tmp_path / "a.py", None) == "3.9"


def test_check_reads_each_file_as_its_project_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = project(tmp_path / "old", ">=3.9")
    new = project(tmp_path / "new", ">=3.12")
    for path in (old, new):
        path.write_text("type X = int\n")
    assert main(["check", "--json", str(old), str(new), f"{new}:1:1"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert [verdict["ok"] for kind in ("files", "holes") for verdict in found[kind]] == [False, True, True]
    assert main(["check", "--quiet", "--python-version", "3.12", str(old)]) == 0
    assert main(["check", "--quiet", "--python-version", "3.12.4", str(old)]) == 0
    assert main(["check", "--python-version", "2.7", str(tmp_path / "nothing")]) == 2
