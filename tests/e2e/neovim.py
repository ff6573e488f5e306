"""A real Neovim in a terminal, with the real server behind it; a record of their messages."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.e2e.forced import PROGRAM
from tests.e2e.record import REQUEST, Record, until
from tests.e2e.terminal import Terminal, terminal

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Neovim:
    screen: Terminal
    program: Path
    socket: Path
    folder: Path
    record: Record

    def lua(self, expression: str) -> Any:
        """The value of an expression in the running editor."""
        wrapped = f"vim.json.encode({{ value = {expression} }})"
        command = [str(self.program), "--server", str(self.socket), "--remote-expr", f'luaeval("{wrapped}")']
        answer = subprocess.run(command, capture_output=True, text=True, check=True)
        decoded = json.loads(answer.stdout)
        # A table without entries, such as `{ value = nil }`, becomes an empty list.
        return decoded["value"] if decoded else None

    def type(self, keys: str) -> None:
        self.screen.type(keys)

    def open(self, name: str, marked: str) -> File:
        """Opens a new file with the cursor at `$0`, in insert mode."""
        left, right = marked.split("$0")
        path = self.folder / name
        path.write_text(left + right, encoding="utf-8")
        file = File(self, path)
        self.type(f"\x1b:edit {path}\r")
        until(
            lambda: self.record.sent("textDocument/didOpen", name) or None,
            lambda: f"the server to see {name}:\n{self.screen}",
        )
        row, column = left.count("\n") + 1, len(left) - left.rfind("\n")
        until(lambda: self.lua("vim.api.nvim_get_mode().mode") == "n", "normal mode")
        is_at_end = right.startswith("\n")
        self.type(f":call cursor({row}, {column}) | startinsert{'!' if is_at_end else ''}\r")
        until(lambda: self.lua("vim.api.nvim_get_mode().mode") == "i", "insert mode")
        return file


@dataclass(frozen=True, slots=True)
class File:
    editor: Neovim
    path: Path

    def text(self) -> str:
        return "\n".join(self.editor.lua("vim.api.nvim_buf_get_lines(0, 0, -1, true)")) + "\n"

    def saved(self) -> str:
        self.editor.type("\x1b:write\r")
        until(lambda: self.editor.lua("vim.bo.modified") is False, f"{self.path.name} to be written")
        return self.path.read_text(encoding="utf-8")

    def requests(self) -> list[dict[str, Any]]:
        return self.editor.record.sent(REQUEST, self.path.name)


def server_command(record: Path) -> str:
    """The server with its witness, as a list in Lua."""
    witness = [sys.executable, "-m", "tests.e2e.recorded_server", str(record)]
    command = [*witness, *PROGRAM, "serve"]
    return "{ " + ", ".join(json.dumps(word) for word in command) + " }"


@contextmanager
def neovim(program: Path, folder: Path, init: str) -> Iterator[Neovim]:
    """A Neovim with this configuration and none of the user's."""
    script = folder / "init.lua"
    script.write_text(init, encoding="utf-8")
    socket = folder / "nvim.sock"
    command = [str(program), "-u", str(script), "-i", "NONE", "-n", "--listen", str(socket)]
    with terminal(command, folder, PYTHONPATH=str(ROOT), XDG_STATE_HOME=str(folder)) as screen:
        until(lambda: socket.exists() or None, lambda: f"Neovim to start:\n{screen}")
        yield Neovim(screen, program, socket, folder, Record(folder / "record.jsonl"))
