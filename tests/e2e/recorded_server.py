"""A language server with a witness: starts the real one and writes down every message that passes.

    python -m tests.e2e.recorded_server RECORD PROGRAM [ARGUMENT ...]

Editors start this in place of the server. RECORD gets one line of JSON a message: who sent it, and what.
Tests read from it what really crossed the pipe, whatever editor and server say in their own logs.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
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


def relay(source: IO[bytes], target: IO[bytes], sender: str, record: Record) -> None:
    """Passes messages on unchanged until the source ends."""
    while header := read_header(source):
        length = next(
            int(line.split(b":")[1])
            for line in header.splitlines()
            if line.lower().startswith(b"content-length")
        )
        body = source.read(length)
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
        record = Record(file)
        from_client = (sys.stdin.buffer, server.stdin, "client", record)
        # The client may go without closing its side, so nothing waits for that thread.
        threading.Thread(target=relay, args=from_client, daemon=True).start()
        relay(server.stdout, sys.stdout.buffer, "server", record)
    return server.returncode


if __name__ == "__main__":
    raise SystemExit(main())
