"""A connection that is opened before a request needs it, so that the server's threads have taken it already.

For a small model on this machine, which answers in five milliseconds, opening one at the request takes some
two tenths of a millisecond more.
"""

from __future__ import annotations

import select
import socket
import threading
import time
from contextlib import suppress

from fim_lsp.runtimes.served.address import Address

# What llama-server calls itself.
SERVER = "llama.cpp"
# Servers close connections that say nothing for five seconds.
MOST_SECONDS = 4.0


class SpareConnection:
    """At most one open connection to a server, on which nothing was sent."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._is_wanted = False
        self._lock = threading.Lock()
        self._plug: socket.socket | None = None
        self._since = 0.0
        self._is_closed = False

    def note_server(self, name: str) -> None:
        """Notes what the server calls itself: only one on this machine that serves others meanwhile gets a
        connection that says nothing. A server with one thread would wait for it."""
        self._is_wanted = name == SERVER and self._address.is_local and self._address.scheme == "http"

    def open(self) -> None:
        """Opens one, if there is none, and does not wait for it."""
        if not self._is_wanted or self._plug is not None:
            return
        with suppress(OSError):
            family = socket.AF_INET6 if ":" in self._address.host else socket.AF_INET
            plug = socket.socket(family, socket.SOCK_STREAM)
            plug.setblocking(False)
            plug.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            plug.connect_ex((self._address.host, self._address.port))
            self._replace(plug)

    def _replace(self, plug: socket.socket) -> None:
        with self._lock:
            before, self._plug, self._since = self._plug, plug, time.monotonic()
            if self._is_closed:
                self._plug = None
                plug.close()
        if before is not None:
            before.close()

    def take(self) -> socket.socket | None:
        """The connection, if it is open and the server has not closed it."""
        with self._lock:
            plug, self._plug = self._plug, None
            is_fresh = time.monotonic() - self._since < MOST_SECONDS
        if plug is None:
            return None
        if is_fresh and is_open_and_silent(plug):
            return plug
        plug.close()
        return None

    def close(self) -> None:
        """Closes it. From now on none is opened."""
        with self._lock:
            self._is_closed = True
        plug = self.take()
        if plug is not None:
            plug.close()


def is_open_and_silent(plug: socket.socket) -> bool:
    """Whether a connection is there, and its server has neither closed it nor sent anything."""
    try:
        readable, writable, _ = select.select([plug], [plug], [], 0)
        return bool(writable and not readable and not plug.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR))
    except (OSError, ValueError):
        return False
