"""The model that the setting `model` means, as the worker is told."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from fim_lsp.server.settings import Settings
from fim_lsp.server.worker.messages import LoadModel


def model_of(settings: Settings) -> LoadModel:
    return LoadModel(
        model_name(settings.model),
        None if settings.device == "auto" else settings.device,
        None if settings.gpu_layers < 0 else settings.gpu_layers,
    )


def model_name(setting: str) -> str | None:
    """A name for the worker. It runs in another folder, so one that is meant from here is written out.

    A folder or a GGUF file is meant by `./`, `../`, `~` or a whole path. A name is never taken for a folder
    that happens to be called so: the server may run in one that a stranger filled.
    """
    if not setting.startswith((".", "~")) and not Path(setting).is_absolute():
        return setting or None
    # A name too long for a file is none; `Path.is_dir` says so in an error of its own before Python 3.14.
    with suppress(OSError):
        path = Path(setting).expanduser()
        if setting and (path.is_dir() or path.is_file()):
            # A link's own name is kept: its target is called by a checksum in the hub's cache.
            return str(path.absolute())
    return setting or None
