"""A server for the tests of a file, driven over real stdio as by an editor. Tests of its worker are in
`server/test_worker.py`."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.server_editor import VERSION
from tests.sessions.client import SCRIPTED, Client

# Scripts write names that are not defined.
SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION, "names": False}
CAPABILITIES: dict[str, Any] = {
    "workspace": {
        "configuration": True,
        "didChangeConfiguration": {"dynamicRegistration": True},
        "didChangeWatchedFiles": {"dynamicRegistration": True},
    },
    "textDocument": {"inlineCompletion": {}, "completion": {"dynamicRegistration": True}},
    "window": {"workDoneProgress": True, "showDocument": {"support": True}},
}


@asynccontextmanager
async def featured(
    folder: Path,
    settings: dict[str, Any] = SETTINGS,
    capabilities: dict[str, Any] = CAPABILITIES,
    secret: str = "SECRET",
) -> AsyncIterator[Client]:
    """An editor at the server. At the end each request has had one answer, and the log contains no source
    text: none of a word that all documents have."""
    log = folder / "fim-lsp.log"
    client = await Client.start("--log-file", str(log), "--log-level", "debug", command=SCRIPTED)
    await client.initialize(settings, capabilities)
    yield client
    assert await client.stop() == 0
    assert set(client.n_answers.values()) == {1}, "each request has exactly one answer"
    content = log.read_text()
    assert secret not in content, "the log carries source text"
    assert "Traceback" not in content


async def configured(client: Client, **settings: Any) -> None:
    """Changes the settings, as an editor announces it; the server then asks for them."""
    client.settings = SETTINGS | settings
    n_asked = n_of(client, "workspace/configuration")
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    await client.until(lambda: n_of(client, "workspace/configuration") > n_asked)
    # The answer to the server's question comes before this request's.
    await client.command("fim-lsp.statistics")


def n_of(client: Client, method: str) -> int:
    return sum(name == method for name, _ in client.requests)


METHOD_NOT_FOUND = -32601


async def n_asked(client: Client) -> int:
    lines = (await client.command("fim-lsp.serverLog"))["lines"]
    return sum("asked with" in line for line in lines)
