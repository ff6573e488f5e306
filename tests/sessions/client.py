"""A client of the server without a library: bytes in, bytes out, every answer counted and timed."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PROGRAM = Path(sys.executable).with_name("fim-lsp")
# An embedded Python has its programs elsewhere.
SERVE = (str(PROGRAM), "serve") if PROGRAM.exists() else (sys.executable, "-m", "fim_lsp", "serve")
# The server whose models may be scripts (tests/scripted).
SCRIPTED = (sys.executable, "-m", "tests.scripted.server")
CANCELLED = -32800
# A system in a folder (tests/systems) is several times slower, and sets its own timeout.
PATIENCE = float(os.environ.get("FIM_LSP_PATIENCE", "60"))
# The timeout is for a busy machine: the first answer waits for a worker that has to start.
PATIENT: dict[str, Any] = {"timeBudget": round(PATIENCE * 1000 / 3)}


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request, and its time."""

    result: Any
    error: dict[str, Any] | None
    seconds: float


class ServerError(Exception):
    """A request was answered with an error; the argument is LSP's error object."""


@dataclass
class Client:
    """One server process and the conversation with it."""

    process: asyncio.subprocess.Process
    settings: dict[str, Any] = field(default_factory=dict)
    notifications: list[tuple[str, Any]] = field(default_factory=list)
    requests: list[tuple[str, Any]] = field(default_factory=list)
    n_answers: Counter[int | None] = field(default_factory=Counter)
    errors: list[dict[str, Any]] = field(default_factory=list)
    n_requests: int = 0
    # Whether an edit that the server requests is applied.
    applies: Callable[[Any], bool] = lambda _: False
    _waiting: dict[int, tuple[float, asyncio.Future[Answer]]] = field(default_factory=dict)
    _reading: asyncio.Task[None] | None = None
    _arrived: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    async def start(
        cls,
        *arguments: str,
        command: Sequence[str] = SERVE,
        stderr: int | None = None,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
    ) -> Client:
        process = await asyncio.create_subprocess_exec(
            *command,
            *arguments,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=stderr,
            cwd=cwd,
            env=env,
        )
        client = cls(process)
        client._reading = asyncio.create_task(client._read())
        return client

    async def initialize(
        self,
        settings: dict[str, Any] | None = None,
        capabilities: dict[str, Any] | None = None,
        **params: Any,
    ) -> dict[str, Any]:
        self.settings = settings or {}
        result = await self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": capabilities or {},
                "initializationOptions": self.settings,
                **params,
            },
        )
        self.notify("initialized", {})
        assert isinstance(result, dict)
        return result

    async def stop(self) -> int:
        """Shuts down in order; returns the exit code."""
        await self.request("shutdown", None)
        self.notify("exit", None)
        code = await asyncio.wait_for(self.process.wait(), PATIENCE)
        if self._reading is not None:
            await self._reading
        return code

    def send(self, message: dict[str, Any]) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def send_bytes(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def ask(self, method: str, params: Any) -> tuple[int, asyncio.Future[Answer]]:
        """Sends a request; returns its number, and the future answer."""
        self.n_requests += 1
        number = self.n_requests
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (time.perf_counter(), future)
        self.send({"id": number, "method": method, "params": params})
        return number, future

    async def answer(self, method: str, params: Any) -> Answer:
        _, future = self.ask(method, params)
        return await asyncio.wait_for(future, PATIENCE)

    async def request(self, method: str, params: Any) -> Any:
        answer = await self.answer(method, params)
        if answer.error is not None:
            raise ServerError(answer.error)
        return answer.result

    async def command(self, name: str, *arguments: Any) -> Any:
        return await self.request("workspace/executeCommand", {"command": name, "arguments": list(arguments)})

    def cancel(self, number: int) -> None:
        self.notify("$/cancelRequest", {"id": number})

    async def until(self, is_there: Callable[[], bool]) -> None:
        """Waits until the received messages fulfil a condition."""
        deadline = time.monotonic() + PATIENCE
        while not is_there():
            self._arrived.clear()
            await asyncio.wait_for(self._arrived.wait(), deadline - time.monotonic())

    async def logged(self, words: str) -> None:
        """Waits for a line of the server's log, or the worker's."""
        async with asyncio.timeout(PATIENCE):
            while not any(words in line for line in (await self.command("fim-lsp.serverLog"))["lines"]):
                # Asking without a pause would take a processor from the awaited process.
                await asyncio.sleep(0.05)

    def statuses(self) -> list[dict[str, Any]]:
        return [
            params for method, params in self.notifications if method.removeprefix("$/") == "didChangeStatus"
        ]

    async def _read(self) -> None:
        assert self.process.stdout is not None
        while True:
            length = 0
            while (header := await self.process.stdout.readline()) not in (b"\r\n", b""):
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            if not header:
                return
            self._receive(json.loads(await self.process.stdout.readexactly(length)))
            self._arrived.set()

    def _receive(self, message: dict[str, Any]) -> None:
        if "method" in message and "id" in message:
            self.requests.append((message["method"], message["params"]))
            self.send({"id": message["id"], "result": self._reply(message["method"], message["params"])})
        elif "method" in message:
            self.notifications.append((message["method"], message["params"]))
        else:
            number = message["id"]
            self.n_answers[number] += 1
            if message.get("error") is not None:
                self.errors.append(message["error"])
            # A second answer to a request is not awaited; the count reveals it.
            if number in self._waiting:
                sent, future = self._waiting.pop(number)
                answer = Answer(message.get("result"), message.get("error"), time.perf_counter() - sent)
                if not future.done():
                    future.set_result(answer)

    def _reply(self, method: str, params: Any) -> Any:
        match method:
            case "workspace/configuration":
                return [self.settings for _ in params["items"]]
            case "window/showDocument":
                return {"success": True}
            case "workspace/applyEdit":
                return {"applied": self.applies(params)}
            case _:
                return None


@asynccontextmanager
async def scripted(settings: dict[str, Any]) -> AsyncIterator[Client]:
    """A client of a server whose models may be scripts. At the end every request has had one answer."""
    client = await Client.start(command=SCRIPTED)
    await client.initialize(settings, {"textDocument": {"inlineCompletion": {}}})
    yield client
    assert await client.stop() == 0
    assert set(client.n_answers.values()) == {1}, "each request has exactly one answer"
