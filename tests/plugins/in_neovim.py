"""llama.vim and minuet-ai.nvim in a Neovim without a screen, typed with key by key."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.record import until
from tests.plugins.servers import TOKEN

# 0.12, or 0.11 where that cannot be had.
NEOVIMS = (
    Path(__file__).parents[2] / "target" / "e2e" / "forky" / "nvim",
    Path(sys.executable).with_name("nvim"),
)
NEOVIM = next((path for path in NEOVIMS if path.exists()), None)

# A user's whole configuration, without the plugin's place. Neovim's own indentation is off, so that the text
# of the file is the typed one.
BOTH = """
vim.opt.runtimepath:prepend({folder})
vim.cmd("filetype on | filetype plugin off | filetype indent off")
vim.opt.autoindent = false
"""
LLAMA_VIM = """
vim.g.llama_config = {{
  endpoint_fim = {address} .. "/infill", api_key = {token}, ring_n_chunks = 0, show_info = 0,
}}
"""
MINUET = """
require("minuet").setup({{
  provider = "openai_fim_compatible",
  n_completions = 1,
  request_timeout = 60,
  throttle = 0,
  debounce = 100,
  virtualtext = {{ auto_trigger_ft = {{ "python" }}, keymap = {{ accept = "<Tab>" }} }},
  provider_options = {{ openai_fim_compatible = {{
    name = "fim-lsp",
    model = "any",
    end_point = {address} .. "/v1/completions",
    api_key = function() return {token} end,
    optional = {{ max_tokens = 24, temperature = 0, stop = {{ "\\n\\n" }} }},
    template = {{
      prompt = function(before, after) return {prompt} end,
      suffix = false,
    }},
  }} }},
}})
"""
TAB_SECONDS = 3.0
# Expressions: whether grey text is shown.
SHOWN = {
    "llama.vim": "vim.fn['llama#is_fim_hint_shown']()",
    "minuet-ai.nvim": "require('minuet.virtualtext').action.is_visible()",
}
CONFIGURATIONS = {"llama.vim": LLAMA_VIM, "minuet-ai.nvim": MINUET}


@dataclass(frozen=True, slots=True)
class Typist:
    """A Neovim with one plugin."""

    plugin: str
    socket: Path
    folder: Path

    def ask(self, kind: str, text: str) -> str:
        command = [str(NEOVIM), "--server", str(self.socket), f"--remote-{kind}", text]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120).stdout

    def lua(self, expression: str) -> Any:
        quoted = expression.replace("'", "''")
        answer = self.ask("expr", f"luaeval('vim.json.encode({{value = {quoted}}})')")
        decoded = json.loads(answer)
        return decoded["value"] if decoded else None

    def open(self, name: str, left: str, right: str) -> None:
        """A file with the cursor behind `left`, in insert mode."""
        path = self.folder / name
        path.write_text(left + right, encoding="utf-8")
        row, column = left.count("\n") + 1, len(left) - left.rfind("\n")
        bang = "!" if right.startswith("\n") else ""
        self.ask(
            "send", f"<C-\\><C-n>:edit! {path}<CR>:call cursor({row}, {column})<CR>:startinsert{bang}<CR>"
        )
        until(
            lambda: self.lua(f"vim.fn.expand('%:t') == '{name}' and vim.fn.mode() == 'i'") or None,
            "insert mode",
        )

    def type(self, keys: str) -> None:
        for key in keys:
            self.ask("send", "<lt>" if key == "<" else key)

    def text(self) -> str:
        return "\n".join(self.lua("vim.api.nvim_buf_get_lines(0, 0, -1, true)")) + "\n"

    def accepted(self) -> str | None:
        """The file once Tab was pressed, where grey text is shown."""
        if self.lua(SHOWN[self.plugin]) not in (True, 1):
            return None
        before = self.text()
        self.ask("send", "<Tab>")
        end = time.monotonic() + TAB_SECONDS
        while (text := self.text()) == before and time.monotonic() < end:
            time.sleep(0.02)
        # The shown text may have been mere information.
        return None if text == before else text


@contextmanager
def typist(plugin: str, source: Path, folder: Path, address: str, prompt: str) -> Iterator[Typist]:
    """A Neovim with a plugin that is pointed at an address; `prompt` says in Lua what a model reads."""
    values = {
        "folder": json.dumps(str(source)),
        "address": json.dumps(address),
        "token": json.dumps(TOKEN),
        "prompt": prompt,
    }
    script = folder / "init.lua"
    script.write_text((BOTH + CONFIGURATIONS[plugin]).format(**values), encoding="utf-8")
    socket = folder / "nvim.sock"
    command = [str(NEOVIM), "--headless", "-u", str(script), "-i", "NONE", "-n", "--listen", str(socket)]
    with (folder / "nvim.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        until(lambda: socket.exists() or None, "Neovim to start")
        yield Typist(plugin, socket, folder)
    finally:
        process.terminate()
        process.wait(timeout=30)
