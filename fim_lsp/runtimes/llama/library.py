"""llama.cpp's functions, as in llama.h: from our own wheel, or from a package.

carried.py   the libraries in our wheel, as fast as if compiled here
packaged.py  a package's, if the wheel has none or this system is too old for them
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from fim_lsp.runtimes.folder import ModelError
from fim_lsp.runtimes.llama import carried, packaged
from fim_lsp.system.runtime_library import has_cpp_runtime

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
    # The library's own parts: the devices.
    backends: Any
    # Its first complaints since the list was emptied.
    complaints: list[str]
    # Kept alive here, since C does not keep it.
    _heard: Any

    def text(self, read: Any, *arguments: Any) -> bytes:
        """The text that a function writes into a buffer (its last arguments are the buffer and its size);
        empty if it fails. The function returns the size that it needs.
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
    try:
        ours = carried.open_library()
    except OSError as error:
        if not has_cpp_runtime():
            raise ModelError(str(error)) from error
        # It was built for newer systems.
        ours = None
    ffi, llama, backends = ours or packaged.open_library()
    complaints: list[str] = []

    def hear(level: int, text: Any, _user_data: Any) -> None:
        # The library logs everything; only the first faults are kept.
        if level == ERROR and len(complaints) < MOST_COMPLAINTS:
            line = " ".join(ffi.string(text).decode(errors="replace").split())
            complaints.append(line.partition(": ")[2][:300] or line[:300])

    heard = ffi.callback("ggml_log_callback", hear)
    llama.llama_log_set(heard, ffi.NULL)
    if ours:
        carried.choose_processor(backends)
    llama.llama_backend_init()
    return Library(ffi, llama, backends, complaints, heard)
