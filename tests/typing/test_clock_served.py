"""`fim-lsp replay typing --clock` with a real server, over stdio, with a fast typist."""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path
from time import perf_counter
from typing import Any, cast
from urllib.request import urlopen

import pytest

from fim_lsp.cli import main
from fim_lsp.commands import replay, replay_typing_clock
from fim_lsp.decoding.models.model import load_model
from fim_lsp.replay.corpus import File
from fim_lsp.replay.journal import ROWS, read_rows
from fim_lsp.replay.typing.clock import editor, person
from fim_lsp.replay.typing.clock.conversation import Broken, Conversation
from fim_lsp.replay.typing.clock.editor import RealEditor
from fim_lsp.replay.typing.clock.filler import ClockSettings, resting_place
from fim_lsp.replay.typing.clock.project_copy import ProjectCopy
from fim_lsp.replay.typing.drawing import TypedProject
from tests.served_models import ServedModel, serving

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clock.md").read_text(encoding="utf-8")
CLOCK = {
    "positions",
    "in_time",
    "in_time_interval",
    "jumps_in_time",
    "jump_to_offer_ms",
    "key_to_offer_ms",
    "processor_s_per_minute",
    "peak_mb",
    "late",
    "late_s",
    "late_processor_s",
}


@pytest.fixture
def hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A typist who types faster than people, because these tests do not measure how much comes in time."""
    monkeypatch.setattr(person, "JUMP_SECONDS", 0.3)
    monkeypatch.setattr(person, "LINE_SECONDS", 0.0)
    monkeypatch.setattr(person, "FASTEST", 0.02)
    monkeypatch.setattr(person, "SLOWEST", 0.02)
    monkeypatch.setattr(editor, "QUIET_SECONDS", 0.05)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    found = tmp_path / "project"
    found.mkdir()
    (found / "shop.py").write_text((ROOT / "datasets/demo/stock.py").read_text())
    return found


def run(folder: Path, out: Path, *arguments: str) -> int:
    chosen = ["--on", str(folder), "--json", "--out", str(out)]
    return main(["replay", "typing", "--clock", "--just-opened", *chosen, *arguments])


def summary_of(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    found = json.loads(capsys.readouterr().out.rstrip("\n").rpartition("\n")[2])
    assert isinstance(found, dict)
    return found


@pytest.mark.usefixtures("hurry")
def test_two_models_type_beside_one_another_and_a_run_goes_on(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "run"
    arguments = ["--limit", "2", "--model", "bundled", "--model", "none", "--patient"]
    assert run(folder, out, *arguments) == 0
    found = summary_of(capsys)
    assert found["errors"] == 0
    assert found["regions"] == 2
    assert [*found["models"]] == ["bundled", "none"]
    assert found["clock"].keys() >= CLOCK
    assert found["clock"]["positions"] == found["asked"] == found["keys"]
    assert found["models"]["none"]["keys"] <= found["characters"]
    assert found["against"].keys() == {"none"}
    assert found["patient"].keys() == {"saved", "useful", "kept", "kept_interval"}
    rows = (out / ROWS).read_bytes()
    # Finished work is not repeated, because rows of other times would differ.
    (out / ROWS).write_bytes(rows.splitlines(keepends=True)[0] + b'{"torn')
    assert run(folder, out, *arguments) == 0
    capsys.readouterr()
    again = (out / ROWS).read_bytes()
    assert again.splitlines()[0] == rows.splitlines()[0]
    assert len(again.splitlines()) == 2
    # Both have typed at the same times, as long as neither has accepted anything.
    page = tmp_path / "page.md"
    page.write_text("<!-- begin typing-clock -->\nold\n<!-- end typing-clock -->\n")
    assert main(["replay", "report", str(out), "--into", str(page)]) == 0
    assert page.read_text().startswith("<!-- begin typing-clock -->\n\nRegions: 2;")
    assert "old\n" not in page.read_text()


@pytest.mark.usefixtures("hurry")
def test_a_server_of_models_is_typed_with(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(ServedModel(load_model(None), name="bundled")) as address:
        assert run(folder, tmp_path / "run", "--limit", "1", "--model", address) == 0
    assert [*summary_of(capsys)["models"]] == [address]
    [row] = read_rows(tmp_path / "run")
    assert row["models"][address]["clock"]["asked"]


@pytest.mark.usefixtures("hurry")
def test_a_model_that_cannot_be_had_ends_the_run(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, tmp_path / "run", "--limit", "1", "--model", str(tmp_path / "nowhere.gguf")) == 2
    assert "nowhere.gguf" in capsys.readouterr().err
    assert read_rows(tmp_path / "run") == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--clock", "--without", "judge"], "--without goes without --clock"),
        (["--clock", "--parts"], "--parts goes without --clock"),
        (["--clock", "--workers", "2"], "--workers goes without --clock"),
        (["--patient"], "--patient goes with --clock"),
        (["--warm", "3"], "--warm goes with --clock"),
        (["--model", "a", "--model", "b"], "--model is given once without --clock"),
        (["--clock", "--model", "a", "--model", "a"], "--model names a model twice"),
        (["--clock", "--just-opened", "--warm", "3"], "--just-opened is --warm 0"),
    ],
)
def test_what_says_nothing_together_is_refused(
    arguments: list[str], said: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", "typing", "--on", str(folder), *arguments]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("line", re.findall(r"^    fim-lsp (replay typing .*)$", PAGE, re.MULTILINE))
def test_every_command_of_the_page_is_one(line: str) -> None:
    parser = argparse.ArgumentParser()
    replay.add_arguments(parser)
    arguments = parser.parse_args(shlex.split(line)[1:])
    replay_typing_clock.check(arguments)
    if arguments.clock:
        assert replay_typing_clock.settings_of(arguments).labels


def test_the_page_names_its_commands() -> None:
    assert PAGE.count("\n    fim-lsp replay typing ") >= 7
    assert "python -m benches.far_model" in PAGE


def test_a_model_may_be_far_away() -> None:
    command = [sys.executable, "-m", "benches.far_model", "--milliseconds", "20"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        begun = perf_counter()
        with urlopen(f"{address}/props") as answer:
            assert json.load(answer)["model_alias"] == "bundled"
        assert perf_counter() - begun >= 0.02
        process.terminate()


def test_the_folder_that_is_opened_does_not_have_the_region(tmp_path: Path) -> None:
    files = (File("shop.py", "def price():\r\n    return 1\r\n"), File("HumanEval/0", "x = 1\n"))
    copy = ProjectCopy.write_copy(tmp_path, TypedProject("a project", files))
    other = ProjectCopy.write_copy(tmp_path, TypedProject("a project", files))
    assert copy.folder != other.folder
    assert copy.path("HumanEval/0").read_text() == "x = 1\n"
    assert copy.path("HumanEval/0").suffix == ".py"
    with copy.with_text("shop.py", "def price():\r\n    \r\n") as path:
        assert path.read_bytes() == b"def price():\r\n    \r\n"
        assert other.path("shop.py").read_bytes() == b"def price():\r\n    return 1\r\n"
    assert path.read_bytes() == b"def price():\r\n    return 1\r\n"


def test_the_cursor_was_elsewhere_before() -> None:
    text = "".join(f"line_{number} = {number}\n\n" for number in range(100))
    place = text.index("line_50")
    found = {resting_place(text, place, str(seed)) for seed in range(20)}
    assert len(found) > 10
    assert all(text[at] == "\n" and text[at - 1] != "\n" for at in found)
    near = text[: text.index("line_41")], text[: text.index("line_60")]
    assert not any(len(near[0]) < at < len(near[1]) for at in found)
    assert resting_place("x = 1\n", 0, "0") == 5
    assert resting_place("", 0, "0") == 0


def test_models_have_short_names_where_they_differ(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.gguf").touch()
    one, two = (str(tmp_path / name / "model.gguf") for name in ("a", "b"))
    address = "http://localhost:8080"
    assert ClockSettings((None, one, address)).labels == ["bundled", "model.gguf", address]
    assert ClockSettings((one, two)).labels == [one, two]


def span(start: int, stop: int) -> dict[str, Any]:
    return {"start": {"line": 0, "character": start}, "end": {"line": 0, "character": stop}}


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ({"insertText": "b)"}, "b)"),
        ({"insertText": {"kind": "snippet", "value": "b)"}}, "b)"),
        ({"insertText": "b", "range": span(5, 5)}, "b"),
        # Text that is already around the cursor is not offered again.
        ({"insertText": "a, b", "range": span(2, 5)}, "b"),
        ({"insertText": "b)", "range": span(5, 6)}, "b"),
        # Text that changes it cannot be shown behind the cursor.
        ({"insertText": "c, b", "range": span(2, 5)}, ""),
        ({"insertText": "b", "range": span(5, 6)}, ""),
        ({"insertText": "b", "range": span(0, 2)}, ""),
    ],
)
def test_what_an_item_puts_in(item: dict[str, Any], expected: str) -> None:
    assert offered(item) == expected


def offered(item: dict[str, Any]) -> str:
    """The text that an item offers if `f(a, )` has its cursor in front of the bracket."""

    async def found() -> str:
        page = RealEditor(cast("Conversation", argparse.Namespace()), text="f(a, )", cursor=5)
        return page._offered(item)

    return asyncio.run(found())


def test_a_server_that_ends_is_said_to_have(tmp_path: Path) -> None:
    async def ask() -> Any:
        conversation = await Conversation.begin([sys.executable, "-c", "raise SystemExit(1)"], tmp_path)
        try:
            return await conversation.result("initialize", {})
        finally:
            await conversation.end()

    with pytest.raises(Broken, match="initialize: the server has ended"):
        asyncio.run(ask())
