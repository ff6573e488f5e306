"""`python -m tests.systems.day 10000`: a day of an editor over stdio, played on that system itself.

This number of keys is pressed, and every answer is checked against the promises (tests/sessions/play.py).
Then the worker is killed, the model is switched, a second server uses the same cache and finds what the first
one has read, and the editor's process is killed. At the end no process is alive, and the cache can be
removed, which Windows refuses while a file in it is open.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from tests.scripted.worker import WITNESS
from tests.sessions.client import PATIENCE, SCRIPTED, Client
from tests.sessions.editor import Editor
from tests.sessions.play import VERSION, Player
from tests.sessions.script import sources

SHOP = "def discounted_total(orders, rate):\n    return sum(order.price for order in orders) * (1 - rate)\n"
# The numbers in files' names, because a clock shows the same time twice there.
NUMBERS = itertools.count()
SETTINGS: dict[str, Any] = {"model": "none", "pythonVersion": VERSION}


async def started(folder: Path, **params: Any) -> Client:
    client = await Client.start(command=SCRIPTED)
    root = folder.as_uri()
    await client.initialize(SETTINGS, workspaceFolders=[{"uri": root, "name": "day"}], rootUri=root, **params)
    return client


def tree(client: Client) -> list[psutil.Process]:
    return [psutil.Process(client.process.pid), *psutil.Process(client.process.pid).children(recursive=True)]


async def answers(client: Client, folder: Path) -> None:
    """Offers that need no model come."""
    editor = Editor(client)
    buffer = editor.open((folder / f"new{next(NUMBERS)}.py").as_uri(), "print((1")
    buffer.cursor = len(buffer.text)
    assert [item.text for item in await editor.complete(buffer, invoked=True)] == ["))"], (
        "no bracket is closed"
    )
    editor.close(buffer)


async def all_gone(processes: list[psutil.Process]) -> None:
    _, alive = await asyncio.to_thread(psutil.wait_procs, processes, PATIENCE)
    assert not alive, f"still there: {alive}"


async def keys(client: Client, count: int) -> str:
    await client.command("fim-lsp.switchModel", WITNESS)
    begin = time.monotonic()
    played = await Player(client, Editor(client), random.Random(44)).play(sources(), count)
    return f"{played.n_keystrokes:,} keys in {time.monotonic() - begin:.0f} s, every answer as promised"


async def worker_killed(client: Client, folder: Path) -> str:
    await answers(client, folder)
    workers = tree(client)[1:]
    for worker in workers:
        worker.kill()
    await all_gone(workers)
    await answers(client, folder)
    return f"{len(workers)} processes killed behind the server, which answers"


async def model_switched(client: Client, folder: Path) -> str:
    await client.command("fim-lsp.switchModel", "bundled")
    editor = Editor(client)
    buffer = editor.open((folder / "loop.py").as_uri(), "for index in range(")
    buffer.cursor = len(buffer.text)
    items = await editor.complete(buffer, invoked=True)
    assert items, "the bundled model writes nothing"
    compile(items[0].applied(buffer.text), "loop.py", "exec")
    await client.command("fim-lsp.switchModel", "none")
    await answers(client, folder)
    return f"the bundled model writes {items[0].text!r}"


async def two_servers(first: Client, folder: Path) -> str:
    second = await started(folder)
    # Each server gets one request after the other, because a newer one cancels the running one.
    for _ in range(20):
        await asyncio.gather(answers(first, folder), answers(second, folder))
    processes = tree(second)
    assert await second.stop() == 0
    await all_gone(processes)
    await answers(first, folder)
    kept = [path for path in Path(os.environ["FIM_LSP_CACHE"]).rglob("*") if path.is_file()]
    assert kept, "nothing was kept of the workspace"
    return f"two servers at one cache of {len(kept)} files"


async def editor_killed(folder: Path) -> str:
    editor = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    client = await started(folder, processId=editor.pid)
    await answers(client, folder)
    processes = tree(client)
    editor.kill()
    editor.wait()
    begin = time.monotonic()
    await all_gone(processes)
    return f"{len(processes)} processes ended {time.monotonic() - begin:.1f} s after the editor's"


async def day(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cache, workspace = folder / "cache", folder / "workspace"
        os.environ["FIM_LSP_CACHE"] = str(cache)
        workspace.mkdir()
        (workspace / "shop.py").write_text(SHOP, encoding="utf-8")
        client = await started(workspace)
        print(await keys(client, count), flush=True)
        print(await worker_killed(client, workspace), flush=True)
        print(await model_switched(client, workspace), flush=True)
        print(await two_servers(client, workspace), flush=True)
        processes = tree(client)
        assert await client.stop() == 0
        await all_gone(processes)
        print(await editor_killed(workspace), flush=True)
        shutil.rmtree(cache)
        print("no file of the cache is open, and no process lives", flush=True)


if __name__ == "__main__":
    asyncio.run(day(int(sys.argv[1])))
