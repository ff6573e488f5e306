"""The worker's process, and what the server does without it: it starts late, dies, and is started again."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]
import pytest
import pytest_asyncio

from tests.server_editor import VERSION, script
from tests.sessions.client import PATIENCE, SCRIPTED, Client, scripted
from tests.sessions.editor import Editor, opened, texts

pytestmark = pytest.mark.asyncio(loop_scope="module")

SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION}


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def client() -> AsyncIterator[Client]:
    async with scripted(SETTINGS) as client:
        yield client


@pytest.fixture
def editor(client: Client) -> Editor:
    return Editor(client)


def worker_of(client: Client) -> Any:
    [worker] = psutil.Process(client.process.pid).children()
    return worker


async def test_a_crash_of_the_worker_is_survived_and_said(client: Client, editor: Editor) -> None:
    buffer = opened(editor, "file:///worker/crash.py", "f($0\n")
    assert await texts(editor, buffer) == [")"]
    worker_of(client).kill()
    await client.until(lambda: client.statuses()[-1]["state"] == "error")
    assert "signal 9" in client.statuses()[-1]["message"]
    assert any(method == "window/showMessage" for method, _ in client.notifications)
    editor.type(buffer, "(")
    assert await texts(editor, buffer) == ["))"]


async def test_a_model_that_kills_the_worker_again_and_again_is_given_up() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS | {"model": script(crash=True), "timeBudget": 20_000})
    editor = Editor(client)
    buffer = opened(editor, "file:///worker/crashes.py", "f($0\n")
    for number in range(4):
        assert await texts(editor, buffer) == []
        editor.type(buffer, "abcd"[number])
    said = [params["message"] for method, params in client.notifications if method == "window/showMessage"]
    assert len(said) == 3
    assert "not started again" in said[-1]
    assert client.statuses()[-1]["state"] == "error"
    # Somebody asks for another attempt.
    assert (await client.command("fim-lsp.switchModel", "none"))["message"] == ""
    assert await texts(editor, buffer) == [")"]
    assert await client.stop() == 0


async def test_the_worker_ends_with_the_server() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS)
    editor = Editor(client)
    await texts(editor, opened(editor, "file:///worker/end.py", "f($0\n"))
    worker = worker_of(client)
    client.process.kill()
    await client.process.wait()
    psutil.wait_procs([worker], timeout=PATIENCE)
    assert not worker.is_running()


async def test_nothing_runs_where_completions_are_disabled_from_the_start() -> None:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(SETTINGS | {"enable": False})
    editor = Editor(client)
    assert await texts(editor, opened(editor, "file:///worker/off.py", "f($0\n")) == []
    assert psutil.Process(client.process.pid).children() == []
    assert await client.stop() == 0


async def test_initialize_is_answered_before_anything_heavy_is_loaded() -> None:
    """As a ratio to what the imports of LSP's types cost in the same moment: the machine is busy now and
    then."""

    async def seconds(action: Callable[[], Any]) -> float:
        times = []
        for _ in range(2):
            start = time.perf_counter()
            await action()
            times.append(time.perf_counter() - start)
        return min(times)

    async def imports() -> None:
        program = "import pygls.lsp.server"
        process = await asyncio.create_subprocess_exec(SCRIPTED[0], "-c", program)
        assert await process.wait() == 0

    async def initialize() -> None:
        client = await Client.start()
        await client.initialize({"enable": False})
        heavy = {"torch", "transformers", "quotient", "tree_sitter"}
        maps = Path(f"/proc/{client.process.pid}/maps")
        if maps.exists():
            assert not [name for name in heavy if f"/{name}/" in maps.read_text()]
        client.process.kill()
        await client.process.wait()

    assert await seconds(initialize) < 2.0 * await seconds(imports)


async def test_what_libraries_print_does_not_garble_the_protocol(client: Client, editor: Editor) -> None:
    await client.command("fim-lsp.switchModel", script(("x = ", ["1"])))
    buffer = opened(editor, "file:///worker/print.py", "x = $0\n")
    assert await texts(editor, buffer) == ["1"], "the script prints to stdout before it writes"
    await client.command("fim-lsp.switchModel", "none")


async def test_modules_of_the_edited_folder_are_not_imported(tmp_path: Path) -> None:
    """`python -m` imports from the working directory first; the worker must not."""
    (tmp_path / "pickle.py").write_text("raise SystemExit('imported from the workspace')")
    here = Path.cwd()
    os.chdir(tmp_path)
    try:
        client = await Client.start()
    finally:
        os.chdir(here)
    await client.initialize(SETTINGS)
    editor = Editor(client)
    assert await texts(editor, opened(editor, "file:///worker/path.py", "f($0\n")) == [")"]
    assert await client.stop() == 0
