"""GGUF files: the one that `training` writes of the bundled model, and llama.cpp in this process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import util
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gguf
import numpy as np
import pytest
from safetensors.numpy import load_file

from fim_lsp.bundled_models import BUNDLED
from fim_lsp.cli import main
from fim_lsp.decoding.models.gguf import FIM_KEY, description, named_family
from fim_lsp.decoding.models.model import ModelError, load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.writing.beam import MOST_BEAMS
from fim_lsp.runtimes.llama import gguf as llama_gguf
from fim_lsp.runtimes.llama import library as llama_library
from fim_lsp.runtimes.llama import packaged
from fim_lsp.server.model_setting import model_of
from fim_lsp.server.settings import Settings
from tests.e2e import in_llama
from tests.e2e.llama import WHY_NO_LIBRARY, has_library
from training.gguf_file import write_gguf

ROOT = Path(__file__).parents[2]
# Matrices are in half precision, and llama.cpp rounds their factors likewise.
NEAR = 0.02


@pytest.fixture(scope="module")
def bundled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gguf") / "bundled.gguf"
    write_gguf(BUNDLED, path)
    return path


def run(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    if not has_library():
        pytest.skip(WHY_NO_LIBRARY)
    # The text on stderr is the reason for a failure. Half a minute here is four minutes on a Windows in a
    # folder.
    made = subprocess.run([sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=850)
    assert made.returncode == 0, made.stderr
    return made


@pytest.fixture(scope="module")
def computed(bundled: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(["-m", "tests.e2e.in_llama", str(bundled)]).stdout)
    return found


def test_the_file_says_what_it_is(bundled: Path) -> None:
    file = gguf.GGUFReader(bundled)

    def said(key: str) -> Any:
        field = file.get_field(key)
        assert field is not None, key
        return field.contents()

    config = json.loads((BUNDLED / "config.json").read_text())
    assert said("general.architecture") == "qwen3"
    assert said("qwen3.context_length") == config["max_position_embeddings"]
    assert said("qwen3.attention.key_length") == config["head_dim"]
    assert said("tokenizer.ggml.model") == "gpt2"
    assert said("tokenizer.ggml.pre") == "starcoder"
    tokens = said("tokenizer.ggml.tokens")
    assert len(tokens) == config["vocab_size"] == len(set(tokens))
    for part, sign in (("pre", "<fim-prefix>"), ("suf", "<fim-suffix>"), ("mid", "<fim-middle>")):
        assert tokens[said(f"tokenizer.ggml.fim_{part}_token_id")] == sign
    assert tokens[said("tokenizer.ggml.eos_token_id")] == "<|endoftext|>"


def test_the_file_holds_all_weights_as_they_are(bundled: Path) -> None:
    weights = load_file(BUNDLED / "model.safetensors")
    held = {tensor.name: tensor for tensor in gguf.GGUFReader(bundled).tensors}
    assert len(held) == len(weights)
    assert sum(tensor.n_elements for tensor in held.values()) == sum(
        weight.size for weight in weights.values()
    )
    embedding = held["token_embd.weight"].data
    np.testing.assert_array_equal(embedding, weights["model.embed_tokens.weight"])
    np.testing.assert_array_equal(
        held["blk.2.ffn_norm.weight"].data, weights["model.layers.2.post_attention_layernorm.weight"]
    )


def test_its_tokens_are_those_of_the_model(computed: dict[str, Any]) -> None:
    assert computed["format"] == "santacoder"
    assert computed["signs"] == computed["their signs"]
    assert computed["has the same vocabulary"]
    assert computed["reads otherwise"] == []
    assert computed["n_positions"] == 1024
    assert len(set(computed["n_parameters"])) == 1


def test_its_logits_are_those_of_the_model(computed: dict[str, Any]) -> None:
    assert 0 < computed["worst logit"] <= NEAR


def test_its_cache_is_cut_where_texts_part(computed: dict[str, Any]) -> None:
    assert computed["cut and read again"] <= NEAR


def test_a_large_network_does_not_read_again_what_has_slid(computed: dict[str, Any]) -> None:
    found = computed["slid"]
    assert not found["small is kept"], "a small one is exact"
    # Only the last tokens are computed, whose rows are requested.
    assert found["computed"] == 40
    assert found["tokens"]
    # The cache has seen the dropped text, which changes its logits: nearly all choices are the same.
    assert found["same choice"] >= 30, found


def test_an_edit_in_a_large_networks_text_moves_what_is_behind_it(computed: dict[str, Any]) -> None:
    found = computed["slid"]["spliced"]
    assert found["moved"]
    # A longer branch than the text in front of the edit is read again.
    assert found["held"] == [found["all"], 90, 0]
    assert found["same choice"] >= 30, found
    assert found["branch"] <= NEAR


def test_a_reading_is_given_up_in_the_middle(computed: dict[str, Any]) -> None:
    found = computed["given up"]
    assert found["stopped"]
    assert found["held"] == 50
    assert found["worst"] <= NEAR


def test_a_text_that_had_to_give_way_is_read_again(computed: dict[str, Any]) -> None:
    found = computed["forgotten and read again"]
    assert found["lost"] >= 1
    assert found["worst"] <= NEAR
    # A text that is no longer used is freed.
    assert found["held"] <= 1


def test_a_model_that_is_held_no_more_gives_its_memory_back(computed: dict[str, Any]) -> None:
    """A user who tries several files would run out of memory. Each of these takes at least 25 MB."""
    assert computed["kept of models that were let go"] < 80_000_000


def test_beams_find_the_same_texts(computed: dict[str, Any]) -> None:
    ours, theirs = computed["beams"]
    assert ours == theirs


def test_as_many_texts_are_found_as_a_large_network_can_hold(computed: dict[str, Any]) -> None:
    """More texts once raised an error: each step needed room for its own texts and for those of the step
    before."""
    ours, theirs = computed["wide beams"]
    assert ours == theirs
    assert min(ours) >= MOST_BEAMS


def test_it_writes_what_the_model_writes_and_all_of_it_parses(computed: dict[str, Any]) -> None:
    """Tokens that are equally likely, up to the rounding of half precision, may differ."""
    found = computed["holes"]
    assert found["fit"] == in_llama.N_HOLES
    assert found["offered"] >= in_llama.N_HOLES - 2
    assert all(margin is not None and margin <= 2 * NEAR for margin in found["margins"]), found["differences"]
    assert len(found["margins"]) <= 2, found["differences"]


def test_a_file_completes_on_the_command_line(bundled: Path, tmp_path: Path) -> None:
    source = tmp_path / "area.py"
    source.write_text("def area(width, height):\n    return \n")
    place = f"{source}:2:12"
    made = run(["-m", "fim_lsp", "complete", "--model", str(bundled), "--gpu-layers", "0", "--json", place])
    (first, *_) = json.loads(made.stdout)["completions"]
    compile(f"def area(width, height):\n    return {first['text']}\n", "area.py", "exec")
    assert first["text"]


def test_a_file_is_tried_without_its_weights(bundled: Path) -> None:
    made = run(["-m", "fim_lsp", "models", "--json", "--try", str(bundled)])
    answer = json.loads(made.stdout)
    assert answer["is_usable"]
    assert answer["message"].startswith("GGUF, FIM format ")


@pytest.mark.parametrize("n_bytes", [0, 3, pytest.param(20_000, marks=pytest.mark.long), 2_000_000])
def test_half_a_file_is_refused_in_a_sentence(bundled: Path, tmp_path: Path, n_bytes: int) -> None:
    half = tmp_path / "half.gguf"
    half.write_bytes(bundled.read_bytes()[:n_bytes])
    if n_bytes < 4:
        with pytest.raises(ModelError, match="is no GGUF file"):
            load_model(str(half))
        return
    program = (
        "import sys\nfrom fim_lsp.decoding.models.model import RuntimeWishes, ModelError, load_model\n"
        "try: load_model(sys.argv[1])\nexcept ModelError as error: print(error)"
    )
    said = run(["-c", program, str(half)]).stdout.strip()
    assert said.startswith(f"{half} cannot be loaded by llama.cpp: ")
    assert "\n" not in said
    assert not said.endswith("it does not say why")


def test_a_file_that_is_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read: No such file"):
        load_model(str(tmp_path / "none.gguf"))


@pytest.mark.usefixtures("nothing_carried")
def test_without_the_package_it_is_said_how_to_get_it(
    bundled: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = util.find_spec
    monkeypatch.setattr(packaged, "find_spec", lambda name: None if name == packaged.PACKAGE else real(name))
    assert main(["complete", "--model", str(bundled), f"{__file__}:1:1"]) != 0
    assert "pip install 'fim-lsp[llama]'" in capsys.readouterr().err


def test_what_another_runtime_is_asked_for_is_refused() -> None:
    with pytest.raises(ModelError, match=r"which llama\.cpp computes"):
        load_model("model.gguf", RuntimeWishes(runtime="torch"))
    with pytest.raises(ModelError, match="whose number format is its own"):
        load_model("model.gguf", RuntimeWishes(dtype="float32"))


STARCODER = {"<fim_prefix>", "<fim_suffix>", "<fim_middle>"}
QWEN = {"<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"}


@pytest.mark.parametrize(
    ("metadata", "file", "tokens", "family"),
    [
        ({"general.basename": "Qwen2.5-Coder"}, "model.gguf", QWEN, "qwen"),
        ({"general.name": "Starcoder2 3b"}, "model.gguf", STARCODER, "starcoder2"),
        ({"general.name": "Granite 8b Code"}, "model.gguf", STARCODER, "granite"),
        ({}, "mellum-4b-base.Q8_0.gguf", STARCODER, "mellum"),
        # A name alone does not determine tokens.
        ({"general.name": "Qwen2.5-Coder"}, "model.gguf", STARCODER, None),
        ({"general.name": "tuned"}, "model.gguf", STARCODER, None),
    ],
)
def test_families_by_what_files_say(
    metadata: dict[str, str], file: str, tokens: set[str], family: str | None
) -> None:
    assert named_family(metadata, Path(file), tokens) == family


def test_architectures_by_the_names_that_their_formats_know() -> None:
    assert description({"general.architecture": "starcoder"}) == {"model_type": "gpt_bigcode"}
    assert description({"general.architecture": "starcoder2"}) == {"model_type": "starcoder2"}
    assert description({}) == {"model_type": ""}


def test_a_file_says_how_it_is_asked() -> None:
    said = {FIM_KEY: '{"order": "suffix-prefix-middle"}'}
    assert description(said) == {"model_type": "", "fim": {"order": "suffix-prefix-middle"}}
    assert description({FIM_KEY: "{"}) == {"model_type": ""}


@pytest.mark.parametrize(("wanted", "given"), [(None, -1), (0, 0), (12, 12)])
def test_as_many_layers_as_are_wanted_go_to_a_gpu(
    wanted: int | None, given: int, bundled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of layers that llama.cpp gets when it loads a file; -1 means all."""
    asked = []

    def load(_path: bytes, wishes: Any) -> None:
        asked.append(wishes.n_gpu_layers)

    llama = SimpleNamespace(
        llama_model_default_params=lambda: SimpleNamespace(n_gpu_layers=-1, progress_callback=None),
        llama_model_load_from_file=load,
    )
    ffi = SimpleNamespace(NULL=None, callback=lambda _kind, function: function)
    backends = SimpleNamespace(ggml_backend_dev_count=lambda: 0)
    made = llama_library.Library(ffi, llama, backends, [], None)
    monkeypatch.setattr(llama_gguf, "library", lambda: made)
    with pytest.raises(ModelError, match="cannot be loaded"):
        load_model(str(bundled), RuntimeWishes(gpu_layers=wanted))
    assert asked == [given]


def test_the_setting_says_how_many_layers_a_gpu_computes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "model.gguf").write_bytes(b"GGUF")
    monkeypatch.chdir(tmp_path)
    wanted = model_of(Settings(model="./model.gguf", gpu_layers=12))
    # The worker runs in another folder.
    assert (wanted.name, wanted.gpu_layers) == (os.path.realpath("model.gguf"), 12)
    assert model_of(Settings(model="./model.gguf")).gpu_layers is None
