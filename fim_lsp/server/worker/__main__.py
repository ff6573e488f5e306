"""The worker process: it reads messages from stdin and writes to the original stdout.

Libraries that print would garble the messages, so stdout is redirected to stderr first. The process ends with
its stdin and, if the system supports that, with the server's process, even while it is frozen: it never
outlives the server.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import sys
import threading
import time
from typing import BinaryIO

from fim_lsp.server.worker.channel import framed_message, read_message
from fim_lsp.server.worker.job_loop import JobLoop, Own
from fim_lsp.server.worker.messages import FromWorker, Logged, MemoryUse, ToWorker
from fim_lsp.server.worker.waiting import Waiting
from fim_lsp.system.memory import give_back, hold_little, resident_memory
from fim_lsp.system.processes import end_with_parent

# The least seconds between two returns and reports of memory.
HELD_SECONDS = 5.0
# Nothing is read ahead between two keys, since the next key would waste it. After a rest, the user's own
# place is read ahead; after a long rest, other places are, too.
REST_SECONDS, LONG_REST_SECONDS = 0.4, 4.0


def main() -> None:
    faulthandler.enable()
    hold_little()
    end_with_parent()
    outgoing = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    pipe = Pipe(outgoing)
    logging.basicConfig(level=sys.argv[1] if len(sys.argv) > 1 else "WARNING", handlers=[ToServer(pipe)])
    waiting = Waiting[Own]()
    job_loop = JobLoop(pipe.send, waiting.put, waiting.next_job, lambda: not waiting.is_empty)
    threading.Thread(target=read, args=(job_loop, waiting), name="reading", daemon=True).start()
    last_told = time.monotonic()
    while True:
        while waiting.is_empty and job_loop.write_on():
            pass  # A model writes on, for the request that waits and for the next key.
        while waiting.is_empty and job_loop.edits.go_on():
            pass  # It goes on unless a message waits.
        for seconds, is_place_alone in ((REST_SECONDS, True), (LONG_REST_SECONDS, False)):
            if waiting.rests(seconds):
                while waiting.is_empty and job_loop.read_ahead(lambda: not waiting.is_empty, is_place_alone):
                    pass  # There is more that may be asked about next.
        job_loop.handle(waiting.next())
        if time.monotonic() - last_told > HELD_SECONDS:
            last_told = time.monotonic()
            give_back()
            pipe.send(MemoryUse(resident_memory() or job_loop.around.texts.memory))


def read(job_loop: JobLoop, waiting: Waiting[Own]) -> None:
    """Passes messages on; urgent ones are noted at once.

    After the server's end the process exits at once, since all work is pointless and a thread that loads a
    model cannot be stopped.
    """
    try:
        while True:
            message: ToWorker = read_message(sys.stdin.buffer)
            job_loop.note(message)
            waiting.put(message)
    except EOFError:
        job_loop.around.checkers.end()
        os._exit(0)


class Pipe:
    """The connection to the server, shared by threads."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._lock = threading.Lock()

    def send(self, message: FromWorker) -> None:
        content = framed_message(message)
        with self._lock:
            self._stream.write(content)
            self._stream.flush()


class ToServer(logging.Handler):
    """Sends the worker's log lines to the server's log."""

    def __init__(self, pipe: Pipe) -> None:
        super().__init__()
        self._pipe = pipe

    def emit(self, record: logging.LogRecord) -> None:
        self._pipe.send(Logged(record.levelno, record.name, self.format(record)))


if __name__ == "__main__":
    main()
