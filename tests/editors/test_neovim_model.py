"""`:FimLsp model` in a real Neovim: the list, a download that is cut once, and the new model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.better import FILE, TITLE, better_model, fetched
from tests.e2e.llama import has_library
from tests.e2e.neovim import Neovim, neovim, server_command
from tests.e2e.record import until
from tests.editors.test_neovim import NEOVIM_0_10, NEOVIM_0_11, PLUGIN, SOURCES
from tests.fake_hub import Hub

pytestmark = [
    pytest.mark.editors,
    pytest.mark.timeout(600),
    pytest.mark.skipif(not has_library(), reason="llama.cpp does not run on this machine"),
]
# The entries of the list, and the chosen one; other plugins draw the menu.
CHOOSE = """
    _G.shown, _G.said = {}, {}
    vim.notify = function(text) table.insert(_G.said, text) end
    vim.ui.select = function(entries, options, choose)
      _G.shown = vim.tbl_map(options.format_item or tostring, entries)
      choose(entries[#entries])
    end
"""


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with better_model(tmp_path, XDG_DATA_HOME=str(tmp_path / "data")) as hub:
        yield hub


@pytest.fixture(params=["0.10", "0.11"])
def program(request: pytest.FixtureRequest) -> Path:
    found = NEOVIM_0_10 if request.param == "0.10" else NEOVIM_0_11
    if not found.exists():
        pytest.skip(f"Neovim {request.param} is not there; {SOURCES[request.param]}")
    return found


def init(folder: Path) -> str:
    folder.mkdir()
    (folder / "pyproject.toml").touch()
    return f"""
        {CHOOSE}
        vim.opt.runtimepath:prepend({json.dumps(str(PLUGIN))})
        require("fim_lsp").setup({{
          cmd = {server_command(folder / "record.jsonl")},
          settings = {{ timeBudget = 20000 }},
        }})
    """


def said(editor: Neovim) -> list[str]:
    return list(editor.lua("_G.said") or [])


@pytest.mark.usefixtures("hub")
def test_a_model_is_chosen_fetched_used_and_kept(program: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    with neovim(program, first, init(first)) as editor:
        editor.open("a.py", "print(max(rows$0\n")
        until(lambda: "bundled" in editor.record.models() or None, "the bundled model", 240)
        until(lambda: any("Better: " in text for text in said(editor)) or None, "the message", 60)
        editor.type("\x1b:FimLsp model\r")
        until(lambda: any("completes from now on" in text for text in said(editor)) or None, "the model", 120)
        bundled, better = editor.lua("_G.shown")
        assert bundled == "the bundled model"
        assert better.startswith(f"{TITLE}, 12 MB, Apache-2.0, about 0.1 s per offer here")
        assert better.endswith(" s per offer here, to be fetched")
        path = str(fetched(tmp_path))
        until(lambda: path in editor.record.models() or None, f"{FILE} to be used", 120)
    # In a later session the model is there from the start, without a message.
    with neovim(program, second, init(second)) as editor:
        editor.open("b.py", "print(max(rows$0\n")
        until(lambda: path in editor.record.models() or None, f"{FILE} to be used", 120)
        assert "bundled" not in editor.record.models()
        assert said(editor) == []
