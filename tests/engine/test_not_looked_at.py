"""Right contexts that the engine does not read to their end: callers never say "nothing fits".

A real text of such a cost is a fault of the engine and is fixed, so this test makes the engine give up.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import NoReturn

import pytest

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.document.hole import Hole
from fim_lsp.document.sent import SentText
from fim_lsp.document.texts import WorkerText
from fim_lsp.endpoint.part import part_of
from fim_lsp.fitting.documents import DocumentCache
from fim_lsp.holes import fill
from fim_lsp.known_languages import language_named
from fim_lsp.replay.case import Case
from fim_lsp.replay.modes import HoleFiller, ReplaySettings
from fim_lsp.server.status import status_of
from fim_lsp.server.worker.ladder import footing
from fim_lsp.server.worker.site import Site
from quotient import Language, NoCompletion, TooCostly

WHY = "the text after the hole can be read in too many ways"


@pytest.fixture
def costly(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An engine that reads nothing behind a hole."""
    really = Language.recognizer

    def recognizer(self: Language, left: str = "", right: str = "", names: object = None) -> object:
        if right:
            raise TooCostly(WHY)
        assert names is None
        return really(self, left, right)

    with monkeypatch.context() as patched:
        patched.setattr(Language, "recognizer", recognizer)
        yield


def source(folder: Path) -> str:
    (folder / "a.py").write_text("f(\ny = 1\n", encoding="utf-8")
    return f"{folder / 'a.py'}:1:3"


def test_the_two_are_told_apart() -> None:
    assert not issubclass(TooCostly, NoCompletion)
    assert not issubclass(NoCompletion, TooCostly)


@pytest.mark.usefixtures("costly")
def test_a_filling_is_not_said_to_be_impossible() -> None:
    with pytest.raises(TooCostly, match=WHY):
        fill(Language.load("python"), "f(", ")\n")
    with pytest.raises(TooCostly, match=WHY):
        fim_lsp.complete("f()\n", 2, model="none")


def test_fitting_does_not_say_that_nothing_fits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def recognizer(_: DocumentCache, __: Language, ___: str, right: str, ____: object) -> object:
        if "y" in right:
            raise TooCostly(WHY)
        return Language.load("python").recognizer("f(", right)

    monkeypatch.setattr(DocumentCache, "recognizer", recognizer)
    with pytest.raises(TooCostly, match=WHY):
        fim_lsp.fit("f(", "a", ")\ny = 1\n")
    with pytest.raises(TooCostly, match=WHY):
        fim_lsp.Fitting("f(", ")\ny = 1\n")
    part = part_of("f(", ")\ny = 1\n", language_named("python"))
    assert part is not None
    assert "y" not in part.right, "an endpoint looks at less of it"
    place = source(tmp_path)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"a")))
    assert main(["fit", place]) == 2
    assert f"{place}: unknown whether any text fits here: {WHY}" in capsys.readouterr().err


@pytest.mark.usefixtures("costly")
def test_the_commands_say_so_and_end_as_not_done(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = source(tmp_path)
    assert main(["check", place]) == 2
    said = capsys.readouterr().err
    assert f"{place}: unknown whether any text fits here: {WHY}" in said
    assert main(["check", "--json", place]) == 2
    assert [one["path"] for one in json.loads(capsys.readouterr().out)["unreadable"]] == [place]
    assert main(["complete", "--model", "none", place]) == 2
    assert f"{place}: unknown whether any text fits here: {WHY}" in capsys.readouterr().err


@pytest.mark.usefixtures("costly")
def test_a_replay_reports_it_as_what_it_is() -> None:
    filler = HoleFiller.of(ReplaySettings(("truth",), "hole", max_tokens=8, python_version="3.11"))
    case = Case("a", "x = 1\n", 4, 5)
    outcome, _ = filler.truth(case)
    assert outcome.error == f"not looked at: {WHY}"


class Engine:
    """An engine whose document reads nothing behind a hole."""

    def recognizer(self, *_place: int) -> NoReturn:
        raise TooCostly(WHY)


def test_the_server_holds_a_completion_to_a_part_and_says_why() -> None:
    content = "import os\ndef f(a):\n    return g(\n\nx = 1\n"
    text = WorkerText(SentText("file:///a.py", 0, "3.11", content), content)
    text.engine = Engine()  # type: ignore[assignment]
    place = content.index("(\n") + 1
    held = footing(Site.of(text, Hole(place, place, "")))
    assert held is not None
    assert held.rung == "unread"
    assert held.recognizer.witness() == ")"
    said = status_of(None, held.rung, "", "file:///a.py").message
    assert "too many readings" in said
    assert "error" not in said
