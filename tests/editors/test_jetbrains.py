"""The template for LSP4IJ matches what the server understands. lsp4j, the plugin's protocol library, runs
against the server, and the plugin's own behaviour is simulated (tests/jetbrains). The tests use no IDE."""

from __future__ import annotations

import ast
import json
import os
import shlex
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from fim_lsp.cli import COMMANDS
from fim_lsp.known_languages import KNOWN
from fim_lsp.server.declaration import camel_case
from fim_lsp.server.settings import Settings
from tests.jetbrains.ide import Ide, ide, is_here
from tests.server_editor import script
from tests.sessions.client import PATIENT, SCRIPTED, SERVE, Client
from tests.sessions.editor import Editor, opened

FOLDER = Path(__file__).parents[2] / "editors" / "jetbrains"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


def test_each_language_is_mapped_by_the_servers_name_and_extensions() -> None:
    mapped = {
        mapping["languageId"]: {pattern.removeprefix("*") for pattern in mapping["fileType"]["patterns"]}
        for mapping in read("template.json")["fileTypeMappings"]
    }
    assert mapped == {language.name: set(language.extensions) for language in KNOWN}


def test_the_command_is_the_server() -> None:
    for command in read("template.json")["programArgs"].values():
        program, subcommand = command.replace('"', " ").split()[-2:]
        assert program.removesuffix(".exe") == "fim-lsp"
        assert subcommand == "serve"
        assert subcommand in COMMANDS


def test_the_settings_are_the_servers_with_its_defaults() -> None:
    defaults = {camel_case(known.name): known.default for known in fields(Settings)}
    given = read("settings.json")["fim-lsp"]
    assert given.items() <= defaults.items()


NEEDS_LSP4J = pytest.mark.skipif(
    not is_here(), reason="lsp4j is not there; `tests/e2e/lsp4j` gets it where there are Java and Maven"
)
MODEL = script(
    # The plugin's user types `(`, and the IDE inserts `)` behind it.
    ("y = f(", ["x"]),
    ("y = ", ["f(x) + 1"]),
    ("🙂', ", ["x]"]),
)


@pytest.fixture
def pycharm(tmp_path: Path) -> Iterator[Ide]:
    settings = {"fim-lsp": {"model": MODEL, **PATIENT}}
    with ide(tmp_path, settings, SCRIPTED) as running:
        yield running


@NEEDS_LSP4J
def test_the_template_s_own_command_and_settings_give_grey_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The model is the bundled one; `fim-lsp` is found on PATH."""
    monkeypatch.setenv("PATH", f"{Path(SERVE[0]).parent}{os.pathsep}{os.environ['PATH']}")
    settings = read("settings.json")
    settings["fim-lsp"].update(PATIENT)
    with ide(tmp_path, settings, shlex.split(read("template.json")["programArgs"]["default"])) as running:
        assert running.is_offered_grey_text
        running.open(tmp_path / "orders.py", 'if __name__ == $0\n    print("main")\n')
        assert running.grey_texts() == ['"__main__":']
        assert running.accept() == 'if __name__ == "__main__":\n    print("main")\n'
        assert running.close() == {"exit": 0, "heard": []}


@pytest.mark.editors
@NEEDS_LSP4J
def test_an_offer_is_not_put_behind_the_bracket_that_the_ide_has_closed(pycharm: Ide, tmp_path: Path) -> None:
    """The plugin skips the text that an offer covers, and inserts the offer there: `f()x) + 1`."""
    pycharm.open(tmp_path / "a.py", "x = 1\nf = abs\ny = $0\n")
    assert pycharm.grey_texts() == ["f(x) + 1"]
    pycharm.type("f")
    assert pycharm.grey_texts() == ["(x) + 1"]
    pycharm.type("(", closer=")")
    assert pycharm.grey_texts() == ["x"]
    ast.parse(pycharm.accept())


@pytest.mark.editors
@NEEDS_LSP4J
def test_no_request_of_the_plugin_s_is_shown_as_an_error(pycharm: Ide, tmp_path: Path) -> None:
    pycharm.open(tmp_path / "a.py", "x = 1\nz = ['🙂', $0\n")
    # The plugin writes each message in a task of its own, so a request may come before its change.
    assert pycharm.asked_too_early() == {"grey": []}
    # Each key cancels the previous request.
    pycharm.ask_and_go()
    assert pycharm.grey_texts() == ["x]"]
    ast.parse(pycharm.accept())
    assert pycharm.close() == {"exit": 0, "heard": []}


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("client", "offered", "covered"),
    [
        ({"name": "PyCharm 2026.1", "version": "PyCharm (build PY-261.22158.340)"}, "x", 0),
        ({"name": "Visual Studio Code", "version": "1.139.0"}, "x) + 1", 1),
    ],
)
async def test_who_replaces_what_an_offer_covers_is_known_by_name(
    client: dict[str, str], offered: str, covered: int
) -> None:
    server = await Client.start(command=SCRIPTED)
    inline: dict[str, Any] = {"textDocument": {"inlineCompletion": {}}}
    await server.initialize({"model": MODEL, **PATIENT}, inline, clientInfo=client)
    editor = Editor(server)
    buffer = opened(editor, "file:///a.py", "x = 1\nf = abs\ny = $0\n")
    assert [item.text for item in await editor.complete(buffer)] == ["f(x) + 1"]
    editor.type(buffer, "f(")
    editor.type(buffer, ")")
    buffer.cursor -= 1
    [item] = await editor.complete(buffer)
    assert (item.text, item.stop - item.start) == (offered, covered)
    await server.stop()
