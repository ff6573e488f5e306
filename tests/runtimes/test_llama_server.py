"""A real llama-server, as packaged by Debian, with the bundled model: the same texts as in this process."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from benches.runtime_texts import CountedServer, Traffic, differences, written
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.models.served import with_text
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.memory.project import ProjectMemory
from fim_lsp.memory.weights import shipped_weights
from fim_lsp.runtimes.runtime import Unavailable
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.finding import ServedModel, find
from fim_lsp.runtimes.served.runtime import ServedRows, ServedRuntime
from quotient import Language
from tests.e2e.in_llama import short_holes
from tests.e2e.llama import SERVER, WHY_NO_SERVER, llama_server
from training.gguf_file import write_gguf
from training.holes import MeasuredHole

pytestmark = pytest.mark.skipif(not SERVER.exists(), reason=WHY_NO_SERVER)
# Prompts are short, because each is new and read from its beginning.
OPTIONS = Options(max_tokens=16, context_tokens=200)
N_HOLES = 20
# Matrices are in half precision, and llama.cpp rounds their factors likewise.
NEAR = 0.04
# The model's own configuration, which a server does not report.
FIM: dict[str, object] = {"order": "suffix-prefix-middle"}
# By default, llama-server also rounds keys, values and sums.
EXACT = ("--flash-attn", "off", "--cache-type-k", "f32", "--cache-type-v", "f32")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("llama-server")
    write_gguf(BUNDLED, made / "bundled.gguf")
    return made


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    with llama_server(folder / "bundled.gguf", folder / "log", "--ctx-size", "4096", *EXACT) as found:
        yield found


@pytest.fixture(scope="module")
def measure() -> Model:
    return load_model()


def test_it_is_known_for_what_it_is(address: str, measure: Model) -> None:
    found = find(address_of(address))
    assert (found.kind, found.n_tokens) == ("llama-server", 8192)
    model = load_model(address)
    assert model.token_bytes == measure.token_bytes
    assert model.ends == measure.ends
    assert (model.prefix, model.suffix, model.middle) == (measure.prefix, measure.suffix, measure.middle)
    for text in ("", "x = '<fim-middle>'\n", "é€😀\r\n\t", "1234 ٣٤\u00a0", " leading"):
        assert model.encode(text) == measure.encode(text)


def test_with_tokens_it_writes_what_the_model_writes(address: str, measure: Model) -> None:
    holes = short_holes(N_HOLES)
    ours, theirs = written(measure, holes, OPTIONS), written(load_model(address, fim=FIM), holes, OPTIONS)
    assert all(one.fits for one in theirs)
    parted = differences(measure, holes, OPTIONS, ours, theirs)
    assert all(one.margin is not None and one.margin <= NEAR for one in parted), list(map(str, parted))
    assert len(parted) <= 2, list(map(str, parted))
    # A draft has many tokens, so there are fewer requests than tokens.
    assert sum(one.n_trips for one in theirs) < sum(len(one.tokens) for one in theirs) / 2


def test_with_text_it_is_led_by_speculation(address: str, measure: Model) -> None:
    """Any server with only `/v1/completions` works like this: it reports the five likeliest texts."""
    holes = short_holes(N_HOLES)
    spoken = with_text(address_of(address), ServedModel("completions", "santacoder", n_positions=1024), FIM)
    ours, theirs = written(measure, holes, OPTIONS), written(spoken, holes, OPTIONS)
    assert all(one.fits for one in theirs)
    assert sum(one.text is not None for one in theirs) >= N_HOLES - 1
    parted = differences(measure, holes, OPTIONS, ours, theirs)
    assert len(parted) <= N_HOLES // 2, list(map(str, parted))


def test_with_text_alone_what_memory_is_sure_of_is_not_asked_for(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoken = with_text(
        address_of(address),
        ServedModel("completions", "santacoder", n_positions=1024, has_logprobs=False),
        FIM,
    )
    # Lines that the file repeats, too far away for the prompt.
    lines = [
        f"    register({name}_{name * 3}, 'q{rate}x{name}', weight={rate}{rate})\n"
        for name, rate in zip("kvwz", "3579", strict=True)
    ]
    between = "".join(f"    value_{number} = read(source, {number})\n" for number in range(60))
    holes = [
        MeasuredHole(
            "def all_of(source):\n" + line * 8 + between + line[:at], line[at:-1], "\n    return source\n"
        )
        for line in lines
        for at in (16, 20)
    ]
    memory = ProjectMemory(spoken.encode_here, len(spoken.vocabulary), shipped_weights())

    def texts() -> tuple[list[str], int]:
        traffic, found = Traffic(), []
        assert isinstance(spoken.runtime, ServedRuntime)
        counted = replace(spoken, runtime=ServedRuntime(CountedServer(spoken.runtime.server, traffic)))
        for number, hole in enumerate(holes):
            recognizer = Language.load("python", version="3.11").recognizer(hole.left, hole.right)
            recall = partial(memory.recall, f"file:///{number}.py", hole.left, hole.right)
            written = DecodingSession(counted).complete(
                CompletionRequest(hole.left, hole.right, recognizer, OPTIONS, remembers=recall)
            )
            found.append(written[0].text if written else "")
        return found, traffic.n_trips

    told, n_trips = texts()
    monkeypatch.setattr(ServedRows, "is_question", lambda _self, _index: False)
    same, n_trips_for_each = texts()
    assert told == same
    assert n_trips < n_trips_for_each


def test_a_server_that_dies_costs_an_offer(folder: Path) -> None:
    hole = short_holes(1)[0]
    recognizer = Language.load("python", version="3.11").recognizer(hole.left, hole.right)
    with llama_server(folder / "bundled.gguf", folder / "dying.log") as found:
        session = DecodingSession(load_model(found))
        assert session.complete(CompletionRequest(hole.left, hole.right, recognizer, OPTIONS))
    with pytest.raises(Unavailable, match="cannot be reached"):
        session.complete(CompletionRequest(hole.left, hole.right, recognizer, OPTIONS))
    # No request waits for it any more.
    assert not [thread for thread in threading.enumerate() if thread.name == "draft" and thread.is_alive()]
