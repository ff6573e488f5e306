"""The worker, as the server sees it: this starts the process, sends jobs, and survives its crashes.

Every job gets exactly one answer. If the worker dies, its jobs are answered with the reason "worker", and the
next request starts a new one, unless it has crashed too often lately.
"""

from __future__ import annotations

import asyncio
import itertools
import logging
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from fim_lsp.own_process import INSTALLED_IN, python_command
from fim_lsp.server import pipes
from fim_lsp.server.worker.channel import LENGTH, framed_message
from fim_lsp.server.worker.messages import (
    Answer,
    Asked,
    Cancel,
    ClosedUp,
    Explained,
    FilledTogether,
    Folders,
    FoldersInReach,
    Limits,
    Loaded,
    LoadedEdits,
    Loading,
    LoadModel,
    Logged,
    MemoryUse,
    MissingDocument,
    Partial,
    ProposedEdits,
    ToWorker,
    Trusted,
)

logger = logging.getLogger(__name__)

# After so many crashes within so many seconds, the worker starts again only when these seconds are over or
# the user asks for it.
MAX_CRASHES = 3
CRASH_SECONDS = 60.0
# A job is answered within its budget. If it takes this long, the worker hangs.
HANG_SECONDS = 30.0
# The seconds for the worker to end by itself.
FAREWELL_SECONDS = 1.0

WORKER = "fim_lsp.server.worker.__main__"

Result = Answer | Explained | ClosedUp | FilledTogether | ProposedEdits | MissingDocument


async def new_process(log_level: str) -> asyncio.subprocess.Process:
    """A worker's process, which waits for its first message."""
    return await asyncio.create_subprocess_exec(
        *python_command(WORKER, log_level),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        cwd=INSTALLED_IN,
    )


class WorkerEvents(Protocol):
    """The receiver of the worker's events."""

    def worker_loading(self, stage: str, fraction: float) -> None: ...

    def worker_loaded(self, model: str, message: str, note: str) -> None: ...

    def worker_loaded_edits(self, is_there: bool, message: str) -> None: ...

    def worker_crashed(self, message: str, is_final: bool) -> None: ...

    def worker_holds(self, memory: int) -> None: ...


@dataclass(slots=True)
class Job:
    """A message that gets an answer."""

    future: asyncio.Future[Result]
    sent: float
    on_partial: Callable[[str], None] | None


class Worker:
    """The worker process, one at a time. All methods are called on the event loop's thread.

    `early` is a process that was started before the server was there; the first start takes it.
    """

    def __init__(
        self, events: WorkerEvents, log_level: str, early: asyncio.subprocess.Process | None = None
    ) -> None:
        self.events = events
        self.log_level = log_level
        self.limits = Limits()
        self.model = LoadModel(None, None)
        self.folders: Folders | None = None
        self.trusted = Trusted()
        # The pairs of workspace folders of which one imports the other, in any language.
        self.kin: frozenset[tuple[str, str]] = frozenset()
        # The number of processes so far; a new one knows nothing of the earlier ones' documents.
        self.generation = 0
        # Set once a model is loaded, or known to be missing.
        self.is_ready = asyncio.Event()
        # The seconds of an offer of that model, if it takes longer than a key.
        self.seconds_an_offer: float | None = None
        # Whether a model in it writes edits.
        self.writes_edits = False
        self._ids = itertools.count(1)
        self._jobs: dict[int, Job] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._crashes: list[float] = []
        self._is_stopping = False
        self._early = self._latest = early
        # A frozen process does not notice the end of its stdin.
        pipes.at_the_end.append(self.kill)

    @property
    def is_running(self) -> bool:
        return self._process is not None

    @property
    def is_given_up(self) -> bool:
        """Whether it has crashed too often lately."""
        since = time.monotonic() - CRASH_SECONDS
        return sum(crash > since for crash in self._crashes) == MAX_CRASHES

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def new_job_id(self) -> int:
        return next(self._ids)

    async def start(self) -> bool:
        """Starts the process unless it runs; False if that has failed too often."""
        async with self._starting:
            if self._process is not None:
                return True
            if self.is_given_up or self._is_stopping:
                return False
            process, self._early = self._early, None
            if process is None or process.returncode is not None:
                process = await new_process(self.log_level)
            self._process = self._latest = process
            self.generation += 1
            self._reading = asyncio.create_task(self._read(process))
            self._watching = asyncio.create_task(self._watch(process))
            self.send(self.limits)
            self.load(self.model)
            if self.folders is not None:
                self.send(self.folders)
            self.send(self.trusted)
            return True

    def forgive(self) -> None:
        """Forgets crashes, since the user asked for another start."""
        self._crashes.clear()

    def send(self, message: ToWorker) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(framed_message(message))

    def load(self, model: LoadModel) -> None:
        self.model = model
        self.is_ready.clear()
        self.send(model)

    def limit(self, limits: Limits) -> None:
        if limits != self.limits:
            self.limits = limits
            self.send(limits)

    def trust(self, trusted: Trusted) -> None:
        """Lets the worker run the type checkers of these folders, and of no others."""
        if trusted != self.trusted:
            self.trusted = trusted
            self.send(trusted)

    def remember(self, folders: Folders) -> None:
        """Lets the worker read these folders, or read their changed files again."""
        self.folders = folders
        self.send(folders)

    async def result(self, message: Asked, on_partial: Callable[[str], None] | None = None) -> Result:
        """Sends a job and waits for its answer. Cancelling the wait cancels the job."""
        if self._process is None:
            return Answer(message.job, reason="worker")
        job = Job(asyncio.get_running_loop().create_future(), time.monotonic(), on_partial)
        self._jobs[message.job] = job
        self.send(message)
        try:
            return await job.future
        except asyncio.CancelledError:
            self.send(Cancel(message.job))
            raise

    def dismiss_early(self) -> None:
        """Ends the process that was started early, if it is not needed."""
        early, self._early = self._early, None
        if early is not None and early.returncode is None:
            early.kill()

    async def replace(self) -> None:
        """Ends an idle process; the next request starts a new one."""
        if self._process is not None and not self._jobs:
            await self._end(self._process)

    def stop(self) -> None:
        """Closes the process's stdin, which ends it, and starts none any more."""
        self._is_stopping = True
        self.dismiss_early()
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
        self._process = None

    def kill(self) -> None:
        """Kills the latest process, on any thread."""
        if self._latest is not None and self._latest.returncode is None:
            self._latest.kill()

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        self._process = None
        if process.stdin is not None:
            process.stdin.close()
        try:
            await asyncio.wait_for(process.wait(), FAREWELL_SECONDS)
        except asyncio.TimeoutError:
            process.kill()
            await process.wait()

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Kills a process that hangs, in a loop or frozen; its open requests are then answered."""
        while self._process is process:
            oldest = min((job.sent for job in self._jobs.values()), default=None)
            if oldest is not None and time.monotonic() - oldest > HANG_SECONDS:
                logger.error("the worker has not answered for %.0f s and is ended", HANG_SECONDS)
                process.kill()
                return
            await asyncio.sleep(HANG_SECONDS / 10)

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                (length,) = LENGTH.unpack(await process.stdout.readexactly(LENGTH.size))
                self._receive(pickle.loads(await process.stdout.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            await self._bury(process)

    def _receive(self, message: Any) -> None:
        match message:
            case Answer() | Explained() | ClosedUp() | FilledTogether() | ProposedEdits() | MissingDocument():
                job = self._jobs.pop(message.job, None)
                if job is not None and not job.future.done():
                    job.future.set_result(message)
            case Partial(job_id, text):
                partial_job = self._jobs.get(job_id)
                if partial_job is not None and partial_job.on_partial and not partial_job.future.done():
                    partial_job.on_partial(text)
            case Loading(stage, fraction):
                self.events.worker_loading(stage, fraction)
            case Loaded(model, complaint, note, seconds):
                self.seconds_an_offer = seconds
                self.is_ready.set()
                self.events.worker_loaded(model, complaint, note)
            case LoadedEdits(is_there, complaint):
                self.writes_edits = is_there
                self.events.worker_loaded_edits(is_there, complaint)
            case MemoryUse(memory):
                self.events.worker_holds(memory)
            case FoldersInReach(pairs):
                self.kin |= pairs
            case Logged(level, name, text):
                logging.getLogger(name).log(level, "%s", text)

    async def _bury(self, process: asyncio.subprocess.Process) -> None:
        """Handles the end of the process: reports it if it was not wanted, and answers all waiting
        requests."""
        code = await process.wait()
        was_wanted = self._process is not process
        jobs, self._jobs = self._jobs, {}
        if not was_wanted:
            self._process = None
            self._crashes = [*self._crashes[1 - MAX_CRASHES :], time.monotonic()]
        for job_id, job in jobs.items():
            if not job.future.done():
                job.future.set_result(Answer(job_id, reason="worker"))
        self.writes_edits = False
        if not was_wanted:
            self.is_ready.clear()
            how = f"signal {-code}" if code < 0 else f"exit code {code}"
            self.events.worker_crashed(f"the model worker ended with {how}", self.is_given_up)
