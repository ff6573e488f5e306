"""Server and worker give memory back that they do not use."""

from __future__ import annotations

import asyncio
import platform
import subprocess
import sys
import time

import psutil  # type: ignore[import-untyped]
import pytest

from benches.typing import TARGETS, resident, started
from fim_lsp.system.memory import give_back, resident_memory
from tests.sessions.client import PATIENCE, Client

MEGABYTE = 1 << 20


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such call")
def test_what_is_free_is_given_back() -> None:
    pieces = [bytearray(b"x" * 50_000) for _ in range(2_000)]
    # One piece stays behind all others, so that the C library keeps what is in front of it.
    last = pieces[-1]
    del pieces
    before = resident_memory()
    assert give_back()
    after = resident_memory()
    assert before is not None
    assert after is not None
    assert after < before - 30 * MEGABYTE
    assert len(last) == 50_000


COME_AND_GO = """
from fim_lsp.system.memory import hold_little, resident_memory

{first}
# From the first large block that is freed on, the C library takes such blocks from its heap.
del [bytearray(b"x" * 1_000_000)][0]
pieces = [bytearray(b"x" * 200_000) for _ in range(200)]
before = resident_memory()
del pieces[:-1]
print(before - resident_memory())
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such call")
@pytest.mark.parametrize(("first", "is_given_back"), [("", False), ("assert hold_little()", True)])
def test_the_worker_keeps_little_of_what_comes_and_goes(first: str, is_given_back: bool) -> None:
    program = [sys.executable, "-c", COME_AND_GO.format(first=first)]
    freed = int(subprocess.run(program, capture_output=True, check=True, text=True).stdout)
    assert (freed > 30 * MEGABYTE) is is_given_back


@pytest.mark.asyncio
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="measured with this C library")
async def test_both_processes_are_small_with_the_bundled_model() -> None:
    [target] = [target for target in TARGETS if target.name == "memory of both processes"]
    client, _, _ = await started()
    assert resident(client.process.pid) <= target.bound
    assert await client.stop() == 0


@pytest.mark.asyncio
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such call")
async def test_what_closed_documents_held_is_given_back() -> None:
    client = await Client.start()
    await client.initialize({"enable": False})
    server = psutil.Process(client.process.pid)
    text = "value = compute(first, second)\n" * 1_300
    before = server.memory_info().rss
    for number in range(500):
        item = {"uri": f"file:///memory/{number}.py", "languageId": "python", "version": 1, "text": text}
        client.notify("textDocument/didOpen", {"textDocument": item})
        await client.command("fim-lsp.statistics")
    held = server.memory_info().rss - before
    for number in range(500):
        client.notify("textDocument/didClose", {"textDocument": {"uri": f"file:///memory/{number}.py"}})
    await client.command("fim-lsp.statistics")
    deadline = time.monotonic() + PATIENCE
    while server.memory_info().rss - before > held / 2 and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    assert server.memory_info().rss - before <= held / 2
    assert await client.stop() == 0
