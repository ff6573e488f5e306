"""`python -m benches.windows [MODEL ...]`: the memory that one more window of an editor costs.

Each window has a server of its own. For each model two servers are started, as two windows start them. Both
open the same file of the standard library and make an offer. In the second one a line is then edited and next
edits are requested, which starts the process of next edits. The figures are the private memory of each
process of the second server: memory that processes share (libraries, mapped files) costs one more window
nothing. A model is named as for `--model`; the default is the bundled one. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from tests.sessions.client import Client
from tests.sessions.editor import Buffer, Editor, opened

SUMMARY = (__doc__ or "").partition("\n")[0]
NEXT_EDIT = "textDocument/copilotInlineEdit"


async def window(model: str, text: str, place: int) -> tuple[Editor, Buffer]:
    """A server with its model, one open file, and one answered request."""
    client = await Client.start()
    settings: dict[str, Any] = {} if model == "bundled" else {"model": model}
    await client.initialize(settings | {"timeBudget": 20_000})
    await client.until(
        lambda: any(
            one.get("model") not in (None, "none") and not one.get("busy") for one in client.statuses()
        )
    )
    editor = Editor(client)
    buffer = opened(editor, "file:///bench/argparse.py", text[:place] + "$0" + text[place:])
    await editor.complete(buffer)
    return editor, buffer


async def ask_for_next_edit(editor: Editor, buffer: Buffer) -> None:
    editor.edit(buffer, (0, 0, "import shutil\n"))
    await editor.client.request(
        NEXT_EDIT,
        {
            "textDocument": {"uri": buffer.uri, "version": buffer.version},
            "position": {"line": 0, "character": 0},
        },
    )


def held(process: psutil.Process) -> tuple[float, float]:
    """The private megabytes of a process, and all of its resident ones."""
    memory = process.memory_full_info()
    return memory.uss / 1e6, memory.rss / 1e6


async def measured(model: str) -> list[tuple[str, float, float]]:
    text = Path(argparse.__file__).read_text()
    place = text.index("\n", len(text) // 2)
    editors: list[Editor] = []
    try:
        first, _ = await window(model, text, place)
        editors.append(first)
        second, buffer = await window(model, text, place)
        editors.append(second)
        server = psutil.Process(second.client.process.pid)
        rows = [("server", *held(server))]
        [worker] = server.children()
        rows.append(("worker", *held(worker)))
        await ask_for_next_edit(second, buffer)
        others = [each for each in server.children(recursive=True) if each.pid != worker.pid]
        rows.extend(("next edits", *held(each)) for each in others)
        return rows
    finally:
        for editor in editors:
            await editor.client.stop()


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.windows", description=SUMMARY)
    parser.add_argument("models", nargs="*", default=["bundled"])
    for model in parser.parse_args().models:
        rows = asyncio.run(measured(model))
        print(f"{model}: megabytes of a second window, alone (and with what is shared)")
        for name, alone, every in rows:
            print(f"  {name:12} {alone:6.0f} ({every:.0f})")
        print(f"  {'all':12} {sum(alone for _, alone, _ in rows):6.0f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
