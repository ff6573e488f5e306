"""An edit that adds a name adds its import: one step, all of it proved. If the import is not known, there is
no edit."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest

from fim_lsp.cli import main
from fim_lsp.context.import_place import Asker
from fim_lsp.context.importable import ImportSource as Importing
from fim_lsp.edits.next_edits import EditContext, next_edits
from fim_lsp.edits.projects.history import History
from fim_lsp.edits.projects.imported_elsewhere import ImportedElsewhere, asker_at
from fim_lsp.edits.projects.project import Folder
from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Addition, NextEdit
from fim_lsp.known_languages import PYTHON
from quotient import Language


def edits(old: str, new: str, around: EditContext | None = None, bar: float = 0.5) -> list[NextEdit]:
    return next_edits(FileChange.of("shop/till.py", old, new), Language.load("python"), around, bar)


def earlier(*pairs: tuple[str, str, str]) -> History:
    history = History()
    for path, old, new in pairs:
        history.add(FileChange.of(path, old, new))
    return history


def around(history: History, text: str) -> EditContext:
    return EditContext(
        history.imports.source, asker_at(PurePosixPath("shop/till.py")), earlier=history.of(text)
    )


MADE = (
    "shop/prices.py",
    "import sys\n\nx = dict_of(1)\ny = dict_of(2)\nz = dict_of(3)\n",
    "import sys\nfrom shop.tables import Table\n\nx = Table.of(1)\ny = Table.of(2)\nz = Table.of(3)\n",
)
THIRD = "import sys\n\n\ndef dict_of(rows):\n    return {}\n\n\ndef third(rows):\n    return dict_of(rows)\n"


def test_a_name_of_other_files_is_imported_as_they_do() -> None:
    history = earlier(MADE)
    found = edits(THIRD, THIRD, around(history, THIRD), bar=0.05)
    assert found
    edit = found[0]
    assert edit.also == (Addition(11, 11, "\nfrom shop.tables import Table\n"),)
    assert edit.reason.endswith("`Table` is imported with it")
    text = edit.edited_text(THIRD)
    assert text.startswith("import sys\n\nfrom shop.tables import Table\n")
    assert "return Table.of(rows)" in text
    assert text[edit.start_then :].startswith(edit.new)
    whole = edit.whole(THIRD)
    assert whole.edited_text(THIRD) == text
    assert THIRD[whole.start : whole.end] == whole.old
    assert not whole.also


def test_where_the_import_is_not_known_there_is_no_edit() -> None:
    path, old, new = MADE
    history = earlier((path, old, new.replace("from shop.tables import Table\n", "")))
    assert edits(THIRD, THIRD, around(history, THIRD), bar=0.05) == []


def test_what_means_two_things_is_not_imported() -> None:
    history = earlier(MADE, ("shop/other.py", "x = 1\n", "from tables import Table\n\nx = 1\n"))
    assert edits(THIRD, THIRD, around(history, THIRD), bar=0.05) == []


def test_a_module_of_pythons_own_comes_with_its_use() -> None:
    old = "x = getsize('a')\ny = getsize('b')\nz = getsize('c')\n"
    old = f"from os.path import getsize\n\n\ndef f():\n    x = 1\n    return x\n\n\n{old}"
    new = old.replace("getsize('a')", "json.size('a')").replace("getsize('b')", "json.size('b')")
    [first, *_] = [edit for edit in edits(old, new, bar=0.05) if "json" in edit.new]
    text = first.edited_text(new)
    # The user's own uses come with their import, too.
    assert text.startswith("import json\n") or "\nimport json\n" in text
    compile(text, "a", "exec")


def test_an_import_that_was_just_taken_away_does_not_come_back() -> None:
    old = "import json\nfrom json import dumps\n\nx = dumps(1)\ny = dumps(2)\nz = dumps(3)\n"
    new = old.removeprefix("import json\n")
    new = new.replace("dumps(1)", "json.dumps(1)").replace("dumps(2)", "json.dumps(2)")
    assert [edit for edit in edits(old, new, bar=0.05) if "json.dumps(3)" in edit.edited_text(new)] == []


def test_what_was_used_before_without_a_binding_is_brought_by_who_runs_it() -> None:
    old = "print(_('a'))\nprint(n('b'))\nprint(n('c'))\nprint(n('d'))\n"
    old = f"def n(x):\n    return x\n\n\n{old}"
    new = old.replace("n('b')", "_('b')").replace("n('c')", "_('c')")
    found = edits(old, new)
    assert found
    assert "print(_('d'))" in found[0].edited_text(new)
    assert not found[0].also


def test_what_loses_its_object_is_a_name_that_has_to_be_there() -> None:
    old = "def f(album):\n    art = 1\n    x = album.art\n    y = album.art\n\n\n"
    old += "def g(album):\n    return album.art\n"
    new = old.replace("= album.art", "= art")
    assert [edit for edit in edits(old, new, bar=0.05) if "return art" in edit.edited_text(new)] == []
    bound = old.replace("def g(album):\n", "def g(album, art):\n")
    new = bound.replace("= album.art", "= art")
    assert [edit for edit in edits(bound, new, bar=0.05) if "return art" in edit.edited_text(new)]


def test_importable_names_come_from_all_that_know_them() -> None:
    old = "x = dict_of(1)\ny = dict_of(2)\nz = dict_of(3)\n\n\ndef dict_of(x):\n    return x\n"
    new = old.replace("dict_of(1)", "Table(1)").replace("dict_of(2)", "Table(2)")

    def importable(name: str) -> Importing | None:
        return Importing("shop.tables", "Table", "Table") if name == "Table" else None

    found = edits(old, new, EditContext(importable, Asker("shop.till")))
    assert any("Table(3)" in edit.edited_text(new) and edit.also for edit in found)
    assert all("Table(3)" not in edit.edited_text(new) for edit in edits(old, new))


@pytest.fixture
def project(tmp_path: Path) -> Path:
    package = tmp_path / "shop"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "tables.py").write_text("class Table:\n    pass\n")
    (package / "prices.py").write_text("from .tables import Table\n\nx = Table()\n")
    (package / "till.py").write_text(THIRD)
    return tmp_path


def folder(root: Path, own: str = "shop/till.py") -> Folder:
    return Folder(root, PYTHON, lambda _path: True, root / own, is_kept=True)


def test_a_project_says_what_a_name_is_imported_from(project: Path) -> None:
    asked = ImportedElsewhere(folder(project))
    assert asked.source("Table") == Importing("shop.tables", "Table", "Table")
    assert asked.source("Chair") is None
    assert asked.asker.module == "shop.till"


def test_who_is_imported_by_the_file_that_a_name_is_from_does_not_import_it(project: Path) -> None:
    (project / "shop" / "tables.py").write_text("from shop import till\n\n\nclass Table:\n    pass\n")
    assert ImportedElsewhere(folder(project)).source("Table") is None


def test_the_command_line_gives_it_as_one_replacement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = "x = dict_of(1)\ny = dict_of(2)\nz = dict_of(3)\n\n\ndef dict_of(x):\n    return x\n"
    new = old.replace("dict_of(1)", "deque(1)").replace("dict_of(2)", "deque(2)")
    (tmp_path / "old.py").write_bytes(old.encode())
    (tmp_path / "new.py").write_bytes(new.encode())
    arguments = ["edits", str(tmp_path / "new.py"), "--since", str(tmp_path / "old.py")]
    assert main([*arguments, "--json", "--least-probability", "0.2"]) == 0
    found = json.loads(capsys.readouterr().out)
    [one] = [edit for edit in found if edit["new"].endswith("z = deque")]
    assert {*one} == {"path", "start", "end", "old", "new", "reason", "probability"}
    made = new[: one["start"]] + one["new"] + new[one["end"] :]
    assert "from collections import deque" in made
    assert "z = deque(3)" in made
    assert new[one["start"] : one["end"]] == one["old"]


def test_a_file_that_imports_everything_is_brought_no_name_that_stands_nowhere_in_it() -> None:
    old = "from shop import *\n\n\ndef f(db):\n    a = db[1]\n    b = db[2]\n    c = db[3]\n"
    new = old.replace("db[1]", "told(1)").replace("db[2]", "told(2)")
    change = FileChange.of("shop/till.py", old, new)
    proof = Proof(change.new, Language.load("python"), None, change.old)
    start = new.index("db[3]")
    assert proof.holds(start, start + 5, "told(3)")
    assert not proof.holds(start, start + 5, "method(3)")
