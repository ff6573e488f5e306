"""`fim-lsp check` on good, bad, unreadable and odd files, and on holes."""

from __future__ import annotations

import errno
import json
import os
import re
import sys
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.known_languages import IN_FOLDERS
from tests.commands.checked import check, source


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


def no_file(path: Path) -> set[str]:
    """The system's words for a missing file: those of the C library, and of the kernel, which differ on
    Windows."""
    try:
        path.stat()
    except OSError as error:
        return {os.strerror(errno.ENOENT), error.strerror or ""}
    raise AssertionError(f"{path} is there")


@pytest.mark.parametrize("name", ["nothing", "nothing.txt", "nothing.py"])
@pytest.mark.parametrize("arguments", [["check", "{}"], ["complete", "{}:1:1"], ["bench", "{}"]])
def test_what_is_not_there_is_no_file_whatever_its_name(
    arguments: list[str], name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    assert main([argument.format(path) for argument in arguments]) == 2
    err = capsys.readouterr().err
    assert any(f"fim-lsp {arguments[0]}: {path}: {words}\n" in err for words in no_file(path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"x = '\xff'\n", "neither UTF-8 nor in an encoding that it declares"),
        (b"# coding: hex\n", "not a text encoding"),
        (b"# coding: ascii\n\n\n'\xff'\n", "line 4 is not in the encoding that the file declares"),
        (b"# coding: klingon\n", "unknown encoding"),
        (None, "no such file"),
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
    if content is None:
        assert any(words in err for words in no_file(Path(unreadable)))
    else:
        assert message in err
    assert "1 checked, 0 with a fault, 1 unreadable" in err


def test_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = source(tmp_path, "x = 1\n", "good.py"), source(tmp_path, "x = )\n", "bad.py")
    code, out, err = check(capsys, "--json", good, bad)
    checked = json.loads(out)
    first, second = checked["files"]
    assert (code, err) == (1, "")
    assert (checked["holes"], checked["unreadable"]) == ([], [])
    assert first == {"path": good, "language": "python", "ok": True, "faults": []}
    [fault] = second["faults"]
    assert (second["path"], second["ok"], fault["line"], fault["column"]) == (bad, False, 1, 5)


def test_json_names_what_was_not_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = check(capsys, "--json", "no/such.py", source(tmp_path, "x = 1\n"))
    checked = json.loads(out)
    assert code == 2
    [unreadable] = checked["unreadable"]
    assert unreadable["path"] == "no/such.py"
    assert unreadable["message"] in no_file(Path("no/such.py"))
    assert len(checked["files"]) == 1
    assert err == f"fim-lsp check: no/such.py: {unreadable['message']}\n"


def test_places_may_follow_options(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = source(tmp_path, "x = 1\n", "a.py"), source(tmp_path, "y = 1\n", "b.py")
    code, out, _ = check(capsys, first, "--json", second)
    assert code == 0
    assert [file["path"] for file in json.loads(out)["files"]] == [first, second]


def test_a_file_that_is_no_python_at_all_is_given_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = check(capsys, source(tmp_path, "<a href='x'>b</a> &amp; ]\n" * 300))
    assert code == 1
    assert 1 <= out.count("\n") <= 10


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.go", "package a\n\nfunc f() int { return 1 }\n", 0),
        ("a.go", "def f(): pass\n", 1),
        ("A.java", "class A { int x = 1; }\n", 0),
        ("A.JAVA", "class A { int x = ; }\n", 1),
        ("a.json", '{"a": [1, null]}', 0),
        ("a.pyw", "x = 1\n", 0),
        ("script", "#!/usr/bin/env python3\nx = 1\n", 0),
        ("script", "#!/bin/sh\nx=1\n", 2),
        ("a.rb", "x = 1\n", 2),
        ("a.txt", "x = 1\n", 2),
    ],
)
def test_a_file_is_read_as_what_its_name_says_or_not_at_all(
    name: str, content: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = source(tmp_path, content, name)
    found, _, err = check(capsys, path)
    assert found == code
    assert (f"{path}: no language is known for " in err) == (code == 2)
    assert check(capsys, "--language", "python", path)[0] in (0, 1)


def test_a_hole_is_in_the_language_of_its_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source(tmp_path, "class A { int x = (1; }\n", "A.java")
    code, out, _ = check(capsys, f"{path}:1:21")
    assert (code, out) == (0, f"{path}:1:21: can be filled; the shortest text is ')'\n")
    settings = source(tmp_path, "a = [1\n", "a.toml")
    assert main(["complete", f"{settings}:1:7"]) == 0
    assert "the bundled model does not write TOML" in capsys.readouterr().out
    assert main(["complete", f"{source(tmp_path, 'x', 'a.rb')}:1:1"]) == 2


def test_a_folder_without_sources_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source(tmp_path, "x\n", "a.rb")
    code, _, err = check(capsys, str(tmp_path))
    assert code == 2
    *others, last = [language.title for language in IN_FOLDERS]
    titles = f"{', '.join(others)} or {last}"
    assert titles.startswith("Python, Go, Java, JavaScript")
    assert err.startswith(f"fim-lsp check: {tmp_path}: there is no file of {titles} in this folder")
    source(tmp_path, "class A { }\n", "A.java")
    assert check(capsys, str(tmp_path))[0] == 0
    assert check(capsys, "--language", "go", str(tmp_path))[0] == 2


@pytest.mark.parametrize(
    ("content", "drawn"),
    [
        ("x = (1, )]\n", "   1 | x = (1, )]\n     |          ^\n"),
        ("\tx = )\n", "   1 |     x = )\n     |     ^\n"),
        ("漢字 = )\n", "   1 | 漢字 = )\n     |        ^\n"),
        ("x = [" + "1, " * 60 + ")]\n", f"   1 | … {'1, ' * 23})]\n     | {' ' * 71}^\n"),
    ],
)
def test_at_a_terminal_the_line_is_shown_with_a_caret(
    content: str,
    drawn: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = source(tmp_path, content)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    _, out, _ = check(capsys, path)
    assert "\x1b[31m^\x1b[0m" in out
    _, _, snippet = re.sub("\x1b\\[[0-9;]*m", "", out).partition("\n")
    assert snippet.split("\n")[:2] == drawn.split("\n")[:2]
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    _, out, _ = check(capsys, path)
    assert "\x1b" not in out
    # No marks are drawn either: the source line is shown, and the message names the place in it.
    assert out.splitlines()[1] == drawn.split("\n")[0]
    assert not any(line.strip(" |") == "^" for line in out.splitlines())


def test_a_hole_that_can_be_filled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = source(tmp_path, "x = [1, 2\ny = 3\n")
    code, out, _ = check(capsys, "--json", f"{path}:1:10")
    [verdict] = json.loads(out)["holes"]
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
    """Emacs links `.#a.py` to a missing file while `a.py` is edited, and opening a pipe would block."""
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
