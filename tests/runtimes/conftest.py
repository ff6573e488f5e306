"""Fixtures that tests of several runtimes' files need."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fim_lsp.runtimes.llama import carried
from fim_lsp.runtimes.llama import library as llama_library


@pytest.fixture
def nothing_carried(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A wheel for a platform without libraries of llama.cpp."""
    monkeypatch.setattr(carried, "open_library", lambda: None)
    llama_library.library.cache_clear()
    yield
    llama_library.library.cache_clear()
