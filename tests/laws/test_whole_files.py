"""`python -m tests.laws.whole_files`: reads the files of a folder, and reports disagreements."""

from pathlib import Path

import pytest

from tests.laws import domains, whole_files


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a valid file, an invalid one, and one of another language."""
    for name, text in (("right.toml", "a = 1\nb = [2]\n"), ("wrong.toml", "a = \n"), ("other.txt", "a\n")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr("sys.argv", ["whole_files", "--language", "toml", "--folder", str(folder), "--spoil"])
    return whole_files.main()


def test_a_folder_is_read(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    domains.LEFT_OPEN["of another text"] += 1
    assert run(folder, monkeypatch) == 0
    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["1", "invalid"],
        ["1", "valid"],
        ["0", "read", "otherwise"],
    ]


def test_what_is_read_otherwise_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(whole_files, "is_member", lambda *_: True)
    monkeypatch.setattr(whole_files, "membership", lambda *_: "a wrong one")
    assert run(folder, monkeypatch) == 1
    told = capsys.readouterr().out
    assert f"{folder.name}/wrong.toml: invalid, but not forward, backward, cut at" in told
    assert f"{folder.name}/right.toml: a wrong one: " in told
