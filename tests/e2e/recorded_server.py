"""A language server with a witness: starts the real one and writes down every message that passes.

    python -m tests.e2e.recorded_server RECORD PROGRAM [ARGUMENT ...]

Editors start this in place of the server. RECORD gets one line of JSON a message: who sent it, and what.
Tests read from it what really crossed the pipe, whatever editor and server say in their own logs.

While there is a file RECORD.held, the answer to the command that it names does not come, nor what follows it:
a server that is late, for tests that want one.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import IO, TextIO


class Record:
    """The file that both directions write to, a whole line at a time."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.lock = threading.Lock()

    def write(self, sender: str, body: bytes) -> None:
        line = json.dumps({"from": sender, "message": json.loads(body)})
        with self.lock:
            self.file.write(line + "\n")
            self.file.flush()


class Holding:
    """Keeps answers back for as long as a file says so."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.asked: set[object] = set()

    def pass_on(self, sender: str, body: bytes) -> None:
        """Returns once a message may go on."""
        if not self.file.exists():
            return
        message = json.loads(body)
        if sender == "client" and (message.get("params") or {}).get("command") == self.file.read_text():
            self.asked.add(message["id"])
        is_answer = sender == "server" and "method" not in message
        while is_answer and message.get("id") in self.asked and self.file.exists():
            time.sleep(0.02)


def relay(source: IO[bytes], target: IO[bytes], sender: str, record: Record, holding: Holding) -> None:
    """Passes messages on unchanged until the source ends."""
    while header := read_header(source):
        length = next(
            int(line.split(b":")[1])
            for line in header.splitlines()
            if line.lower().startswith(b"content-length")
        )
        body = source.read(length)
        holding.pass_on(sender, body)
        record.write(sender, body)
        try:
            target.write(header + body)
            target.flush()
        except (BrokenPipeError, OSError):
            return
    target.close()


def read_header(source: IO[bytes]) -> bytes:
    header = b""
    while not header.endswith(b"\r\n\r\n"):
        line = source.readline()
        if not line:
            return b""
        header += line
    return header


def main() -> int:
    path, *command = sys.argv[1:]
    if "serve" not in command:
        # Editors also run the program's other subcommands, which speak no protocol.
        return subprocess.call(command)
    with (
        Path(path).open("a", encoding="utf-8") as file,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        record, holding = Record(file), Holding(Path(f"{path}.held"))
        from_client = (sys.stdin.buffer, server.stdin, "client", record, holding)
        # The client may go without closing its side, so nothing waits for that thread.
        threading.Thread(target=relay, args=from_client, daemon=True).start()
        relay(server.stdout, sys.stdout.buffer, "server", record, holding)
    return server.returncode


if __name__ == "__main__":
    raise SystemExit(main())
