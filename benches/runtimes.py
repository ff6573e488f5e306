"""`python -m benches.runtimes alike` and `... times`: the same holes by each runtime.

The bundled model completes lines of the standard library greedily by ONNX Runtime, which is the reference; by
PyTorch; by llama.cpp in this process; by a real llama-server, which gets tokens, or text as any server with
`/v1/completions` does; by a real Ollama, if `tests/e2e/ollama` has compiled one; and by a real vLLM with our
plugin, if `tests/e2e/vllm` has installed one. `alike` counts the equal texts, and shows the tokens at which
the others part, with their margin. `times` measures the time of a completion. Each writes its table into
docs/models.md with `--write`; a runtime that was not run keeps its row.

Times are of the wall clock, because a server is waited for, and are valid only on a quiet machine. Each hole
is in another file, so each prompt is read from its beginning.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain, islice, pairwise
from multiprocessing import get_context
from pathlib import Path
from statistics import mean, median
from typing import Literal

from benches.runtime_texts import Difference, RuntimeText, differences, written
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.models.served import with_text
from fim_lsp.decoding.options import Options
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.finding import ServedModel
from tests.e2e.in_ollama import BY_ITSELF, BY_LLAMA, WHY_NO_OLLAMA, ollama
from tests.e2e.in_ollama import PROGRAM as OLLAMA
from tests.e2e.in_vllm import FAMILY, PROGRAM, WHY_NO_VLLM, vllm
from tests.e2e.llama import SERVER, WHY_NO_LIBRARY, WHY_NO_SERVER, has_library, llama_server
from training.gguf_file import write_gguf
from training.holes import library_holes

SUMMARY = (__doc__ or "").partition("\n")[0]
DOCS = Path(__file__).parent.parent / "docs" / "models.md"
END = "<!-- end of figures -->"
TIMED = Options(max_tokens=40)
# Each prompt is new to the model, and distant text does not matter.
COMPARED = Options(max_tokens=40, context_tokens=400)
SERVERS = ("llama-server", "Ollama", "vLLM")
MEASURE = "ONNX Runtime, in this process"
# The server has one slot, so that texts with the same beginning find each other, and no memory of prompts:
# otherwise the second way would find what the first one left. Its numbers are as exact as the reference's.
SERVER_OPTIONS = (
    "--cache-ram",
    "0",
    "--parallel",
    "1",
    "--flash-attn",
    "off",
    "--cache-type-k",
    "f32",
    "--cache-type-v",
    "f32",
)


@dataclass(frozen=True)
class RuntimeRun:
    """The texts that one runtime wrote."""

    name: str
    written: list[RuntimeText]
    differences: list[Difference]

    @property
    def n_tokens(self) -> int:
        return sum(len(one.tokens) for one in self.written)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.runtimes", description=SUMMARY)
    parser.add_argument("what", choices=["alike", "times"])
    parser.add_argument("--holes", type=int, default=200)
    parser.add_argument("--vllm", metavar="ADDRESS", help="a vLLM of the bundled model that runs already")
    parser.add_argument("--only", choices=SERVERS, help="run nothing but the measure and these")
    parser.add_argument("--write", action="store_true", help="write the table into docs/models.md")
    arguments = parser.parse_args()
    options, n_at_once = (COMPARED, 8) if arguments.what == "alike" else (TIMED, 1)
    runs = list(measured(arguments.holes, options, arguments.vllm, n_at_once, arguments.only))
    table = alike_table(runs) if arguments.what == "alike" else times_table(runs)
    text = "\n".join(table)
    print(text)
    if arguments.what == "alike":
        print(*(f"{run.name}: {difference}" for run in runs for difference in run.differences), sep="\n")
    if arguments.write:
        write(begin_of(arguments.what), text, keeps_rows=True)
    return 0


@dataclass(frozen=True)
class Way:
    """A way to compute the bundled model: the arguments of `load_model`."""

    name: str
    model: str | None = None
    runtime: Literal["embedded", "torch"] | None = None
    # The family of the server's model, for servers that get text.
    by_text: str | None = None

    def opened(self) -> Model:
        if self.by_text is None:
            return load_model(self.model, RuntimeWishes(runtime=self.runtime))
        found = ServedModel("completions", self.by_text, n_positions=load_model().n_positions)
        return with_text(address_of(str(self.model)), found, {})

    def written(self, n_holes: int, options: Options) -> list[RuntimeText]:
        return written(self.opened(), library_holes(n_holes), options)


def measured(
    n_holes: int, options: Options, vllm_address: str | None, n_at_once: int, only: str | None
) -> Iterator[RuntimeRun]:
    """Measures one way after the other when times are wanted, and otherwise some of them at once."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        # Missing ways are reported before anything is started.
        ways_there = (
            served(folder, stack),
            by_ollama(folder, stack),
            inside_vllm(folder, stack, vllm_address),
        )
        servers = dict(zip(SERVERS, ways_there, strict=True))
        ways = list(islice(here(folder), 1)) if only else list(here(folder))
        ways += chain.from_iterable([servers[only]] if only else servers.values())
        pool = stack.enter_context(ProcessPoolExecutor(n_at_once, get_context("fork")))
        texts = [pool.submit(way.written, n_holes, options) for way in ways]
        measure, holes, ours = load_model(), library_holes(n_holes), texts[0].result()
        for way, text in zip(ways, texts, strict=True):
            theirs = text.result()
            print(f"{way.name}: {len(theirs)} texts", file=sys.stderr)
            yield RuntimeRun(way.name, theirs, differences(measure, holes, options, ours, theirs))


def here(folder: Path) -> Iterator[Way]:
    """The ways in this process. The first one is the reference."""
    gguf = folder / "bundled.gguf"
    write_gguf(BUNDLED, gguf)
    yield Way(MEASURE)
    yield Way("PyTorch, in this process", runtime="torch")
    if not has_library():
        print(WHY_NO_LIBRARY, file=sys.stderr)
    else:
        yield Way("llama.cpp, in this process", str(gguf))


def served(folder: Path, stack: ExitStack) -> Iterator[Way]:
    """The ways by a real llama-server, if there is one."""
    if not SERVER.exists():
        print(WHY_NO_SERVER, file=sys.stderr)
        return
    for name, family in (("asked with tokens", None), ("asked with text", FAMILY)):
        # Each way has a server of its own, because two would push each other's prompts out of the cache.
        log = folder / name
        address = stack.enter_context(llama_server(folder / "bundled.gguf", log, *SERVER_OPTIONS))
        yield Way(f"llama-server, {name}", address, by_text=family)


def by_ollama(folder: Path, stack: ExitStack) -> Iterator[Way]:
    """The two ways of a real Ollama to compute the model, if there is one."""
    if not OLLAMA.exists():
        print(WHY_NO_OLLAMA, file=sys.stderr)
        return
    (folder / "ollama").mkdir()
    address = stack.enter_context(ollama(folder / "ollama"))
    yield Way("Ollama, its llama.cpp", f"{address}#{BY_LLAMA}")
    yield Way("Ollama, its own engine", f"{address}#{BY_ITSELF}")


def inside_vllm(folder: Path, stack: ExitStack, address: str | None) -> Iterator[Way]:
    """The ways by a real vLLM, if there is one."""
    if address is None and not PROGRAM.exists():
        print(WHY_NO_VLLM, file=sys.stderr)
        return
    address = address or stack.enter_context(vllm(folder / "vllm.log"))
    yield Way("vLLM with fim-lsp in it", address)
    yield Way("vLLM, asked with text", address, by_text=FAMILY)


def alike_table(runs: Sequence[RuntimeRun]) -> Iterator[str]:
    n_holes = len(runs[0].written)
    yield f"| {n_holes} holes | the same text | margin where not | fit |"
    yield "|---|---|---|---|"
    for run in runs:
        n_fit = sum(one.fits for one in run.written)
        yield f"| {run.name} | {n_holes - len(run.differences)} | {margins(run.differences)} | {n_fit} |"


def margins(found: Sequence[Difference]) -> str:
    """The margins between the tokens at which the texts part."""
    known = sorted(one.margin for one in found if one.margin is not None)
    if not found:
        return ""
    ends = len(found) - len(known)
    said = [f"{known[0]:.3f} to {known[-1]:.3f}"] if len(known) > 1 else [f"{one:.3f}" for one in known]
    return ", ".join(said + ([f"{ends} by their ends"] if ends else []))


def times_table(runs: Sequence[RuntimeRun]) -> Iterator[str]:
    n_holes = len(runs[0].written)
    yield f"| {n_holes} holes | round trips | drafted, kept | ms a token | ms a completion |"
    yield "|---|---|---|---|---|"
    for run in runs:
        seconds = [one.seconds for one in run.written]
        a_token = 1000 * sum(seconds) / run.n_tokens
        yield f"| {run.name} | {trips(run)} | {a_token:.1f} | {1000 * median(seconds):.0f} |"


def trips(run: RuntimeRun) -> str:
    n_trips = [one.n_trips for one in run.written]
    if not any(n_trips):
        return " | "
    n_drafted = sum(one.n_drafted for one in run.written)
    return f"{mean(n_trips):.1f} (at most {max(n_trips)}) | {n_drafted}, {run.n_tokens}"


def begin_of(what: str) -> str:
    return f"<!-- figures: written by `python -m benches.runtimes {what} --write` -->"


def write(begin: str, table: str, *, keeps_rows: bool = False) -> None:
    """Writes between the marks that name a command. A table with the same head keeps its other rows."""
    text = DOCS.read_text(encoding="utf-8")
    between = re.compile(re.escape(begin) + "(.*?)" + re.escape(END), re.DOTALL)
    found = between.search(text)
    if not found:
        raise SystemExit(f"{DOCS} has no place for figures: {begin}")
    if keeps_rows:
        table = "\n".join(merged(found[1].strip().splitlines(), table.splitlines()))
    DOCS.write_text(between.sub(lambda _: f"{begin}\n\n{table}\n\n{END}", text), encoding="utf-8")


def merged(before: Sequence[str], table: Sequence[str]) -> list[str]:
    """A table with the missing rows of its predecessor, each behind the same row as before."""
    rows = list(table)
    if rows[:2] != list(before[:2]):
        return rows
    names = [name_of(row) for row in rows]
    for above, row in pairwise(before[1:]):
        if name_of(row) not in names:
            place = names.index(name_of(above)) + 1
            rows.insert(place, row)
            names.insert(place, name_of(row))
    return rows


def name_of(row: str) -> str:
    return row.split("|")[1].strip()


if __name__ == "__main__":
    raise SystemExit(main())
