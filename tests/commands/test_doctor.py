"""`fim-lsp doctor` and `fim-lsp models`: their output describes this machine."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from fim_lsp import inventory as facts
from fim_lsp.cli import main
from fim_lsp.fim_formats import FIM_FORMATS, FimFormat, fim_format

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
STARCODER_TOKENS = ["<fim_prefix>", "<fim_middle>", "<fim_suffix>"]


def answer(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any]:
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty download cache, so that models on the machine that runs the tests do not matter."""
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


MODEL_TYPES = {"Starcoder2ForCausalLM": "starcoder2", "GPTBigCodeForCausalLM": "gpt_bigcode"}


def model(folder: Path, architecture: str, tokens: list[str]) -> None:
    """The files that a download from the hub leaves, with tiny weights."""
    folder.mkdir(parents=True)
    (folder / "config.json").write_text(
        json.dumps({"architectures": [architecture], "model_type": MODEL_TYPES.get(architecture)})
    )
    added = [{"id": index, "content": token, "special": True} for index, token in enumerate(tokens)]
    (folder / "tokenizer.json").write_text(json.dumps({"added_tokens": added}))
    (folder / "model.safetensors").write_bytes(b"\0" * 1000)


@pytest.mark.usefixtures("cache")
def test_the_facts_are_those_of_this_environment(capsys: pytest.CaptureFixture[str]) -> None:
    code, found = answer(capsys, "doctor")
    assert code == 0
    assert found["is_able_to_serve"] is True
    assert found["executable"] == sys.executable
    assert found["fim_lsp"] == metadata.version("fim-lsp")
    packages = {package["name"]: package["version"] for package in found["packages"]}
    assert packages["pygls"] == metadata.version("pygls")
    python = next(name for name in found["engine"]["grammars"] if name.startswith("python "))
    assert "3.11" in python.split()
    _, listed = answer(capsys, "languages")
    names = [language["name"] for language in listed["languages"]]
    assert [name.split()[0] for name in found["engine"]["grammars"]] == names
    assert found["models"] == []


@pytest.mark.usefixtures("cache")
def test_looking_around_does_not_import_a_model_library() -> None:
    """The command runs in a process of its own, because other tests have imported such libraries into this
    one."""
    program = (
        "import sys; from fim_lsp.cli import main; main(['doctor']);"
        "sys.exit(len({'torch', 'transformers'} & set(sys.modules)))"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True)


@pytest.mark.usefixtures("cache")
def test_the_ways_to_run_a_model_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor"])
    ways = capsys.readouterr().out.split("Ways to run a model")[1].split("Verdict")[0]
    for said in ("the bundled model: ", "a folder or a name on the hub", "a GGUF file", "its address"):
        assert said in ways
    page = next(word for word in ways.split() if word.endswith(".md"))
    assert (Path(__file__).parents[2] / page).is_file()


@pytest.mark.usefixtures("cache")
def test_the_bundled_model_is_named_once_and_its_format_is_no_other_model(
    capsys: pytest.CaptureFixture[str],
) -> None:
    main(["doctor"])
    [line] = [line for line in capsys.readouterr().out.splitlines() if "santacoder" in line]
    assert line.endswith("bundled: fills in the middle, in the format santacoder")


@pytest.mark.usefixtures("cache")
def test_the_second_bundled_model_is_told_of_and_so_is_that_it_is_missing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    main(["doctor"])
    assert "that of Go, Java, JavaScript and TypeScript is there, too" in capsys.readouterr().out
    main(["models"])
    assert "braces for Go, Java, JavaScript and TypeScript\n" in capsys.readouterr().out
    monkeypatch.setattr("fim_lsp.models.BUNDLED_OF_BRACES", tmp_path)
    main(["doctor"])
    assert (
        "that of Go, Java, JavaScript and TypeScript is not in this installation" in capsys.readouterr().out
    )
    main(["models"])
    assert "braces for" not in capsys.readouterr().out


@pytest.mark.usefixtures("cache")
def test_what_is_missing_comes_with_the_command_that_gets_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "PACKAGES", (("fim-lsp-absent", "nothing", True, "pip install absent"),))
    code, found = answer(capsys, "doctor")
    assert code == 1
    assert found["missing"] == [
        {"name": "fim-lsp-absent", "remedy": "pip install absent", "is_required": True}
    ]
    assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "get it with: pip install absent" in out
    assert "cannot serve completions" in out


def test_models_are_found_and_their_formats_told(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    snapshot = cache / "models--bigcode--starcoder2-3b" / "snapshots" / "abc"
    model(snapshot, "Starcoder2ForCausalLM", STARCODER_TOKENS)
    model(cache / "models--some--chat" / "snapshots" / "def", "LlamaForCausalLM", ["<s>"])
    model(cache / "models--some--encoder" / "snapshots" / "0", "BertForMaskedLM", [])
    code, found = answer(capsys, "models")
    assert code == 0
    starcoder, chat = sorted(found["models"], key=lambda model: model["name"])
    assert (starcoder["name"], starcoder["fim_format"]) == ("bigcode/starcoder2-3b", "starcoder2")
    assert starcoder["n_weight_bytes"] == 1000
    assert (chat["name"], chat["fim_format"]) == ("some/chat", None)


@pytest.mark.usefixtures("cache")
def test_a_named_folder_is_searched_and_broken_files_are_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model(tmp_path / "mine" / "tiny", "GPTBigCodeForCausalLM", STARCODER_TOKENS)
    (tmp_path / "mine" / "half").mkdir()
    (tmp_path / "mine" / "half" / "config.json").write_text('{"architectures": [')
    assert main(["models", str(tmp_path / "mine")]) == 0
    out = capsys.readouterr().out
    assert out.count("FIM format starcoder,") == 1
    assert "(not there)" in out


@pytest.mark.usefixtures("cache")
def test_without_models_it_says_where_it_looked(cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    out = capsys.readouterr().out
    assert "  bundled\n      Qwen3ForCausalLM, FIM format santacoder, 11.3 MB of weights, Apache-2.0\n" in out
    assert "no other models found" in out
    assert str(cache) in out


@pytest.mark.parametrize("command", [["models"], ["doctor", "--models"]])
def test_a_folder_that_is_not_there(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command, str(tmp_path / "nowhere")]) == 2
    assert "is not a folder" in capsys.readouterr().err


def test_the_packages_are_those_that_this_distribution_names() -> None:
    """The packages are those of the plain install and of the extras `torch`, `llama` and `schemas`."""
    described = PYPROJECT.read_text(encoding="utf-8")
    extras = {
        "torch": facts.INSTALL_FOR_OTHERS,
        "llama": facts.INSTALL_FOR_GGUF,
        "schemas": facts.INSTALL_FOR_SCHEMAS,
    }
    for list_name in ("dependencies", *extras):
        [listed] = re.findall(rf"^{list_name} = \[(.*?)\]", described, re.MULTILINE | re.DOTALL)
        named = {
            name
            for name, *_, remedy in facts.PACKAGES
            if (remedy == extras[list_name] if list_name in extras else remedy not in extras.values())
        }
        # A dependency only for Windows is explained with its reason (`system/runtime_library.py`).
        items = [item for item in re.findall(r'"([^"]+)"', listed) if "== 'win32'" not in item]
        assert named == {re.split(r"[^\w-]", item, maxsplit=1)[0] for item in items}


@pytest.mark.usefixtures("cache")
def test_the_verdict_is_about_models_where_they_can_run(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "PACKAGES", tuple(one for one in facts.PACKAGES if one[2]))
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert "serves completions by the bundled model, or one that you name" in out
    assert "the bundled model: NumPy " in out
    absent = ("fim-lsp-absent", "runs models", False, facts.INSTALL_FOR_OTHERS)
    present = ("onnxruntime", "computes", False, "pip install onnxruntime")
    monkeypatch.setattr(facts, "PACKAGES", (*facts.PACKAGES, absent, present))
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert out.rstrip().endswith("serves completions by the bundled model")
    assert "the bundled model: ONNX Runtime " in out
    assert f"a folder or a name on the hub, and GPUs: {facts.INSTALL_FOR_OTHERS}" in out


@pytest.mark.parametrize("known", FIM_FORMATS, ids=lambda known: known.name)
def test_a_format_is_told_by_its_tokens_and_the_model_type(known: FimFormat) -> None:
    tokens = {*known.tokens, known.mark or "", "def", "<s>"}
    model_type = next(iter(known.model_types), None)
    assert fim_format(tokens, model_type or "llama") is known
    tokens.remove(known.suffix)
    assert fim_format(tokens, model_type) is None
