"""The cost of judge and memory at a key: equal lines are typed with and without them, in this process and in
turns, so that the ratio does not depend on the machine.

Times are of the processor, the least of several rounds for each key; nothing is answered from the cache.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from benches.timing import percentile
from benches.workloads import TypedLine
from fim_lsp.replay.typing.filler import TypingSettings, loaded_completer
from fim_lsp.replay.typing.page import AtHand, close, open_page, service_with, settle_page
from fim_lsp.server.service import Service

N_ROUNDS = 3
PARTS = ("judge", "memory")
SETTINGS: dict[str, object] = {"maxCachedCompletions": 0, "multiLine": False, "pythonVersion": "3.11"}


def ratios(lines: Sequence[TypedLine]) -> dict[str, tuple[float, str]]:
    """Milliseconds of a key with both parts over those without, p50 and p95."""
    services = [serving(()), serving(PARTS)]
    best: list[dict[tuple[int, int], float]] = [{}, {}]
    for _ in range(N_ROUNDS):
        for number, line in enumerate(lines):
            for service, known in zip(services, best, strict=True):
                for key, seconds in enumerate(asyncio.run(typed(service, number, line))):
                    known[number, key] = min(seconds, known.get((number, key), seconds))
    with_parts, without = ([*known.values()] for known in best)
    return {
        f"a key with judge and memory, times without, {name}": (
            percentile(with_parts, share) / percentile(without, share),
            "x",
        )
        for name, share in (("p50", 0.5), ("p95", 0.95))
    }


def serving(without: Sequence[str]) -> Service:
    service = service_with(loaded_completer(TypingSettings(), 1), SETTINGS)
    assert isinstance(service.worker, AtHand)
    service.worker.leave_out(without)
    return service


async def typed(service: Service, number: int, line: TypedLine) -> list[float]:
    """Seconds of each key. The first request reads the file."""
    page = open_page(service, f"file:///typing/{number}.py", line.left + line.right, len(line.left))
    await settle_page(page)
    await page.offer()
    found = []
    for key in line.typed:
        page.write(key)
        start = time.process_time()
        await page.offer()
        found.append(time.process_time() - start)
    close(service, page)
    return found
