"""Checks of each registry's manifest, by the registry's own tool or, without one, by a parser of its format.

A missing tool is reported as missing, and its checks never count as passed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

from release.facts import ROOT, Facts

# Programs of the virtual environment, and those of a newer Debian that tests/e2e/newer unpacks.
PLACES = (Path(sys.executable).parent, ROOT / "target" / "e2e" / "forky", ROOT / ".toolchain" / "bin")
WORKFLOWS = ("pypi/publish.yml", "pypi/systems.yml")
NEOVIM = ROOT / "release" / "attaches.lua"


class CheckVerdict(Enum):
    PASSED = "passed"
    FAILED = "failed"
    MISSING = "not here"


@dataclass(frozen=True, slots=True)
class Outcome:
    tool: str
    verdict: CheckVerdict
    said: str = ""


@dataclass(frozen=True, slots=True)
class Tried:
    """The folder of the manifests, and the built packages."""

    folder: Path
    facts: Facts


Check = Callable[[Tried], Outcome]


def program(name: str) -> str | None:
    places = os.pathsep.join([*map(str, PLACES), os.environ.get("PATH", "")])
    return shutil.which(name, path=places)


def run(tool: str, command: Sequence[str | Path], cwd: Path, wanted: str = "", **variables: str) -> Outcome:
    """Runs a tool. It passes if it succeeds and prints the wanted text."""
    first = program(str(command[0]))
    if first is None:
        return Outcome(tool, CheckVerdict.MISSING)
    search = os.pathsep.join([*map(str, PLACES), os.environ.get("PATH", "")])
    done = subprocess.run(
        [first, *command[1:]],
        cwd=cwd,
        env={**os.environ, "PATH": search, "NO_COLOR": "1", **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    said = (done.stdout + done.stderr).strip()
    is_content = done.returncode == 0 and wanted in said
    return Outcome(tool, CheckVerdict.PASSED if is_content else CheckVerdict.FAILED, said)


def twine(tried: Tried) -> Outcome:
    files = [str(file.path) for file in (tried.facts.sdist, *tried.facts.wheels) if file]
    return run("twine check", ["twine", "check", "--strict", *files], tried.folder)


def sources(tried: Tried) -> Outcome:
    """Checks that the sources contain all crates of their lock."""
    if tried.facts.sdist is None:
        return Outcome("cargo metadata", CheckVerdict.MISSING)
    command = ["cargo", "metadata", "--locked", "--offline", "--quiet", "--format-version", "1"]
    with TemporaryDirectory() as scratch:
        try:
            with tarfile.open(tried.facts.sdist.path) as archive:
                archive.extractall(scratch, filter="data")
        except tarfile.TarError as error:
            return Outcome("cargo metadata", CheckVerdict.FAILED, str(error))
        [folder] = Path(scratch).iterdir()
        return run("cargo metadata", command, folder)


def workflow_schema(tried: Tried) -> Outcome:
    command = ["check-jsonschema", "--builtin-schema", "vendor.github-workflows", *WORKFLOWS]
    return run("check-jsonschema", command, tried.folder)


def workflow_safety(tried: Tried) -> Outcome:
    return run("zizmor", ["zizmor", "--offline", "--no-progress", *WORKFLOWS], tried.folder)


def mason(tried: Tried) -> Outcome:
    schema = ROOT / "release" / "mason.schema.json"
    return run(
        "check-jsonschema", ["check-jsonschema", "--schemafile", schema, "mason/package.yaml"], tried.folder
    )


def neovim(tried: Tried) -> Outcome:
    """Loads the file as Neovim does, and checks that the server attaches to a Python file."""
    with TemporaryDirectory() as scratch:
        (Path(scratch) / "opened.py").write_text("print(\n", encoding="utf-8")
        file = tried.folder / "nvim-lspconfig" / "lsp" / "fim_lsp.lua"
        command: list[str | Path] = ["nvim", "--clean", "--headless", "opened.py", "-l", NEOVIM, file]
        return run("nvim", command, Path(scratch), wanted="attached: fim_lsp")


def helix(tried: Tried) -> Outcome:
    with TemporaryDirectory() as home:
        configuration = Path(home) / "helix" / "languages.toml"
        configuration.parent.mkdir()
        shutil.copy(tried.folder / "helix" / "languages.toml", configuration)
        command = ["hx", "--health", "typescript"]
        return run("hx --health", command, tried.folder, wanted="fim-lsp", XDG_CONFIG_HOME=home)


def zed(tried: Tried) -> Outcome:
    """Compiles the extension against Zed's interface, for this machine only, since the types are the same."""
    with TemporaryDirectory() as scratch:
        # Cargo writes a lock beside the manifest.
        folder = shutil.copytree(tried.folder / "zed", Path(scratch) / "zed")
        target = str(ROOT / "target" / "zed")
        return run("cargo check", ["cargo", "check", "--quiet"], folder, CARGO_TARGET_DIR=target)


def template_json(tried: Tried) -> Outcome:
    files = [f"lsp4ij/fim-lsp/{name}.json" for name in ("template", "settings")]
    return run("fim-lsp check", ["fim-lsp", "check", "--quiet", *files], tried.folder)


def ruby(tried: Tried) -> Outcome:
    return run(
        "ruby -c", ["ruby", "--disable-gems", "-c", "homebrew/fim-lsp.rb"], tried.folder, wanted="Syntax OK"
    )


def recipe(tried: Tried) -> Outcome:
    """Reads the recipe and renders it for each platform with conda-forge's tool, without building."""
    if find_spec("rattler_build") is None:
        return Outcome("rattler-build", CheckVerdict.MISSING)
    command: list[str | Path] = ["python", ROOT / "release" / "rendered.py", "conda-forge/recipe.yaml"]
    return run("rattler-build", command, tried.folder, wanted="rendered: fim-lsp")


def container(tried: Tried) -> Outcome:
    return run("hadolint", ["hadolint", "container/Containerfile"], tried.folder)


def nix(tried: Tried) -> Outcome:
    command = ["nix-instantiate", "--parse", "nix/package.nix"]
    return run("nix-instantiate", command, tried.folder)


CHECKS: dict[str, tuple[Check, ...]] = {
    "PyPI": (twine, sources, workflow_schema, workflow_safety),
    "mason": (mason,),
    "nvim-lspconfig": (neovim,),
    "Helix": (helix,),
    "Zed": (zed,),
    "LSP4IJ": (template_json,),
    "Homebrew": (ruby,),
    "conda-forge": (recipe,),
    "container": (container,),
    "Nix": (nix,),
}
