"""The two ends of the connection, and the server's end when the client is gone.

There is nothing to save, so nothing needs to be waited for. asyncio's orderly end waits for every task, and
one that is just starting the worker never ends; a thread that reads stdin cannot be stopped, and one that
writes to a client that does not read waits for ever. So the orderly end has a time limit, after which the
process exits. Threads of their own notice that the client is gone.
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO, NoReturn

from fim_lsp.server.framing import Garbled, next_body
from fim_lsp.system.processes import Watched

logger = logging.getLogger(__name__)

# The seconds that an orderly end may take.
FAREWELL_SECONDS = 1.0

# Functions to call last, such as one that kills the worker. They must not wait for anything.
at_the_end: list[Callable[[], None]] = []


class Incoming:
    """The messages of a stream, read by one thread.

    pygls would read each header line and each body on a thread of a pool. A key and its request then took six
    switches between threads, which are slow on a busy machine.
    """

    def __init__(self, stream: BinaryIO, on_end: Callable[[], None]) -> None:
        self._stream = stream
        self._on_end = on_end
        # The bodies in order; at the end None, or the reason why the stream is given up.
        self._bodies: deque[bytes | Garbled | None] = deque()
        self._has_arrived = asyncio.Event()
        self._is_reading = False

    async def next(self) -> bytes | None:
        """The next message's body, or None at the end. Raises `Garbled` for an unreadable stream."""
        if not self._is_reading:
            self._is_reading = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True).start()
        if not self._bodies:
            self._has_arrived.clear()
            await self._has_arrived.wait()
        body = self._bodies.popleft()
        if isinstance(body, Garbled):
            raise body
        return body

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # The loop is closed if the server ended while no message came.
        with suppress(RuntimeError):
            while (body := self._next_body()) is not None:
                loop.call_soon_threadsafe(self._arrive, body)
                if isinstance(body, Garbled):
                    break
            loop.call_soon_threadsafe(self._arrive, None)
        self._on_end()

    def _next_body(self) -> bytes | Garbled | None:
        try:
            return next_body(self._stream)
        except Garbled as garbled:
            return garbled
        except OSError as error:
            return Garbled(f"it cannot be read ({error.strerror})")

    def _arrive(self, body: bytes | Garbled | None) -> None:
        self._bodies.append(body)
        self._has_arrived.set()


class Outgoing:
    """The original standard output, which belongs to the protocol. If it is broken, the client is gone."""

    def __init__(self, stream: BinaryIO, on_end: Callable[[], None]) -> None:
        self._stream = stream
        self._on_end = on_end
        self._is_gone = False

    def write(self, content: bytes) -> None:
        if self._is_gone:
            return
        try:
            self._stream.write(content)
            self._stream.flush()
        except OSError as error:
            self._is_gone = True
            # This comes first, since the log may go to a pipe that nothing reads, too.
            self._on_end()
            logger.error("the client takes no more messages: %s", error.strerror)

    def close(self) -> None:
        with suppress(OSError):
            self._stream.close()


def leave(code: int) -> NoReturn:
    """Ends the process, and the worker with it."""
    # The thread with the log's lock may wait for a reader of stderr.
    farewell = threading.Thread(target=logging.shutdown, daemon=True)
    farewell.start()
    for act in at_the_end:
        with suppress(OSError):
            act()
    farewell.join(FAREWELL_SECONDS)
    os._exit(code)


def leave_soon(code: Callable[[], int]) -> None:
    """Ends the process after a short time, unless it has ended in an orderly way."""
    timer = threading.Timer(FAREWELL_SECONDS, lambda: leave(code()))
    timer.daemon = True
    timer.start()


def leave_with(editor: Watched) -> None:
    """Ends this process soon after the editor's process."""

    def watch() -> None:
        editor.wait()
        leave_soon(lambda: 1)
        logger.warning("the editor's process is gone")
        leave(1)

    threading.Thread(target=watch, name="editor", daemon=True).start()
