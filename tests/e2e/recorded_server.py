"""A language server with a witness: starts the real one and records every message that passes.

    python -m tests.e2e.recorded_server RECORD PROGRAM [ARGUMENT ...]

Editors start this in place of the server. RECORD gets one line of JSON per message: its sender and its
content. Tests read there what really crossed the pipe, whatever editor and server write into their own logs.

While a file RECORD.held exists, the answer to the command that it names is held back, and everything behind
it: tests use this as a slow server.
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
    """The file that both directions write to, one line at a time."""

    def __init__(self, file: TextIO) -> None:
        self.file = file
        self.lock = threading.Lock()

    def write(self, sender: str, body: bytes) -> None:
        line = json.dumps({"from": sender, "message": json.loads(body)})
        with self.lock:
            self.file.write(line + "\n")
            self.file.flush()


class Holding:
    """Holds answers back for as long as a file says so."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.asked: set[object] = set()

    def pass_on(self, sender: str, body: bytes) -> None:
        """Returns once a message may pass."""
        if not self.file.exists():
            return
        message = json.loads(body)
        if sender == "client" and (message.get("params") or {}).get("command") == self.file.read_text():
            self.asked.add(message["id"])
        is_answer = sender == "server" and "method" not in message
        while is_answer and message.get("id") in self.asked and self.file.exists():
            time.sleep(0.02)


def relay(source: IO[bytes], target: IO[bytes], sender: str, record: Record, holding: Holding) -> None:
    """Relays messages unchanged until the source ends."""
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
        # Editors also run the program's other subcommands, which do not speak the protocol.
        return subprocess.call(command)
    with (
        Path(path).open("a", encoding="utf-8") as file,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server,
    ):
        assert server.stdin is not None
        assert server.stdout is not None
        record, holding = Record(file), Holding(Path(f"{path}.held"))
        from_client = (sys.stdin.buffer, server.stdin, "client", record, holding)
        # The client may disappear without closing its side, so nothing waits for that thread.
        threading.Thread(target=relay, args=from_client, daemon=True).start()
        relay(server.stdout, sys.stdout.buffer, "server", record, holding)
    return server.returncode


if __name__ == "__main__":
    raise SystemExit(main())
