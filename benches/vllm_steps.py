"""The steps of a running vLLM: how long they take for requests that one grammar, another one or none
constrains.

Texts are written into the same holes by each kind in turns, in changing order, so that disturbances hit all
kinds alike. A step's time is the difference between long and short texts, each the shortest of all turns.
`benches.vllm` makes a table of the steps. It runs this module as a program of its own, if need be behind a
command that keeps the machine quiet.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from fim_lsp.bundled_models import BUNDLED
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.folder import read_config
from fim_lsp.runtimes.served.address import Address, address_of
from fim_lsp.runtimes.served.wire import request_json
from tests.e2e.in_vllm import FAMILY
from training.holes import MeasuredHole, library_holes

N_CHARACTERS = 600
# A busy machine takes minutes to read 32 prompts for the first time.
SECONDS = 600.0
REGEXES = {"anything": r"[\s\S]*", "words": "[0-9a-z]*"}
"""What vLLM holds texts to by itself: to what refuses nothing, and to what refuses nearly all tokens."""


@dataclass(frozen=True)
class StepsPlan:
    """The plan of a measurement. Texts have `short` or `long` tokens."""

    address: str
    ways: tuple[str, ...]
    batch: int
    short: int
    long: int
    n_rounds: int


@dataclass(frozen=True)
class StepCost:
    """The milliseconds of a step of the whole batch by the wall clock, and the additional ones of each
    request."""

    step: float
    request: float


def main() -> int:
    (described,) = sys.argv[1:]
    found = json.loads(described)
    plan = StepsPlan(**found | {"ways": tuple(found["ways"])})
    print(json.dumps({way: asdict(cost) for way, cost in costs(plan).items()}))
    return 0


def costs(plan: StepsPlan) -> dict[str, StepCost]:
    address, holes = address_of(plan.address), library_holes(plan.batch)
    took: dict[tuple[str, int], list[float]] = {}
    for number in range(plan.n_rounds):
        for way in plan.ways if number % 2 else reversed(plan.ways):
            for n_tokens in (plan.short, plan.long):
                took.setdefault((way, n_tokens), []).append(seconds(address, holes, n_tokens, way))

    def cost(way: str) -> StepCost:
        short, long = (1000 * min(took[way, n_tokens]) for n_tokens in (plan.short, plan.long))
        step = (long - short) / (plan.long - plan.short)
        return StepCost(step, (short - plan.short * step) / plan.batch)

    return {way: cost(way) for way in plan.ways}


def seconds(address: Address, holes: Sequence[MeasuredHole], n_tokens: int, way: str) -> float:
    """The seconds to write `n` tokens into each of some holes, all at once."""
    start = time.perf_counter()
    with ThreadPoolExecutor(len(holes)) as threads:
        written = list(threads.map(lambda hole: n_written(address, body(hole, n_tokens, way)), holes))
    assert all(n == n_tokens for n in written), written
    return time.perf_counter() - start


def n_written(address: Address, asking: Mapping[str, object]) -> int:
    return int(request_json(address, "/v1/completions", asking, SECONDS)["usage"]["completion_tokens"])


def body(hole: MeasuredHole, n_tokens: int, way: str) -> dict[str, Any]:
    right, left = hole.right[:N_CHARACTERS], hole.left[-N_CHARACTERS:]
    asking: dict[str, Any] = {
        "model": FAMILY,
        "prompt": f"<fim-prefix><fim-suffix>{right}<fim-middle>{left}",
        "max_tokens": n_tokens,
        "temperature": 0,
        # The texts are equally long, and constrained to their end.
        "ignore_eos": True,
        "logit_bias": {str(read_config(BUNDLED)["eos_token_id"]): -100},
    }
    if way == "held":
        asking["structured_outputs"] = {"grammar": HoleContexts(hole.left, hole.right, version="3.11").spec}
    elif way in REGEXES:
        asking["structured_outputs"] = {"regex": REGEXES[way]}
    return asking


if __name__ == "__main__":
    raise SystemExit(main())
