"""`python -m benches.guesses`: what memory's drafts save with a server that answers with text alone.

Lines of the held-out packages are written from the end of their indentation on, with the memory of their
package. Either every token is requested, or only those that memory is not sure of. One server is a real
llama-server with two slots, on the processor. The other one writes the same texts at a simulated GPU's pace:
20 ms to the first token, 10 ms a token. A round trip is a request that is waited for.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from statistics import fmean, median
from typing import Any

from benches.runtime_texts import CountedServer, Traffic
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.models.served import with_text
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.memory.project import ProjectMemory as Memory
from fim_lsp.memory.weights import shipped_weights
from fim_lsp.memory.workspace import Workspace
from fim_lsp.replay.typing.page import uri_of
from fim_lsp.replay.typing.projects import of_set
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.served.address import Address, address_of
from fim_lsp.runtimes.served.completions import Completions
from fim_lsp.runtimes.served.finding import ServedModel
from fim_lsp.runtimes.served.runtime import ServedRuntime
from fim_lsp.runtimes.served.spoken import Piece, SpokenServer
from quotient import Language
from tests.e2e.llama import SERVER, WHY_NO_SERVER, llama_server
from training.gguf_file import write_gguf

FIRST_SECONDS, TOKEN_SECONDS = 0.02, 0.01
SERVER_OPTIONS = ("--parallel", "2", "--ctx-size", "4096")
OPTIONS = Options(max_tokens=40, multi_line=False, context_tokens=400)
SHORTEST = 20


@dataclass(frozen=True, slots=True)
class Place:
    """A line that is to be written, and the memory of its project."""

    uri: str
    left: str
    right: str
    memory: Memory


def places(n_places: int, model: Model) -> Iterator[Place]:
    projects, _ = of_set("packages")
    random = Random(0)
    for project in projects:
        memory = Memory(model.encode_here, len(model.vocabulary), shipped_weights())
        texts = [(uri_of(project.name, file.name), file.text) for file in project.files]
        memory.workspace = Workspace.of_texts(texts, memory.encode, memory.n_vocabulary)
        for uri, text in random.sample(texts, min(len(texts), n_places // len(projects))):
            lines = text.splitlines(keepends=True)
            wanted = [number for number, line in enumerate(lines) if is_code(line)]
            if wanted:
                number = random.choice(wanted)
                begun = len(lines[number]) - len(lines[number].lstrip())
                left = "".join(lines[:number]) + lines[number][:begun]
                yield Place(uri, left, "\n" + "".join(lines[number + 1 :]), memory)


def is_code(line: str) -> bool:
    return len(line.strip()) >= SHORTEST and line.strip()[0] not in "#\"'" and line[:1].isspace()


@dataclass
class Paced:
    """A server's texts at a given pace. A text that is not known yet is requested first, and its pace counts
    from its arrival."""

    teller: Completions
    known: dict[str, list[Piece]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.teller.name

    def pieces(self, prompt: str, n_tokens: int, contexts: HoleContexts | None) -> PacedPieces:
        if prompt not in self.known:
            self.known[prompt] = list(self.teller.pieces(prompt, n_tokens, contexts))
        return PacedPieces(iter(self.known[prompt]))


@dataclass
class PacedPieces:
    pieces: Iterator[Piece]
    began: float = field(default_factory=time.perf_counter)
    n_told: int = 0
    closed: threading.Event = field(default_factory=threading.Event)

    def __iter__(self) -> PacedPieces:
        return self

    def __next__(self) -> Piece:
        due = self.began + FIRST_SECONDS + self.n_told * TOKEN_SECONDS
        if self.closed.wait(max(due - time.perf_counter(), 0.0)):
            raise StopIteration
        self.n_told += 1
        return next(self.pieces)

    def close(self) -> None:
        self.closed.set()


@dataclass(frozen=True, slots=True)
class GuessingRun:
    texts: list[str]
    milliseconds: list[float]
    n_trips: float


def run(model: Model, wanted: Sequence[Place], is_sure: bool) -> GuessingRun:
    assert isinstance(model.runtime, ServedRuntime)
    spoken: Any = model.runtime.server
    traffic = Traffic()
    server = CountedServer(replace(spoken, is_text_alone=is_sure), traffic)
    runtime = ServedRuntime(server)
    language = Language.load("python", version="3.11")
    texts, milliseconds = [], []
    for place in wanted:
        session = DecodingSession(replace(model, runtime=runtime))
        recognizer = language.recognizer(place.left, place.right)

        def recall(n_pending: int, place: Place = place) -> Any:
            return place.memory.recall(place.uri, place.left, place.right, n_pending)

        recall(0)
        start = time.perf_counter()
        found = session.complete(
            CompletionRequest(place.left, place.right, recognizer, OPTIONS, remembers=recall)
        )
        milliseconds.append(1e3 * (time.perf_counter() - start))
        texts.append(found[0].text if found else "")
    return GuessingRun(texts, milliseconds, traffic.n_trips / len(wanted))


def table(runs: Mapping[str, GuessingRun]) -> Iterator[str]:
    yield "| | round trips | ms a completion, mean | median |"
    yield "|---|---:|---:|---:|"
    for name, one in runs.items():
        times = f"{fmean(one.milliseconds):.0f} | {median(one.milliseconds):.0f}"
        yield f"| {name} | {one.n_trips:.2f} | {times} |"


@contextmanager
def served() -> Iterator[Address]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_gguf(BUNDLED, folder / "bundled.gguf")
        with llama_server(folder / "bundled.gguf", folder / "log", *SERVER_OPTIONS) as address:
            yield address_of(address)


def measured(n_places: int) -> dict[str, GuessingRun]:
    with served() as address:
        model = with_text(address, ServedModel("completions", "santacoder", n_positions=1024), {})
        wanted = list(places(n_places, model))
        assert isinstance(model.runtime, ServedRuntime)
        spoken = model.runtime.server
        assert isinstance(spoken, SpokenServer)
        assert isinstance(spoken.teller, Completions)
        paced = replace(model, runtime=ServedRuntime(replace(spoken, teller=Paced(spoken.teller))))
        runs = {}
        for name, one in (("llama-server", model), ("at a GPU's pace", paced)):
            for is_sure in (False, True):
                # The first time, the pace is not yet the server's own, and prompts are read anew.
                run(one, wanted, is_sure)
                how = "what is sure is not asked for" if is_sure else "each token is asked for"
                runs[f"{name}, {how}"] = run(one, wanted, is_sure)
                print(f"{name}, {how}: done", file=sys.stderr)
    return runs


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benches.guesses", description=__doc__.split("\n")[0])
    parser.add_argument("--places", type=int, default=80)
    arguments = parser.parse_args()
    if not SERVER.exists():
        print(WHY_NO_SERVER, file=sys.stderr)
        return 1
    runs = measured(arguments.places)
    print(*table(runs), sep="\n")
    texts = [one.texts for one in runs.values()]
    n_same = sum(len(set(written)) == 1 for written in zip(*texts, strict=True))
    print(f"\nthe same text each time: {n_same} of {len(texts[0])}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
