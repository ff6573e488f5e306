"""Latencies and memory, as tables for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fim_lsp.terminal import duration
from tests.sessions.play import Played


@dataclass(frozen=True, slots=True)
class Sample:
    """The memory of the processes at a time, in bytes."""

    seconds: float
    server: int
    worker: int


def quantile(values: Sequence[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


def latency_table(played: Played) -> str:
    rows = [f"{'requests':30} {'number':>7} {'p50':>9} {'p95':>9} {'p99':>9} {'max':>9}"]
    for kind, seconds in sorted(played.latencies.items()):
        times = " ".join(f"{duration(quantile(seconds, share)):>9}" for share in (0.5, 0.95, 0.99, 1.0))
        rows.append(f"{kind:30} {len(seconds):7} {times}")
    counts = ", ".join(f"{name} {count}" for name, count in sorted(played.counts.items()))
    return "\n".join([*rows, f"{played.n_keystrokes} keystrokes: {counts}"])


def memory_table(samples: Sequence[Sample], n_rows: int = 10) -> str:
    step = max(1, len(samples) // n_rows)
    rows = [f"{'minute':>8} {'server MB':>10} {'worker MB':>10}"]
    rows.extend(
        f"{sample.seconds / 60:8.1f} {sample.server / 1e6:10.1f} {sample.worker / 1e6:10.1f}"
        for sample in [*samples[::step], samples[-1]]
    )
    return "\n".join(rows)


def growth(samples: Sequence[Sample]) -> float:
    """How much more memory the last third held than the second one; the first third still warms up."""
    third = len(samples) // 3
    middle, last = samples[third : 2 * third], samples[2 * third :]
    if not middle or not last:
        return 0.0
    return mean_total(last) / mean_total(middle) - 1


def mean_total(samples: Sequence[Sample]) -> float:
    return sum(sample.server + sample.worker for sample in samples) / len(samples)
