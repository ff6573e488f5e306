"""Cross-file holes: the names that a project's files import from each other, and a resumed run."""

from __future__ import annotations

import json
from pathlib import Path, PurePosixPath

import pytest

from fim_lsp.cli import main
from fim_lsp.replay.corpus import File
from fim_lsp.replay.cross_file.drawing import CrossFileHole, draw_holes, modules_of
from fim_lsp.replay.cross_file.filler import first_name
from fim_lsp.replay.cross_file.withdrawal import withdrawn
from fim_lsp.replay.typing.drawing import TypedProject

PRICES = "class Prices:\n    def total(self): return 1\n\ndef parsed(line): ...\n"
CART = """\
import os
from shop.prices import (
    Prices,
    parsed,
)
import shop.prices as costs

class Cart:
    def __init__(self) -> None:
        self.prices = Prices()
    def sum(self) -> int:
        print(os.name, parsed("a b"))
        return self.prices.total() + costs.parsed("b")
"""
SHOP = TypedProject(
    "shop", (File("shop/prices.py", PRICES), File("shop/cart.py", CART), File("alone.py", "x = 1\n"))
)


def test_imports_of_the_project_are_taken_away_and_lines_stay() -> None:
    modules = modules_of(SHOP)
    uri = "file:///typist/shop/shop/cart.py"
    spoilt = withdrawn(CART, uri, PurePosixPath("shop/cart.py"), modules, "e0")
    assert spoilt is not None
    assert spoilt.without_names.split("\n")[:6] == ["import os", "pass", "", "", "", "pass"]
    assert spoilt.without_members.split("\n")[1] == "from e0 import Prices as Prices, parsed as parsed"
    for text in (spoilt.without_names, spoilt.without_members):
        assert text.count("\n") == CART.count("\n")
    assert "class Prices" in spoilt.empty
    assert "parsed: Any" in spoilt.empty
    assert withdrawn("import os\n", uri, PurePosixPath("shop/cart.py"), modules, "e0") is None
    assert withdrawn("import (\n", uri, PurePosixPath("shop/cart.py"), modules, "e0") is None


@pytest.fixture(scope="module")
def holes() -> list[CrossFileHole]:
    found, excluded = draw_holes([SHOP], seed=0, limit=100)
    assert {one.name for one in excluded} == {"shop/shop/prices.py", "shop/alone.py"}
    return found


def test_holes_are_the_names_that_a_checker_misses(holes: list[CrossFileHole]) -> None:
    found = {(hole.kind, hole.rest) for hole in holes}
    assert found == {
        ("name", "Prices()"),
        ("name", 'parsed("a b"))'),
        ("name", 'costs.parsed("b")'),
        ("member", 'parsed("b")'),
        # No text states the type of `self.prices`; a type checker does.
        ("member", 'total() + costs.parsed("b")'),
    }
    assert all(hole.left + hole.rest + hole.right == CART for hole in holes)
    assert [hole.kind for hole in holes[:4]] == ["name", "member", "name", "member"]


def test_the_next_name_is_what_a_text_begins_with() -> None:
    assert (first_name("total()"), first_name("  x1 = 2"), first_name("(a)"), first_name("")) == (
        "total",
        "x1",
        None,
        None,
    )


def test_a_run_is_resumed_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in SHOP.files:
        path = tmp_path / "shop" / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file.text.encode())
    command = ["replay", "cross-file", "--on", str(tmp_path / "shop"), "--limit", "2", "--json"]
    command += ["--told", "nothing", "definitions", "--out", str(tmp_path / "run")]
    assert main(command) == 0
    first = json.loads(capsys.readouterr().out)
    rows = (tmp_path / "run" / "rows.jsonl").read_bytes()
    assert first["holes"] == 2
    assert first["all"]["definitions"]["oracle"] == 1.0
    # One row is lost, and only that one is computed again, with the same result.
    (tmp_path / "run" / "rows.jsonl").write_bytes(rows.split(b"\n")[0] + b"\n")
    assert main(command) == 0
    assert (tmp_path / "run" / "rows.jsonl").read_bytes() == rows
    assert json.loads(capsys.readouterr().out) == first
    assert "| definitions | 2 |" in (tmp_path / "run" / "report.md").read_text()


def test_a_folder_without_such_lines_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "alone.py").write_text("x = 1\n")
    assert main(["replay", "cross-file", "--on", str(tmp_path)]) == 2
    assert "uses a name of another file" in capsys.readouterr().err
