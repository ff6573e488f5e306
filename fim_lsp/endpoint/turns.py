"""Turns at a model: requests come one after the other, and reading ahead fills the gaps."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fim_lsp.system.power import is_on_battery


class Turns:
    """Gives a model, which does one thing at a time, to a request or to reading ahead."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._n_requests = 0
        self._counting = threading.Lock()
        self._has_more = threading.Event()
        self._has_ended = False
        self._read_ahead: Callable[[Callable[[], bool]], bool] | None = None
        self._thread: threading.Thread | None = None

    @contextmanager
    def request(self) -> Iterator[None]:
        """A request's turn: reading ahead stops for it."""
        with self._counting:
            self._n_requests += 1
        try:
            with self._lock:
                yield
        finally:
            with self._counting:
                self._n_requests -= 1
                is_last = self._n_requests == 0
            if is_last and self._read_ahead is not None:
                self._has_more.set()

    def read_later(self, read_ahead: Callable[[Callable[[], bool]], bool]) -> None:
        """Sets what is read once no request waits. Called in a request's turn."""
        self._read_ahead = read_ahead
        if self._thread is None:
            # The thread holds nothing that would be lost with it.
            self._thread = threading.Thread(target=self._read, daemon=True)
            self._thread.start()

    def end(self) -> None:
        self._has_ended = True
        self._has_more.set()
        if self._thread is not None:
            self._thread.join()

    def _read(self) -> None:
        while self._has_more.wait() and not self._has_ended:
            self._has_more.clear()
            with self._lock:
                if self._read_ahead is None or is_on_battery():
                    continue
                try:
                    while not self._is_given_up() and self._read_ahead(self._is_given_up):
                        pass
                # The next request meets the same failure and reports it.
                except Exception:
                    self._read_ahead = None

    def _is_given_up(self) -> bool:
        return self._n_requests > 0 or self._has_ended
