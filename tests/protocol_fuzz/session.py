"""One session with a server of its own, from its start to its end, and its promises."""

from __future__ import annotations

import json
import random
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import psutil  # type: ignore[import-untyped]

from tests.protocol_fuzz.messages import Messages
from tests.protocol_fuzz.oracle import answered, ends_something
from tests.sessions.client import SERVE

# The timeout is longer than any wait of the server, even on a busy machine.
PATIENCE = 90.0
Ending = Literal["exit", "exit at once", "stdin", "garbled"]
ENDINGS: tuple[Ending, ...] = ("exit", "exit at once", "stdin", "garbled")
EXIT_CODES: dict[Ending, int] = {"exit": 0, "exit at once": 1, "stdin": 1, "garbled": 2}
GARBLED = [
    b"Content-Length: x\r\n\r\n",
    b"x" * 2000,
    b"Content-Length: -1\r\n\r\n{}",
    b"A: b\r\n\r\n",
    b"{}\n",
]
CAPABILITIES = {
    "workspace": {"configuration": True, "didChangeWatchedFiles": {"dynamicRegistration": True}},
    "textDocument": {"completion": {"dynamicRegistration": True}},
    "window": {"workDoneProgress": True},
}


class Failure(Exception):
    """A promise that was broken; the message is for people."""


@dataclass
class Session:
    source: random.Random
    expected: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    n_messages: int = 0
    _arrived: threading.Condition = field(default_factory=threading.Condition)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, n_messages: int) -> None:
        with subprocess.Popen(
            [*SERVE, "--log-level", "error"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as self.process:
            reading = threading.Thread(target=self._read, daemon=True)
            reading.start()
            try:
                self._talk(n_messages)
                self._end(self.source.choice(ENDINGS))
            finally:
                self.process.kill()
            reading.join(PATIENCE)

    def _talk(self, n_messages: int) -> None:
        messages = Messages(self.source)
        for _ in range(self.source.choice([0, 0, 5])):
            # Before `initialize`, the server refuses every other message.
            message = {"id": messages.number(), "method": "textDocument/completion", "params": {}}
            self.send(json.dumps({"jsonrpc": "2.0", **message}).encode())
        capabilities = self.source.choice([{}, CAPABILITIES])
        options = {"model": "none", "timeBudget": self.source.choice([50, 800])}
        params = {"processId": None, "capabilities": capabilities, "initializationOptions": options}
        self.send(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}).encode())
        self.send(b'{"jsonrpc": "2.0", "method": "initialized", "params": {}}')
        while self.n_messages < n_messages:
            body = messages.body()
            if ends_something(body):
                continue
            self.send(body)
            if self.source.random() < 0.005:
                self.wait_for_answers()
        self.wait_for_answers()

    def send(self, body: bytes) -> None:
        number = answered(body)
        if number is not None:
            self.expected[number] += 1
        self.n_messages += 1
        self.write(b"".join(heads(self.source, len(body))) + body)

    def write(self, content: bytes) -> None:
        assert self.process.stdin is not None
        # The message is sent in one piece, or cut as a pipe may cut it.
        cut = self.source.choice([0, self.source.randrange(len(content) + 1)])
        with self._lock:
            for part in (content[:cut], content[cut:]):
                self.process.stdin.write(part)
                self.process.stdin.flush()

    def wait_for_answers(self) -> None:
        with self._arrived:
            if not self._arrived.wait_for(lambda: self.found.total() >= self.expected.total(), PATIENCE):
                missing = self.expected - self.found
                raise Failure(f"{missing.total()} requests have no answer, such as {list(missing)[:3]}")
        if self.found != self.expected:
            raise Failure(f"answered more than once: {self.found - self.expected}")

    def _end(self, ending: Ending) -> None:
        children = psutil.Process(self.process.pid).children(recursive=True)
        assert self.process.stdin is not None
        if ending == "exit":
            self.send(b'{"jsonrpc": "2.0", "id": "end", "method": "shutdown"}')
            self.send(b'{"jsonrpc": "2.0", "id": "late", "method": "workspace/executeCommand"}')
            self.wait_for_answers()
        if ending == "garbled":
            self.write(self.source.choice(GARBLED))
        elif ending == "stdin":
            self.process.stdin.close()
        else:
            self.send(b'{"jsonrpc": "2.0", "method": "exit"}')
        try:
            code = self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise Failure(f"the server is still there after {ending}") from None
        if code != EXIT_CODES[ending]:
            raise Failure(f"exit code {code} after {ending}")
        _, alive = psutil.wait_procs(children, timeout=PATIENCE)
        if alive:
            raise Failure(f"{len(alive)} orphans after {ending}")

    # --- what the server says ----------------------------------------------------------------------------

    def _read(self) -> None:
        assert self.process.stdout is not None
        source = random.Random(0)
        while head := self.process.stdout.readline():
            length = int(head.partition(b":")[2])
            while self.process.stdout.readline().strip():
                pass
            message = json.loads(self.process.stdout.read(length))
            if "method" not in message:
                with self._arrived:
                    self.found[json.dumps(message["id"])] += 1
                    self._arrived.notify_all()
            elif "id" in message:
                self._reply(source, message["id"])

    def _reply(self, source: random.Random, number: Any) -> None:
        """Answers a question of the server: once, twice, with an error, with nonsense, or not at all."""
        error = {"error": {"code": -32603, "message": "no"}}
        replies: list[dict[str, Any]] = [
            {"result": None},
            {"result": [{}]},
            {"result": 5},
            error,
            {"error": []},
        ]
        with self._lock:
            for said in source.choices(replies, k=source.choice([0, 1, 1, 2])):
                body = json.dumps({"jsonrpc": "2.0", "id": number, **said}).encode()
                try:
                    self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)  # type: ignore[union-attr]
                    self.process.stdin.flush()  # type: ignore[union-attr]
                except (OSError, ValueError):
                    return


def heads(source: random.Random, length: int) -> Iterator[bytes]:
    """A message's head in one of the forms that clients send."""
    line_end = source.choice([b"\r\n", b"\r\n", b"\n"])
    kind = b"Content-Type: application/vscode-jsonrpc; charset=utf-8" + line_end
    name = source.choice([b"Content-Length: ", b"content-length:", b"CONTENT-LENGTH:  "])
    yield from source.choice([[], [], [kind]])
    yield name + str(length).encode() + line_end
    yield from source.choice([[], [], [kind]])
    yield line_end


def fuzz(n_messages: int, seed: int, per_session: int = 2000) -> Iterator[tuple[int, float]]:
    """Runs sessions until `n_messages` were sent: the messages and seconds of each. Raises `Failure`."""
    n_sent, n_sessions = 0, 0
    while n_sent < n_messages:
        session, begun = Session(random.Random(f"{seed}/{n_sessions}")), time.monotonic()
        try:
            session.run(min(per_session, n_messages - n_sent))
        except Failure as failure:
            raise Failure(f"seed {seed}, session {n_sessions}: {failure}") from failure
        n_sessions += 1
        n_sent += session.n_messages
        yield session.n_messages, time.monotonic() - begun
