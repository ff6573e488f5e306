"""The plan of a run: which cases, filled how, judged by which Python. The same plan gives the same rows."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import fim_lsp
from fim_lsp.bundled_models import BUNDLED_NAME, bundled_folder, is_bundled
from fim_lsp.cli import version
from fim_lsp.known_languages import PYTHON, KnownLanguage, language_named
from fim_lsp.replay.journal import Row
from fim_lsp.replay.modes import WITH_MODEL, ReplaySettings
from fim_lsp.replay.recipes import Selection, origin
from fim_lsp.system.user_cache import user_cache
from quotient import _native

# The files of a model's folder, as far as its texts depend on them.
MODEL_FILES = ("config.json", "generation_config.json", "tokenizer.json", "*.safetensors", "*.bin")


def runs() -> Path:
    """The default folder of runs, each in one with the name of its data set. The working folder is not used,
    because it is the user's own."""
    return user_cache() / "replays"


@dataclass(frozen=True, slots=True)
class Plan:
    selection: Selection
    settings: ReplaySettings

    def row(self) -> Row:
        """The row that is kept and compared, without what changes no text (device, runtime, places)."""
        settings = asdict(self.settings) | {"model": model_name(self.settings)}
        del settings["device"], settings["runtime"]
        selection = asdict(self.selection)
        if self.selection.language == "python":
            # Plans of Python have no such entry, so that earlier runs stay the same.
            del settings["language"], selection["language"]
        return {
            "fim_lsp": version(),
            "python": f"{sys.version_info.major}.{sys.version_info.minor}",
            "data": origin(self.selection),
            "selection": selection,
            "settings": settings,
        }

    @classmethod
    def of(cls, row: Row) -> Plan:
        """The plan that was kept, except that a model's checksum is not part of its name."""
        settings = dict(row["settings"])
        settings["modes"] = tuple(settings["modes"])
        name = (settings["model"] or "").rpartition(" (")[0] or settings["model"]
        settings["model"] = None if is_bundled(name) else name
        return cls(Selection(**row["selection"]), ReplaySettings(**settings))


def model_name(settings: ReplaySettings) -> str | None:
    """The model of a run; None where it needs none."""
    return (
        name_of_model(settings.model, language_named(settings.language))
        if set(settings.modes) & {*WITH_MODEL, "served"}
        else None
    )


def name_of_model(model: str | None, known_language: KnownLanguage = PYTHON) -> str:
    """A model with the beginning of its checksum, so that a folder or a file with new weights is another
    model. A server has only its address."""
    folder = model_folder(model, known_language)
    name = model or BUNDLED_NAME
    if folder is not None:
        return f"{name} ({checksum(folder)[:12]})"
    file = Path(name).expanduser()
    return f"{name} ({checksum_of([file])[:12]})" if file.is_file() else name


def model_folder(model: str | None, known_language: KnownLanguage = PYTHON) -> Path | None:
    """The folder of a model; None for a model of the hub, of which only the name is known."""
    if is_bundled(model):
        return bundled_folder(known_language)
    assert model is not None
    folder = Path(model).expanduser()
    return folder if folder.is_dir() else None


def checksum(folder: Path) -> str:
    return checksum_of(sorted(path for pattern in MODEL_FILES for path in folder.glob(pattern)))


def checksum_of(paths: Iterable[Path]) -> str:
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.name.encode())
        with path.open("rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def checksum_of_code() -> str:
    """The beginning of a checksum of the code that influences rows: a run of other code is another run."""
    package = Path(fim_lsp.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        digest.update(path.relative_to(package).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(Path(_native.__file__).read_bytes())
    return digest.hexdigest()[:12]
