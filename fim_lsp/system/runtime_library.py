"""C++'s runtime library, which Windows has only where some program brought it: llama.cpp and ONNX Runtime
ask for it.

Python comes only with C's. The package `msvc-runtime` has C++'s, but puts it where no loader looks. So we
load it once by its path; from then on it is found by its name.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from fim_lsp.system.kind import is_windows

PACKAGE = "msvc-runtime"
NAMES = ("msvcp140.dll", "msvcp140_1.dll")


def has_cpp_runtime() -> bool:
    """Whether libraries that ask for it can be loaded in this process; it is loaded by then."""
    return not is_windows() or all(_is_loaded(name) for name in NAMES)


def _is_loaded(name: str) -> bool:
    load: Any = getattr(ctypes, "WinDLL")  # noqa: B009
    for candidate in (name, *map(str, _laid(name))):
        try:
            load(candidate)
        except OSError:
            continue
        return True
    return False


def _laid(name: str) -> Iterator[Path]:
    """The paths where the package has laid it."""
    metadata: Any = import_module("importlib.metadata")
    try:
        laid = metadata.files(PACKAGE) or ()
    except metadata.PackageNotFoundError:
        return
    yield from (Path(str(path.locate())).resolve() for path in laid if path.name == name)
