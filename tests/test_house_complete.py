"""`fim-lsp complete` without a model: the shortest filling, honestly labelled."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from fim_lsp.cli import main

UNFINISHED = "def total(prices):\n    return sum(price * 2 for price in prices\n\nprint(total([3]))\n"


@pytest.fixture
def unfinished(tmp_path: Path) -> Path:
    path = tmp_path / "total.py"
    path.write_text(UNFINISHED)
    return path


def test_the_completion_makes_the_file_parse(unfinished: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", "--json", f"{unfinished}:2:45"]) == 0
    answer = json.loads(capsys.readouterr().out)
    [completion] = answer["completions"]
    offset = answer["offset"]
    ast.parse(UNFINISHED[:offset] + completion["text"] + UNFINISHED[offset:])
    assert completion == {"text": ")", "source": "grammar"}
    assert answer["model"] is None
    assert answer["explanation"]


def test_for_people_it_shows_the_place_and_says_that_no_model_is_there(
    unfinished: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["complete", f"{unfinished}:2:45"]) == 0
    out = capsys.readouterr().out
    assert "   2 |     return sum(price * 2 for price in prices«)»\n" in out
    assert "no model is bundled with this version yet" in out
    assert "\x1b" not in out


def test_colours_can_be_forced(
    unfinished: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    main(["complete", f"{unfinished}:2:45"])
    assert "\x1b[1;30;43m)\x1b[0m" in capsys.readouterr().out
    monkeypatch.setenv("NO_COLOR", "1")
    main(["complete", f"{unfinished}:2:45"])
    assert "\x1b" not in capsys.readouterr().out


def test_a_file_that_parses_needs_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = 1\n")
    assert main(["complete", f"{path}:1:6"]) == 0
    assert "nothing has to come here" in capsys.readouterr().out


def test_a_hole_that_nothing_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.py"
    path.write_text("x = )\n")
    assert main(["complete", "--json", f"{path}:1:6"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["completions"] == []
    assert (answer["fault"]["side"], answer["fault"]["offset"]) == ("left", 4)


@pytest.mark.parametrize("place", ["total.py", "missing.py:1:1"])
def test_a_place_that_cannot_be_used(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["complete", place]) == 2
    assert capsys.readouterr().err.startswith("fim-lsp complete: ")
