"""The two ends of the conversation, and how the server ends when the other side is gone.

There is nothing to save, so nothing has to be waited for. asyncio's orderly end waits for every task, and one
that is just starting the worker never comes to an end; a thread that reads stdin cannot be stopped at all.
So the end has a limit, after which the process leaves as it is.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

logger = logging.getLogger(__name__)

# How long an orderly end may take.
FAREWELL_SECONDS = 1.0
# How often it is looked whether the editor still lives.
PARENT_SECONDS = 2.0
# Names of headers have no case, and any white space may follow the colon; pygls knows one form.
CONTENT_LENGTH = re.compile(rb"content-length[ \t]*:[ \t]*(\d+)[ \t]*\r?\n", re.IGNORECASE)


class TolerantInput:
    """Standard input whose messages are always UTF-8: bytes that are not become surrogates, one for one.

    Neovim sends a buffer's bytes as they are. JSON's reader lets surrogates pass, and editors count such a
    byte as one unit, as we do.
    """

    def __init__(self, stream: BinaryIO, on_end: Callable[[], None]) -> None:
        self._stream = stream
        self._on_end = on_end

    def readline(self) -> bytes:
        """The next line of a message's head."""
        line = self._stream.readline()
        if not line:
            self._on_end()
        found = CONTENT_LENGTH.fullmatch(line)
        return b"Content-Length: %s\r\n" % found[1] if found else line

    def read(self, n_bytes: int) -> bytes:
        content = self._stream.read(n_bytes)
        try:
            content.decode()
        except UnicodeDecodeError:
            logger.warning("a message holds bytes that are no UTF-8")
            return content.decode(errors="surrogateescape").encode(errors="surrogatepass")
        return content


class MessageReader:
    """What a stream brings, for pygls: read ahead by one thread, message by message.

    pygls would have each line of a message's head and its body read on a thread of a pool. A key and the
    request behind it were six changes between threads, each of which waits for its turn on a busy machine.
    """

    def __init__(self, stream: TolerantInput) -> None:
        self._stream = stream
        # What is read of messages, in the order in which it is asked for; empty bytes at the end.
        self._parts: deque[bytes] = deque()
        self._has_arrived = asyncio.Event()
        self._is_reading = False
        self._is_whole = False

    async def readline(self) -> bytes:
        if self._is_whole:
            # What the last message has begun goes on before the next one is read.
            self._is_whole = False
            await asyncio.sleep(0)
        return await self._next()

    async def readexactly(self, n_bytes: int) -> bytes:  # noqa: ARG002 - the thread has read that many
        self._is_whole = True
        return await self._next()

    async def _next(self) -> bytes:
        if not self._is_reading:
            self._is_reading = True
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._read, args=(loop,), name="stdin", daemon=True).start()
        if not self._parts:
            self._has_arrived.clear()
            await self._has_arrived.wait()
        return self._parts.popleft()

    def _read(self, loop: asyncio.AbstractEventLoop) -> None:
        # The loop is closed when the server has ended while nothing came.
        with suppress(RuntimeError):
            while parts := self._message():
                loop.call_soon_threadsafe(self._arrive, parts)
            loop.call_soon_threadsafe(self._arrive, [b""])

    def _message(self) -> list[bytes]:
        """The next message: the lines of its head, and its body; nothing at the end."""
        parts, length = [], 0
        while line := self._stream.readline():
            parts.append(line)
            if found := CONTENT_LENGTH.fullmatch(line):
                length = length or int(found[1])
            elif length and not line.strip():
                body = self._stream.read(length)
                return [*parts, body]
        return []

    def _arrive(self, parts: list[bytes]) -> None:
        self._parts.extend(parts)
        self._has_arrived.set()


class Output:
    """What was standard output, which belongs to the protocol."""

    def __init__(self, stream: BinaryIO, on_end: Callable[[], None]) -> None:
        self._stream = stream
        self._on_end = on_end

    def write(self, content: bytes) -> None:
        try:
            self._stream.write(content)
        except BrokenPipeError:
            self._on_end()
            raise

    def flush(self) -> None:
        try:
            self._stream.flush()
        except BrokenPipeError:
            self._on_end()
            raise

    def close(self) -> None:
        self._stream.close()


def leave(code: int) -> None:
    """Ends the process. The worker ends with it, as its stdin does."""
    logging.shutdown()
    os._exit(code)


def leave_soon(code: int) -> None:
    """Ends the process unless it has ended in an orderly way before long."""
    timer = threading.Timer(FAREWELL_SECONDS, leave, [code])
    timer.daemon = True
    timer.start()


async def leave_with(process: int) -> None:
    """Ends this process soon after another one, the editor."""
    while is_alive(process):
        await asyncio.sleep(PARENT_SECONDS)
    logger.warning("the editor's process is gone")
    leave(1)


def is_alive(process: int) -> bool:
    # Elsewhere signal 0 is no question but a signal.
    if os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        # Someone else's, or none of this system's.
        return True
    return True
