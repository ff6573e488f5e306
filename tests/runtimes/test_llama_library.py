"""The origin of llama.cpp: the wheel's library, or a package on older systems."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from fim_lsp.decoding.models.model import ModelError
from fim_lsp.runtimes.llama import carried, packaged
from fim_lsp.runtimes.llama import library as llama_library


def test_what_is_carried_is_one_for_each_generation_of_processors() -> None:
    files = carried.paths(carried.FOLDER)
    if not files:
        pytest.skip("no build of llama.cpp for this platform")
    assert [path.name.removeprefix("lib").partition(".")[0] for path in files] == [
        "llama",
        "ggml",
        "ggml-base",
    ]
    assert len([*carried.FOLDER.glob("*ggml-cpu*")]) > 2
    assert "ggml authors" in (carried.FOLDER / "LICENSE").read_text()


def test_what_is_carried_is_opened_once() -> None:
    """On Windows the process ends if the library is closed and opened again."""
    assert carried.open_library() is carried.open_library()


def test_the_structures_of_what_is_carried_lie_in_memory_as_we_say() -> None:
    """A missing or additional field would shift those behind it, and the defaults would be wrong."""
    opened = carried.open_library()
    if opened is None:
        pytest.skip("no build of llama.cpp for this platform")
    ffi, llama, _ = opened

    def values(made: Any, kind: str) -> dict[str, Any]:
        return {name: getattr(made, name) for name, _ in ffi.typeof(f"struct {kind}").fields}

    context = values(llama.llama_context_default_params(), "llama_context_params")
    assert {
        name: context[name] for name in ("n_ctx", "n_batch", "n_ubatch", "n_seq_max", "type_k", "type_v")
    } == {
        "n_ctx": 512,
        "n_batch": 2048,
        "n_ubatch": 512,
        "n_seq_max": 1,
        # `GGML_TYPE_F16`
        "type_k": 1,
        "type_v": 1,
    }
    flags = {name: found for name, found in context.items() if isinstance(found, bool)}
    assert flags == {
        "embeddings": False,
        "offload_kqv": True,
        "no_perf": True,
        "op_offload": True,
        "swa_full": True,
        "kv_unified": False,
    }
    assert context["n_samplers"] == 0
    assert {context[name] == ffi.NULL for name in ("abort_callback_data", "samplers", "ctx_other")} == {True}
    model = values(llama.llama_model_default_params(), "llama_model_params")
    assert (model["n_gpu_layers"], model["main_gpu"], model["use_extra_bufts"]) == (-1, 0, True)
    assert {model[name] for name in ("vocab_only", "check_tensors", "no_host", "no_alloc")} == {False}


def test_a_system_too_old_for_what_is_carried_takes_a_package(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("libc.so.6: version `GLIBC_2.34' not found")

    ffi, llama = MagicMock(), MagicMock()
    monkeypatch.setattr(carried, "open_library", fail)
    monkeypatch.setattr(packaged, "open_library", lambda: (ffi, llama, llama))
    llama_library.library.cache_clear()
    try:
        assert llama_library.library().llama is llama
        llama.ggml_backend_load_all_from_path.assert_not_called()
    finally:
        llama_library.library.cache_clear()


class OldSystem:
    """A system whose C library is older than the package's build requires."""

    def __init__(self, opened: list[str]) -> None:
        # Calls of the opened library do not matter here.
        self.ffi = MagicMock()
        self.ffi.dlopen = self.dlopen
        self.opened = opened

    def dlopen(self, path: str) -> MagicMock:
        self.opened.append(path)
        return MagicMock()

    def get_ffi(self) -> MagicMock:
        return self.ffi

    def get_lib(self) -> None:
        raise RuntimeError("libc.so.6: version `GLIBC_2.38' not found (required by libllama.so)")


@pytest.mark.usefixtures("nothing_carried")
@pytest.mark.parametrize(
    ("versions", "is_loaded"),
    [
        (("0.11739", "2026.10.11549"), True),
        # Another build's types may have another layout in memory.
        (("0.11739", "2027.1.12345"), False),
        (("0.12345", "2026.10.11549"), False),
        (("0.11739", None), False),
    ],
)
def test_an_older_system_gets_the_library_that_wants_less(
    versions: tuple[str, str | None], is_loaded: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    monkeypatch.setitem(sys.modules, f"{packaged.PACKAGE}._cffi_bindings", OldSystem(opened))
    known = dict(zip((packaged.PACKAGE, packaged.OLDER), versions, strict=True))
    library = tmp_path / "xllamacpp.abi3.so"
    library.touch()
    found = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    monkeypatch.setattr(packaged, "find_spec", lambda name: found if known[name] else None)
    monkeypatch.setattr(packaged, "version", known.__getitem__)
    if is_loaded:
        llama_library.library()
        assert opened == [str(library)]
    else:
        with pytest.raises(ModelError, match=r"newer C library.*fim-lsp\[llama\]"):
            llama_library.library()
        assert not opened
