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
from collections.abc import Callable
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
