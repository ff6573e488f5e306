"""llama.cpp from our wheel: one library for each generation of processors, chosen at loading."""

from __future__ import annotations

import os
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from fim_lsp.runtimes.llama.header import DECLARATIONS
from fim_lsp.system.programs import libraries_in
from fim_lsp.system.runtime_library import PACKAGE, has_cpp_runtime

FOLDER = Path(__file__).parent.parent.parent / "llama_libraries"
SUFFIXES = (".so", ".dll", ".dylib")


class Libraries:
    """Several libraries as one: on Windows a library does not export the functions of its dependencies."""

    def __init__(self, opened: list[Any]) -> None:
        self._opened = opened

    def __getattr__(self, name: str) -> Any:
        for library in self._opened:
            function = getattr(library, name, None)
            if function is not None:
                # Cache the function as an attribute.
                setattr(self, name, function)
                return function
        raise AttributeError(name)


def paths(folder: Path) -> list[Path]:
    """llama.cpp, the chooser of the processor's library, and their common library, in this order; all or
    none."""
    found = []
    for stem in ("llama.", "ggml.", "ggml-base."):
        names = [
            path
            for path in sorted(folder.glob(f"*{stem}*"))
            if path.name.removeprefix("lib").startswith(stem) and path.suffix in SUFFIXES
        ]
        found += names[:1]
    return found if len(found) == 3 else []


def open_library(folder: Path = FOLDER) -> tuple[Any, Any, Any] | None:
    """C's values and the functions of llama.cpp and its parts. None if the wheel has no library; raises
    `OSError` if it cannot be loaded, as with an older C library."""
    files = paths(folder)
    if not files:
        return None
    if not has_cpp_runtime():
        raise OSError(f"Windows lacks Visual C++'s runtime library: pip install {PACKAGE}")
    return open_files(folder, tuple(files))


@cache
def open_files(folder: Path, files: tuple[Path, ...]) -> tuple[Any, Any, Any]:
    """Opens libraries for good: on Windows a second loading would find the first one's handler of uncaught
    exceptions and end the process."""
    ffi: Any = import_module("cffi").FFI()
    ffi.cdef(DECLARATIONS)
    with libraries_in(folder):
        made = [ffi.dlopen(str(path)) for path in files]
    functions = Libraries(made)
    return ffi, functions, functions


def choose_processor(functions: Any, folder: Path = FOLDER) -> None:
    """Loads the library for this processor."""
    functions.ggml_backend_load_all_from_path(os.fsencode(folder))
