"""llama.cpp's functions, as llama.h has them; `llama-cpp-py-sync` brings the library and their types.

That package is chosen for its wheels: others are compiled where they are installed, which takes a compiler
and twenty minutes. Its functions are called as they are; of what it has made of them nothing is used.

Its Linux build wants glibc 2.38. Where that is not to be had, as in Debian 12 or on RHEL 9, the library is
`xllamacpp`'s, which wants 2.17 and exports the same functions. Both are numbered by llama.cpp's builds, and
these say whether the types of the one are those of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fim_lsp.runtimes.folder import ModelError

PACKAGE = "llama_cpp_py_sync"
OLDER = "xllamacpp"
# llama.cpp's builds whose headers are the same in all that is used here. Whoever extends it compares them.
ALIKE = range(11_548, 11_740)
INSTALL = "pip install 'fim-lsp[llama]'"
# `GGML_LOG_LEVEL_ERROR`.
ERROR = 4
MOST_COMPLAINTS = 8
# `GGML_BACKEND_DEVICE_TYPE_GPU`, and one that shares the processor's memory.
GPUS = (1, 2)


@dataclass(frozen=True)
class Library:
    """`ffi` makes C's values, `llama` has the functions."""

    ffi: Any
    llama: Any
    # What its own parts are in: which devices there are.
    backends: Any
    # What it has complained of first, since this was emptied.
    complaints: list[str]
    # C keeps no hold of it.
    _heard: Any

    def text(self, read: Any, *arguments: Any) -> bytes:
        """What a function writes into a buffer that it is given last, with its size; nothing if it fails.

        It says how much room it would have needed.
        """
        size = 256
        while True:
            buffer = self.ffi.new("char[]", size)
            n_bytes = int(read(*arguments, buffer, size))
            if n_bytes < size:
                return bytes(self.ffi.buffer(buffer, max(0, n_bytes)))
            size = n_bytes + 1

    @property
    def has_gpu(self) -> bool:
        devices = (
            self.backends.ggml_backend_dev_get(index)
            for index in range(self.backends.ggml_backend_dev_count())
        )
        return any(int(self.backends.ggml_backend_dev_type(device)) in GPUS for device in devices)

    @property
    def complaint(self) -> str:
        return self.complaints[0] if self.complaints else "it does not say why"


@cache
def library() -> Library:
    """llama.cpp, ready to load models. Raises `ModelError` with a sentence for the user."""
    if find_spec(PACKAGE) is None:
        raise ModelError(f"running a GGUF file needs llama.cpp: {INSTALL}; or name a llama-server's address")
    from importlib import import_module

    bindings: Any = import_module(f"{PACKAGE}._cffi_bindings")
    ffi = bindings.get_ffi()
    try:
        llama, backends = bindings.get_lib(), bindings.get_backend_lib()
    except (RuntimeError, OSError) as error:
        said = " ".join(str(error).split())
        if "GLIBC_" not in said:
            raise ModelError(
                f"llama.cpp cannot be loaded: {said[:300]}; name a llama-server's address instead"
            ) from error
        llama = backends = ffi.dlopen(str(for_older_systems()))
    complaints: list[str] = []

    def hear(level: int, text: Any, _user_data: Any) -> None:
        # It tells of everything it does; only what went wrong is of interest, and that is told once.
        if level == ERROR and len(complaints) < MOST_COMPLAINTS:
            said = " ".join(ffi.string(text).decode(errors="replace").split())
            complaints.append(said.partition(": ")[2][:300] or said[:300])

    heard = ffi.callback("ggml_log_callback", hear)
    llama.llama_log_set(heard, ffi.NULL)
    llama.llama_backend_init()
    return Library(ffi, llama, backends, complaints, heard)


def for_older_systems() -> Path:
    """The library that wants no newer C library than this system has. Raises `ModelError`."""
    found = find_spec(OLDER)
    if found is None or found.origin is None or {build_of(PACKAGE), build_of(OLDER)} - set(ALIKE):
        raise ModelError(
            "llama.cpp cannot be loaded: its build wants a newer C library than this system has."
            f" {INSTALL} brings one that does not; or name a llama-server's address"
        )
    return next(Path(found.origin).parent.glob(f"{OLDER}*.so"))


def build_of(package: str) -> int | None:
    """The number of llama.cpp's build that a package is of, which its version ends with."""
    try:
        return int(version(package).rpartition(".")[2])
    except (PackageNotFoundError, ValueError):
        return None
