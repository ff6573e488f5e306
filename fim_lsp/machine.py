"""The pace of this machine: tokens a second and seconds to an offer, estimated for a model that is not here
yet.

Reading a prompt is limited by computing, and writing by going through the weights once for each token. A
product of matrices and a sum measure both in a fifth of a second; a model's figures follow from those of a
model that was measured:

    numpy, two cores of an EPYC: 215 GFLOP/s, 25.2 GB/s
    Qwen2.5-Coder 0.5B in Q4_K_M there, by llama.cpp: 265 tokens/s read, 19 ms for each one written

The estimate is for the processor. A GPU is quicker, but how much is unknown before something runs on it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fim_lsp.catalogue import Published
from fim_lsp.needs import memory
from fim_lsp.system.memory import physical_memory

MEASURED_PARAMETERS, MEASURED_BYTES = 494_000_000, 491_000_000
# The ratios of llama.cpp's pace in integers to that of the processor's floating point, and of its memory.
COMPUTED = 265 * 2 * MEASURED_PARAMETERS / 215e9
READ = MEASURED_BYTES / 0.019 / 25.2e9
# The tokens of a jump to another place in a file, as the file is read once (docs/models.md): the line and the
# text right of it, and an offer.
N_READ, N_WRITTEN = 70, 10
SECONDS = 0.1
SIDE, N_SUMMED = 768, 8_000_000
# The share of the memory that a model may have.
SHARE = 0.6
# The most seconds of an offer by which a model counts as quick: the default of the setting `timeBudget`.
LONGEST_OFFER = 0.8
# The same of a model that is offered unasked if none is quick. The bundled model answers before it; and on a
# busy machine, as at the start of an editor, an estimate is twice as long as it should be.
LONGEST_ESTIMATE = 1.6
# A user who has not looked for more is not asked to fetch more than this.
MOST_OFFERED_BYTES = 5_000_000_000


@dataclass(frozen=True, slots=True)
class Machine:
    # Floating-point operations and bytes, a second.
    computing: float
    reading: float
    # Bytes; None where that is not known.
    memory: int | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimated pace of a model here."""

    prompt_tokens_a_second: float
    tokens_a_second: float
    seconds_an_offer: float
    has_room: bool

    @property
    def is_quick(self) -> bool:
        return self.has_room and self.seconds_an_offer <= LONGEST_OFFER


def estimate(n_computing: int, n_bytes_a_token: int, n_bytes: int, machine: Machine) -> Estimate:
    prompt = COMPUTED * machine.computing / (2 * n_computing)
    each = n_bytes_a_token / (READ * machine.reading)
    room = machine.memory is None or memory(n_bytes, "llama") <= SHARE * machine.memory
    return Estimate(round(prompt, 1), round(1 / each, 1), round(N_READ / prompt + N_WRITTEN * each, 2), room)


def estimate_of(model: Published, machine: Machine) -> Estimate:
    return estimate(model.n_computing, model.n_bytes_a_token, model.n_bytes, machine)


def order(models: tuple[Published, ...], machine: Machine) -> list[Published]:
    """The best for this machine first: the best of those that are quick, then the quickest."""
    estimates = {model.name: estimate_of(model, machine) for model in models}

    def place(model: Published) -> tuple[bool, bool, float]:
        found = estimates[model.name]
        # Better models come first as long as they are quick, and then quicker ones.
        rank = -models.index(model) if found.is_quick else found.seconds_an_offer
        return not found.has_room, not is_offered(model, found), rank

    return sorted(models, key=place)


def best(models: tuple[Published, ...], machine: Machine) -> Published | None:
    """The model that is offered unasked; None if each with a free licence would be too slow."""
    first = next(iter(order(models, machine)), None)
    return first if first and is_offered(first, estimate_of(first, machine)) else None


def is_offered(model: Published, found: Estimate) -> bool:
    is_borne = found.has_room and found.seconds_an_offer <= LONGEST_ESTIMATE
    return is_borne and model.is_free and model.n_bytes <= MOST_OFFERED_BYTES


def measure_machine() -> Machine:
    matrix = np.random.default_rng(0).random((SIDE, SIDE), dtype=np.float32)
    product = np.empty_like(matrix)
    row = np.ones(N_SUMMED, np.float32)
    # A product is computed on all processors, a sum on one.
    n_processors = os.cpu_count() or 1
    return Machine(
        2 * SIDE**3 / shortest(lambda: np.matmul(matrix, matrix, out=product), n_processors),
        row.nbytes / shortest(row.sum, 1),
        physical_memory(),
    )


def shortest(work: Callable[[], object], n_threads: int) -> float:
    """The shortest time that some work takes, when nothing is in the way.

    While an editor starts, or a build runs, something is in the way all the time. The processor time of the
    work does not grow by that.
    """
    work()
    found, n_times = float("inf"), 0
    first, used = time.perf_counter(), time.process_time()
    while True:
        begun = time.perf_counter()
        work()
        now = time.perf_counter()
        found, n_times = min(found, now - begun), n_times + 1
        if now > first + SECONDS:
            computed = (time.process_time() - used) / n_times / n_threads
            # Some systems do not count so finely.
            return min(found, computed) if computed > 0 else found
