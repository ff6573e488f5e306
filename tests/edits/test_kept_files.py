"""Files of a project in memory: files changed on disk are read again, excluded files are not read, and a file
larger than the whole memory is read each time."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fim_lsp.edits.projects import kept_files
from fim_lsp.edits.projects.kept_files import KeptFiles
from fim_lsp.edits.projects.project import Folder, edits_elsewhere
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.known_languages import PYTHON
from quotient import Language


def everything(_path: Path) -> bool:
    return True


def written(path: Path, text: str, at_us: int) -> str:
    """Writes a file with a new time stamp; Windows counts in tenths of a microsecond."""
    path.write_text(text, encoding="utf-8")
    os.utime(path, ns=(1000 * at_us, 1000 * at_us))
    return str(path)


def test_what_has_changed_is_read_again(tmp_path: Path) -> None:
    kept = KeptFiles(str(tmp_path))
    name = written(tmp_path / "a.py", "one", 1)
    assert kept.content(name, everything) == b"one"
    assert kept.content(written(tmp_path / "a.py", "two", 2), everything) == b"two"
    (tmp_path / "a.py").unlink()
    with pytest.raises(FileNotFoundError):
        kept.content(name, everything)


def test_a_folder_is_listed_again_when_something_is_made_in_it(tmp_path: Path) -> None:
    kept = KeptFiles(str(tmp_path))
    beginning = f"{tmp_path}{os.sep}"

    def names() -> list[str]:
        return [Path(one).name for one in kept.listing(beginning, (".py",)).files]

    written(tmp_path / "a.py", "one", 1)
    # A folder that was just changed is not known yet, even if its time stays.
    at_ns = tmp_path.stat().st_mtime_ns
    assert names() == ["a.py"]
    written(tmp_path / "b.py", "two", 1)
    os.utime(tmp_path, ns=(at_ns, at_ns))
    assert names() == ["a.py", "b.py"]
    # A folder that was changed long ago is known until its time changes.
    os.utime(tmp_path, ns=(1000, 1000))
    assert names() == ["a.py", "b.py"]
    (tmp_path / "a.py").unlink()
    assert names() == ["b.py"]


def test_a_link_to_a_file_that_comes_later_is_seen(tmp_path: Path) -> None:
    kept = KeptFiles(str(tmp_path))
    linked = tmp_path / "linked"
    linked.mkdir()
    (linked / "a.py").symlink_to(tmp_path / "b.py")
    os.utime(linked, ns=(1000, 1000))
    assert kept.listing(f"{linked}{os.sep}", (".py",)).files == ()
    written(tmp_path / "b.py", "one", 1)
    assert kept.listing(f"{linked}{os.sep}", (".py",)).files == (f"{linked}{os.sep}a.py",)


def test_who_may_be_read_is_asked_once_for_each_version(tmp_path: Path) -> None:
    kept = KeptFiles(str(tmp_path))
    asked: list[str] = []

    def refused(path: Path) -> bool:
        asked.append(path.name)
        return False

    name = written(tmp_path / "a.py", "one", 1)
    assert kept.content(name, refused) is kept.content(name, refused) is None
    assert asked == ["a.py"]
    assert kept.content(written(tmp_path / "a.py", "other", 2), everything) == b"other"


def test_no_more_is_kept_than_there_is_room_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_files, "MOST_KEPT", 5)
    kept = KeptFiles(str(tmp_path))
    asked: list[str] = []

    def admitted(path: Path) -> bool:
        asked.append(path.name)
        return True

    names = [written(tmp_path / name, "four", 1) for name in ("a.py", "b.py")]
    for _ in range(2):
        assert [kept.content(name, admitted) for name in names] == [b"four", b"four"]
    assert asked == ["a.py", "b.py", "b.py"]


@pytest.mark.parametrize("is_kept", [False, True])
def test_the_other_files_of_a_folder_follow(tmp_path: Path, is_kept: bool) -> None:
    old = "def net(a):\n    return a\n"
    own = tmp_path / "prices.py"
    own.write_text(old.replace("net", "gross"), encoding="utf-8")
    (tmp_path / "till.py").write_text("from prices import net\n\nprint(net(1))\n", encoding="utf-8")
    (tmp_path / "secret.py").write_text("from prices import net\n\nprint(net(2))\n", encoding="utf-8")
    change = FileChange.of(str(own), old, old.replace("net", "gross"))
    folder = Folder(tmp_path, PYTHON, lambda path: path.name != "secret.py", own, is_kept)
    for _ in range(2):
        found = edits_elsewhere(change, folder, Language.load("python"), 0.65, 9)
        assert {Path(one.path).name for one in found} == {"till.py"}
