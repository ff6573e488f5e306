"""`python -m tests.sessions`: a long editing session, with tables of latencies and of memory.

python -m tests.sessions                             2,000 keystrokes, as fast as answers come
python -m tests.sessions --minutes 30 --rate 10      half an hour at 10 keystrokes a second
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import time

import psutil  # type: ignore[import-untyped]

from tests.scripted.worker import WITNESS
from tests.sessions.client import SCRIPTED, Client
from tests.sessions.editor import Editor
from tests.sessions.play import VERSION, Player
from tests.sessions.report import Sample, growth, latency_table, memory_table
from tests.sessions.script import sources

SAMPLE_SECONDS = 5.0
# Memory is flat if the last third of a session holds no more than this above the second third.
MAX_GROWTH = 0.05


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.sessions", description=__doc__)
    parser.add_argument("--keystrokes", type=int, default=2_000)
    parser.add_argument("--minutes", type=float, help="instead of a number of keystrokes; needs --rate")
    parser.add_argument("--rate", type=float, help="keystrokes a second (default: as fast as answers come)")
    parser.add_argument("--model", default=WITNESS, help="as for the setting (default: the engine's witness)")
    parser.add_argument("--encoding", default="utf-16", choices=["utf-8", "utf-16", "utf-32"])
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    if arguments.minutes and not arguments.rate:
        parser.error("--minutes needs --rate")
    n_keystrokes = arguments.keystrokes
    if arguments.minutes:
        n_keystrokes = round(arguments.minutes * 60 * arguments.rate)
    return asyncio.run(
        session(n_keystrokes, arguments.rate, arguments.model, arguments.encoding, arguments.seed)
    )


async def session(n_keystrokes: int, rate: float | None, model: str, encoding: str, seed: int) -> int:
    client = await Client.start(command=SCRIPTED)
    await client.initialize(
        {"model": model, "pythonVersion": VERSION},
        {"general": {"positionEncodings": [encoding]}, "textDocument": {"inlineCompletion": {}}},
    )
    player = Player(client, Editor(client, encoding), random.Random(seed), rate)
    start = time.monotonic()
    samples: list[Sample] = []
    sampling = asyncio.create_task(sample_memory(client.process.pid, start, samples))
    played = await player.play(sources(), n_keystrokes)
    sampling.cancel()
    samples.append(sample_of(client.process.pid, start))
    code = await client.stop()
    print(latency_table(played))
    print(memory_table(samples))
    print(f"growth from the second to the last third: {growth(samples):+.1%}")
    is_flat = growth(samples) <= MAX_GROWTH or rate is None
    return code or (0 if is_flat else 1)


async def sample_memory(pid: int, start: float, samples: list[Sample]) -> None:
    while True:
        samples.append(sample_of(pid, start))
        await asyncio.sleep(SAMPLE_SECONDS)


def sample_of(pid: int, start: float) -> Sample:
    server = psutil.Process(pid)
    workers = sum(child.memory_info().rss for child in server.children(recursive=True))
    return Sample(time.monotonic() - start, server.memory_info().rss, workers)


if __name__ == "__main__":
    sys.exit(main())
