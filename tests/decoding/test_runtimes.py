"""Runtimes of a network: PyTorch, ONNX Runtime and NumPy give equal numbers, however a text is read.

The networks have random weights, which make rounding visible. The reference is transformers.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import AutoModelForCausalLM, Qwen3Config, Qwen3ForCausalLM

from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.embedded import EmbeddedRuntime
from fim_lsp.runtimes.folder import GRAPH, ModelError
from fim_lsp.runtimes.plain import PlainRuntime
from fim_lsp.runtimes.pytorch import TorchRuntime
from fim_lsp.runtimes.runtime import Runtime
from fim_lsp.runtimes.shape import shape_of
from fim_lsp.runtimes.weights import WEIGHTS
from quotient import Language
from tests.models import random_network, save_tiny_model
from training.graph import write_graph

N_TOKENS, N_POSITIONS = 120, 96
# The largest logits are near 10. A float32 has seven digits, and a hundred additions lose one or two of them.
CLOSE = 1e-4
SHAPES: dict[str, dict[str, Any]] = {
    "one key for all heads": {"num_key_value_heads": 1},
    "grouped keys": {"num_key_value_heads": 2},
    "a key for each head": {"num_key_value_heads": 4},
    "heads wider than the network": {"head_dim": 32},
    "a head of its own": {"tie_word_embeddings": False},
    "slow turns": {"rope_parameters": {"rope_type": "default", "rope_theta": 1_000_000.0}},
}


def qwen(**shape: Any) -> Any:
    torch.manual_seed(0)
    usual: dict[str, Any] = {
        "vocab_size": N_TOKENS,
        "hidden_size": 48,
        "intermediate_size": 88,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 1,
        "head_dim": 16,
        "max_position_embeddings": N_POSITIONS,
        "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0},
        "tie_word_embeddings": True,
        "initializer_range": 0.3,
    }
    network: Any = Qwen3ForCausalLM(Qwen3Config(**(usual | shape)))
    # Norms whose weights are all 1 would hide a missing norm.
    for name, parameter in network.named_parameters():
        if "norm" in name:
            torch.nn.init.uniform_(parameter, 0.5, 1.5)
    return network


# The base configurations, of which each of the others changes one number.
QUICK = ("grouped keys", "heads wider than the network", "a head of its own")


@pytest.fixture(
    scope="module",
    params=[
        "bigcode",
        *(name if name in QUICK else pytest.param(name, marks=pytest.mark.long) for name in SHAPES),
    ],
)
def folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A network in half precision, with its graph beside it."""
    made = tmp_path_factory.mktemp("network")
    is_bigcode = request.param == "bigcode"
    network: Any = (
        random_network(N_TOKENS, n_positions=N_POSITIONS) if is_bigcode else qwen(**SHAPES[request.param])
    )
    network.half().save_pretrained(made)
    write_graph(made)
    return made


@cache
def expected(folder: Path) -> TorchRuntime:
    network: Any = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, local_files_only=True)
    evaluated: Any = network.eval()
    return TorchRuntime(evaluated, "cpu")


@pytest.fixture(params=[EmbeddedRuntime, PlainRuntime, expected], ids=["onnxruntime", "numpy", "torch"])
def runtime(request: pytest.FixtureRequest, folder: Path) -> Runtime:
    made: Runtime = (request.param.at if hasattr(request.param, "at") else request.param)(folder)
    return made


def tokens(n: int, seed: int = 0) -> list[int]:
    return np.random.default_rng(seed).integers(0, N_TOKENS, n).tolist()  # type: ignore[no-any-return]


def at_once(folder: Path, ids: list[int]) -> Any:
    """The logits of transformers behind each token, without a cache: (tokens, vocabulary)."""
    with torch.inference_mode():
        return expected(folder).network(input_ids=torch.tensor([ids])).logits[0].numpy()


def check(rows: Any, wanted: Any) -> None:
    assert len(rows) == len(wanted)
    for row, right in zip((rows[index] for index in range(len(rows))), wanted, strict=True):
        assert row.shape == (N_TOKENS,)
        assert row.dtype == np.float32
        assert np.abs(row - right).max() < CLOSE


@pytest.mark.parametrize("n_last", [1, 3, 40])
def test_a_text_is_read_at_once(runtime: Runtime, folder: Path, n_last: int) -> None:
    ids = tokens(40)
    check(runtime.cache().read(ids, n_last), at_once(folder, ids)[-n_last:])


@pytest.mark.parametrize("piece", [1, 2, 5, 17])
def test_a_text_is_read_in_pieces(runtime: Runtime, folder: Path, piece: int) -> None:
    """Several tokens behind others: ONNX Runtime 1.19 computes these wrongly without an error."""
    ids = tokens(51)
    cache, wanted = runtime.cache(), at_once(folder, ids)
    for start in range(0, len(ids), piece):
        part = ids[start : start + piece]
        check(cache.read(part, len(part)), wanted[start : start + len(part)])


def test_what_was_forgotten_leaves_no_trace(runtime: Runtime, folder: Path) -> None:
    ids, others = tokens(60), tokens(30, seed=1)
    cache = runtime.cache()
    cache.read(ids, 1)
    for kept in (50, 20, 1):
        cache.crop(kept)
        check(cache.read(others[:7], 2), at_once(folder, [*ids[:kept], *others[:7]])[-2:])
        cache.crop(kept)
        cache.read(ids[kept:], 1)


def test_caches_do_not_see_each_other(runtime: Runtime, folder: Path) -> None:
    ids, others = tokens(20), tokens(20, seed=1)
    one, other = runtime.cache(), runtime.cache()
    one.read(ids[:10], 1)
    other.read(others[:10], 1)
    check(one.read(ids[10:], 1), at_once(folder, ids)[-1:])
    check(other.read(others[10:], 1), at_once(folder, others)[-1:])


def test_beams_go_on_from_any_of_the_beams_before(runtime: Runtime, folder: Path) -> None:
    ids = tokens(12)
    cache = runtime.cache()
    cache.read(ids, 1)
    beams = cache.beams()
    texts = [ids]
    for parents, added in (([0, 0, 0], [1, 2, 3]), ([2, 0, 0], [4, 5, 6]), ([1, 1], [7, 8])):
        texts = [[*texts[parent], token] for parent, token in zip(parents, added, strict=True)]
        check(beams.read(parents, added), [at_once(folder, text)[-1] for text in texts])
    # Their origin is unchanged.
    check(cache.read([9], 1), at_once(folder, [*ids, 9])[-1:])


def test_a_cache_holds_as_much_as_it_says(runtime: Runtime, folder: Path) -> None:
    assert runtime.n_positions == N_POSITIONS
    assert runtime.n_parameters == expected(folder).n_parameters
    ids = tokens(N_POSITIONS)
    check(runtime.cache().read(ids, 1), at_once(folder, ids)[-1:])
    if not isinstance(runtime, TorchRuntime):
        with pytest.raises(ValueError, match="more than the 96"):
            runtime.cache().read([*ids, 1], 1)


def test_what_is_not_computed_is_refused() -> None:
    config = json.loads((BUNDLED / "config.json").read_text())
    qwen3: dict[str, Any] = json.loads(Qwen3Config().to_json_string())
    assert shape_of(qwen3).is_qwen
    wrong_ones: tuple[dict[str, Any], ...] = (
        {"model_type": "llama"},
        {},
        qwen3 | {"rope_parameters": {"rope_type": "yarn", "rope_theta": 1.0}},
        qwen3 | {"attention_bias": True},
        qwen3 | {"hidden_act": "gelu"},
        {"model_type": "qwen3"},
        {"model_type": "gpt_bigcode", "multi_query": False},
        {"model_type": "gpt_bigcode", "activation_function": "relu"},
    )
    for wrong in wrong_ones:
        with pytest.raises(ModelError):
            shape_of(wrong)
    assert shape_of(config).n_tokens == config["vocab_size"]


@pytest.mark.parametrize("kind", [EmbeddedRuntime, PlainRuntime])
@pytest.mark.parametrize(
    "damage", [lambda content: content[:-100], lambda _: b"", lambda content: b"\xff" + content[1:]]
)
def test_damaged_weights_are_refused(kind: Any, damage: Any, tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    write_graph(tmp_path)
    path = tmp_path / WEIGHTS
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(ModelError):
        kind.at(tmp_path)


def test_a_graph_of_other_weights_is_refused(tmp_path: Path) -> None:
    save_tiny_model(tmp_path)
    (tmp_path / GRAPH).write_bytes((BUNDLED / GRAPH).read_bytes())
    with pytest.raises(ModelError, match="cannot be computed by ONNX Runtime"):
        EmbeddedRuntime.at(tmp_path)


# --- the model that is shipped ---------------------------------------------------------------------------


def test_the_bundled_graph_is_that_of_its_weights(tmp_path: Path) -> None:
    for name in ("config.json", WEIGHTS):
        (tmp_path / name).write_bytes((BUNDLED / name).read_bytes())
    write_graph(tmp_path)
    assert (tmp_path / GRAPH).read_bytes() == (BUNDLED / GRAPH).read_bytes()


@pytest.fixture(scope="module")
def models() -> dict[str, Model]:
    embedded, by_torch = (
        load_model(wishes=RuntimeWishes(runtime="embedded")),
        load_model(wishes=RuntimeWishes(runtime="torch")),
    )
    assert isinstance(embedded.runtime, EmbeddedRuntime)
    assert isinstance(by_torch.runtime, TorchRuntime)
    plain = replace(embedded, runtime=PlainRuntime.at(BUNDLED))
    return {"onnxruntime": embedded, "numpy": plain, "torch": by_torch}


def test_the_bundled_model_has_the_same_tokens_without_transformers(models: dict[str, Model]) -> None:
    one, other = models["onnxruntime"], models["torch"]
    for field in ("name", "prefix", "suffix", "middle", "begin", "fim_format", "ends", "token_bytes"):
        assert getattr(one, field) == getattr(other, field), field
    assert (one.silent == other.silent).all()
    assert one.n_positions == other.n_positions
    for path in (Path(__file__), Path(__file__).parents[1] / "models.py"):
        text = path.read_text(encoding="utf-8") + "<fim-middle>é数\r\n\t\u2028 '''12345'''"
        assert one.encode(text) == other.encode(text)


HOLES = (
    ("def area(width, height):\n    return ", "\n\nprint(area(2, 3))\n"),
    ("import os\n\ndef files(folder):\n    for name in ", ":\n        yield name\n"),
    ("class Point:\n    def __init__(self, x, y):\n        ", "\n\n    def norm(self):\n        return 0\n"),
    ("with open(pa", ") as file:\n    lines = file.readlines()\n"),
)


@pytest.mark.parametrize(
    "options",
    [
        Options(max_tokens=24),
        Options(max_tokens=24, drafts=False),
        Options(max_tokens=16, strategy="beam", n=2),
        Options(max_tokens=16, strategy="sample", n=3),
        Options(max_tokens=16, constraint="none", scope="free"),
    ],
    ids=["greedy", "without drafts", "beams", "samples", "free"],
)
@pytest.mark.parametrize(
    ("left", "right"), [*HOLES[:2], *(pytest.param(*hole, marks=pytest.mark.long) for hole in HOLES[2:])]
)
def test_the_bundled_model_writes_the_same(
    models: dict[str, Model], left: str, right: str, options: Options
) -> None:
    language = Language.load("python", version="3.11")
    texts = {
        name: [
            found.text
            for found in DecodingSession(model).complete(
                CompletionRequest(left, right, language.recognizer(left, right), options)
            )
        ]
        for name, model in models.items()
    }
    assert texts["onnxruntime"]
    assert texts["onnxruntime"] == texts["torch"] == texts["numpy"]
