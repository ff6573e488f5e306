"""A real Ollama with the bundled model, by verified speculation: the same texts as by the other runtimes.

Its compilation takes minutes, so the tests run on demand: `make test-ollama`.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from benches.runtime_texts import RuntimeText, differences, written
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.cli import main
from fim_lsp.decoding.models.model import Model, ModelError, load_model
from fim_lsp.decoding.models.served import with_text
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.finding import ServedModel, find
from fim_lsp.runtimes.served.ollama import Ollama
from quotient import Language
from tests.e2e.in_llama import N_HOLES, short_holes
from tests.e2e.in_ollama import BY_ITSELF, BY_LLAMA, FAMILY, PROGRAM, WHY_NO_OLLAMA, ollama
from tests.e2e.llama import llama_server
from training.gguf_file import write_gguf

pytestmark = [pytest.mark.long, pytest.mark.skipif(not PROGRAM.exists(), reason=WHY_NO_OLLAMA)]
# The model's own configuration, which a server does not report.
FIM: dict[str, object] = {"order": "suffix-prefix-middle"}
OPTIONS = Options(max_tokens=16, context_tokens=200)
# Options for llama.cpp inside Ollama: by default, it rounds sums and the cache.
AS_OLLAMA = ("--ctx-size", "1024", "--parallel", "1", "--cache-ram", "0")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with ollama(tmp_path_factory.mktemp("ollama")) as found:
        yield found


@pytest.fixture(scope="module")
def measure() -> Model:
    return load_model()


def test_it_is_known_for_what_it_is(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    for model in (BY_LLAMA, BY_ITSELF):
        found = find(address_of(f"{address}#{model}"))
        assert (found.kind, found.model, found.has_logprobs) == ("ollama", model, True)
    assert main(["doctor", "--server", f"{address}#{BY_LLAMA}"]) == 0
    told = capsys.readouterr().out
    assert f"Ollama, model {BY_LLAMA}; it tells text with the likeliest continuations" in told
    assert "FIM format santacoder" in told
    assert "stays on this machine" in told
    with pytest.raises(ModelError, match="has several models"):
        load_model(address)
    with pytest.raises(ModelError, match="has no model of that name"):
        load_model(f"{address}#starcoder2:3b")


def test_by_its_llama_cpp_it_writes_what_llama_server_writes(
    address: str, measure: Model, tmp_path: Path
) -> None:
    """Ollama gets text as well. The model's text is equal, except for the tokens of the prompt."""
    holes = short_holes(N_HOLES)
    write_gguf(BUNDLED, tmp_path / "bundled.gguf")
    with llama_server(tmp_path / "bundled.gguf", tmp_path / "log", *AS_OLLAMA) as other:
        found = ServedModel("completions", FAMILY, n_positions=1024)
        there = written(with_text(address_of(other), found, FIM), holes, OPTIONS)
    theirs = written(load_model(f"{address}#{BY_LLAMA}", fim=FIM), holes, OPTIONS)
    assert all(one.fits for one in theirs)
    assert sum(one.text is not None for one in theirs) >= N_HOLES - 1
    parted = differences(measure, holes, OPTIONS, there, theirs)
    assert len(parted) <= 2, list(map(str, parted))
    ours = written(measure, holes, OPTIONS)
    parted = differences(measure, holes, OPTIONS, ours, theirs)
    assert len(parted) <= N_HOLES // 2, list(map(str, parted))
    assert are_few_questions(theirs)


def test_by_its_own_engine_everything_fits(address: str) -> None:
    """Ollama's engine cuts prompts into other tokens than the training did, so equal texts are not
    expected."""
    theirs = written(load_model(f"{address}#{BY_ITSELF}"), short_holes(N_HOLES), OPTIONS)
    assert all(one.fits for one in theirs)
    assert sum(one.text is not None for one in theirs) >= N_HOLES - 1
    assert are_few_questions(theirs)


def are_few_questions(written: list[RuntimeText]) -> bool:
    """A draft has many tokens, so there are fewer requests than tokens."""
    return sum(one.n_trips for one in written) < sum(len(one.tokens) for one in written) / 2


def test_it_is_not_stuck_by_drafts_that_are_not_wanted_any_more(address: str) -> None:
    """Interrupting drafts would block Ollama sooner or later."""
    holes = short_holes(4)
    teller = Ollama(address_of(address), BY_LLAMA, 2048)
    for number in range(120):
        pieces = teller.pieces(holes[number % 4].left[-200:], 16, None)
        for index, _ in enumerate(pieces):
            if index == number % 3:
                pieces.close()


def test_a_network_that_dies_costs_an_offer_at_most(address: str) -> None:
    """Ollama computes in a process of its own, and starts another one."""
    hole = short_holes(1)[0]
    recognizer = Language.load("python", version="3.11").recognizer(hole.left, hole.right)
    session = DecodingSession(load_model(f"{address}#{BY_LLAMA}"))
    (offered,) = session.complete(CompletionRequest(hole.left, hole.right, recognizer, OPTIONS))
    port = address_of(address).port
    for process in psutil.process_iter(["cmdline"]):
        command = process.info["cmdline"] or []
        if command[:2] == [str(PROGRAM), "runner"] and is_under(process, port):
            process.kill()
            process.wait(60)
    with suppress(Unavailable):
        session.complete(CompletionRequest(hole.left, hole.right, recognizer, OPTIONS))
    (again,) = session.complete(CompletionRequest(hole.left, hole.right, recognizer, OPTIONS))
    assert again.text == offered.text


def is_under(process: psutil.Process, port: int) -> bool:
    """Whether a process belongs to the server at a port, and not to another server on this machine."""
    parent = process.parent()
    return parent is not None and any(one.laddr.port == port for one in parent.net_connections("inet"))


def test_a_server_that_dies_costs_an_offer(tmp_path: Path) -> None:
    hole = short_holes(1)[0]
    recognizer = Language.load("python", version="3.11").recognizer(hole.left, hole.right)
    with ollama(tmp_path) as address:
        session = DecodingSession(load_model(f"{address}#{BY_LLAMA}"))
        assert session.complete(CompletionRequest(hole.left, hole.right, recognizer, OPTIONS))
    with pytest.raises(Unavailable, match="cannot be reached"):
        session.complete(CompletionRequest(hole.left, hole.right, recognizer, OPTIONS))
    # No request waits for it any more.
    assert not [thread for thread in threading.enumerate() if thread.name == "draft" and thread.is_alive()]
