"""The endpoint of these tests, with a server of models behind it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fim_lsp.endpoint.gate import Gate
from fim_lsp.runtimes.served.address import Address
from tests.endpoint.served_gate import served_gate, served_upstream


@pytest.fixture
def upstream() -> Iterator[Address]:
    """A server of models behind the endpoint."""
    with served_upstream() as address:
        yield address


@pytest.fixture
def gate(upstream: Address) -> Iterator[Gate]:
    """The endpoint in front of it."""
    with served_gate(upstream) as server:
        yield server
