"""A Windows without C++'s runtime library still computes, and reports the missing library."""

from __future__ import annotations

import ctypes
import sys
from importlib import metadata
from pathlib import Path, PurePosixPath
from types import SimpleNamespace
from typing import Any

import pytest

from fim_lsp import inventory
from fim_lsp.decoding.models.model import load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama import carried
from fim_lsp.runtimes.llama.library import library
from fim_lsp.runtimes.plain import PlainRuntime
from fim_lsp.system import runtime_library

NAMES = ["msvcp140.dll", "msvcp140_1.dll"]


@pytest.fixture
def loaded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A Windows whose loader finds nothing by its name alone; the libraries that were loaded by their
    paths."""
    found: list[str] = []

    def load(name: str) -> None:
        if name in NAMES:
            raise OSError(126, "The specified module could not be found")
        found.append(Path(name).name)

    monkeypatch.setattr(ctypes, "WinDLL", load, raising=False)
    monkeypatch.setattr(runtime_library, "is_windows", lambda: True)
    return found


def lay(monkeypatch: pytest.MonkeyPatch, names: list[str] | None) -> None:
    def files(package: str) -> list[Any]:
        assert package == "msvc-runtime"
        if names is None:
            raise metadata.PackageNotFoundError(package)
        return [
            SimpleNamespace(name=name, locate=lambda name=name: PurePosixPath("/env", name)) for name in names
        ]

    monkeypatch.setattr(metadata, "files", files)


@pytest.mark.parametrize(
    ("names", "expected"), [(NAMES, True), (NAMES[:1], False), ([], False), (None, False)]
)
def test_what_the_package_has_laid_is_loaded_by_its_path(
    monkeypatch: pytest.MonkeyPatch, loaded: list[str], names: list[str] | None, expected: bool
) -> None:
    lay(monkeypatch, names)
    assert runtime_library.has_cpp_runtime() == expected
    assert loaded == (names or [])


def test_what_windows_has_itself_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    lay(monkeypatch, None)
    monkeypatch.setattr(ctypes, "WinDLL", lambda name: name, raising=False)
    monkeypatch.setattr(runtime_library, "is_windows", lambda: True)
    assert runtime_library.has_cpp_runtime()


@pytest.mark.skipif(sys.platform == "win32", reason="asks no loader where there is none")
def test_elsewhere_nothing_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    lay(monkeypatch, None)
    assert runtime_library.has_cpp_runtime()


@pytest.mark.usefixtures("loaded")
def test_numpy_computes_the_bundled_model_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    lay(monkeypatch, None)
    assert isinstance(load_model(wishes=RuntimeWishes(runtime="embedded")).runtime, PlainRuntime)
    found = inventory.inventory()
    assert found.embedded.startswith("NumPy ")
    assert found.embedded.endswith("(Visual C++'s runtime library is missing: pip install msvc-runtime)")


@pytest.mark.usefixtures("loaded")
def test_who_asks_for_llama_without_it_is_told_what_brings_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lay(monkeypatch, None)
    monkeypatch.setattr(carried, "paths", lambda _folder: [tmp_path])
    library.cache_clear()
    with pytest.raises(
        ModelError, match="Windows lacks Visual C\\+\\+'s runtime library: pip install msvc-runtime"
    ):
        library()
    library.cache_clear()
