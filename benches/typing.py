"""`python -m benches.typing`: the cost of typing with the bundled model, server and engine included.

Starts: the time from starting the server, whose modules are compiled as in an install, to its model being
ready, and to its first offer. Memory: of the server and its worker after all keys; pages that both use
count once. Keys: real lines of the standard library are typed, a character at a time, into the file that
they come from, with a request behind each. A time runs from sending the edit to reading the offer. The
cache answers nothing, so each offer is the model's. Single steps of the network, and the costs of judge and
memory (`judged.py`), are measured in this process. Times are of the wall clock, so the machine has to be
quiet.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory

import psutil  # type: ignore[import-untyped]

from benches.judged import ratios
from benches.report import reported
from benches.targets import Target
from benches.timing import percentile
from benches.workloads import TypedLine
from fim_lsp.bundled_models import BUNDLED_NAME
from fim_lsp.decoding.models.model import load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.runtimes.runtime import Runtime
from tests.laws.sources import library_text
from tests.sessions.client import SERVE, Client
from tests.sessions.editor import Editor

Figures = dict[str, tuple[float, str]]
TARGETS = (
    Target("from start to the model being ready, median", "s", 1),
    Target("from start to an offer by the model, median", "s", 1),
    Target("memory of both processes", "MB", 200),
    Target("a token, median", "ms", 1.2),
    Target("from key to offer, p50", "ms", 40),
    Target("from key to offer, p95", "ms", 100),
    Target("a key with judge and memory, times without, p50", "x", 1.2),
    Target("a key with judge and memory, times without, p95", "x", 1.2),
)
SETTINGS = {"multiLine": False, "maxCachedCompletions": 0, "prefetch": False, "pythonVersion": "3.11"}
CAPABILITIES: dict[str, object] = {"textDocument": {"inlineCompletion": {}}}
FIRST = "def area(width, height):\n    return "
N_KEYS = 6
# The most tokens in a prompt if both sides of the cursor are long.
N_PROMPT = 250


@dataclass(slots=True)
class KeyTimes:
    """The milliseconds from each key to its answer: of keys that brought an offer, and of the others."""

    offered: list[float] = field(default_factory=list)
    nothing: list[float] = field(default_factory=list)
    # Milliseconds of both processes for each key; other programs hardly change these.
    processor: list[float] = field(default_factory=list)


def lines(n: int) -> Iterator[TypedLine]:
    """Lines of real files, from a random place on."""
    for seed in range(n):
        rng = random.Random(seed)
        text = library_text(12_000, seed=seed)
        found = [(start, line) for start, line in starts(text) if is_code(line)]
        start, line = rng.choice(found[len(found) // 4 :])
        indentation = len(line) - len(line.lstrip())
        first = start + rng.randint(indentation, len(line) - N_KEYS)
        yield TypedLine(text[:first], text[start + len(line) :], text[first : first + N_KEYS])


def is_code(line: str) -> bool:
    """Whether a line is long enough to be typed, and does not look like a comment or a docstring."""
    return len(line.strip()) > 20 and line.strip()[0] not in "#\"'"


def starts(text: str) -> Iterator[tuple[int, str]]:
    """The lines without their line breaks, each with its offset."""
    start = 0
    for line in text.split("\n"):
        yield start, line
        start += len(line) + 1


async def started(has_names: bool = True, compiled: str | None = None) -> tuple[Client, float, float]:
    """A server, and the seconds until its model was ready, and until that offered something. Its modules are
    compiled in a folder if there is one, as an install has them."""
    env = dict(os.environ)
    if compiled is not None:
        env.pop("PYTHONDONTWRITEBYTECODE", None)
        env["PYTHONPYCACHEPREFIX"] = compiled
    start = time.perf_counter()
    client = await Client.start(command=SERVE, stderr=asyncio.subprocess.DEVNULL, env=env)
    await client.initialize(SETTINGS | {"names": has_names}, CAPABILITIES)
    editor = Editor(client)
    buffer = editor.open("file:///typing/first.py", FIRST + "\n")
    buffer.cursor = len(FIRST)
    await client.until(lambda: any(status["model"] == BUNDLED_NAME for status in client.statuses()))
    ready = time.perf_counter() - start
    # The offer is requested by hand, because automatic offers have to pass the judge.
    items = await editor.complete(buffer, invoked=True)
    if not items:
        raise AssertionError("the model offers nothing")
    offered = time.perf_counter() - start
    editor.close(buffer)
    return client, ready, offered


async def typed(client: Client, n_lines: int) -> KeyTimes:
    editor, found = Editor(client), KeyTimes()
    for index, line in enumerate(lines(n_lines)):
        buffer = editor.open(f"file:///typing/{index}.py", line.left + line.right)
        buffer.cursor = len(line.left)
        # The first request reads the file, and typing comes after it.
        await editor.complete(buffer)
        for key in line.typed:
            # To read the processor's time takes milliseconds, so it is no part of the key's.
            busy = processor_milliseconds(client.process.pid)
            start = time.perf_counter()
            editor.type(buffer, key)
            items = await editor.complete(buffer)
            (found.offered if items else found.nothing).append((time.perf_counter() - start) * 1e3)
            found.processor.append(processor_milliseconds(client.process.pid) - busy)
        editor.close(buffer)
    return found


def processor_milliseconds(pid: int) -> float:
    """The processor milliseconds of a server and its worker so far."""
    server = psutil.Process(pid)
    times = [process.cpu_times() for process in (server, *server.children(recursive=True))]
    return float(sum(time.user + time.system for time in times)) * 1e3


def resident(pid: int) -> float:
    """The megabytes of a server and its worker."""
    server = psutil.Process(pid)
    found = [process.memory_full_info() for process in (server, *server.children(recursive=True))]
    shared = max(memory.rss - memory.uss for memory in found)
    return float(shared + sum(memory.uss for memory in found)) / 1e6


def steps(runtime: Runtime) -> Figures:
    """The times of the network alone."""
    rng = random.Random(0)
    prompt = [rng.randrange(1000, 8000) for _ in range(N_PROMPT)]

    def milliseconds(n_tokens: int) -> Callable[[], float]:
        def measured() -> float:
            cache.crop(N_PROMPT)
            start = time.perf_counter()
            cache.read(prompt[:n_tokens], n_tokens)
            return (time.perf_counter() - start) * 1e3

        return measured

    prompts = []
    for _ in range(10):
        cache = runtime.cache()
        start = time.perf_counter()
        cache.read(prompt, 1)
        prompts.append((time.perf_counter() - start) * 1e3)
    cache.read(prompt[:1], 1)
    return {
        f"a prompt of {N_PROMPT} tokens, median": (median(prompts), "ms"),
        "a token, median": (median(milliseconds(1)() for _ in range(100)), "ms"),
        "four tokens at once, median": (median(milliseconds(4)() for _ in range(100)), "ms"),
    }


async def measured(n_starts: int, n_lines: int, has_names: bool) -> Figures:
    times = []
    with TemporaryDirectory() as compiled:
        # The first start compiles the modules, and does not count.
        client, *_ = await started(has_names, compiled)
        for _ in range(n_starts):
            await client.stop()
            client, *seconds = await started(has_names, compiled)
            times.append(seconds)
        found = await typed(client, n_lines)
        memory = resident(client.process.pid)
        await client.stop()
    n_keys = len(found.offered) + len(found.nothing)
    return {
        "from start to the model being ready, median": (median(ready for ready, _ in times), "s"),
        "from start to an offer by the model, median": (median(offered for _, offered in times), "s"),
        "memory of both processes": (memory, "MB"),
        "from key to offer, p50": (percentile(found.offered, 0.5), "ms"),
        "from key to offer, p95": (percentile(found.offered, 0.95), "ms"),
        "processor time of both processes for a key, mean": (fmean(found.processor), "ms"),
        "keys": (n_keys, ""),
        "keys with an offer": (len(found.offered), ""),
    }


def main() -> int:
    """Runs the bench. The exit status says whether every target is met."""
    parser = argparse.ArgumentParser(prog="python -m benches.typing", description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=Path("benches/results/typing.json"))
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--lines", type=int, default=60)
    parser.add_argument("--without-names", action="store_true", help="the grammar alone")
    chosen = parser.parse_args()
    figures = asyncio.run(measured(chosen.starts, chosen.lines, not chosen.without_names))
    model = load_model(wishes=RuntimeWishes(runtime="embedded"))
    figures |= steps(model.runtime) | ratios([*lines(chosen.lines)])
    return reported(figures, TARGETS, chosen.results)


if __name__ == "__main__":
    sys.exit(main())
