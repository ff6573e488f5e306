"""`fim-lsp models`: the needs of each model, whether one can be used, and fetching one from a hub."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from fim_lsp import needs
from fim_lsp.cli import main
from tests import fake_hub
from tests.fake_hub import Hub
from tests.models import tiny_model
from tests.served_models import ServedModel, serving

COMMAND = (sys.executable, "-m", "fim_lsp", "models")
CONFIG = json.dumps({"architectures": ["GPT2LMHeadModel"], "model_type": "gpt2"})
TOKENS = json.dumps({"special": ["<fim-prefix>", "<fim-suffix>", "<fim-middle>"]})
WEIGHTS = bytes(range(256)) * 2048


def folder_of_a_model(folder: Path, **files: str | bytes) -> Path:
    folder.mkdir(parents=True)
    given: dict[str, str | bytes] = {
        "config.json": CONFIG,
        "tokenizer.json": TOKENS,
        "model.safetensors": WEIGHTS,
    }
    for name, content in {**given, **{name.replace("_", "."): body for name, body in files.items()}}.items():
        (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def listed(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    assert main(["models", "--json", *arguments]) == 0
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def tried(capsys: pytest.CaptureFixture[str], name: object) -> tuple[bool, str]:
    code = main(["models", "--json", "--try", str(name)])
    answer = json.loads(capsys.readouterr().out)
    assert (code == 0) == answer["is_usable"]
    return answer["is_usable"], answer["message"]


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    named = tmp_path / "text.gguf"
    assert "cannot be read" in tried(capsys, named)[1]
    named.write_text("x = 1\n")
    assert tried(capsys, named) == (False, f"{named} is no GGUF file")


def test_each_model_says_what_it_needs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder_of_a_model(tmp_path / "mine", README_md="---\nlanguage: code\nlicense: mit\n---\n# Mine\n")
    answer = listed(capsys, str(tmp_path))
    bundled = answer["bundled"]["needs"]
    assert (bundled["runtime"], bundled["licence"]) == ("embedded", "Apache-2.0")
    mine = next(model for model in answer["models"] if model["path"] == str(tmp_path / "mine"))
    needed = mine["needs"]
    assert (needed["n_bytes"], needed["runtime"], needed["licence"]) == (len(WEIGHTS), "torch", "mit")
    assert needed["memory"] > needed["n_bytes"]
    assert all(model["needs"]["licence"] and model["needs"]["n_bytes"] > 1e8 for model in answer["published"])
    assert {model["needs"]["runtime"] for model in answer["published"]} == {"llama"}
    assert all(model["estimate"]["seconds_an_offer"] > 0 for model in answer["published"])


def test_a_folder_is_tried_without_being_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    usable, message = tried(capsys, folder_of_a_model(tmp_path / "good"))
    assert usable
    assert "FIM format santacoder" in message
    for name, files, words in (
        ("empty", {"config_json": "{}"}, "no config.json of a model that writes text"),
        ("mute", {"tokenizer_json": "{}"}, "no tokens for filling in the middle"),
        ("light", {"model_safetensors": b""}, "has no weights"),
    ):
        usable, message = tried(capsys, folder_of_a_model(tmp_path / name, **files))
        assert not usable
        assert words in message
    assert not tried(capsys, tmp_path / "nowhere")[0]


def test_without_pytorch_it_says_how_to_get_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("fim_lsp.commands.models_fetched", "fim_lsp.commands.models"):
        monkeypatch.setattr(f"{module}.has_torch", lambda: False)
    usable, message = tried(capsys, folder_of_a_model(tmp_path / "good"))
    assert not usable
    assert "pip install 'fim-lsp[torch]'" in message
    assert main(["models", "--download", "some/model"]) == 2
    assert "pip install 'fim-lsp[torch]'" in capsys.readouterr().err


def test_a_servers_address_is_tried(capsys: pytest.CaptureFixture[str]) -> None:
    with serving(ServedModel(tiny_model(), name="santacoder")) as address:
        usable, message = tried(capsys, address)
        assert usable
        assert message.startswith("llama-server with santacoder")
    usable, message = tried(capsys, address)
    assert not usable
    assert "cannot be reached" in message
    assert not tried(capsys, "http://user:secret@127.0.0.1:1")[0]


@pytest.fixture
def hub() -> Hub:
    files = {"config.json": CONFIG.encode(), "tokenizer.json": TOKENS.encode(), "model.safetensors": WEIGHTS}
    return Hub("some/model", files | {"training.bin": b"not needed" * 10_000})


@pytest.fixture
def environment(hub: Hub, tmp_path: Path) -> Iterator[dict[str, str]]:
    with fake_hub.serving(hub) as address:
        unproxied = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        yield unproxied | {"HF_ENDPOINT": address, "HF_HOME": str(tmp_path / "cache"), "HF_HUB_OFFLINE": "0"}


def test_a_model_is_fetched_with_progress(hub: Hub, environment: dict[str, str]) -> None:
    hub.held.set()
    asked = [*COMMAND, "--download", hub.name, "--json"]
    answer = subprocess.run(asked, env=environment, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 0, answer.stderr
    *progress, last = [json.loads(line) for line in answer.stdout.splitlines()]
    assert {line["stage"] for line in progress} == {f"downloading {hub.name}"}
    assert [line["percent"] for line in progress] == sorted({line["percent"] for line in progress})
    assert progress[-1]["percent"] == 100
    assert Path(last["path"], "model.safetensors").read_bytes() == WEIGHTS
    assert "training.bin" not in hub.sent
    models = subprocess.run([*COMMAND, "--json"], env=environment, capture_output=True, check=True).stdout
    assert [model["name"] for model in json.loads(models)["models"]] == [hub.name]


def test_fetching_can_be_ended_and_begun_again(hub: Hub, environment: dict[str, str]) -> None:
    asked = [*COMMAND, "--download", hub.name, "--json"]
    with subprocess.Popen(asked, env=environment, stdout=subprocess.PIPE) as first:
        assert hub.has_begun.wait(60)
        # The editor's Cancel sends the same.
        first.terminate()
        first.communicate(timeout=60)
    assert first.returncode != 0
    models = subprocess.run([*COMMAND, "--json"], env=environment, capture_output=True, check=True).stdout
    assert all(not model["n_weight_bytes"] for model in json.loads(models)["models"])
    hub.held.set()
    second = subprocess.run(asked, env=environment, capture_output=True, text=True, timeout=120)
    path = json.loads(second.stdout.splitlines()[-1])["path"]
    assert Path(path, "model.safetensors").read_bytes() == WEIGHTS


def test_a_model_that_the_hub_has_not_is_said_in_one_line(environment: dict[str, str]) -> None:
    asked = [*COMMAND, "--download", "no/such", "--json"]
    answer = subprocess.run(asked, env=environment, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 2
    [line] = answer.stderr.splitlines()
    address = environment["HF_ENDPOINT"]
    assert line == (
        f"fim-lsp models: {address} has no model no/such, or a private one: check the name, or set HF_TOKEN"
    )


def test_a_hub_that_cannot_be_reached_is_said_in_plain_words(environment: dict[str, str]) -> None:
    # No server listens there.
    unreachable = environment | {"HF_ENDPOINT": "http://127.0.0.1:9"}
    asked = [*COMMAND, "--download", "no/such", "--json"]
    answer = subprocess.run(asked, env=unreachable, capture_output=True, text=True, timeout=120)
    assert answer.returncode == 2
    [line] = answer.stderr.splitlines()
    assert line.startswith("fim-lsp models: http://127.0.0.1:9 cannot be reached: ")
    assert "[Errno" not in line
    assert "HF_ENDPOINT" in line


@pytest.mark.parametrize("name", ["some/model", "some/model/model.gguf"])
def test_a_hub_that_is_no_address_is_said(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "hub.example")
    assert main(["models", "--download", name]) == 2
    assert "HF_ENDPOINT is hub.example, which is no address" in capsys.readouterr().err


def test_memory_is_estimated_for_the_runtime() -> None:
    assert needs.memory(10, "torch") > needs.memory(10, "llama") > needs.memory(10, "embedded")
