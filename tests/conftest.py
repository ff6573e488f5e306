"""How the Python tests run: the same examples each time in `make test`, many more in `make verify`."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from fim_lsp.endpoint.gate import Gate
from fim_lsp.runtimes.served.address import Address
from tests.endpoint_gate import served_gate, served_upstream
from tests.sessions.client import Client
from tests.sessions.editor import Editor
from tests.thoroughness import PROFILE

settings.register_profile("test", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("verify", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile(PROFILE)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Servers that tests start keep nothing in the folder of the user who runs them."""
    os.environ["FIM_LSP_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def editor(client: Client) -> Editor:
    """An editor at the server that a module's `client` is of."""
    return Editor(client)


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
