"""A type checker's language server as a child process. Nothing waits for it, except callers who ask to.

Messages go through a bounded queue to a thread that writes; another one reads. A checker that does not read,
does not answer, sends nonsense or takes too much memory is ended, and its questions are answered with None.
It ends with this process: its input ends then, and it knows our process id.
"""

from __future__ import annotations

import atexit
import itertools
import json
import logging
import os
import queue
import subprocess
import threading
import time
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from fim_lsp.checkers.finding import Checker
from fim_lsp.other_programs import environment_without_keys
from fim_lsp.own_process import INSTALLED_IN
from fim_lsp.system.memory import memory_of
from fim_lsp.system.processes import Tree, tree_options

logger = logging.getLogger(__name__)

Message = dict[str, Any]
# Questions that are not answered yet, and messages that are not written yet. More of them are not asked.
MOST_PENDING, MOST_QUEUED = 8, 32
# A checker that takes longer hangs. The first answer may take one that long that reads a large project.
HANG_SECONDS = 60.0
NOT_READ = "it does not read what it is sent"
LONGEST_MESSAGE = 32 << 20
MOST_BYTES = 2 << 30
# The seconds between two looks at its memory.
LOOK_SECONDS = 5.0


class CheckerProcess:
    """A checker in one folder. It is ended for good once it is `over`."""

    def __init__(self, checker: Checker, folder: Path) -> None:
        self.name = checker.name
        self.is_over = False
        # Whether it tells errors when it is asked; else it tells them by itself, after each change.
        self.has_pull = False
        self.is_ready = threading.Event()
        self._numbers = itertools.count(1)
        self._asked: dict[int, tuple[Future[Any], float]] = {}
        # The futures that wait for the errors of a version of a document.
        self._published: dict[tuple[str, int], Future[Any]] = {}
        self._lock = threading.Lock()
        self._queue: queue.Queue[Message | None] = queue.Queue(MOST_QUEUED)
        # Messages to send once it is ready: a server that hears of documents before may end.
        self._held: list[Message] | None = []
        self._process = subprocess.Popen(
            checker.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=INSTALLED_IN,
            env=environment_without_keys(),
            # A process that it starts itself is ended with it.
            **tree_options(),
        )
        self._tree = Tree(self._process)
        atexit.register(self.end)
        for work in (self._write, self._read, self._watch):
            threading.Thread(target=work, name=f"{self.name} {work.__name__}", daemon=True).start()
        self._begin(folder)

    @property
    def pid(self) -> int:
        return self._process.pid

    def notify(self, method: str, params: Message) -> None:
        self._send_when_ready({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Message) -> Future[Any] | None:
        """The answer to come; None of one that failed. None where it has too much to do already."""
        with self._lock:
            if self.is_over or len(self._asked) >= MOST_PENDING:
                return None
            number, answer = next(self._numbers), Future[Any]()
            self._asked[number] = answer, time.monotonic()
        message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        if method == "initialize":
            self._send(message)
        else:
            self._send_when_ready(message)
        return answer

    def errors_of(self, uri: str, version: int) -> Future[Any] | None:
        """The errors that it is going to tell of a version of a document by itself."""
        answer = Future[Any]()
        with self._lock:
            if self.is_over or len(self._published) >= MOST_PENDING:
                self._published.clear()
            self._published[uri, version] = answer
        return answer

    def end(self) -> None:
        """Ends it, and all that waits for it. May be called often, on any thread."""
        with self._lock:
            self.is_over = True
            waiting = [answer for answer, _ in self._asked.values()] + [*self._published.values()]
            self._asked.clear()
            self._published.clear()
        for answer in waiting:
            settle(answer, None)
        with suppress(queue.Full):
            self._queue.put_nowait(None)
        atexit.unregister(self.end)
        self._tree.end()
        # The process is dead, or will be: it is not waited for here.
        threading.Thread(target=self._process.wait, daemon=True).start()

    def _begin(self, folder: Path) -> None:
        uri = folder.as_uri()
        abilities = {
            "textDocument": {
                "completion": {"completionItem": {"snippetSupport": False}},
                "diagnostic": {"dynamicRegistration": False},
                "publishDiagnostics": {"versionSupport": True},
            },
            "workspace": {"configuration": True},
            "general": {"positionEncodings": ["utf-16"]},
        }
        answer = self.ask(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": uri,
                "workspaceFolders": [{"uri": uri, "name": folder.name}],
                "capabilities": abilities,
            },
        )
        if answer is not None:
            answer.add_done_callback(self._note_capabilities)

    def _note_capabilities(self, answer: Future[Any]) -> None:
        match answer.result():
            case {"capabilities": dict(able)}:
                self.has_pull = able.get("diagnosticProvider") not in (None, False)
                with self._lock:
                    held, self._held = self._held or [], None
                    begin = {"jsonrpc": "2.0", "method": "initialized", "params": {}}
                    is_taken = all(self._is_queued(message) for message in (begin, *held))
                self.is_ready.set()
                if not is_taken:
                    self._give_up(NOT_READ)
            case _ if not self.is_over:
                self._give_up("it did not say what it can do")

    def _give_up(self, why: str) -> None:
        if not self.is_over:
            logger.warning("%s gives no advice any more: %s", self.name, why)
        self.end()

    # --- on threads --------------------------------------------------------------------------------------

    def _send_when_ready(self, message: Message) -> None:
        with self._lock:
            if self._held is None:
                is_taken = self._is_queued(message)
            else:
                self._held.append(message)
                is_taken = len(self._held) < MOST_QUEUED
        if not is_taken:
            self._give_up(NOT_READ)

    def _send(self, message: Message) -> None:
        if not self._is_queued(message):
            self._give_up(NOT_READ)

    def _is_queued(self, message: Message) -> bool:
        try:
            self._queue.put_nowait(message)
        except queue.Full:
            return False
        return True

    def _write(self) -> None:
        stream = self._process.stdin
        assert stream is not None
        try:
            while (message := self._queue.get()) is not None:
                content = json.dumps(message).encode()
                stream.write(b"Content-Length: %d\r\n\r\n" % len(content) + content)
                stream.flush()
        except (OSError, ValueError):
            self._give_up("it has closed its input")
        finally:
            with suppress(OSError):
                stream.close()

    def _read(self) -> None:
        stream = self._process.stdout
        assert stream is not None
        with stream:
            try:
                while (message := next_message(stream)) is not None:
                    self._take(message)
            except (OSError, ValueError, RecursionError) as error:
                self._give_up(f"what it says makes no sense ({type(error).__name__})")
            else:
                self._give_up("it has ended")

    def _take(self, message: Message) -> None:
        number, method = message.get("id"), message.get("method")
        if method is None:
            with self._lock:
                asked = self._asked.pop(number, None) if isinstance(number, int) else None
            if asked is not None:
                settle(asked[0], message.get("result"))
        elif number is not None:
            self._send({"jsonrpc": "2.0", "id": number, "result": answer_to(method, message.get("params"))})
        elif method == "textDocument/publishDiagnostics":
            self._take_published(message.get("params"))

    def _take_published(self, params: Any) -> None:
        match params:
            case {"uri": str(uri), "version": int(version), "diagnostics": list(found)}:
                with self._lock:
                    answer = self._published.pop((uri, version), None)
                if answer is not None:
                    settle(answer, {"items": found})

    def _watch(self) -> None:
        while not self.is_over:
            time.sleep(LOOK_SECONDS)
            with self._lock:
                oldest = min((asked for _, asked in self._asked.values()), default=None)
            if oldest is not None and time.monotonic() - oldest > HANG_SECONDS:
                self._give_up(f"it has not answered for {HANG_SECONDS:.0f} s")
            elif (memory_of(self.pid) or 0) > MOST_BYTES:
                self._give_up(f"it takes more than {MOST_BYTES >> 30} GB")


def next_message(stream: IO[bytes]) -> Message | None:
    """The next message; None at the end. Raises `ValueError` where it is none."""
    length = None
    while (line := stream.readline(1 << 12)) not in (b"\r\n", b"\n"):
        if not line:
            return None
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
    if length is None or not 0 <= length <= LONGEST_MESSAGE:
        raise ValueError("a message without a sensible length")
    content = stream.read(length)
    if len(content) < length:
        return None
    message = json.loads(content)
    if not isinstance(message, dict):
        raise ValueError("a message is an object")
    return message


def answer_to(method: object, params: Any) -> Any:
    """The answer to a checker's question about the editor: its settings, of which there are none."""
    if method != "workspace/configuration":
        return None
    items = params.get("items") if isinstance(params, dict) else None
    return [None for _ in items] if isinstance(items, list) else []


def settle(answer: Future[Any], result: Any) -> None:
    if not answer.done():
        answer.set_result(result)
