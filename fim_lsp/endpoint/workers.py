"""Worker threads that all wait for connections: the one that gets a connection also answers it.

To hand it to another thread would take a tenth of a millisecond, and longer on a busy machine.
"""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

# A first request and the next ones need no new threads: plugins ask for three texts at a time.
N_WAITING = 4
# The pause where the system has no file left for a connection.
PAUSE = 0.05
WAKE_SECONDS = 1.0


class WorkerThreads:
    """As many threads as there were ever connections at a time, and one more. None of them keeps the program
    from ending."""

    def __init__(self, name: str, visit: Callable[[socket.socket, Any], None], most: int) -> None:
        self._name = name
        self._visit = visit
        self._most = most
        self._counting = threading.Lock()
        self._n_threads = 0
        self._n_waiting = 0
        self._ending = threading.Event()

    def start(self, listener: socket.socket) -> None:
        self._listener = listener
        for _ in range(min(N_WAITING, self._most)):
            self._start_thread()

    def end(self) -> None:
        """Ends the threads that wait; the others end after their work."""
        with self._counting:
            self._ending.set()
            n_waiting = self._n_waiting
        # Not everywhere does closing a socket wake a thread that waits for it.
        for _ in range(n_waiting):
            with suppress(OSError):
                socket.create_connection(self._listener.getsockname(), WAKE_SECONDS).close()

    def _start_thread(self) -> None:
        with self._counting:
            if self._ending.is_set() or self._n_threads >= self._most:
                return
            self._n_threads += 1
            self._n_waiting += 1
        threading.Thread(target=self._work, name=self._name, daemon=True).start()

    def _work(self) -> None:
        while not self._ending.is_set():
            try:
                connection, address = self._listener.accept()
            # The client has gone already, or there is no room for a connection.
            except OSError:
                time.sleep(PAUSE)
                continue
            with self._counting:
                self._n_waiting -= 1
                is_last = self._n_waiting == 0
                is_over = self._ending.is_set()
            if is_over:
                connection.close()
                return
            if is_last:
                self._start_thread()
            self._visit(connection, address)
            with self._counting:
                self._n_waiting += 1
