"""Worker threads that wait for connections: a waiting thread gets to work sooner than a new one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue


class WorkerThreads:
    """As many threads as there was ever work at a time. None of them keeps the program from ending."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._given: SimpleQueue[Callable[[], object] | None] = SimpleQueue()
        self._counting = threading.Lock()
        self._n_idle = 0
        self._has_ended = False

    def do(self, work: Callable[[], object]) -> None:
        """Does some work on a thread that waits for some, or on a new one."""
        with self._counting:
            has_idle = self._n_idle > 0
            self._n_idle -= has_idle
        if has_idle:
            self._given.put(work)
        else:
            threading.Thread(target=self._work, args=(work,), name=self._name, daemon=True).start()

    def end(self) -> None:
        """Ends the threads that wait; the others end after their work."""
        with self._counting:
            self._has_ended = True
            n_idle, self._n_idle = self._n_idle, 0
        for _ in range(n_idle):
            self._given.put(None)

    def _work(self, first: Callable[[], object]) -> None:
        work: Callable[[], object] | None = first
        while work is not None:
            work()
            with self._counting:
                if self._has_ended:
                    return
                self._n_idle += 1
            work = self._given.get()
