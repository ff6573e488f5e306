"""What is offered for several holes of one file: names of its package, and what the file makes likely."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import fim_lsp
from fim_lsp.cli import main
from tests.laws.together import holes

GO = """package main

func add(left, right int) int {
	return |
}

func main() {
	x := add(|)
	y := add(|)
	println(|)
}
"""


def test_no_hole_gets_a_name_of_another_function(tmp_path: Path) -> None:
    text, places = holes(GO)
    path = str(tmp_path / "main.go")
    best = fim_lsp.complete_together(text, places, language="go", path=path)[0]
    assert best[0]
    for texts in best[1:]:
        assert "left" not in texts
        assert "right" not in texts


def test_what_the_file_makes_likely_comes_before_the_shortest() -> None:
    rows = "".join(f'    {{"kind": "tree", "height": {number}}},\n' for number in range(6))
    text, places = holes(f'[\n{rows}    {{"kind": "tree", |: |}}\n]\n')
    found = fim_lsp.complete_together(text, places, language="json")
    assert [one[0] for one in found] == ['"height"', '""']
    assert fim_lsp.complete_together(text, places, language="json", model="none") == [('""', "0")]


def test_the_command_line_knows_the_package(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "main.go"
    path.write_text(GO.replace("|", ""))
    assert main(["complete", "--together", f"{path}:8:11", f"{path}:9:11", "--json"]) == 0
    best = json.loads(capsys.readouterr().out)[0]
    assert not any("left" in one or "right" in one for one in best)
