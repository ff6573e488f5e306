"""`python -m benches.vllm`: what it costs a vLLM to hold its requests to holes, at batches of 1, 8 and 32.

A real vLLM serves the bundled model on this machine's processor (`tests/e2e/vllm` installs it), and is asked
for completions of the same holes, held to them and free, in turns. What is told is processor time of the
engine's process, which other work on the machine does not lengthen, and tokens a second, which it does. The
bundled model's step is as short as a step can be: what a larger model computes meanwhile hides more of the
masks. What a GPU makes of it is not measured here.

`--write` puts the table into docs/team.md.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil  # type: ignore[import-untyped]

from benches.runtimes import END
from fim_lsp.runtimes.contexts import Contexts
from fim_lsp.runtimes.served.address import Address, address_of
from fim_lsp.runtimes.served.wire import asked
from tests.e2e.in_vllm import FAMILY, PROGRAM, WHY_NO_VLLM, vllm
from training.holes import Hole, library_holes

SUMMARY = (__doc__ or "").partition("\n")[0]
DOCS = Path(__file__).parent.parent / "docs" / "team.md"
BEGIN = "<!-- figures: written by `python -m benches.vllm --write` -->"
BATCHES = (1, 8, 32)
N_TOKENS = 32
N_REQUESTS = 64
N_ROUNDS = 3
N_CHARACTERS = 600
ENGINE = "EngineCore"


@dataclass(frozen=True)
class Load:
    """What some requests took together."""

    n_tokens: int
    seconds: float
    # Of the processor, in the engine's process.
    engine_s: float

    @property
    def ms_a_token(self) -> float:
        return 1000 * self.engine_s / self.n_tokens

    @property
    def tokens_per_second(self) -> float:
        return self.n_tokens / self.seconds


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.vllm", description=SUMMARY)
    parser.add_argument("--write", action="store_true", help="write the table into docs/team.md")
    arguments = parser.parse_args()
    if not PROGRAM.exists():
        raise SystemExit(WHY_NO_VLLM)
    with tempfile.TemporaryDirectory() as folder, vllm(Path(folder, "log")) as address:
        text = "\n".join(table(address_of(address), library_holes(N_REQUESTS)))
    print(text)
    if arguments.write:
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        DOCS.write_text(f"{before}{BEGIN}\n\n{text}\n\n{end}{after}", encoding="utf-8")
    return 0


def table(address: Address, holes: Sequence[Hole]) -> Iterator[str]:
    yield "| requests at once | processor ms a token, free | held | more | tokens a second, free | held |"
    yield "|---|---|---|---|---|---|"
    # What is found out once, by both sides.
    loaded(address, holes, 8, is_held=True)
    for batch in BATCHES:
        rounds = [
            (loaded(address, holes, batch, is_held=False), loaded(address, holes, batch, is_held=True))
            for _ in range(N_ROUNDS)
        ]
        free, held = (min(found, key=lambda load: load.ms_a_token) for found in zip(*rounds, strict=True))
        more = 100 * (held.ms_a_token / free.ms_a_token - 1)
        yield (
            f"| {batch} | {free.ms_a_token:.2f} | {held.ms_a_token:.2f} | {more:+.0f} % "
            f"| {free.tokens_per_second:.0f} | {held.tokens_per_second:.0f} |"
        )


def loaded(address: Address, holes: Sequence[Hole], batch: int, *, is_held: bool) -> Load:
    before, start = engine_seconds(address), time.perf_counter()
    # One at a time is slow, and its steps are all alike.
    wanted = holes[: min(len(holes), 8 * batch)]
    with ThreadPoolExecutor(batch) as threads:
        n_tokens = sum(threads.map(lambda hole: completed(address, hole, is_held=is_held), wanted))
    return Load(n_tokens, time.perf_counter() - start, engine_seconds(address) - before)


def completed(address: Address, hole: Hole, *, is_held: bool) -> int:
    """How many tokens were written."""
    right, left = hole.right[:N_CHARACTERS], hole.left[-N_CHARACTERS:]
    body: dict[str, Any] = {
        "model": FAMILY,
        "prompt": f"<fim-prefix><fim-suffix>{right}<fim-middle>{left}",
        "max_tokens": N_TOKENS,
        "temperature": 0,
        # Free ones end where they like, and these would be others.
        "ignore_eos": True,
    }
    if is_held:
        body["structured_outputs"] = {"grammar": Contexts(hole.left, hole.right, version="3.11").spec}
    return int(asked(address, "/v1/completions", body)["usage"]["completion_tokens"])


def engine_seconds(address: Address) -> float:
    """What the engine's process has computed so far."""
    (server,) = (
        connection.pid
        for connection in psutil.net_connections("tcp")
        if connection.status == psutil.CONN_LISTEN and connection.laddr.port == address.port
    )
    of_engine = [child for child in psutil.Process(server).children(recursive=True) if ENGINE in child.name()]
    used = [process.cpu_times() for process in of_engine]
    return float(sum(times.user + times.system for times in used))


if __name__ == "__main__":
    raise SystemExit(main())
