"""A real vLLM with our plugin: the same texts as in this process, and all other requests unchanged.

It takes minutes to start, so the tests run on demand: `make test-vllm`.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from benches.runtime_texts import differences, written
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.models.served import with_text
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.finding import ServedModel, find
from fim_lsp.runtimes.served.wire import ServerError, request_json
from quotient import Language
from tests.e2e.in_llama import N_HOLES, short_holes
from tests.e2e.in_vllm import FAMILY, PROGRAM, WHY_NO_VLLM, vllm
from tests.runtimes.served_holes import BROKEN, footing_in

pytestmark = [pytest.mark.long, pytest.mark.skipif(not PROGRAM.exists(), reason=WHY_NO_VLLM)]
# The model's own configuration, which a server does not report.
FIM: dict[str, object] = {"order": "suffix-prefix-middle"}
OPTIONS = Options(max_tokens=16, context_tokens=200)
# The same sums in another order.
NEAR = 0.01


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with vllm(tmp_path_factory.mktemp("vllm") / "log") as found:
        yield found


@pytest.fixture(scope="module")
def measure() -> Model:
    return load_model()


def test_it_is_known_for_what_it_is(address: str, measure: Model) -> None:
    found = find(address_of(address))
    assert (found.kind, found.model, found.n_positions) == ("vllm", FAMILY, 1024)
    model = load_model(address)
    assert model.token_bytes == measure.token_bytes
    assert model.ends == measure.ends
    assert (model.prefix, model.suffix, model.middle) == (measure.prefix, measure.suffix, measure.middle)
    for text in ("", "x = '<fim-middle>'\n", "é€😀\r\n\t", " leading"):
        assert model.encode(text) == measure.encode(text)


def test_held_inside_it_writes_what_the_model_writes(address: str, measure: Model) -> None:
    holes = short_holes(N_HOLES)
    ours, theirs = written(measure, holes, OPTIONS), written(load_model(address, fim=FIM), holes, OPTIONS)
    assert all(one.fits for one in theirs)
    parted = differences(measure, holes, OPTIONS, ours, theirs)
    # It reports an end's probability only if the end is among the likeliest tokens.
    assert len(parted) <= 3, list(map(str, parted))
    # Mostly one request; more are needed for the scope, which vLLM's grammar does not know.
    assert sorted(one.n_trips for one in theirs)[N_HOLES // 2] == 1


@pytest.mark.parametrize("is_held", [True, False])
def test_with_text_everything_fits(address: str, is_held: bool) -> None:
    holes = short_holes(N_HOLES)
    found = ServedModel("completions", FAMILY, n_positions=1024, is_held=is_held)
    theirs = written(with_text(address_of(address), found, {}), holes, OPTIONS)
    assert all(one.fits for one in theirs)


def test_what_it_writes_alone_can_go_on_in_the_hole(address: str) -> None:
    """Many at once, sampled, and cut at any place: one request's masks are never another one's."""
    holes = short_holes(N_HOLES)
    language = Language.load("python", version="3.11")

    def alone(index: int) -> tuple[int, str]:
        hole = holes[index % N_HOLES]
        body = body_of(HoleContexts(hole.left, hole.right, version="3.11").spec)
        body |= {"prompt": hole.left[-200:], "max_tokens": 24, "temperature": 1.5, "seed": index}
        return index, request_json(address_of(address), "/v1/completions", body)["choices"][0]["text"]

    with ThreadPoolExecutor(16) as threads:
        for index, text in threads.map(alone, range(4 * N_HOLES)):
            hole = holes[index % N_HOLES]
            # Half a character at the cut is a replacement character.
            assert language.recognizer(hole.left, hole.right).advance(text.rstrip("\ufffd")), (hole, text)


@pytest.mark.parametrize(("marked", "rung"), BROKEN)
@pytest.mark.parametrize("has_names", [False, True])
def test_in_a_broken_file_it_is_held_to_what_counts(
    address: str, marked: str, rung: str, has_names: bool
) -> None:
    before, held = footing_in(marked, has_names=has_names)
    assert held.rung == rung
    contexts = held.contexts
    for seed in range(8):
        body = body_of(contexts.spec) | {"prompt": before, "temperature": 1.5, "seed": seed}
        text = request_json(address_of(address), "/v1/completions", body)["choices"][0]["text"]
        assert held.recognizer.fork().advance(text.rstrip("\ufffd")), text
    right = marked.partition("$0")[2]
    session = DecodingSession(load_model(address))
    offers = session.complete(
        CompletionRequest(before, right, held.recognizer.fork(), OPTIONS, contexts=contexts)
    )
    assert offers
    for offer in offers:
        recognizer = held.recognizer.fork()
        assert recognizer.advance(offer.text)
        assert recognizer.is_member()


def test_other_grammars_are_vllms_own(address: str) -> None:
    schema = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
    choice: dict[str, Any] = {"json": schema}
    body = {"model": FAMILY, "prompt": "{", "max_tokens": 40, "temperature": 0, "structured_outputs": choice}
    text = request_json(address_of(address), "/v1/completions", body)["choices"][0]["text"]
    assert text.lstrip().startswith("{")
    one = body | {"structured_outputs": {"choice": ["yes", "no"]}}
    assert request_json(address_of(address), "/v1/completions", one)["choices"][0]["text"] in ("yes", "no")
    free = {key: value for key, value in body.items() if key != "structured_outputs"}
    assert request_json(address_of(address), "/v1/completions", free)["choices"][0]["text"]


@pytest.mark.parametrize(
    ("grammar", "status"),
    [
        ("fim:", 400),
        ("fim:{}", 400),
        (HoleContexts("x = )", "\n").spec, 500),
        (HoleContexts("", "", version="1.4").spec, 500),
        (HoleContexts("", "", language="klingon").spec, 500),
        (HoleContexts("\x00" * 100_000, "").spec, 500),
    ],
)
def test_nonsense_costs_that_request_alone(address: str, grammar: str, status: int) -> None:
    with pytest.raises(ServerError) as fault:
        request_json(address_of(address), "/v1/completions", body_of(grammar))
    assert fault.value.status == status
    body = body_of(HoleContexts("values = [", "]\n").spec)
    text = request_json(address_of(address), "/v1/completions", body)["choices"][0]["text"]
    assert Language.load("python").recognizer("values = [", "]\n").advance(text)


def body_of(grammar: str) -> dict[str, Any]:
    return {
        "model": FAMILY,
        "prompt": "values = [",
        "max_tokens": 8,
        "temperature": 0,
        "structured_outputs": {"grammar": grammar},
    }


def test_with_its_own_speculation_everything_fits(tmp_path: Path, measure: Model) -> None:
    """Drafts of n-grams: each place of a draft has a mask, and rejected tokens are taken back."""
    guessing = {
        "method": "ngram",
        "num_speculative_tokens": 4,
        "prompt_lookup_max": 3,
        "prompt_lookup_min": 1,
    }
    holes = short_holes(N_HOLES)
    with vllm(tmp_path / "log", "--speculative-config", json.dumps(guessing)) as address:
        theirs = written(load_model(address, fim=FIM), holes, OPTIONS)
    assert all(one.fits for one in theirs)
    assert sum(one.text is not None for one in theirs) >= N_HOLES - 2
    parted = differences(measure, holes, OPTIONS, written(measure, holes, OPTIONS), theirs)
    assert len(parted) <= 3, list(map(str, parted))
    for hole, one in zip(holes, theirs, strict=True):
        ast.parse(hole.left + (one.text or hole.middle) + hole.right)
