"""`python -m tests.laws.npm_packages`: fetches the sources that the laws are checked on, once, with npm.

Packages are pinned by version and checksum, in a list for each language (`npm_packages_javascript.txt`), and
unpacked below `target/corpora/npm`. None of their code is run, and nothing of it is committed.
"""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fim_lsp.known_languages import language_named

LISTS = {path.stem.rpartition("_")[2]: path for path in Path(__file__).parent.glob("npm_packages_*.txt")}
FOLDER = Path(__file__).parents[2] / "target" / "corpora" / "npm"
SOURCES = (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx")


class Package(NamedTuple):
    """A pinned package."""

    name: str
    version: str
    checksum: str

    @property
    def folder(self) -> Path:
        """The folder of the unpacked package."""
        return FOLDER / f"{self.name.replace('/', '+')}-{self.version}"


def packages(language: str) -> list[Package]:
    """The pinned packages of a language."""
    return [Package(*line.split()) for line in LISTS[language].read_text(encoding="utf-8").splitlines()]


def files(language: str) -> Iterator[Path]:
    """The files of a language in its packages that were fetched."""
    return (path for package in packages(language) for path in sources_in(package.folder, language))


def sources_in(folder: Path, language: str) -> list[Path]:
    """Return all files of a language below a folder."""
    extensions = language_named(language).extensions
    return [path for path in folder.rglob("*") if path.suffix in extensions and path.is_file()]


def fetch(package: Package) -> None:
    """Download, check and unpack a package. Raises `ValueError` for another content than the pinned one."""
    with tempfile.TemporaryDirectory() as place:
        asked = ["npm", "pack", f"{package.name}@{package.version}", "--pack-destination", place]
        subprocess.run(asked, capture_output=True, check=True)
        (archive,) = Path(place).iterdir()
        algorithm, _, wanted = package.checksum.partition("-")
        found = base64.b64encode(hashlib.new(algorithm, archive.read_bytes()).digest()).decode()
        if found != wanted:
            raise ValueError(f"{package.name} {package.version} is not what was pinned")
        partial = package.folder.with_name(package.folder.name + ".partial")
        with tarfile.open(archive) as packed:
            wanted_files = [one for one in packed.getmembers() if one.isfile() and one.name.endswith(SOURCES)]
            packed.extractall(partial, wanted_files, filter="data")
        partial.rename(package.folder)


def main() -> int:
    """Fetches missing packages."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    pinned = {package: None for language in sorted(LISTS) for package in packages(language)}
    missing = [package for package in pinned if not package.folder.exists()]
    for number, package in enumerate(missing, start=1):
        print(f"{number}/{len(missing)} {package.name} {package.version}", flush=True)
        try:
            fetch(package)
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            print(f"npm_packages: {package.name} cannot be fetched: {error}", file=sys.stderr)
            return 1
    for language in sorted(LISTS):
        print(f"{sum(1 for _ in files(language)):,} files of {language_named(language).title} in {FOLDER}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
