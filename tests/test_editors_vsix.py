"""The VSIX as users get it: what is inside, and that nothing is missing that its pages show."""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def vsix() -> Iterator[zipfile.ZipFile]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    subprocess.run(["make", "vsix"], cwd=ROOT, env=environment, check=True, capture_output=True)
    with zipfile.ZipFile(ROOT / "dist" / "fim-lsp.vsix") as opened:
        yield opened


def test_it_holds_the_bundle_and_the_pages_and_no_sources(vsix: zipfile.ZipFile) -> None:
    names = {name.removeprefix("extension/") for name in vsix.namelist() if name.startswith("extension/")}
    pages = {f"walkthrough/{page}.md" for page in ("install", "complete", "status", "settings")}
    assert names == pages | {
        "LICENSE.txt",
        "icon.png",
        "images/completion.png",
        "out/extension.js",
        "package.json",
        "readme.md",
    }


def test_it_carries_the_licence(vsix: zipfile.ZipFile) -> None:
    assert vsix.read("extension/LICENSE.txt") == (ROOT / "LICENSE").read_bytes()


def test_every_picture_of_the_readme_is_inside(vsix: zipfile.ZipFile) -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", vsix.read("extension/readme.md").decode())
    assert pictures != []
    for picture in pictures:
        assert vsix.read(f"extension/{picture}").startswith(b"\x89PNG")


def test_the_icon_is_large_enough_for_the_marketplace(vsix: zipfile.ZipFile) -> None:
    icon = vsix.read("extension/icon.png")
    width, height = int.from_bytes(icon[16:20], "big"), int.from_bytes(icon[20:24], "big")
    assert width == height >= 128


def test_it_runs_beside_the_workspace_and_asks_for_no_proposed_interface(vsix: zipfile.ZipFile) -> None:
    manifest = json.loads(vsix.read("extension/package.json"))
    assert manifest["extensionKind"] == ["workspace"]
    assert "enabledApiProposals" not in manifest
