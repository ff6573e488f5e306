"""Pausable work beside the worker's loop: it pauses when a message waits for the loop, and goes on when the
loop has time.

It has a thread of its own, since it pauses in the middle of a network's reading. Only one of the two runs at
a time, so their shared state needs no lock.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class PausableWork(Generic[Result]):
    """Work that pauses, one after another. `begin` and `go_on` belong to the loop, `pause` to the work."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._thread: threading.Thread | None = None
        self._work: Callable[[], Result] | None = None
        self._result: Result | None = None
        self._error: BaseException | None = None
        # The turns: each side waits until the other one passes its turn.
        self._turn, self._turn_of_loop = threading.Semaphore(0), threading.Semaphore(0)

    @property
    def is_busy(self) -> bool:
        """Whether there is unfinished work."""
        return self._work is not None

    def begin(self, work: Callable[[], Result]) -> None:
        """Sets the next work, which starts with `go_on`."""
        assert not self.is_busy
        self._work = work
        if self._thread is None:
            self._thread = threading.Thread(target=self._take_turns, name=self._name, daemon=True)
            self._thread.start()

    def go_on(self) -> Result | None:
        """Lets it work until it pauses; returns its result once it is done. Its errors are raised here."""
        assert self.is_busy
        self._turn.release()
        self._turn_of_loop.acquire()
        result, error = self._result, self._error
        self._result = self._error = None
        if error is not None:
            raise error
        return result

    def pause(self) -> None:
        """Lets the loop run until it has time again."""
        self._turn_of_loop.release()
        self._turn.acquire()

    def _take_turns(self) -> None:
        while True:
            self._turn.acquire()
            work = self._work
            assert work is not None
            try:
                self._result = work()
            except BaseException as error:  # the loop is told
                self._error = error
            self._work = None
            self._turn_of_loop.release()
