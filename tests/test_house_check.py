"""`fim-lsp check` on good, bad, unreadable and odd files, and on holes."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from fim_lsp.cli import main


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


def source(folder: Path, content: str | bytes, name: str = "a.py") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "x = 1\n",
        "x = 1",
        "\ufeffx = 1\n",
        "if x:\r\n\ty = 1\r\n",
        "def f():\n    \f\n    return 'ä'\n",
        "x: int = 'fine for a parser'\n",
        "# coding: latin-1\nx = '\xe4'\n".encode("latin-1"),
    ],
)
def test_files_that_parse(content: str | bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(capsys, source(tmp_path, content))
    assert (code, out) == (0, "")
    assert "1 checked, 0 with a fault" in err


@pytest.mark.parametrize(
    ("content", "line", "column"),
    [
        ("x = )\n", 1, 5),
        ("x = 1\ny = 2 2\n", 2, 7),
        ("x = 1\r\ny = )\r\n", 2, 5),
        ("s = '\u2028'\ny = )\n", 2, 5),
        ("\ufeff)\n", 1, 1),
        ("ä = ö)\n", 1, 6),
    ],
)
def test_the_fault_is_placed_where_people_look(
    content: str, line: int, column: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = source(tmp_path, content)
    code, out, _ = check(capsys, path)
    assert code == 1
    assert out.startswith(f"{path}:{line}:{column}: ")
    assert out.count("\n") == 1


def test_a_file_that_ends_too_early(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source(tmp_path, "print((1 +")
    code, out, _ = check(capsys, path)
    assert code == 1
    assert out.startswith(f"{path}:1:11: the file ends too early")


def test_a_folder_is_searched_without_caches_and_environments(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for folder in ("package", ".hidden", "__pycache__", "env"):
        (tmp_path / folder).mkdir()
        source(tmp_path / folder, ")")
    (tmp_path / "env" / "pyvenv.cfg").touch()
    source(tmp_path, ")", "notes.txt")
    source(tmp_path, "x = 1\n", "stub.pyi")
    code, out, err = check(capsys, str(tmp_path))
    assert code == 1
    assert out.startswith(str(tmp_path / "package" / "a.py"))
    assert "2 checked, 1 with a fault" in err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x = '\xff'\n", "neither UTF-8 nor in an encoding that it declares"),
        (b"# coding: hex\n", "not a text encoding"),
        (b"# coding: ascii\n\n\n'\xff'\n", "can't decode byte 0xff"),
        (b"# coding: klingon\n", "unknown encoding"),
        (None, "No such file"),
    ],
)
def test_what_cannot_be_read_is_said_and_the_rest_is_checked(
    content: bytes | None, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unreadable = str(tmp_path / "u.py") if content is None else source(tmp_path, content, "u.py")
    good = source(tmp_path, "x = 1\n")
    code, _, err = check(capsys, unreadable, good)
    assert code == 2
    assert f"fim-lsp check: {unreadable}: " in err
    assert message in err
    assert "1 checked, 0 with a fault, 1 unreadable" in err


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = source(tmp_path, "x = 1\n", "good.py"), source(tmp_path, "x = )\n", "bad.py")
    code, out, err = check(capsys, "--json", good, bad)
    first, second = json.loads(out)
    assert (code, err) == (1, "")
    assert (first["path"], first["ok"], first["line"]) == (good, True, None)
    assert (second["path"], second["ok"], second["line"], second["column"]) == (bad, False, 1, 5)


def test_a_hole_that_can_be_filled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source(tmp_path, "x = [1, 2\ny = 3\n")
    code, out, _ = check(capsys, "--json", f"{path}:1:10")
    [verdict] = json.loads(out)
    assert (code, verdict["ok"], verdict["shortest"]) == (0, True, "]")


def test_a_hole_in_a_file_that_parses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source(tmp_path, "x = 1\n")
    code, out, _ = check(capsys, f"{path}:1:6")
    assert (code, out) == (0, f"{path}:1:6: parses as it stands\n")


def test_a_hole_that_nothing_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source(tmp_path, "x = ) + \n")
    code, out, _ = check(capsys, f"{path}:1:9")
    assert code == 1
    assert out.startswith(f"{path}:1:9: no text fits here (left, line 1, column 5)")


@pytest.mark.parametrize(
    ("place", "message"), [("3:1", "has 2 lines,"), ("0:1", "no line 0"), ("1:7", "columns 1 to 6")]
)
def test_a_place_that_is_not_there(
    place: str, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = check(capsys, f"{source(tmp_path, 'x = 1' + chr(10))}:{place}")
    assert code == 2
    assert message in err


def test_an_empty_name_is_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = check(capsys, "")
    assert (code, err.splitlines()[0]) == (2, "fim-lsp check: '': no file has an empty name")


def test_what_is_no_file_is_passed_over_in_a_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Emacs links `.#a.py` to nowhere while `a.py` is being edited; a pipe would be waited for."""
    source(tmp_path, "x = 1\n")
    (tmp_path / ".#a.py").symlink_to("somebody@somewhere:1")
    os.mkfifo(tmp_path / "pipe.py")
    code, _, err = check(capsys, str(tmp_path))
    assert (code, err) == (0, "1 checked, 0 with a fault\n")


def test_a_file_with_colons_in_its_name_is_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = check(capsys, source(tmp_path, "x = 1\n", "a.py:1:1"))
    assert code == 0
    assert "1 checked" in err


def test_an_unknown_python_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = check(capsys, "--python-version", "2.7", source(tmp_path, ""))
    assert code == 2
    assert err.startswith("fim-lsp check: no grammar for Python 2.7; there are 3.8, ")
