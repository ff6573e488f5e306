"""The spare connection to a server: only to a llama-server, and only as long as that keeps it open."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing

import pytest

from fim_lsp.runtimes.served import spare as spares
from fim_lsp.runtimes.served.address import Address
from fim_lsp.runtimes.served.spare import SERVER, SpareConnection

SECONDS = 20.0


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as found:
        found.settimeout(SECONDS)
        yield found


@pytest.fixture
def spare(listener: socket.socket) -> Iterator[SpareConnection]:
    with closing(SpareConnection(Address("http", "127.0.0.1", listener.getsockname()[1]))) as found:
        yield found


def test_a_server_that_may_have_one_thread_gets_none(listener: socket.socket, spare: SpareConnection) -> None:
    for name in ("", "BaseHTTP/0.6 Python/3.11.7"):
        spare.note_server(name)
        spare.open()
        assert spare.take() is None
    listener.setblocking(False)
    with pytest.raises(BlockingIOError):
        listener.accept()


def test_a_connection_is_taken_once(listener: socket.socket, spare: SpareConnection) -> None:
    spare.note_server(SERVER)
    spare.open()
    with listener.accept()[0] as theirs:
        plug = spare.take()
        assert plug is not None
        with plug:
            plug.sendall(b"a")
            assert theirs.recv(1) == b"a"
    assert spare.take() is None


@pytest.mark.parametrize("says", [b"", b"HTTP/1.1 408 Request Timeout\r\n\r\n"])
def test_a_connection_on_which_something_has_happened_is_not_taken(
    listener: socket.socket, spare: SpareConnection, says: bytes
) -> None:
    spare.note_server(SERVER)
    spare.open()
    with listener.accept()[0] as theirs:
        theirs.sendall(says)
    assert spare.take() is None


def test_an_old_or_closed_one_is_not_taken(
    listener: socket.socket, spare: SpareConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    spare.note_server(SERVER)
    spare.open()
    with listener.accept()[0]:
        monkeypatch.setattr(spares, "MOST_SECONDS", 0.0)
        assert spare.take() is None
    spare.close()
    spare.open()
    assert spare.take() is None
