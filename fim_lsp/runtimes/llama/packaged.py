"""llama.cpp from a package: `llama-cpp-py-sync` has the library and its types.

That package has wheels; others are compiled at installation, which takes a compiler and twenty minutes. Only
llama.cpp's functions are called, and none of the package's own.

Its Linux build needs glibc 2.38. On older systems, such as Debian 11, the library is that of `xllamacpp`,
which needs 2.17 and exports the same functions. Both are numbered by llama.cpp's builds, which show whether
the types match.
"""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fim_lsp.runtimes.folder import ModelError

PACKAGE = "llama_cpp_py_sync"
OLDER = "xllamacpp"
# llama.cpp's builds whose headers agree in everything that is used here. A developer who extends the range
# compares them.
ALIKE = range(11_548, 11_740)
INSTALL = "pip install 'fim-lsp[llama]'"


def open_library() -> tuple[Any, Any, Any]:
    """C's values and the functions of llama.cpp and its parts. Raises `ModelError`."""
    if find_spec(PACKAGE) is None:
        raise ModelError(f"running a GGUF file needs llama.cpp: {INSTALL}; or name a llama-server's address")
    from importlib import import_module

    bindings: Any = import_module(f"{PACKAGE}._cffi_bindings")
    ffi = bindings.get_ffi()
    try:
        return ffi, bindings.get_lib(), bindings.get_backend_lib()
    except (RuntimeError, OSError) as error:
        complaint = " ".join(str(error).split())
        if "GLIBC_" not in complaint:
            raise ModelError(
                f"llama.cpp cannot be loaded: {complaint[:300]}; name a llama-server's address instead"
            ) from error
        library = ffi.dlopen(str(for_older_systems()))
        return ffi, library, library


def for_older_systems() -> Path:
    """A library that works with this system's C library. Raises `ModelError`."""
    found = find_spec(OLDER)
    if found is None or found.origin is None or {build_of(PACKAGE), build_of(OLDER)} - set(ALIKE):
        raise ModelError(
            "llama.cpp cannot be loaded: its build wants a newer C library than this system has."
            f" {INSTALL} brings one that does not; or name a llama-server's address"
        )
    return next(Path(found.origin).parent.glob(f"{OLDER}*.so"))


def build_of(package: str) -> int | None:
    """The number of a package's llama.cpp build, with which its version ends."""
    try:
        return int(version(package).rpartition(".")[2])
    except (PackageNotFoundError, ValueError):
        return None
