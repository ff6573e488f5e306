"""Odd input of the command line: each gets one sentence and an exit code, and no stack trace."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from fim_lsp.cli import main
from fim_lsp.commands.complete_shown import UNWANTED, cost, hole_in_context
from fim_lsp.commands.doctor import package_line
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.inventory import PACKAGES, PackageStatus
from fim_lsp.terminal import Palette

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    "words", [("models", "--download"), ("complete", "area.py:2:12", "--offline", "--model")]
)
@pytest.mark.parametrize("name", ["../x", "a b/c", "-x/y", "x/.y"])
def test_a_name_that_no_hub_may_have(
    name: str,
    words: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("huggingface_hub")
    monkeypatch.chdir(tmp_path)
    Path("area.py").write_text("def area(width, height):\n    return \n")
    assert main([*words[:-1], f"{words[-1]}={name}"]) == 2
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert name in said


def test_an_empty_name_is_the_bundled_model_as_in_the_setting(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "area.py"
    path.write_text("def area(width, height):\n    return \n")
    assert main(["complete", f"{path}:2:12", "--model", ""]) == 0
    assert "(model bundled" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"x = 1\ny = 2\nz = '\xe9'\n", "line 3 is not in UTF-8"),
        (b"# coding: cp1252\nx = 1\ny = '\x81'\n", "line 3 is not in the encoding that the file declares"),
        (b"x = '\xe9'\n", "neither UTF-8 nor in an encoding that it declares"),
    ],
)
def test_bytes_that_are_no_text_are_named_by_their_line(
    content: bytes, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "area.py"
    path.write_bytes(content)
    assert main(["check", str(path)]) == 2
    assert f"area.py: not readable as source: {said}\n" in capsys.readouterr().err


def test_bytes_on_standard_input_are_named_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "area.json"
    path.write_text("[]\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1,\n\xff")))
    assert main(["fit", f"{path}:1:2"]) == 2
    assert "line 2 is not in UTF-8\n" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="Windows has no C locale")
def test_in_a_c_locale_letters_are_escaped_and_names_stay_bytes(tmp_path: Path) -> None:
    name = "na\udcffme.py"
    (tmp_path / name).write_text("s = 'café' + \n", encoding="utf-8")
    words = [sys.executable, "-X", "utf8=0", "-m", "fim_lsp", "check", name, "é.py"]
    variables = {**os.environ, "LC_ALL": "C", "PYTHONPATH": str(ROOT), "FORCE_COLOR": "1"}
    variables.pop("PYTHONIOENCODING", None)
    made = subprocess.run(words, cwd=tmp_path, env=variables, capture_output=True, timeout=120)
    assert made.returncode == 2
    assert b"Traceback" not in made.stderr
    assert b"na\xffme.py:1:14" in made.stdout.replace(b"\x1b[1m", b"").replace(b"\x1b[0m", b"")


def test_lines_that_end_in_carriage_returns_are_shown_one_by_one() -> None:
    shown = hole_in_context("a = 1\rb = \rc = 3\r", 10, "2", Palette(False))
    assert shown.split("\n") == ["   1 | a = 1", "   2 | b = «2»", "   3 | c = 3"]


def test_a_line_of_a_megabyte_is_shortened_around_the_hole() -> None:
    long = "x" * 1_000_000
    shown = hole_in_context(f"{long}\n{long}({long}\n{long}\n", 2_000_001 + 1, "y", Palette(False))
    assert len(shown) < 2000
    assert "x(«y»x" in shown
    assert [line[:6] for line in shown.split("\n")] == ["   1 |", "   2 |", "   3 |"]


def test_one_token_is_one_token() -> None:
    assert "; 1 token, " in cost(Completion("1", "eos", 1, 0, -0.5, 0.1))
    assert "; 2 tokens, 1 of them without" in cost(Completion("1", "eos", 2, 1, -0.5, 0.1))


def test_columns_of_the_doctor_stand_below_each_other() -> None:
    packages = [PackageStatus(name, purpose, True, "2026.10.23", "") for name, purpose, *_ in PACKAGES]
    assert len({package_line(package).index(package.purpose) for package in packages}) == 1


def test_an_empty_file_gets_a_plain_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "empty.py"
    path.write_text("")
    assert main(["complete", f"{path}:1:1"]) == 0
    assert capsys.readouterr().out.startswith(f"the model wrote nothing that can be offered: {UNWANTED}\n")
