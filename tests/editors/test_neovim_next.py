"""Next edits in real Neovims with our plugin: drawn, reached, accepted, undone, dismissed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from tests.e2e.neovim import File, Neovim, neovim, server_command
from tests.e2e.record import until
from tests.editors.test_neovim import NEOVIM_0_10, NEOVIM_0_11, PLUGIN, SOURCES

pytestmark = pytest.mark.editors

HEAD = "def area($0width, height):\n    return width * height\n"
CALL = "print(area(width=3, height=4))\n"
FAR = "".join(f"x{number} = {number}\n" for number in range(80))
METHOD = "textDocument/copilotInlineEdit"


@pytest.fixture(scope="module", params=["0.10", "0.11"])
def editor(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neovim]:
    program = NEOVIM_0_10 if request.param == "0.10" else NEOVIM_0_11
    if not program.exists():
        pytest.skip(f"Neovim {request.param} is not there; {SOURCES[request.param]}")
    folder = tmp_path_factory.mktemp(f"neovim-next-{request.param}")
    (folder / "pyproject.toml").touch()
    init = f"""
        vim.opt.runtimepath:prepend({json.dumps(str(PLUGIN))})
        require("fim_lsp").setup({{
          cmd = {server_command(folder / "record.jsonl")},
          settings = {{ model = "none" }},
        }})
    """
    with neovim(program, folder, init) as running:
        yield running


def shown(editor: Neovim) -> dict[str, Any] | None:
    found: dict[str, Any] | None = editor.lua("require('fim_lsp.next').visible()")
    return found


def wait_for_edit(editor: Neovim, line: int, text: str) -> None:
    until(
        lambda: (found := shown(editor)) is not None and (found["line"], found["text"]) == (line, text),
        lambda: f"the edit of line {line}, not {shown(editor)}:\n{editor.screen}",
    )


def renamed(editor: Neovim, name: str, rest: str = "", head: str = HEAD) -> File:
    """A file in which the parameter `width` was just replaced, in normal mode."""
    file = editor.open(name, head + rest)
    editor.type("\x1b")
    until(lambda: editor.lua("vim.api.nvim_get_mode().mode") == "n", "normal mode")
    # `startinsert` began at the name, and Escape has moved the cursor back.
    editor.type("lcwbreadth\x1b")
    return file


def test_an_edit_is_drawn_gone_to_taken_and_undone(editor: Neovim) -> None:
    file = renamed(editor, "next.py", f"\n\n{CALL}")
    wait_for_edit(editor, 2, "breadth")
    screen = editor.screen.wait_for("return widthbreadth * height")
    assert any("»" in line for line in screen)
    before = file.text()
    editor.type("\t")
    until(lambda: editor.lua("vim.fn.line('.')") == 2, "the cursor to be there")
    assert file.text() == before
    editor.type("\t")
    taken = before.replace("return width", "return breadth")
    until(lambda: file.text() == taken, lambda: f"it to be taken:\n{editor.screen}")
    wait_for_edit(editor, 5, "breadth")
    editor.type("\t")
    until(lambda: editor.lua("vim.fn.line('.')") == 5, "the cursor to be there")
    editor.type("\t")
    until(lambda: file.text() == taken.replace("width", "breadth"), "the second one to be taken")
    editor.type("u")
    until(lambda: file.text() == taken, lambda: f"undo to take back one:\n{editor.screen}")
    editor.type("u")
    until(lambda: file.text() == before, lambda: f"undo to take back the other:\n{editor.screen}")


def test_lines_that_change_together_are_drawn_word_by_word(editor: Neovim) -> None:
    file = renamed(editor, "lines.py", CALL)
    editor.screen.wait_for("return widthbreadth * height")
    editor.screen.wait_for("print(area(widthbreadth=3, height=4))")
    wanted = file.text().replace("width", "breadth")
    editor.type("\t\t")
    until(lambda: file.text() == wanted, lambda: f"both to be taken:\n{editor.screen}")


def test_an_edit_off_the_screen_has_a_hint(editor: Neovim) -> None:
    head = HEAD.replace("return width", "return breadth")
    file = renamed(editor, "far.py", FAR + CALL, head)
    line = 3 + FAR.count("\n")
    wait_for_edit(editor, line, "breadth")
    editor.screen.wait_for(f"def area(breadth, height): ↓ next edit in line {line}")
    editor.type("\t")
    editor.screen.wait_for("print(area(widthbreadth=3, height=4))")
    assert "next edit in line" not in str(editor.screen)
    editor.type("\t")
    until(lambda: "area(breadth=3" in file.text(), lambda: f"it to be taken:\n{editor.screen}")


def test_in_insert_mode_the_key_takes_it_and_undo_takes_it_back(editor: Neovim) -> None:
    file = renamed(editor, "insert.py")
    wait_for_edit(editor, 2, "breadth")
    editor.type("A  # here")
    wait_for_edit(editor, 2, "breadth")
    editor.type("\t")
    until(lambda: editor.lua("vim.fn.line('.')") == 2, "the cursor to be there")
    editor.type("\t")
    until(lambda: "return breadth" in file.text(), lambda: f"it to be taken:\n{editor.screen}")
    editor.type("\x1bu")
    until(lambda: "return width" in file.text(), lambda: f"undo to take it back:\n{editor.screen}")


def wait_for_questions(editor: Neovim, number: int) -> None:
    until(lambda: len(editor.record.sent(METHOD, "away.py")) >= number, "the next question")


def test_escape_sends_it_away_and_twice_for_good(editor: Neovim) -> None:
    file = renamed(editor, "away.py")
    for number in range(2):
        wait_for_edit(editor, 2, "breadth")
        editor.type("\x1b")
        until(lambda: shown(editor) is None, "it to go")
        n_asked = len(editor.record.sent(METHOD, "away.py"))
        editor.type(f"Go# {number}\x1bgg")
        wait_for_questions(editor, n_asked + 1)

    def last_answer() -> dict[str, Any] | None:
        answer = editor.record.answer(editor.record.sent(METHOD, "away.py")[-1]["id"])
        return None if answer is None else answer.get("result")

    assert until(last_answer, "the answer") == {"edits": []}
    assert shown(editor) is None
    assert "return width" in file.text()


def test_keys_are_what_they_were_where_there_is_no_edit(editor: Neovim) -> None:
    file = editor.open("keys.py", "x = 1$0\n")
    editor.type("\x1b")
    until(lambda: editor.lua("vim.api.nvim_get_mode().mode") == "n", "normal mode")
    editor.type("\x1b\tix")
    until(lambda: file.text() == "x = x1\n", lambda: f"typing as ever:\n{editor.screen}")


def test_a_key_that_the_user_has_mapped_is_left_alone(editor: Neovim) -> None:
    mapped = "vim.fn.maparg('<Tab>', 'n', false, true).desc"
    assert editor.lua(mapped) == "fim-lsp: next edit"
    editor.lua("{ vim.keymap.set('n', '<F6>', 'gg', { desc = 'mine' }) }")
    editor.lua("{ require('fim_lsp').map_normal_keys({ next_edit = '<F6>' }) }")
    assert editor.lua("vim.fn.maparg('<F6>', 'n', false, true).desc") == "mine"


def test_an_edit_of_another_buffer_is_gone_to_and_taken(editor: Neovim) -> None:
    till = editor.open("till.py", "$0from prices import net\n\nprint(net(2))\n")
    before = till.text()
    prices = editor.open("prices.py", "def $0net(gross):\n    return gross\n")
    editor.type("\x1blcwnet_of\x1b")
    until(lambda: "net_of" in prices.text(), "the name to be changed")
    editor.screen.wait_for("→ next edit in till.py, line 1")
    editor.type("\t")
    until(lambda: editor.lua("vim.fn.expand('%:t')") == "till.py", "the other buffer to be shown")
    editor.screen.wait_for("from prices import netnet_of")
    assert till.text() == before
    editor.type("\t")
    until(lambda: till.text() == before.replace("net", "net_of"), lambda: f"it to be taken:\n{editor.screen}")
    editor.type("u")
    until(lambda: till.text() == before, lambda: f"undo to take all back:\n{editor.screen}")


def test_an_import_that_an_edit_needs_comes_with_it_and_goes_with_it(editor: Neovim) -> None:
    head = "import sys\nfrom shop.old import os_path\n\n"
    uses = editor.open("uses.py", f"$0{head}" + "".join(f"a{n} = os_path.getsize({n})\n" for n in range(8)))
    editor.type("\x1b:%s/= os_path/= os.path/ | call append(0, 'import os')\r")
    until(lambda: uses.text().count("os.path") == 8, "the first file to be changed")
    body = "def f():\n    x = sys.argv\n    a = os_path.getsize(x)\n    return a\n"
    file = editor.open("other.py", f"{head}\n{body}".replace("\n", "$0\n", 1))
    editor.type("  # here\x1b")
    editor.screen.wait_for("a = os_pathos.path.getsize(x)")
    editor.screen.wait_for("import os")
    before = file.text()
    editor.type("\t")
    until(lambda: editor.lua("vim.fn.line('.')") == 7, "the cursor to be there")
    editor.type("\t")
    taken = "import os\n" + before.replace("a = os_path", "a = os.path")
    until(lambda: file.text() == taken, lambda: f"it to be taken:\n{editor.screen}")
    assert editor.lua("vim.fn.getline('.')") == "    a = os.path.getsize(x)"
    editor.type("u")
    until(lambda: file.text() == before, lambda: f"undo to take both back:\n{editor.screen}")
