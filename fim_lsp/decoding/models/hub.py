"""Models by their names on the hub: cached files are used, and others are fetched."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from fim_lsp.decoding.models.model import Progress
from fim_lsp.fetching import hub, is_offline, unreachable
from fim_lsp.runtimes.folder import ModelError, first_line

# The files that a model needs to run: no weights in other formats, no training states. PyTorch's own format
# is fetched only for models that have no other.
FILES = ("*.json", "*.safetensors", "*.model", "*.txt")
OLD_FILES = (*FILES, "pytorch_model*.bin")


def download_model(name: str, offline: bool, told: Progress) -> Path:
    """The folder that holds a model of the hub."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

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
    if is_offline():
        raise ModelError(f"{name} is not on this machine, and HF_HUB_OFFLINE turns downloads off")
    told(f"downloading {name}", 0.0)
    try:
        bar = progress_bar(name, told)
        folder = Path(snapshot_download(name, allow_patterns=list(FILES), tqdm_class=bar))
        if not has_weights(folder):
            folder = Path(snapshot_download(name, allow_patterns=list(OLD_FILES), tqdm_class=bar))
    except (OSError, ValueError) as error:
        raise ModelError(why_not_fetched(name, error)) from error
    return folder


def why_not_fetched(name: str, error: Exception) -> str:
    """A sentence for the user: what went wrong, and what may help."""
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
    )

    # Where the hub gives no answer, the cause has the reason: the error itself only advises to check the
    # connection.
    has_no_answer = isinstance(error, LocalEntryNotFoundError)
    cause = error.__cause__ if has_no_answer and isinstance(error.__cause__, Exception) else error
    if isinstance(cause, GatedRepoError):
        return f"{name} wants an account: accept its licence at {hub()}/{name}, and set HF_TOKEN"
    if isinstance(cause, RepositoryNotFoundError):
        return f"{hub()} has no model {name}, or a private one: check the name, or set HF_TOKEN"
    if has_no_answer and not isinstance(cause, HfHubHTTPError):
        return unreachable(cause)
    return f"{name} cannot be downloaded: {first_line(cause)}"


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
