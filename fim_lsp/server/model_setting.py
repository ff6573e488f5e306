"""The settings that name models, resolved for the worker."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from fim_lsp.bundled_models import NO_MODEL
from fim_lsp.server.settings import Settings
from fim_lsp.server.worker.messages import LoadModel


def model_of(settings: Settings) -> LoadModel:
    return LoadModel(
        model_name(settings.model),
        None if settings.device == "auto" else settings.device,
        None if settings.gpu_layers < 0 else settings.gpu_layers,
        model_name(settings.next_edits_model) if settings.next_edits else NO_MODEL,
    )


def model_name(setting: str) -> str | None:
    """The model's name for the worker. The worker runs in another folder, so relative paths become absolute.

    `./`, `../`, `~` or an absolute path mean a folder or a GGUF file. A plain name never means a folder of
    that name, since the server may run in a stranger's folder.
    """
    if not setting.startswith((".", "~")) and not Path(setting).is_absolute():
        return setting or None
    # Before Python 3.14, `Path.is_dir` raises an error for a name that is too long for a file.
    with suppress(OSError):
        path = Path(setting).expanduser()
        if setting and (path.is_dir() or path.is_file()):
            # Links are not resolved: in the hub's cache the target's name is a checksum.
            return str(path.absolute())
    return setting or None
