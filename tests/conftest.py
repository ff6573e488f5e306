"""Configuration of the Python tests: the same examples each time in `make test`, many more in `make
verify`."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.sessions.client import Client
from tests.sessions.editor import Editor
from tests.thoroughness import ELSEWHERE, PROFILE

settings.register_profile("test", derandomize=True, deadline=None, max_examples=50)
settings.register_profile("elsewhere", derandomize=True, deadline=None, max_examples=50 // ELSEWHERE)
settings.register_profile("verify", deadline=None, max_examples=5_000, print_blob=True)
settings.load_profile(PROFILE)


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Servers that tests start keep nothing in the cache of the user who runs the tests."""
    os.environ["FIM_LSP_CACHE"] = str(tmp_path_factory.mktemp("cache"))


@pytest.fixture
def editor(client: Client) -> Editor:
    """An editor that is connected to the server of a module's `client`."""
    return Editor(client)
