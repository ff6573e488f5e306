"""`python -m benches.vllm`: what it costs a vLLM to hold its requests to holes, at batches of 1, 8 and 32.

A real vLLM serves a model on this machine's processor (`tests/e2e/vllm` installs it), and is asked for texts
in the same holes, held to them and free, in turns. A token's time is that of long texts less that of short
ones; what a request costs once, reading its prompt, and its file for the grammar, is told apart. Times are
of the clock, and count on a machine that does nothing else. What a GPU makes of it is not measured here.

The bundled model's step is as short as a step can be. Beside it is one of a size that people use, with
random weights: Qwen2.5-Coder's shape at 0.5B, and the bundled tokenizer, whose vocabulary is filled up to
Qwen's. Its folder of 1 GB is kept in target/.

`--write` puts the table into docs/team.md.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benches.coder_shape import INNER, N_HEADS, N_KEY_HEADS, N_LAYERS, N_POSITIONS, N_TOKENS, WIDTH
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
N_CHARACTERS = 600


@dataclass(frozen=True)
class Served:
    """A model, and how long and how often it is asked."""

    name: str
    folder: Path
    short: int
    long: int
    n_rounds: int
    options: tuple[str, ...] = ()


SMALL = Served("bundled, 5.6 million parameters", BUNDLED, 8, 72, 9)
USUAL = Served(
    "494 million parameters",
    Path(__file__).parent.parent / "target" / "qwen2.5-coder-0.5b-random",
    *(4, 12, 3),
    options=("--dtype", "bfloat16"),
)


@dataclass(frozen=True)
class Cost:
    """Milliseconds of the clock: a step of the whole batch, and what each request costs besides."""

    a_step: float
    a_request: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.vllm", description=SUMMARY)
    parser.add_argument("--write", action="store_true", help="write the table into docs/team.md")
    arguments = parser.parse_args()
    if not PROGRAM.exists():
        raise SystemExit(WHY_NO_VLLM)
    if not USUAL.folder.exists():
        write_random(USUAL.folder)
    text = "\n".join(table(library_holes(max(BATCHES))))
    print(text)
    if arguments.write:
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        DOCS.write_text(f"{before}{BEGIN}\n\n{text}\n\n{end}{after}", encoding="utf-8")
    return 0


def table(holes: Sequence[Hole]) -> Iterator[str]:
    yield "| model | requests at once | ms a step, free | held | more | ms a request besides, free | held |"
    yield "|---|---|---|---|---|---|---|"
    for served in (SMALL, USUAL):
        with (
            tempfile.TemporaryDirectory() as folder,
            vllm(Path(folder, "log"), *served.options, model=served.folder) as address,
        ):
            yield from rows(served, address_of(address), holes)


def rows(served: Served, address: Address, holes: Sequence[Hole]) -> Iterator[str]:
    # What is found out once, by both sides.
    seconds(address, holes, served.short, is_held=True)
    for batch in BATCHES:
        free, held = costs(served, address, holes[:batch])
        more = 100 * (held.a_step / free.a_step - 1)
        yield (
            f"| {served.name} | {batch} | {free.a_step:.2f} | {held.a_step:.2f} | {more:+.1f} % "
            f"| {free.a_request:.1f} | {held.a_request:.1f} |"
        )
        print(served.name, batch, f"{more:+.1f} %", file=sys.stderr)


def costs(served: Served, address: Address, holes: Sequence[Hole]) -> tuple[Cost, Cost]:
    """Free and held, of the same rounds: whatever disturbs one disturbs the other one, too."""
    took: dict[tuple[bool, int], list[float]] = {}
    for _ in range(served.n_rounds):
        for is_held in (False, True):
            for n_tokens in (served.short, served.long):
                spent = seconds(address, holes, n_tokens, is_held=is_held)
                took.setdefault((is_held, n_tokens), []).append(spent)

    def cost(*, is_held: bool) -> Cost:
        short, long = (min(took[is_held, n_tokens]) for n_tokens in (served.short, served.long))
        a_step = 1000 * (long - short) / (served.long - served.short)
        return Cost(a_step, (1000 * short - served.short * a_step) / len(holes))

    return cost(is_held=False), cost(is_held=True)


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
        "logit_bias": {str(read_config(BUNDLED)["eos_token_id"]): -100},
    }
    if is_held:
        contexts = Contexts(hole.left, hole.right, version="3.11")
        body["structured_outputs"] = {"grammar": contexts.spec}
    return int(asked(address, "/v1/completions", body)["usage"]["completion_tokens"])


def write_random(folder: Path) -> None:
    """A folder of random weights, each of which is read when it is computed, as in a real one."""
    import torch
    from transformers import Qwen2Config, Qwen2ForCausalLM

    torch.manual_seed(0)
    config = Qwen2Config(
        vocab_size=N_TOKENS,
        hidden_size=WIDTH,
        intermediate_size=INNER,
        num_hidden_layers=N_LAYERS,
        num_attention_heads=N_HEADS,
        num_key_value_heads=N_KEY_HEADS,
        max_position_embeddings=N_POSITIONS,
        tie_word_embeddings=True,
        eos_token_id=read_config(BUNDLED)["eos_token_id"],
        bos_token_id=None,
    )
    unfinished = folder.with_name(f"{folder.name}.part")
    Qwen2ForCausalLM(config).bfloat16().save_pretrained(unfinished)
    for name in ("tokenizer.json", "tokenizer_config.json"):
        shutil.copy(BUNDLED / name, unfinished)
    unfinished.rename(folder)


if __name__ == "__main__":
    raise SystemExit(main())
