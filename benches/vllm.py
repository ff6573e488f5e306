"""`python -m benches.vllm`: what it costs a vLLM to hold its requests to holes, at batches of 1, 8 and 32.

A real vLLM serves the bundled model on this machine's processor (`tests/e2e/vllm` installs it), and is
asked for texts in the same holes, held to them and free, in turns. A token's time is that of long texts less
that of short ones; what a request costs once, reading its prompt, and its file for the grammar, is told
apart. Times are of the clock, and count on a machine that does nothing else. The bundled model's step is as
short as a step can be: what a larger one computes hides more of the masks. What a GPU makes of it is not
measured here.

`--write` puts the table into docs/team.md.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.runtimes import END
from fim_lsp.decoding.model import BUNDLED
from fim_lsp.runtimes.contexts import Contexts
from fim_lsp.runtimes.folder import read_config
from fim_lsp.runtimes.served.address import Address, address_of
from fim_lsp.runtimes.served.wire import asked
from tests.e2e.in_vllm import FAMILY, PROGRAM, WHY_NO_VLLM, vllm
from training.holes import Hole, library_holes

SUMMARY = (__doc__ or "").partition("\n")[0]
DOCS = Path(__file__).parent.parent / "docs" / "team.md"
BEGIN = "<!-- figures: written by `python -m benches.vllm --write` -->"
BATCHES = (1, 8, 32)
SHORT, LONG = 8, 72
N_ROUNDS = 9
N_CHARACTERS = 600


@dataclass(frozen=True)
class Cost:
    """Milliseconds of the clock: a step of the whole batch, and what each request costs besides."""

    a_step: float
    a_request: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.vllm", description=SUMMARY)
    parser.add_argument("--vllm", metavar="ADDRESS", help="one of the bundled model that runs already")
    parser.add_argument("--write", action="store_true", help="write the table into docs/team.md")
    arguments = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        if arguments.vllm is None and not PROGRAM.exists():
            raise SystemExit(WHY_NO_VLLM)
        address = arguments.vllm or stack.enter_context(vllm(folder / "log"))
        text = "\n".join(table(address_of(address), library_holes(max(BATCHES))))
    print(text)
    if arguments.write:
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        DOCS.write_text(f"{before}{BEGIN}\n\n{text}\n\n{end}{after}", encoding="utf-8")
    return 0


def table(address: Address, holes: Sequence[Hole]) -> Iterator[str]:
    yield "| requests at once | ms a step, free | held | more | ms a request besides, free | held |"
    yield "|---|---|---|---|---|---|"
    # What is found out once, by both sides.
    seconds(address, holes, SHORT, is_held=True)
    for batch in BATCHES:
        free, held = costs(address, holes[:batch])
        more = 100 * (held.a_step / free.a_step - 1)
        yield (
            f"| {batch} | {free.a_step:.2f} | {held.a_step:.2f} | {more:+.1f} % "
            f"| {free.a_request:.1f} | {held.a_request:.1f} |"
        )


def costs(address: Address, holes: Sequence[Hole]) -> tuple[Cost, Cost]:
    """Free and held, of the same rounds: whatever disturbs one disturbs the other one, too."""
    took: dict[tuple[bool, int], list[float]] = {}
    for _ in range(N_ROUNDS):
        for is_held in (False, True):
            for n_tokens in (SHORT, LONG):
                spent = seconds(address, holes, n_tokens, is_held=is_held)
                took.setdefault((is_held, n_tokens), []).append(spent)
    free, held = (
        cost(min(took[is_held, SHORT]), min(took[is_held, LONG]), len(holes)) for is_held in (False, True)
    )
    return free, held


def cost(short: float, long: float, batch: int) -> Cost:
    a_step = 1000 * (long - short) / (LONG - SHORT)
    return Cost(a_step, (1000 * short - SHORT * a_step) / batch)


def seconds(address: Address, holes: Sequence[Hole], n_tokens: int, *, is_held: bool) -> float:
    """How long it takes to write so many tokens into each of some holes, all at once."""
    start = time.perf_counter()
    with ThreadPoolExecutor(len(holes)) as threads:
        written = list(threads.map(lambda hole: n_written(address, hole, n_tokens, is_held=is_held), holes))
    assert all(n == n_tokens for n in written), written
    return time.perf_counter() - start


def n_written(address: Address, hole: Hole, n_tokens: int, *, is_held: bool) -> int:
    right, left = hole.right[:N_CHARACTERS], hole.left[-N_CHARACTERS:]
    body: dict[str, Any] = {
        "model": FAMILY,
        "prompt": f"<fim-prefix><fim-suffix>{right}<fim-middle>{left}",
        "max_tokens": n_tokens,
        "temperature": 0,
        # All are equally long, and held to their end.
        "ignore_eos": True,
    }
    if is_held:
        end = int(read_config(BUNDLED)["eos_token_id"])
        contexts = Contexts(hole.left, hole.right, version="3.11", unwanted=(end,))
        body["structured_outputs"] = {"grammar": contexts.spec}
    return int(asked(address, "/v1/completions", body)["usage"]["completion_tokens"])


if __name__ == "__main__":
    raise SystemExit(main())
