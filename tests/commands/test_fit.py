"""`fim-lsp fit`: a text from standard input, made to fit; DevBench's texts, by `benches.devbench`."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from benches import devbench
from fim_lsp import fit
from fim_lsp.cli import main

FILE = "def total(prices):\n    return sum(prices\n\nprint(total([3]))\n"


class StandardInput:
    """Bytes in place of `sys.stdin`."""

    def __init__(self, content: bytes) -> None:
        self.buffer = io.BytesIO(content)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "total.py"
    path.write_text(FILE)
    return path


def type_in(monkeypatch: pytest.MonkeyPatch, content: bytes) -> None:
    monkeypatch.setattr("sys.stdin", StandardInput(content))


def test_what_fits_is_printed_as_it_is(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, b", 1)\n")
    assert main(["fit", f"{file}:2:22"]) == 0
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == (", 1)\n", "")


def test_what_is_changed_says_why(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, b", 1")
    assert main(["fit", f"{file}:2:22"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ", 1)"
    assert printed.err == "fim-lsp fit: ')' closes what was open\n"


def test_where_nothing_fits_the_code_is_1(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, b"]")
    assert main(["fit", f"{file}:2:22"]) == 1
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "nothing of it fits: it may not begin with ']'" in printed.err


def test_json_has_all_of_it(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    type_in(monkeypatch, b", tax)")
    assert main(["fit", "--json", "--names", f"{file}:2:22"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["text"] == ",)"
    assert found["is_changed"] is True
    assert "tax" in found["reason"]
    told = {"text", "is_changed", "reason", "dropped", "added", "said_before", "is_moved"}
    assert set(found) == told | {"is_unfenced", "is_without_signs", "is_without_prose"}


@pytest.mark.parametrize(
    ("place", "text", "message"),
    [
        ("total.py", b"", "'total.py' is not FILE:LINE:COL"),
        ("-:1:1", b"", "standard input holds the text"),
        ("no.py:1:1", b"", "no.py: "),
        ("total.py:9:1", b"", "total.py has 5 lines, so no line 9"),
        ("total.py:1:1", b"\xff", "-: not readable as source"),
        ("total.xyz:1:1", b"", "total.xyz: "),
    ],
)
def test_what_cannot_be_done_is_said(
    place: str,
    text: bytes,
    message: str,
    file: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(file.parent)
    type_in(monkeypatch, text)
    assert main(["fit", "--", place]) == 2
    assert message in capsys.readouterr().err


def test_other_languages_are_told_by_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.json").write_text('{"a": []}')
    type_in(monkeypatch, b"1, 2]}")
    assert main(["fit", f"{tmp_path / 'a.json'}:1:8"]) == 0
    assert capsys.readouterr().out == "1, 2"


def test_devbench_is_read_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "completions" / "python" / "low_context"
    folder.mkdir(parents=True)
    row = {
        "prefix": "def f():",
        "suffix": "f()",
        "golden_completion": "    return 1",
        "some-model_completions": ["    return 1", "    return (1", "return 1", "    return 1"],
    }
    (folder / "low_context-some-model.jsonl").write_text(json.dumps(row) + "\n")
    devbench.main([str(tmp_path), "--language", "python"])
    printed = capsys.readouterr().out
    assert "python: 3 texts, 1 parsed" in printed
    assert "mended by 4 characters or fewer            2 (100%; with something kept 100%)" in printed
    assert "some-model             3      2     2        2     2" in printed
    assert devbench.main([str(tmp_path), "--language", "java"]) == 2


def test_a_first_line_that_stands_in_the_file_already_is_not_lost() -> None:
    said = devbench.SaidAtPlace("some", "if (a) {\n", "}", "\n}\nb()\n", "}\nif (c) {")
    found = devbench.Figures(seconds=[0.0])
    devbench.count(found, said, fit(said.left, said.text, said.right, language="javascript"), False)
    assert found.exact["some"] == [1, 1, 0], "nothing is left of the text"
    assert found.exact_in_file["some"] == [1, 1, 1]
    assert not any("less exact" in miss for miss in found.misses)
