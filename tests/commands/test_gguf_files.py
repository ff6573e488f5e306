"""GGUF files that users have already: found where other tools keep them, and offered first."""

from __future__ import annotations

import hashlib
import json
import struct
import time
from pathlib import Path

import pytest

from fim_lsp import catalogue
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.catalogue import Published
from fim_lsp.cli import main
from fim_lsp.decoding.models.model import is_gguf
from fim_lsp.gguf_files import gguf_files
from fim_lsp.gguf_header import header
from fim_lsp.machine import Machine, best, estimate_of, order, shortest
from fim_lsp.offered import shelf
from fim_lsp.system.kind import is_windows
from training.gguf_file import write_gguf

QUICK = Machine(computing=1e12, reading=1e11, memory=64 << 30)
SLOW = Machine(computing=2e10, reading=2e9, memory=64 << 30)
# A server with two cores, as measured once.
USUAL = Machine(computing=215e9, reading=25.2e9, memory=23 << 30)
# The same one while an editor starts and other programs compute.
BUSY = Machine(computing=50e9, reading=24.8e9, memory=23 << 30)
SIGNS = ["<|fim_prefix|>", "<|fim_suffix|>", "<|fim_middle|>"]


def text(value: str) -> bytes:
    content = value.encode()
    return struct.pack("<Q", len(content)) + content


def gguf(name: str = "Some Coder", tokens: list[str] | None = None, architecture: str = "qwen2") -> bytes:
    """The beginning of a GGUF file, as far as fim-lsp reads it."""
    listed = SIGNS if tokens is None else tokens
    values = [
        (b"general.architecture", struct.pack("<I", 8) + text(architecture)),
        (b"general.name", struct.pack("<I", 8) + text(name)),
        (f"{architecture}.context_length".encode(), struct.pack("<II", 4, 32768)),
        (b"general.tags", struct.pack("<IIQ", 9, 8, 1) + text("code")),
        (b"some.numbers", struct.pack("<IIQ", 9, 6, 3) + bytes(12)),
        (
            b"tokenizer.ggml.tokens",
            struct.pack("<IIQ", 9, 8, len(listed)) + b"".join(text(token) for token in listed),
        ),
    ]
    body = b"".join(struct.pack("<Q", len(key)) + key + value for key, value in values)
    return b"GGUF" + struct.pack("<IQQ", 3, 0, len(values)) + body


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine on which nothing was downloaded."""
    for name in (
        "HF_HOME",
        "HF_HUB_CACHE",
        "LLAMA_CACHE",
        "OLLAMA_MODELS",
        "XDG_CACHE_HOME",
        "FIM_LSP_MODELS",
    ):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / ".cache"))
    return tmp_path


def put(path: Path, content: bytes) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def link(path: Path, to: Path) -> None:
    """A link; where there are none, the hub's client stores the file itself."""
    if is_windows():
        path.write_bytes(to.read_bytes())
    else:
        path.symlink_to(to)


def ollama(folder: Path, name: str, content: bytes) -> Path:
    """A model as Ollama keeps it: weights by their checksum, the name in a manifest."""
    digest = hashlib.sha256(content).hexdigest()
    model, _, tag = name.partition(":")
    layers = [
        {"mediaType": "application/vnd.ollama.image.license", "digest": "sha256:" + "0" * 64},
        {"mediaType": "application/vnd.ollama.image.model", "digest": f"sha256:{digest}"},
    ]
    manifest = json.dumps({"schemaVersion": 2, "layers": layers}).encode()
    put(folder / "manifests" / "registry.ollama.ai" / "library" / model / tag, manifest)
    return put(folder / "blobs" / f"sha256-{digest}", content)


def test_what_other_tools_have_is_found(home: Path) -> None:
    cached = put(home / ".cache/llama.cpp/ggml-org_Some-GGUF_some-q8_0.gguf", gguf("A"))
    studio = put(home / ".lmstudio/models/owner/Some-GGUF/Some-Q4_K_M.gguf", gguf("B"))
    pulled = ollama(home / ".ollama/models", "some-coder:1.5b", gguf("C"))
    blob = put(home / ".cache/huggingface/hub/models--o--m/blobs/abc", gguf("D"))
    hub = home / ".cache/huggingface/hub/models--o--m/snapshots/c0/d.gguf"
    hub.parent.mkdir(parents=True)
    link(hub, blob)
    found = {file.owner: file for file in gguf_files()}
    assert {owner: Path(file.path) for owner, file in found.items()} == {
        "hub": hub,
        "llama.cpp": cached,
        "LM Studio": studio,
        "Ollama": pulled,
    }
    assert found["Ollama"].name == "some-coder:1.5b"
    assert {file.fim_format for file in found.values()} == {"qwen"}
    assert {file.context for file in found.values()} == {32768}
    # The file is recognized by its bytes, because Ollama's files have no suffix.
    assert is_gguf(str(pulled))


def test_where_the_environment_says_that_they_are(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LLAMA_CACHE", str(home / "here"))
    monkeypatch.setenv("OLLAMA_MODELS", str(home / "there"))
    put(home / "here/a.gguf", gguf("A"))
    ollama(home / "there", "b:latest", gguf("B"))
    put(home / ".lmstudio-home-pointer", str(home / "moved").encode())
    put(home / "moved/models/o/m/c.gguf", gguf("C"))
    assert [file.owner for file in gguf_files()] == ["llama.cpp", "LM Studio", "Ollama"]


def test_what_is_no_model_is_passed_over_and_each_is_listed_once(home: Path) -> None:
    cache = home / ".cache/llama.cpp"
    whole = put(cache / "big-00001-of-00002.gguf", gguf("Big"))
    second = put(cache / "big-00002-of-00002.gguf", b"GGUF and more")
    put(cache / "mmproj-model.gguf", gguf("Eyes"))
    put(cache / "text.gguf", b"no such file")
    put(cache / "half.gguf", gguf("Half")[:-20])
    put(cache / "greedy.gguf", b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 40))
    if not is_windows():
        link(cache / "gone.gguf", cache / "nowhere")
        link(cache / "link.gguf", whole)
    put(home / ".ollama/models/manifests/registry.ollama.ai/library/x/latest", b"{")
    evil = json.dumps(
        {"layers": [{"mediaType": "application/vnd.ollama.image.model", "digest": "sha256:../../x"}]}
    )
    put(home / ".ollama/models/manifests/registry.ollama.ai/library/y/latest", evil.encode())
    [big] = gguf_files()
    assert big.n_bytes == whole.stat().st_size + second.stat().st_size


def test_a_file_of_the_list_is_known_by_its_checksum_and_by_its_name(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = gguf("Coder")
    known = Published(
        "mine", "Mine", "o/m", "mine.gguf", "main", len(content), hashlib.sha256(content).hexdigest(), "MIT",
        10**6, 512, "qwen",
    )  # fmt: skip
    monkeypatch.setattr(catalogue, "PUBLISHED", (known,))
    ollama(home / ".ollama/models", "coder:latest", content)
    put(home / ".cache/llama.cpp/o_m_mine.gguf", content)
    assert [(file.published, file.licence) for file in gguf_files()] == [("mine", "MIT")] * 2


def test_a_models_own_header_is_read_as_llama_cpp_reads_it(tmp_path: Path) -> None:
    write_gguf(BUNDLED, tmp_path / "bundled.gguf")
    found = header(tmp_path / "bundled.gguf")
    assert found is not None
    assert (found.architecture, found.fim_format) == ("qwen3", "santacoder")


@pytest.mark.parametrize(
    ("name", "tokens", "architecture", "spoken"),
    [
        ("Qwen2.5 Coder 1.5B", SIGNS, "qwen2", "qwen"),
        ("A chat", ["<s>", "</s>"], "llama", None),
        ("StarCoder2 3b", ["<fim_prefix>", "<fim_suffix>", "<fim_middle>"], "starcoder2", "starcoder2"),
        ("Codegemma", SIGNS, "gemma", "codegemma"),
    ],
)
def test_which_can_fill_in(
    tmp_path: Path, name: str, tokens: list[str], architecture: str, spoken: str | None
) -> None:
    found = header(put(tmp_path / "a.gguf", gguf(name, tokens, architecture)))
    assert found is not None
    assert found.fim_format == spoken


def test_the_best_for_a_machine_comes_first() -> None:
    offered = {
        name: found.name if (found := best(catalogue.PUBLISHED, machine)) else None
        for name, machine in (("usual", USUAL), ("busy", BUSY), ("slow", SLOW), ("quick", QUICK))
    }
    assert offered == {
        "usual": "qwen2.5-coder-0.5b",
        "busy": "granite-4.0-350m",
        "slow": None,
        "quick": "qwen2.5-coder-1.5b",
    }
    assert order(catalogue.PUBLISHED, SLOW)[0].name == "granite-4.0-350m"
    small = Machine(computing=1e15, reading=1e15, memory=1 << 30)
    assert order(catalogue.PUBLISHED, small)[-1].name == "qwen3-coder-30b-a3b"
    # The estimate agrees with the measured half second for a jump.
    model = next(model for model in catalogue.PUBLISHED if model.name == "qwen2.5-coder-0.5b")
    assert 0.4 < estimate_of(model, USUAL).seconds_an_offer < 0.55


def test_what_is_here_is_offered_before_what_would_have_to_be_fetched(home: Path) -> None:
    assert shelf(machine=USUAL).offered is not None
    put(home / ".cache/llama.cpp/chat.gguf", gguf("Chat", ["<s>"]))
    assert shelf(machine=USUAL).offered is not None
    coder = put(home / ".lmstudio/models/o/m/coder.gguf", gguf("Coder"))
    found = shelf(machine=USUAL)
    assert found.offered is None
    assert found.offered_here is not None
    assert found.offered_here.file.path == str(coder)
    assert [here.file.name for here in found.here] == ["coder", "chat"]


def test_the_doctor_names_them(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home / ".lmstudio/models/o/m/coder.gguf", gguf("Coder"))
    assert main(["doctor"]) == 0
    assert "coder: a GGUF file, in the format qwen" in capsys.readouterr().out
    monkeypatch.setenv("FIM_LSP_MODELS", str(home / "nowhere"))
    assert main(["doctor"]) == 0


def test_what_other_programs_take_is_not_counted_as_slowness() -> None:
    def waited() -> None:
        time.sleep(0.2)
        # Windows measures time in steps of 16 ms, so the work has to take longer.
        sum(range(1_000_000))

    assert shortest(waited, 1) < 0.15
    assert shortest(lambda: sum(range(2_000_000)), 1) > 0.01
