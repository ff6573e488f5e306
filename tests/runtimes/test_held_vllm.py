"""A vLLM with the plugin as our server: it is constrained to the hole, and writes what the network writes."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from fim_lsp.decoding.models.model import Model, ModelError, load_model
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.contexts import HoleContexts
from fim_lsp.runtimes.served.address import address_of
from fim_lsp.runtimes.served.finding import find
from fim_lsp.vllm_plugin.filling import FillingState, OrderedVocabulary
from quotient import Language, NoCompletion
from tests.models import tiny_model
from tests.runtimes.served_holes import CONTEXTS, SHORT
from tests.served_models import Handler, ServedModel, serving

PRICES = '''import csv


def read_prices(path):
    """Reads the prices of a file, by name."""
    prices = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            prices[row["name"]] = float(row["price"])
    return prices


def cheapest(prices):
    if not prices:
        return None
    return min(prices, key=prices.get)
'''


def test_a_file_without_a_right_side_is_held_until_it_is_refused() -> None:
    server = ServedModel(tiny_model(), "vllm")
    with serving(server) as address:
        held(load_model(address), replace(CONTEXTS, right=""))
        drafts = [body for path, body in server.asked if path == "/v1/completions" and body.get("stream")]
    assert drafts
    assert all("structured_outputs" in body for body in drafts)


def held(model: Model, contexts: HoleContexts = CONTEXTS) -> list[str]:
    recognizer = Language.load("python", version="3.11").recognizer(contexts.left, contexts.right)
    session = DecodingSession(model)
    completions = session.complete(
        CompletionRequest(contexts.left, contexts.right, recognizer, SHORT, contexts=contexts)
    )
    return [completion.text for completion in completions]


def test_a_vllm_that_is_held_writes_what_the_network_writes() -> None:
    server = ServedModel(tiny_model(), "vllm")
    with serving(server) as address:
        found = find(address_of(address))
        assert (found.kind, found.is_held) == ("vllm", True)
        assert "held to the grammar" in found.ability
        model = load_model(address)
        assert model.token_bytes == tiny_model().token_bytes
        (text,) = held(model)
        ast.parse(CONTEXTS.left + text + CONTEXTS.right)
        drafts = [body for path, body in server.asked if path == "/v1/completions" and body.get("stream")]
    specs = [HoleContexts.of_spec(body["structured_outputs"]["grammar"]) for body in drafts]
    assert {spec.right for spec in specs} == {CONTEXTS.right}
    assert all((spec.left + spec.pending).startswith(CONTEXTS.left) for spec in specs)


def test_what_was_refused_once_may_be_right_elsewhere() -> None:
    """A draft that avoided a refused token would hide it elsewhere, so refused tokens are not sent."""
    model = load_model()
    cuts = [PRICES.index(word) for word in ("ces[row", '["price', "ces\n\n\ndef cheap")]
    holes = [HoleContexts(PRICES[:cut], PRICES[cut + 5 :], version="3.11") for cut in cuts]
    with serving(ServedModel(model, "vllm")) as address:
        served = load_model(address)
        assert [held(served, hole) for hole in holes] == [held(model, hole) for hole in holes]


def test_a_server_to_which_nothing_fits_drafts_freely() -> None:
    """The server's grammar may be that of another version."""
    server = ServedModel(tiny_model(), "vllm")
    with serving(server) as address:
        model = load_model(address)
        other = replace(CONTEXTS, version="1.4")
        with pytest.raises((ValueError, NoCompletion)):
            FillingState.between(other, OrderedVocabulary(tiny_model().vocabulary))
        (text,) = held(model, other)
        ast.parse(CONTEXTS.left + text + CONTEXTS.right)
        drafts = [body for path, body in server.asked if path == "/v1/completions" and body.get("stream")]
    assert "structured_outputs" in drafts[0]
    # The server refused once, and is not asked again for the same file.
    assert all("structured_outputs" not in body for body in drafts[1:])


def test_a_vllm_without_routes_is_held_to_text() -> None:
    server = ServedModel(tiny_model(), "vllm")

    def know_nothing(handler: Handler) -> None:
        handler.send_json({"error": "not found"}, 404)

    server.misbehaviours["/v1/fim-lsp/encode"] = know_nothing
    with serving(server) as address:
        found = find(address_of(address))
    assert (found.kind, found.is_held) == ("completions", True)


@pytest.mark.parametrize(
    "told",
    [
        {},
        {"tokens": ["!"], "ends": [0], "begin": [], "signs": {}},
        {"tokens": [], "ends": [], "begin": [], "signs": {}},
        {"tokens": ["YQ=="], "ends": [9], "begin": [], "signs": {}},
        {"tokens": ["YQ=="], "ends": [0], "begin": [], "signs": {"<fim-prefix>": -1}},
    ],
)
def test_tokens_that_make_no_sense_are_refused(told: object) -> None:
    def tell(handler: Handler) -> None:
        handler.send_json(told)

    server = ServedModel(tiny_model(), "vllm")
    server.misbehaviours["/v1/fim-lsp"] = tell
    with serving(server) as address, pytest.raises(ModelError, match="does not tell its vocabulary"):
        load_model(address)
