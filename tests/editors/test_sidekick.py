"""Next edits in a real Neovim with sidekick.nvim, as published: it treats this server as Copilot's, by the
client's name and the request."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.neovim import neovim, server_command
from tests.e2e.record import until
from tests.editors.test_neovim import NEOVIM_0_12, ROOT, SOURCES

SIDEKICK = ROOT / "target" / "plugins" / "sidekick.nvim"
TEXT = "def $0net(gross):\n    return gross\n\n\nprint(net(1))\nprint(net(2))\n"
NES = "require('sidekick.nes')"


@pytest.mark.editors
@pytest.mark.skipif(not NEOVIM_0_12.exists(), reason=f"Neovim 0.12 is not there; {SOURCES['0.12']}")
@pytest.mark.skipif(
    not SIDEKICK.exists(),
    reason="git clone https://github.com/folke/sidekick.nvim target/plugins/sidekick.nvim gets the plugin",
)
def test_sidekick_draws_an_edit_goes_there_and_makes_it(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    init = f"""
        vim.opt.runtimepath:prepend({json.dumps(str(SIDEKICK))})
        vim.lsp.config("copilot", {{
          cmd = {server_command(tmp_path / "record.jsonl")},
          filetypes = {{ "python" }},
          init_options = {{ model = "none" }},
        }})
        vim.lsp.enable("copilot")
        require("sidekick").setup({{ nes = {{ enabled = true }} }})
        require("sidekick.nes").enable(true)
    """
    with neovim(NEOVIM_0_12, tmp_path, init) as editor:
        file = editor.open("prices.py", TEXT)
        editor.type("\x1b")
        until(lambda: editor.lua("vim.api.nvim_get_mode().mode") == "n", "normal mode")
        # `startinsert` began at the name, and Escape has moved the cursor back.
        editor.type("lcwnet_of\x1b")
        # The plugin asks by itself when insert mode ends.
        until(lambda: editor.lua(f"{NES}.have()") or None, lambda: f"an edit:\n{editor.screen}")
        until(lambda: "net_of(1)" in str(editor.screen) or None, lambda: f"it to be drawn:\n{editor.screen}")
        assert "net_of(1)" not in file.text(), "it is drawn, not made"
        assert editor.lua(f"{NES}.jump()")
        until(lambda: editor.lua("vim.api.nvim_win_get_cursor(0)[1]") == 5 or None, "the cursor to go there")
        assert editor.lua(f"{NES}.apply()")
        whole = TEXT.replace("$0", "").replace("net(", "net_of(")
        until(lambda: file.text() == whole or None, lambda: f"it to be made:\n{file.text()}")
        # The server is notified, and has no further edits.
        until(
            lambda: any(one.method == "workspace/executeCommand" for one in editor.record.messages()) or None,
            "the server to be told of an accept",
        )
        assert not editor.lua(f"{NES}.have()")
        editor.type("u")
        until(lambda: "print(net(1))\nprint(net(2))" in file.text() or None, lambda: f"undo:\n{file.text()}")
        assert file.text().startswith("def net_of(gross)"), "one step of undo takes back the edit alone"
