"""`python -m benches.vllm`: what it costs a vLLM to hold its requests to holes, at batches of 1, 8 and 32.

A real vLLM (`tests/e2e/vllm` installs it) serves a model on this machine's processor. It writes texts into
the same holes in turns, constrained and unconstrained (`benches.vllm_steps`). The table also shows what vLLM
pays for any grammar: a vLLM without fim-lsp is held to regular expressions, one that refuses nothing and one
that refuses nearly all tokens. Times are of the wall clock, valid only on a quiet machine. `--quiet CMD` runs
each measurement, which takes less than 100 seconds, behind a command that waits for quiet. The figures say
nothing about GPUs.

The bundled model's step is as short as a step can be. The second model has a size that people use:
Qwen2.5-Coder's shape at 0.5B, with random weights and the bundled tokenizer, whose vocabulary is filled up to
Qwen's. Its folder of 1 GB is kept in target/.

`--write` puts the table into docs/team.md.
"""

from __future__ import annotations

import argparse
import json
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from benches.coder_shape import INNER, N_HEADS, N_KEY_HEADS, N_LAYERS, N_POSITIONS, N_TOKENS, WIDTH
from benches.runtimes import END
from benches.vllm_steps import StepCost, StepsPlan, costs
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.runtimes.folder import read_config
from tests.e2e.in_vllm import PROGRAM, WHY_NO_VLLM, vllm

SUMMARY = (__doc__ or "").partition("\n")[0]
DOCS = Path(__file__).parent.parent / "docs" / "team.md"
BEGIN = "<!-- figures: written by `python -m benches.vllm --write` -->"
HELD, THEIRS = ("free", "held"), ("free", "anything", "words")


@dataclass(frozen=True)
class ServedShape:
    """A model, and for each batch size the lengths of short and long texts and the number of repetitions."""

    name: str
    folder: Path
    batches: dict[int, tuple[int, int, int]]
    options: tuple[str, ...] = ()


SMALL = ServedShape(
    "bundled, 5.6 million parameters", BUNDLED, {1: (8, 104, 24), 8: (8, 72, 16), 32: (8, 56, 14)}
)
USUAL = ServedShape(
    "494 million parameters",
    Path(__file__).parent.parent / "target" / "qwen2.5-coder-0.5b-random",
    {1: (4, 28, 8), 8: (4, 20, 8), 32: (4, 20, 4)},
    # Small blocks, so that nearly all of a prompt is found in the cache the next time.
    options=("--dtype", "bfloat16", "--block-size", "32"),
)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.vllm", description=SUMMARY)
    parser.add_argument("--write", action="store_true", help="write the table into docs/team.md")
    parser.add_argument("--quiet", metavar="CMD", default="", help="what each measurement is run behind")
    arguments = parser.parse_args()
    if not PROGRAM.exists():
        raise SystemExit(WHY_NO_VLLM)
    if not USUAL.folder.exists():
        write_random(USUAL.folder)
    text = "\n".join(table(shlex.split(arguments.quiet)))
    print(text)
    if arguments.write:
        before, _, rest = DOCS.read_text(encoding="utf-8").partition(BEGIN)
        _, end, after = rest.partition(END)
        DOCS.write_text(f"{before}{BEGIN}\n\n{text}\n\n{end}{after}", encoding="utf-8")
    return 0


def table(quiet: Sequence[str]) -> Iterator[str]:
    yield (
        "| model | requests at once | ms a step, free | vLLM alone, anything | vLLM alone, words | fim-lsp "
        "| ms a request besides, free | vLLM alone, anything | fim-lsp |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    for served in (SMALL, USUAL):
        # A name that no entry point has, so no plugin is loaded.
        theirs = measured(served, THEIRS, quiet, plugins="none")
        ours = measured(served, HELD, quiet, plugins="fim-lsp")
        for batch in served.batches:
            alone, within = theirs[batch], ours[batch]
            more = (
                100 * (cost.step / of["free"].step - 1)
                for of, cost in (
                    (alone, alone["anything"]),
                    (alone, alone["words"]),
                    (within, within["held"]),
                )
            )
            besides = (within["free"], alone["anything"], within["held"])
            yield (
                f"| {served.name} | {batch} | {within['free'].step:.2f} | "
                + " | ".join(f"{percent:+.1f} %" for percent in more)
                + " | "
                + " | ".join(f"{cost.request:.1f}" for cost in besides)
                + " |"
            )


def measured(
    served: ServedShape, ways: tuple[str, ...], quiet: Sequence[str], plugins: str
) -> dict[int, dict[str, StepCost]]:
    with (
        tempfile.TemporaryDirectory() as folder,
        vllm(Path(folder, "log"), *served.options, plugins=plugins, model=served.folder) as address,
    ):
        # The first round pays all costs that occur once.
        costs(StepsPlan(address, ways, max(served.batches), short=4, long=8, n_rounds=1))
        found = {}
        for batch, lengths in served.batches.items():
            plan = StepsPlan(address, ways, batch, *lengths)
            command = [*quiet, sys.executable, "-m", "benches.vllm_steps", json.dumps(asdict(plan))]
            said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
            found[batch] = {way: StepCost(**cost) for way, cost in json.loads(said).items()}
            print(served.name, plugins, batch, said.strip(), file=sys.stderr, flush=True)
    return found


def write_random(folder: Path) -> None:
    """A folder of random weights, each of which is read during computation, as in a real model."""
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
