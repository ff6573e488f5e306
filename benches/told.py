"""The time that other files in the prompt add to a request. Lines of a workspace are typed with and without
them, in this process and in turns, with the bundled model.

Times are those of the thread that answers: for each key, the least of several rounds. The snippets are worked
out on another thread. They are in the prompt from the second request on; each later key is a request.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from benches.timing import percentile
from benches.typing import N_KEYS, is_code, starts
from benches.workloads import TypedLine
from fim_lsp.memory.workspace import Workspace
from fim_lsp.replay.typing.filler import TypingSettings, loaded_completer
from fim_lsp.replay.typing.page import AtHand, close, open_page, service_with, settle_page
from fim_lsp.server.service import Service
from fim_lsp.server.worker.with_model import WithModel

N_ROUNDS, N_LINES = 2, 20
SETTINGS: dict[str, object] = {"maxCachedCompletions": 0, "multiLine": False, "pythonVersion": "3.11"}
SECONDS = 60.0


def growth(workspace: Workspace) -> dict[str, tuple[float, str]]:
    """The milliseconds of a request at the 95th percentile without context, and how much more it takes with
    context."""
    uris = list(workspace.modules.paths)
    wanted = list(typed_lines(uris[:: len(uris) // (2 * N_LINES) or 1]))[:N_LINES]
    services = [serving(mode, workspace) for mode in ("off", "on")]
    best: list[dict[tuple[str, int], float]] = [{}, {}]
    n_told = 0
    for _ in range(N_ROUNDS):
        for uri, line in wanted:
            for service, known in zip(services, best, strict=True):
                seconds, n_snippets = asyncio.run(typed(service, uri, line))
                n_told += n_snippets > 0
                for key, second in enumerate(seconds):
                    known[uri, key] = min(second, known.get((uri, key), second))
    without, told = (1e3 * percentile([*known.values()], 0.95) for known in best)
    return {
        "a request without context, p95": (without, "ms"),
        "what a request takes more with context, p95": (told - without, "ms"),
        "lines with something told": (100 * n_told / (N_ROUNDS * len(wanted)), "%"),
    }


def typed_lines(uris: Sequence[str]) -> Iterator[tuple[str, TypedLine]]:
    """Lines of some files, from a random place on."""
    for uri in uris:
        random = Random(uri.rpartition("/")[2])
        text = Path(urlsplit(uri).path).read_text(encoding="utf-8")
        found = [(start, line) for start, line in starts(text) if is_code(line)]
        if len(found) > N_KEYS:
            start, line = random.choice(found[len(found) // 4 :])
            indentation = len(line) - len(line.lstrip())
            first = start + random.randint(indentation, len(line) - N_KEYS)
            yield uri, TypedLine(text[:first], text[start + len(line) :], text[first : first + N_KEYS])


def serving(mode: str, workspace: Workspace) -> Service:
    service = service_with(loaded_completer(TypingSettings(), 1), SETTINGS | {"context": mode})
    assert isinstance(service.worker, AtHand)
    service.worker.job_loop.around.project_context.know(workspace.modules)
    return service


async def typed(service: Service, uri: str, line: TypedLine) -> tuple[list[float], int]:
    """The seconds of each key, and the number of snippets in the prompt."""
    assert isinstance(service.worker, AtHand)
    job_loop = service.worker.job_loop
    assert isinstance(job_loop.serving.completer, WithModel)
    page = open_page(service, uri, line.left + line.right, len(line.left))
    await settle_page(page)
    for _ in range(2):
        await page.offer()
        assert job_loop.around.project_context.wait_until_settled(SECONDS)
    found = []
    for key in line.typed:
        page.write(key)
        start = time.thread_time()
        await page.offer()
        found.append(time.thread_time() - start)
    _, told = job_loop.serving.completer.sent_prompt(uri)
    close(service, page)
    return found, len(told)
