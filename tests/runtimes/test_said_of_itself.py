"""A server's facts about itself when it is found: an impossible fact is refused in a sentence."""

from __future__ import annotations

from functools import partial

import pytest

from fim_lsp.decoding.models.model import ModelError, load_model
from fim_lsp.runtimes.served import wire
from tests.models import tiny_model
from tests.runtimes.served_holes import HOLES, texts
from tests.served_models import Handler, ServedModel, serving


def test_a_vocabulary_that_is_not_whole_is_refused() -> None:
    def lie_about_tokens(handler: Handler) -> None:
        handler.send_json(
            {"completion_probabilities": [{"top_logprobs": [{"id": 3, "bytes": [65], "logprob": 0}]}]}
        )

    server = ServedModel(tiny_model())
    server.misbehaviours["/completion"] = lie_about_tokens
    with serving(server) as address, pytest.raises(ModelError, match="tells 1 of its"):
        load_model(address)


@pytest.mark.parametrize(
    "answer",
    [
        {"default_generation_settings": {"n_ctx": "many"}, "total_slots": 1},
        {"default_generation_settings": {}, "total_slots": 1},
        {"default_generation_settings": [], "total_slots": 1},
    ],
)
def test_a_server_that_describes_itself_oddly_is_refused_in_a_sentence(answer: object) -> None:
    server = ServedModel(tiny_model())
    server.misbehaviours["/props"] = lambda handler: handler.send_json(answer)
    with serving(server) as address, pytest.raises(ModelError, match=r"^http://127"):
        load_model(address)


def props_of(n_positions: str = "1000", n_slots: str = "2") -> str:
    settings = f'{{"n_ctx": {n_positions}}}'
    return f'{{"default_generation_settings": {settings}, "total_slots": {n_slots}}}'


@pytest.mark.parametrize(
    ("kind", "path", "said"),
    [
        *(("llama-server", "/props", props_of(number)) for number in ("Infinity", "0", "-1", "1", "1e30")),
        ("llama-server", "/props", props_of(n_slots="Infinity")),
        *(
            (
                "llama-server",
                "/v1/models",
                f'{{"data": [{{"id": "santacoder", "meta": {{"n_vocab": {number}}}}}]}}',
            )
            for number in ("Infinity", "0", "-1", "1000000000000", "null")
        ),
        *(
            ("llama-server", "/tokenize", f'{{"tokens": [{token}]}}')
            for token in ("-1", "1e400", "1000000000")
        ),
        (
            "vllm",
            wire.TOKENS_PATH,
            '{"tokens": ["YQ=="], "signs": {"a": Infinity}, "ends": [0], "begin": []}',
        ),
        ("vllm", wire.TOKENS_PATH, '{"tokens": ["YQ=="], "signs": {}, "ends": [-1], "begin": []}'),
    ],
)
def test_a_server_that_says_nonsense_of_itself_is_refused_in_a_sentence(
    kind: str, path: str, said: str
) -> None:
    server = ServedModel(tiny_model(), kind)
    server.misbehaviours[path] = partial(send_text, text=said)
    with serving(server) as address, pytest.raises(ModelError):
        load_model(address)


@pytest.mark.parametrize("length", ["0", "-1", "1", "true", "1e30", "null"])
def test_a_length_that_cannot_be_is_not_believed(length: str) -> None:
    server = ServedModel(tiny_model(), "completions")
    said = f'{{"data": [{{"id": "santacoder", "max_model_len": {length}}}]}}'
    server.misbehaviours["/v1/models"] = partial(send_text, text=said)
    with serving(server) as address:
        assert texts(load_model(address), *HOLES[0])


def send_text(handler: Handler, text: str) -> None:
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(text)))
    handler.end_headers()
    handler.wfile.write(text.encode())


@pytest.mark.parametrize("value", ["{},", "[],", '"",', '{"a":[{}]},'])
def test_an_answer_of_very_many_values_is_refused_before_they_are_made(
    value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """126 MB of `{},` once became 3.2 GB."""
    monkeypatch.setattr(wire, "MOST_VALUES", 1_000)
    server = ServedModel(tiny_model())
    server.misbehaviours["/props"] = lambda handler: send_text(handler, f"[{value * 1_000}0]")
    with serving(server) as address, pytest.raises(ModelError, match="too many values"):
        load_model(address)
    # The largest allowed number of values takes no more memory than this.
    assert 70 * wire.MOST_VALUES <= 300 << 20 or wire.MOST_VALUES == 1_000


@pytest.mark.parametrize("name", ["", "a" * 5_000_000, "qwen\x1b[2J", "qwen\u202e"])
def test_a_model_whose_name_cannot_be_shown_is_refused(name: str) -> None:
    server = ServedModel(tiny_model(), kind="completions", name=name)
    with serving(server) as address, pytest.raises(ModelError, match="cannot be shown") as refused:
        load_model(address)
    assert len(str(refused.value)) < 300
