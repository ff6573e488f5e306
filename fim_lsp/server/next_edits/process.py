"""The process for next edits as seen from the server: started with the first question, ended where it takes
too long or has nothing to do for a while.

It is asked one thing at a time. A caller that stops waiting leaves it at work; the next question waits for
that.
"""

from __future__ import annotations

import asyncio
import logging
import pickle
import time
from typing import Any

from fim_lsp.other_programs import environment_without_keys
from fim_lsp.own_process import INSTALLED_IN, python_command
from fim_lsp.server import pipes
from fim_lsp.server.next_edits.messages import FailedJob, ForgetDocument, FoundEdits, Question
from fim_lsp.server.worker.channel import LENGTH, framed_message

logger = logging.getLogger(__name__)

PROCESS = "fim_lsp.server.next_edits.__main__"
# A question that takes longer has no answer. The first one of a language also waits for its grammar, and the
# first one of all for the process to start.
BUDGET_SECONDS = 3.0
STARTING_SECONDS = 30.0
# The memory of a process that no client asks is worth more elsewhere.
IDLE_SECONDS = 600.0
# The process is not started again for a while after so many ends within so many seconds.
MOST_ENDS = 3
ENDS_SECONDS = 300.0


class NextEditsProcess:
    """The process, one at a time. All methods are called on the event loop's thread."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        # The answer to what was asked last, until it is there.
        self._answer: asyncio.Task[FoundEdits | FailedJob] | None = None
        self._turn = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None
        self._ends: list[float] = []
        # Until when what was asked last may take.
        self._due = 0.0
        # The languages that the process has loaded.
        self._languages: set[str] = set()
        self._is_stopping = False
        # Waits for the ends of processes that were killed.
        self._burials: set[asyncio.Task[int]] = set()
        self._latest: asyncio.subprocess.Process | None = None
        pipes.at_the_end.append(self.kill)

    async def ask(self, question: Question) -> FoundEdits | None:
        """The answer; None where there is none in time."""
        async with self._turn:
            self._stay()
            if self._process is None:
                await self._start()
            if self._process is None or not await self._is_free():
                return None
            self._send(question)
            self._answer = asyncio.ensure_future(read(self._process))
            language = question.changed.language
            is_new = language not in self._languages
            budget = BUDGET_SECONDS + (STARTING_SECONDS if is_new else 0.0)
            self._due = time.monotonic() + budget
            await asyncio.wait({self._answer}, timeout=budget)
            found = self._taken(question.job)
            if found is not None:
                self._languages.add(language)
            return found

    def forget(self, path: str) -> None:
        if self._process is not None:
            self._send(ForgetDocument(path))

    def stop(self) -> None:
        """Ends the process for good."""
        self._is_stopping = True
        if self._idle is not None:
            self._idle.cancel()
        self._end()

    def kill(self) -> None:
        """Ends the latest process as it is, on any thread."""
        if self._latest is not None and self._latest.returncode is None:
            self._latest.kill()

    async def wait_for_ended(self) -> None:
        """Waits until no process is left of those that were ended."""
        await asyncio.gather(*self._burials)

    async def _start(self) -> None:
        now = time.monotonic()
        self._ends = [end for end in self._ends if now - end < ENDS_SECONDS]
        if self._is_stopping or len(self._ends) >= MOST_ENDS:
            return
        self._languages.clear()
        self._process = self._latest = await asyncio.create_subprocess_exec(
            *python_command(PROCESS),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            cwd=INSTALLED_IN,
            env=environment_without_keys(),
        )

    async def _is_free(self) -> bool:
        """Waits for what no request waits for any more; False where that takes too long."""
        if self._answer is not None:
            await asyncio.wait({self._answer}, timeout=max(self._due - time.monotonic(), 0.0))
            self._taken(None)
        return self._process is not None

    def _taken(self, job: int | None) -> FoundEdits | None:
        """The answer that has come. A process that is late, or gone, is ended."""
        work, self._answer = self._answer, None
        assert work is not None
        if not work.done() or work.cancelled() or work.exception() is not None:
            work.cancel()
            self._ends.append(time.monotonic())
            logger.warning("next edits took too long, or their process has ended")
            self._end()
            return None
        answer = work.result()
        if isinstance(answer, FailedJob):
            logger.error("next edits could not be worked out: %s", answer.where)
            return None
        return answer if answer.job == job else None

    def _send(self, message: Question | ForgetDocument) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(framed_message(message))

    def _stay(self) -> None:
        """A user who asks once asks again soon."""
        if self._idle is not None:
            self._idle.cancel()
        self._idle = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end)

    def _end(self) -> None:
        process, self._process, self._answer = self._process, None, None
        if process is not None:
            self.kill()
            burial = asyncio.ensure_future(process.wait())
            self._burials.add(burial)
            burial.add_done_callback(self._burials.discard)


async def read(process: asyncio.subprocess.Process) -> Any:
    assert process.stdout is not None
    (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
    return pickle.loads(await process.stdout.readexactly(length))
