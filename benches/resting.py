"""`FIM_GGUF=FILE python -m benches.resting`: what a server with a model costs while no one types.

A file of the standard library is opened, the cursor rests in its middle, and the model reads ahead. Then
nothing is done for a minute (`--seconds`). The bench prints the processor seconds of server and worker until
the model has finished reading and in that minute, the worker's memory, and how long an offer at the cursor
takes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from tests.sessions.client import Client
from tests.sessions.editor import Editor, Item, opened

SUMMARY = (__doc__ or "").partition("\n")[0]
# The seconds between two looks at the processors, and the number of looks without work after which they rest.
LOOK_SECONDS, N_LOOKS, NOTHING = 0.5, 6, 0.02
MOST_SECONDS = 180.0


def spent(process: psutil.Process) -> float:
    """The processor seconds of a process and its children."""
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return float(sum(each.user + each.system for each in times))


async def rested(process: psutil.Process) -> float:
    """Waits until the server computes next to nothing. Returns the processor seconds until then."""
    begun = before = spent(process)
    n_quiet, end = 0, time.monotonic() + MOST_SECONDS
    while n_quiet < N_LOOKS and time.monotonic() < end:
        await asyncio.sleep(LOOK_SECONDS)
        now = spent(process)
        n_quiet = n_quiet + 1 if now - before < NOTHING else 0
        before = now
    return before - begun


async def measured(model: Path, seconds: float) -> list[tuple[str, str]]:
    text = Path(argparse.__file__).read_text()
    place = text.index("\n", len(text) // 2)
    client = await Client.start()
    try:
        await client.initialize({"model": str(model)})
        await client.until(lambda: any(str(model) == one.get("model") for one in client.statuses()))
        process = psutil.Process(client.process.pid)
        await rested(process)
        editor = Editor(client)
        buffer = opened(editor, "file:///bench/argparse.py", text[:place] + "$0" + text[place:])
        at = {"textDocument": {"uri": buffer.uri}, "position": editor.position(text, place)}
        client.notify("textDocument/didFocus", at)
        reading = await rested(process)
        before = spent(process)
        await asyncio.sleep(seconds)
        resting = spent(process) - before
        start = time.perf_counter()
        items = await editor.complete(buffer)
        took = time.perf_counter() - start
        first = next((item.text for item in items if isinstance(item, Item)), "")
        held = max(each.memory_info().rss for each in process.children(recursive=True))
    finally:
        await client.stop()
    return [
        ("processor seconds until the file around the cursor was read", f"{reading:.1f}"),
        (f"processor seconds in {seconds:.0f} s of rest behind that", f"{resting:.2f}"),
        ("seconds to the first answer at the cursor", f"{took:.2f}"),
        ("what that offers", repr(first)),
        ("megabytes of the worker", f"{held / 1e6:.0f}"),
    ]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.resting", description=SUMMARY)
    parser.add_argument("--seconds", type=float, default=60.0)
    arguments = parser.parse_args()
    given = os.environ.get("FIM_GGUF")
    if not given:
        print("benches.resting: FIM_GGUF names no model", file=sys.stderr)
        return 2
    for name, figure in asyncio.run(measured(Path(given), arguments.seconds)):
        print(f"{name:62} {figure}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
