"""The cost of judge and memory at a key: the same lines are typed with and without them, in turns and in this
process, so that the ratio does not depend on the machine.

Times are processor times: for each key, the least of several rounds. The cache answers nothing.
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
    """The ratio of a key's milliseconds with both parts to those without, p50 and p95."""
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
    """The seconds of each key. The first request reads the file."""
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
