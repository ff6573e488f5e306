"""Makes the batches of the next steps in other processes, while a GPU computes the present one.

A GPU should not wait for a tokenizer. A batch is a function of its step, so it does not matter which process
makes it.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Contexts: TypeAlias = tuple[int, ...]
Rows: TypeAlias = list[NDArray[np.int64]]


class Batches(Protocol):
    def passes(self, step: int, contexts: Contexts) -> Rows: ...


class BatchesAhead:
    """Batches from other processes. `make` is called once in each process, and returns the function that
    makes them."""

    def __init__(self, make: Callable[[], Batches], n_processes: int) -> None:
        # A fork would copy a GPU's driver while it works.
        spawning = multiprocessing.get_context("spawn")
        self._pool = ProcessPoolExecutor(n_processes, spawning, initializer=begin, initargs=(make,))
        self._n_ahead = 2 * n_processes
        self._begun: dict[tuple[int, Contexts], Future[Rows]] = {}

    def passes(self, step: int, contexts: Contexts) -> Rows:
        for later in range(step, step + self._n_ahead):
            if (later, contexts) not in self._begun:
                self._begun[later, contexts] = self._pool.submit(made, later, contexts)
        return self._begun.pop((step, contexts)).result()

    def close(self) -> None:
        self._pool.shutdown(cancel_futures=True)


# The batches of a worker process, which does nothing else.
_batches: list[Batches] = []


def begin(make: Callable[[], Batches]) -> None:
    _batches[:] = [make()]


def made(step: int, contexts: Contexts) -> Rows:
    return _batches[0].passes(step, contexts)
