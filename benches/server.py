"""`python -m benches.server`: the server's own time for each key in one large file that is being edited.

A request follows every keystroke, over real stdio. The engine's witness takes the place of a model, so the
figures are what every answer costs besides its model. A time runs from sending the edit to reading the
answer, so it includes both processes and the pipes between all three. The rows distinguish the states in
which a key leaves the file. "Beside the worker" is the part of the time outside the worker's own account.
Processor times are means, which other programs on the machine hardly change.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import re
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import psutil  # type: ignore[import-untyped]

from benches.report import reported
from benches.targets import Target
from benches.timing import percentile
from tests.scripted.worker import WITNESS
from tests.sessions.client import PATIENCE, SCRIPTED, SERVE, Client
from tests.sessions.editor import Buffer, Editor
from tests.sessions.large import Key, keys, large_source
from tests.sessions.play import VERSION, parses

Figures = dict[str, tuple[float, str]]
# Our log line with the worker's time for a request. A request that the cache answers has none.
WORKED = re.compile(r"worked out in ([\d.]+) ms")
ANSWERED = re.compile(r"\d+ offered, reason")
Kind = Literal[
    "in a file that parses",
    "in a file broken at the cursor",
    "in a file broken elsewhere",
    "through a suggestion",
]
TARGETS = (
    Target("a key, over all, p95", "ms", 10),
    Target("a key in a file that parses, p95", "ms", 10),
    Target("a key in a file broken at the cursor, p95", "ms", 10),
    Target("a key in a file broken elsewhere, p95", "ms", 10),
    Target("a key through a suggestion, p95", "ms", 5),
    Target("start-up to the answer to initialize, p95", "ms", 500),
)
N_STARTS = 11
SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99}


@dataclass
class Measured:
    """The milliseconds from a key to its answer, and whether the key was the next character of the offer, in
    the order of the keys; the processor time of both processes per key."""

    times: list[float] = field(default_factory=list)
    are_through: list[bool] = field(default_factory=list)
    server: float = 0.0
    worker: float = 0.0


async def played(n_keys: int, seed: int, log: Path) -> Measured:
    """Plays the script against a server with its log in the given file."""
    client = await Client.start(
        "--log-level", "debug", "--log-file", str(log), command=SCRIPTED, stderr=asyncio.subprocess.DEVNULL
    )
    await client.initialize(
        {"model": WITNESS, "pythonVersion": VERSION}, {"textDocument": {"inlineCompletion": {}}}
    )
    editor = Editor(client)
    source = large_source()
    buffer = editor.open(f"file:///large/{source.name}", source.text)
    await editor.complete(buffer)
    log.write_text("", "utf-8")
    measured, shown = Measured(), ""
    server = psutil.Process(client.process.pid)
    [worker] = server.children()
    before = [processor_milliseconds(process) for process in (server, worker)]
    for key in keys(source.text, n_keys, random.Random(seed)):
        measured.are_through.append(bool(key.new) and shown.startswith(key.new) and shown != key.new)
        milliseconds, shown = await pressed(editor, buffer, key)
        measured.times.append(milliseconds)
    after = [processor_milliseconds(process) for process in (server, worker)]
    measured.server, measured.worker = (
        (end - begin) / n_keys for begin, end in zip(before, after, strict=True)
    )
    assert await client.stop() == 0
    return measured


def processor_milliseconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return float(times.user + times.system) * 1e3


async def start_ups(n_starts: int) -> list[float]:
    """Milliseconds from starting the process to its answer to `initialize`."""
    times = []
    for _ in range(n_starts):
        start = time.perf_counter()
        client = await Client.start(command=SERVE, stderr=asyncio.subprocess.DEVNULL)
        await client.initialize({"model": "none", "pythonVersion": VERSION}, {})
        times.append((time.perf_counter() - start) * 1e3)
        assert await client.stop() == 0
    return times


async def pressed(editor: Editor, buffer: Buffer, key: Key) -> tuple[float, str]:
    """An edit and the request that follows it: its milliseconds, and the offer."""
    start = time.perf_counter()
    buffer.undo.clear()
    editor.edit(buffer, (key.start, key.stop, key.new))
    buffer.cursor = key.cursor
    sent = time.perf_counter()
    _, future = editor.client.ask("textDocument/inlineCompletion", editor.inline_params(buffer))
    answer = await asyncio.wait_for(future, PATIENCE)
    items = editor.items(buffer, answer)
    return (sent - start + answer.seconds) * 1e3, items[0].text if items else ""


def kinds(measured: Measured, seed: int) -> Iterator[Kind]:
    """The state in which each key left the file. It is found afterwards, because parsing takes longer than an
    answer."""
    text = large_source().text
    script = keys(text, len(measured.times), random.Random(seed))
    for key, is_through in zip(script, measured.are_through, strict=True):
        text = text[: key.start] + key.new + text[key.stop :]
        if is_through:
            yield "through a suggestion"
        elif key.is_left_open:
            yield "in a file broken elsewhere"
        else:
            yield "in a file that parses" if parses(text) else "in a file broken at the cursor"


def workers_share(log: str) -> list[float]:
    """The worker's milliseconds for each answer, in order, by its own log."""
    shares, worked = [], 0.0
    for line in log.splitlines():
        if found := WORKED.search(line):
            worked = float(found[1])
        elif ANSWERED.search(line):
            shares.append(worked)
            worked = 0.0
    return shares


def figures_of(measured: Measured, seed: int, log: str) -> Figures:
    figures: Figures = {}
    by_kind: dict[str, list[float]] = defaultdict(list)
    for kind, milliseconds in zip(kinds(measured, seed), measured.times, strict=True):
        by_kind[f"a key {kind}"].append(milliseconds)
    beside = [total - share for total, share in zip(measured.times, workers_share(log), strict=True)]
    rows = dict(sorted(by_kind.items())) | {"a key, over all": measured.times, "beside the worker": beside}
    for name, times in rows.items():
        figures[f"{name}, number"] = len(times), ""
        for label, share in SHARES.items():
            figures[f"{name}, {label}"] = percentile(times, share), "ms"
    figures["processor time of the server, a key"] = measured.server, "ms"
    figures["processor time of the worker, a key"] = measured.worker, "ms"
    return figures


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the bench. The exit status says whether every target is met."""
    parser = argparse.ArgumentParser(prog="python -m benches.server", description=__doc__.split("\n")[0])
    parser.add_argument("--keys", type=int, default=2_000)
    parser.add_argument("--starts", type=int, default=N_STARTS)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--results", type=Path, default=Path("benches/results/server.json"))
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "server.log"
        measured = asyncio.run(played(chosen.keys, chosen.seed, log))
        figures = figures_of(measured, chosen.seed, log.read_text("utf-8"))
    starts = asyncio.run(start_ups(chosen.starts))
    for label in ("p50", "p95"):
        figures[f"start-up to the answer to initialize, {label}"] = percentile(starts, SHARES[label]), "ms"
    return reported(figures, TARGETS, chosen.results)


if __name__ == "__main__":
    sys.exit(main())
