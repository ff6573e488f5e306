"""Masks that are worked out ahead: as soon as a token has been read, and not when the next mask is wanted.

In between the network computes, which needs the interpreter for a moment now and then, and the engine works
without it. So where a processor is free, a mask takes no time of a step.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from queue import SimpleQueue
from threading import Lock, Thread

from fim_lsp.vllm_plugin.filling import Filling, Mask

# More of them would wait for each other: between two masks they need the interpreter.
MOST_THREADS = 4


class Ahead:
    """Threads that do what will be wanted; whoever wants it before has to see to it that it is done once."""

    def __init__(self) -> None:
        self._wanted: SimpleQueue[Callable[[], object]] = SimpleQueue()
        for number in range(max(1, min(MOST_THREADS, (os.cpu_count() or 1) // 2))):
            Thread(target=self._work, name=f"masks {number}", daemon=True).start()

    def soon(self, work: Callable[[], object]) -> None:
        """What goes wrong goes wrong again for whoever wants it."""
        self._wanted.put(work)

    def _work(self) -> None:
        while True:
            with suppress(Exception):
                self._wanted.get()()


class Next:
    """What may come next in a text, worked out once, by whoever comes first."""

    def __init__(self, filling: Filling) -> None:
        self._filling = filling
        self._mask: Mask | None = None
        self._lock = Lock()

    def mask(self) -> Mask:
        with self._lock:
            if self._mask is None:
                self._mask = self._filling.mask()
            return self._mask

    @contextmanager
    def changing(self) -> Iterator[None]:
        """While the text is changed nobody looks at it, and what was known is known no more."""
        with self._lock:
            self._mask = None
            yield
