"""llama.vim and minuet-ai.nvim in a Neovim without a screen, with keys typed one by one."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from tests.e2e.record import until
from tests.plugins.servers import TOKEN

# Version 0.12, or 0.11 if that is not available.
NEOVIMS = (
    Path(__file__).parents[2] / "target" / "e2e" / "forky" / "nvim",
    Path(sys.executable).with_name("nvim"),
)
NEOVIM = next((path for path in NEOVIMS if path.exists()), None)

# A user's whole configuration, except for the plugin's path. Neovim's own indentation is off, so that the
# file's text equals the typed one.
BOTH = """
vim.opt.runtimepath:prepend({folder})
vim.cmd("filetype on | filetype plugin off | filetype indent off")
vim.opt.autoindent = false
"""
# A channel for the typist: lines of JSON with keys to press, or with a Lua expression to evaluate. `nvim
# --remote-expr` needs a process for each call, which on a busy machine takes longer than the plugin.
DOOR = """
local door = vim.uv.new_pipe(false)
door:bind({socket})
local function answer(line)
  local asked = vim.json.decode(line)
  if asked.keys then
    return vim.api.nvim_input(asked.keys)
  end
  return loadstring("return " .. asked.lua)()
end
door:listen(1, function()
  local typist, begun = vim.uv.new_pipe(false), ""
  door:accept(typist)
  typist:read_start(function(_, piece)
    begun = begun .. (piece or "")
    for line in begun:gmatch("([^\\n]*)\\n") do
      vim.schedule(function()
        typist:write(vim.json.encode({{ value = answer(line) }}) .. "\\n")
      end)
    end
    begun = begun:match("[^\\n]*$")
  end)
end)
"""
LLAMA_VIM = """
vim.g.llama_config = {{
  endpoint_fim = {address} .. "/infill", api_key = {token}, ring_n_chunks = 0, show_info = 0,
  n_predict = 24,
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
# The longest wait for Tab to act.
TAB_SECONDS = 1.0
# The pause between two keys of a fast typist.
KEY_SECONDS = 0.06
# Expressions for whether grey text is shown.
SHOWN = {
    "llama.vim": "vim.fn['llama#is_fim_hint_shown']()",
    "minuet-ai.nvim": "require('minuet.virtualtext').action.is_visible()",
}
CONFIGURATIONS = {"llama.vim": LLAMA_VIM, "minuet-ai.nvim": MINUET}


@dataclass(frozen=True, slots=True)
class Typist:
    """A Neovim with one plugin."""

    plugin: str
    door: TextIO
    folder: Path
    asks_later: bool = True

    def ask(self, **asked: str) -> Any:
        self.door.write(json.dumps(asked) + "\n")
        self.door.flush()
        return json.loads(self.door.readline()).get("value")

    def lua(self, expression: str) -> Any:
        return self.ask(lua=expression)

    def press(self, keys: str) -> None:
        self.ask(keys=keys)

    def open(self, name: str, left: str, right: str) -> None:
        """Opens a file with the cursor behind `left`, in insert mode."""
        path = self.folder / name
        path.write_text(left + right, encoding="utf-8")
        row, column = left.count("\n") + 1, len(left) - left.rfind("\n")
        bang = "!" if right.startswith("\n") else ""
        self.press(f"<C-\\><C-n>:edit! {path}<CR>:call cursor({row}, {column})<CR>:startinsert{bang}<CR>")
        until(
            lambda: self.lua(f"vim.fn.expand('%:t') == '{name}' and vim.fn.mode() == 'i'") or None,
            "insert mode",
        )

    def type(self, keys: str) -> None:
        for key in keys:
            self.press("<lt>" if key == "<" else key)
            time.sleep(KEY_SECONDS)

    def text(self) -> str:
        return "\n".join(self.lua("vim.api.nvim_buf_get_lines(0, 0, -1, true)")) + "\n"

    def accepted(self) -> str | None:
        """The file after Tab, if grey text is shown."""
        if self.lua(SHOWN[self.plugin]) not in (True, 1):
            return None
        before = self.text()
        self.press("<Tab>")
        end = time.monotonic() + TAB_SECONDS
        while (text := self.text()) == before and time.monotonic() < end:
            time.sleep(0.02)
        # The shown text may be mere information.
        return None if text == before else text


@contextmanager
def typist(plugin: str, source: Path, folder: Path, address: str, prompt: str) -> Iterator[Typist]:
    """A Neovim with a plugin that uses an address; `prompt` is the model's prompt in Lua."""
    door = folder / "door.sock"
    values = {
        "folder": json.dumps(str(source)),
        "address": json.dumps(address),
        "token": json.dumps(TOKEN),
        "socket": json.dumps(str(door)),
        "prompt": prompt,
    }
    script = folder / "init.lua"
    script.write_text((BOTH + CONFIGURATIONS[plugin] + DOOR).format(**values), encoding="utf-8")
    command = [str(NEOVIM), "--headless", "-u", str(script), "-i", "NONE", "-n"]
    with (folder / "nvim.log").open("wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        until(lambda: door.exists() or None, "Neovim to start")
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(door))
            with connection.makefile("rw", encoding="utf-8") as lines:
                yield Typist(plugin, lines, folder)
    finally:
        process.terminate()
        process.wait(timeout=30)
