"""The process for next edits, as the server sees it: it starts with the first question, and ends when it
takes too long or is idle.

It gets one question at a time. If a caller stops waiting, the process works on, and the next question waits
for it.
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
# A question that takes longer gets no answer. The first one of a language may also wait for its grammar, and
# the very first one for the start of the process.
BUDGET_SECONDS = 3.0
STARTING_SECONDS = 30.0
# An idle process is ended after this time to free its memory.
IDLE_SECONDS = 600.0
# After so many ends within so many seconds, the process is not restarted for a while.
MOST_ENDS = 3
ENDS_SECONDS = 300.0


class NextEditsProcess:
    """The process, one at a time. All methods are called on the event loop's thread."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None
        # The pending answer to the last question.
        self._answer: asyncio.Task[FoundEdits | FailedJob] | None = None
        self._turn = asyncio.Lock()
        self._idle: asyncio.TimerHandle | None = None
        self._ends: list[float] = []
        # The deadline of the last question.
        self._due = 0.0
        # The languages that the process has loaded.
        self._languages: set[str] = set()
        self._is_stopping = False
        # Waits for the ends of processes that were killed.
        self._burials: set[asyncio.Task[int]] = set()
        self._latest: asyncio.subprocess.Process | None = None
        pipes.at_the_end.append(self.kill)

    async def ask(self, question: Question) -> FoundEdits | None:
        """The answer; None if there is none in time."""
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
            found = self._taken_answer(question.job)
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
        """Kills the latest process, on any thread."""
        if self._latest is not None and self._latest.returncode is None:
            self._latest.kill()

    async def wait_for_ended(self) -> None:
        """Waits until all ended processes are gone."""
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
        """Waits for an abandoned question; False if that takes too long."""
        if self._answer is not None:
            await asyncio.wait({self._answer}, timeout=max(self._due - time.monotonic(), 0.0))
            self._taken_answer(None)
        return self._process is not None

    def _taken_answer(self, job: int | None) -> FoundEdits | None:
        """The received answer. A late or dead process is ended."""
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
        """Keeps the process for a while, since the next question usually comes soon."""
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
