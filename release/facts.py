"""The facts of a manifest, read from the files that state them already.

The version comes from Cargo.toml, the description and the dependencies from pyproject.toml, the languages
from the engine's own table, and the checksums from the built files.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tomllib

from fim_lsp.known_languages import KNOWN

ROOT = Path(__file__).parent.parent

# The platform in a wheel's name: (system, processor).
SYSTEMS = {"manylinux": "linux", "macosx": "macos", "win": "windows", "musllinux": "musl"}
PROCESSORS = {"x86_64": "intel", "amd64": "intel", "arm64": "arm", "aarch64": "arm"}
WHEEL = re.compile(r"fim_lsp-(?P<version>[^-]+)-[^-]+-[^-]+-(?P<platform>[^-]+)\.whl")


@dataclass(frozen=True, slots=True)
class Artefact:
    """A file that was built for a shelf."""

    path: Path
    sha256: str

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def platform(self) -> tuple[str, str] | None:
        """The system and the processor of a wheel."""
        found = WHEEL.fullmatch(self.name)
        if found is None:
            return None
        first = found["platform"].split(".")[0]
        system = next((ours for theirs, ours in SYSTEMS.items() if first.startswith(theirs)), None)
        processor = next((ours for theirs, ours in PROCESSORS.items() if first.endswith(theirs)), None)
        return (system, processor) if system and processor else None


@dataclass(frozen=True, slots=True)
class Facts:
    name: str
    version: str
    description: str
    licence: str
    # The oldest supported Python, and the dependencies, as in pyproject.toml.
    python: str
    dependencies: tuple[str, ...]
    sdist: Artefact | None
    wheels: tuple[Artefact, ...]
    extensions: tuple[Artefact, ...]


def facts(dist: Path) -> Facts:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    version = cargo["workspace"]["package"]["version"]
    return Facts(
        name=project["name"],
        version=version,
        description=project["description"],
        licence=project["license"],
        python=project["requires-python"].removeprefix(">="),
        dependencies=tuple(project["dependencies"]),
        sdist=next(iter(artefacts(dist, f"fim_lsp-{version}.tar.gz")), None),
        wheels=tuple(artefacts(dist, f"fim_lsp-{version}-*.whl")),
        extensions=tuple(artefacts(dist, "*.vsix")),
    )


def artefacts(dist: Path, pattern: str) -> list[Artefact]:
    return [
        Artefact(path, hashlib.sha256(path.read_bytes()).hexdigest()) for path in sorted(dist.glob(pattern))
    ]


def disagreements(version: str) -> list[str]:
    """The files that disagree with the version to be released."""
    client = json.loads((ROOT / "vscode-client" / "package.json").read_text(encoding="utf-8"))
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))
    said = {
        "Cargo.toml": cargo["workspace"]["package"]["version"],
        "vscode-client/package.json": client["version"],
    }
    found = [f"{file} says {other}" for file, other in said.items() if other != version]
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)}\b", changes, re.MULTILINE):
        found.append(f"CHANGELOG.md has no section {version}")
    return found


def language_ids() -> list[str]:
    """The ids of the languages in the protocol."""
    return [known_language.name for known_language in KNOWN]


def titles() -> list[str]:
    """The languages' usual names, each once: a language with JSX is not another language."""
    return [known_language.title for known_language in KNOWN if not known_language.title.endswith("with JSX")]


def requirement(dependency: str) -> tuple[str, str, str]:
    """The parts of a requirement such as `cffi>=1.17; sys_platform == 'linux'`: the name, the range, the
    marker."""
    [(name, wanted, marker)] = re.findall(r"^([\w.-]+)\s*([^;]*?)\s*(?:;\s*(.*))?$", dependency)
    return name, wanted, marker


def names_of(dependencies: Sequence[str]) -> list[str]:
    return [requirement(dependency)[0] for dependency in dependencies]
