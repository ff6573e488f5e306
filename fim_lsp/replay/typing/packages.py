"""Pinned packages of other languages, as folders of sources: the language's own tool fetches them from its
registry. None of their code is run.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from fim_lsp.known_languages import KnownLanguage
from fim_lsp.other_programs import environment_without_keys
from fim_lsp.replay.corpus import NoData

# Files that programs made from the sources, which would repeat the same code.
MADE = re.compile(r"\.d\.[mc]?ts$|\.min\.[mc]?js$|(^|/)(dist|build|lib-es5|esm|cjs|umd|bundles?)/")
MAVEN_COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"


def folder_of(package: str, known_language: KnownLanguage, kept: Path) -> Path:
    """A package's folder; the package is fetched if it is not here yet."""
    folder = kept / known_language.name / package.replace("/", "+").replace(":", "+")
    if not folder.is_dir():
        with whole_folder(folder) as beside:
            FETCHED_BY[known_language.family](package, beside)
    return folder


@contextmanager
def whole_folder(folder: Path) -> Iterator[Path]:
    """A temporary folder, which becomes the wanted one when it is complete, unless another process was
    faster."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(
        prefix=f"{folder.name}.", dir=folder.parent, ignore_cleanup_errors=True
    ) as beside:
        inner = Path(beside, folder.name)
        inner.mkdir()
        yield inner
        try:
            inner.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise


def from_npm(package: str, folder: Path) -> None:
    with TemporaryDirectory() as own:
        tool_output(["npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", own, package], own)
        for packed in Path(own).glob("*.tgz"):
            with tarfile.open(packed) as archive:
                written = [one for one in archive.getmembers() if not MADE.search(one.name)]
                archive.extractall(folder, written, filter="data")


def from_go(package: str, folder: Path) -> None:
    with TemporaryDirectory() as own:
        found = json.loads(tool_output(["go", "mod", "download", "-json", package], own))
    with zipfile.ZipFile(found["Zip"]) as archive:
        archive.extractall(folder, [name for name in archive.namelist() if name.endswith((".go", "go.mod"))])


def from_maven(package: str, folder: Path) -> None:
    with TemporaryDirectory() as own:
        tool_output(
            ["mvn", "-q", "-B", MAVEN_COPY, f"-Dartifact={package}:jar:sources", f"-DoutputDirectory={own}"],
            own,
        )
        for jar in Path(own).glob("*.jar"):
            with zipfile.ZipFile(jar) as archive:
                archive.extractall(folder, [name for name in archive.namelist() if name.endswith(".java")])


FETCHED_BY: dict[str, Callable[[str, Path], None]] = {
    "go": from_go,
    "java": from_maven,
    "javascript": from_npm,
}


def tool_output(command: list[str], folder: str) -> str:
    """The output of a tool. Raises `NoData` if the tool is not installed, or fails."""
    if shutil.which(command[0]) is None:
        raise NoData(f"{command[-1]} is fetched by {command[0]}, which is not on this machine")
    done = subprocess.run(
        command, cwd=folder, env=environment_without_keys(), capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise NoData(f"{command[0]} cannot fetch it: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def of_language(lines: Iterable[str], known_language: KnownLanguage) -> list[str]:
    """The packages of a language among lines of a list."""
    return [
        package
        for language, _, package in (line.partition(" ") for line in lines)
        if language == known_language.name
    ]
