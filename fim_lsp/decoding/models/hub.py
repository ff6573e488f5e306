"""Models by their names on the hub: cached files are used, and others are fetched."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from fim_lsp.decoding.models.model import Progress
from fim_lsp.runtimes.folder import ModelError, first_line

# The files that a model needs to run: no weights in other formats, no training states. PyTorch's own format
# is fetched only for models that have no other.
FILES = ("*.json", "*.safetensors", "*.model", "*.txt")
OLD_FILES = (*FILES, "pytorch_model*.bin")


def download_model(name: str, offline: bool, told: Progress) -> Path:
    """The folder that holds a model of the hub."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError

    try:
        folder = Path(snapshot_download(name, allow_patterns=list(OLD_FILES), local_files_only=True))
        if has_weights(folder):
            return folder
    except LocalEntryNotFoundError:
        # The file is fetched from the hub below.
        pass
    except HFValidationError as error:
        raise ModelError(f"{name} is no name of a model on the hub, such as bigcode/starcoder2-3b") from error
    if offline:
        raise ModelError(f"{name} is not on this machine, and downloads are turned off")
    told(f"downloading {name}", 0.0)
    try:
        bar = progress_bar(name, told)
        folder = Path(snapshot_download(name, allow_patterns=list(FILES), tqdm_class=bar))
        if not has_weights(folder):
            folder = Path(snapshot_download(name, allow_patterns=list(OLD_FILES), tqdm_class=bar))
    except LocalEntryNotFoundError as error:
        # The cause has the reason; the error itself only advises to check the connection.
        why = first_line(error.__cause__ if isinstance(error.__cause__, Exception) else error)
        raise ModelError(f"{name} is not on this machine, and cannot be downloaded: {why}") from error
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise ModelError(f"{name} cannot be downloaded: {first_line(error)}") from error
    return folder


def has_weights(folder: Path) -> bool:
    return any(folder.glob("*.safetensors")) or any(folder.glob("pytorch_model*.bin"))


def progress_bar(name: str, told: Progress) -> type[Any]:
    """A progress bar that tells the client instead of drawing: stdout and stderr belong to others."""
    tqdm: Any = import_module("tqdm").tqdm

    class Told(tqdm):  # type: ignore[misc]
        def __init__(self, *arguments: Any, **named: Any) -> None:
            super().__init__(*arguments, **(named | {"disable": False, "file": Silence()}))

        def update(self, n: float | None = 1) -> bool | None:
            moved: bool | None = super().update(n)
            # The download is the first half of the progress; reading the files is the other half.
            told(f"downloading {name}", 0.5 * self.n / self.total if self.total else 0.0)
            return moved

    return Told


class Silence:
    def write(self, _text: str) -> int:
        return 0

    def flush(self) -> None:
        return
