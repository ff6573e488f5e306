"""The other end of a language server's line: bytes in, bytes out, and each answer with the time at which it
came.

There is as little as possible between the clock and the server: a client library would parse each message
into types, and use processor time that the measured server needs.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any

from fim_lsp.system.processes import deaf_children

# The limit for a server that hangs; a working one answers long before.
SECONDS = 120.0


class Broken(Exception):
    """The server is gone, or refuses what it has to do; the message says which."""


@dataclass(frozen=True, slots=True)
class TimedAnswer:
    """The answer to a request, and the time at which it came."""

    at: float
    result: Any
    error: Any = None


@dataclass(slots=True)
class SentRequest:
    number: int
    future: asyncio.Future[TimedAnswer]


@dataclass(slots=True)
class Conversation:
    """A server process, and the messages to it and from it."""

    process: asyncio.subprocess.Process
    # A function that receives the server's notifications: a method and its parameters.
    on_notification: Callable[[str, Any], None] = lambda _method, _params: None
    _waiting: dict[int, asyncio.Future[TimedAnswer]] = field(default_factory=dict)
    _n_requests: int = 0
    _has_ended: bool = False
    _reading: asyncio.Task[None] | None = None

    @classmethod
    async def begin(cls, command: Sequence[str], folder: Path) -> Conversation:
        with deaf_children():
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                cwd=folder,
            )
        conversation = cls(process)
        conversation._reading = asyncio.create_task(conversation._read())
        return conversation

    def notify(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> SentRequest:
        self._n_requests += 1
        request = SentRequest(self._n_requests, asyncio.get_running_loop().create_future())
        self._waiting[request.number] = request.future
        if self._has_ended:
            self._end_waiting()
        self._send({"id": request.number, "method": method, "params": params})
        return request

    def cancel(self, request: SentRequest) -> None:
        self.notify("$/cancelRequest", {"id": request.number})

    async def result(self, method: str, params: Any) -> Any:
        answer = await asyncio.wait_for(self.ask(method, params).future, SECONDS)
        if answer.error is not None:
            raise Broken(f"{method}: {answer.error.get('message')}")
        return answer.result

    async def end(self) -> None:
        """Ends the server in order, or kills it."""
        with suppress(Broken, asyncio.TimeoutError, ConnectionError):
            await self.result("shutdown", None)
            self.notify("exit", None)
            await asyncio.wait_for(self.process.wait(), SECONDS)
        if self.process.returncode is None:
            self.process.kill()
            await self.process.wait()
        if self._reading is not None:
            await self._reading

    def _send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    async def _read(self) -> None:
        assert self.process.stdout is not None
        try:
            while True:
                length = 0
                while (header := await self.process.stdout.readline()) not in (b"\r\n", b""):
                    name, _, value = header.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if not header:
                    break
                body = await self.process.stdout.readexactly(length)
                self._receive(perf_counter(), json.loads(body))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        self._has_ended = True
        self._end_waiting()

    def _end_waiting(self) -> None:
        for future in self._waiting.values():
            if not future.done():
                future.set_result(TimedAnswer(perf_counter(), None, {"message": "the server has ended"}))

    def _receive(self, at: float, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            # The answers to requests that a server may send to an editor with hardly any capability.
            items = message["params"].get("items", ()) if isinstance(message["params"], dict) else ()
            result = [None for _ in items] if message["method"] == "workspace/configuration" else None
            self._send({"id": message["id"], "result": result})
        elif "method" in message:
            self.on_notification(message["method"], message["params"])
        else:
            future = self._waiting.pop(message["id"], None)
            if future is not None and not future.done():
                future.set_result(TimedAnswer(at, message.get("result"), message.get("error")))
