"""The VSIX as users get it: its contents, and every picture on its pages."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.llama import has_library
from tests.e2e.packaged import built, built_client

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def whole() -> Iterator[zipfile.ZipFile]:
    with zipfile.ZipFile(built()) as opened:
        yield opened


@pytest.fixture(scope="module", params=["client", pytest.param("whole", marks=pytest.mark.editors)])
def vsix(request: pytest.FixtureRequest) -> Iterator[zipfile.ZipFile]:
    """The package for users, and the one without the server that it carries."""
    with zipfile.ZipFile(built() if request.param == "whole" else built_client()) as opened:
        yield opened


def carried(vsix: zipfile.ZipFile) -> list[str]:
    return [Path(name).name for name in vsix.namelist() if name.startswith("extension/wheels/")]


def test_it_holds_the_bundle_and_the_pages_and_no_sources(vsix: zipfile.ZipFile) -> None:
    names = {name.removeprefix("extension/") for name in vsix.namelist() if name.startswith("extension/")}
    names -= {f"wheels/{name}" for name in carried(vsix)}
    pages = {f"walkthrough/{page}.md" for page in ("install", "complete", "status", "settings")}
    texts = {"package.nls.json", "package.nls.de.json", "l10n/bundle.l10n.de.json"}
    assert names == pages | texts | {
        "LICENSE.txt",
        "icon.png",
        "out/extension.js",
        "package.json",
        "readme.md",
        "toml.json",
    }


def test_it_carries_the_licence(vsix: zipfile.ZipFile) -> None:
    assert vsix.read("extension/LICENSE.txt") == (ROOT / "LICENSE").read_bytes()


def test_the_page_has_no_picture_that_would_not_be_shown(vsix: zipfile.ZipFile) -> None:
    """VS Code shows no picture of a folder beside the page unless a repository has it, too."""
    assert re.findall(r"!\[[^]]*\]\([^)]*\)|<img", vsix.read("extension/readme.md").decode()) == []


def test_the_icon_is_large_enough_for_the_marketplace(vsix: zipfile.ZipFile) -> None:
    icon = vsix.read("extension/icon.png")
    width, height = int.from_bytes(icon[16:20], "big"), int.from_bytes(icon[20:24], "big")
    assert width == height >= 128


def test_it_runs_beside_the_workspace_and_asks_for_no_proposed_interface(vsix: zipfile.ZipFile) -> None:
    manifest = json.loads(vsix.read("extension/package.json"))
    assert manifest["extensionKind"] == ["workspace"]
    assert "enabledApiProposals" not in manifest


@pytest.mark.editors
def test_it_carries_the_server_and_all_that_it_needs(whole: zipfile.ZipFile, tmp_path: Path) -> None:
    """A bare interpreter installs the server as the extension does: from these files, without an index."""
    assert sorted(carried(whole)) == ["wheels.tar.xz", "wheels.txt"]
    listed = whole.read("extension/wheels/wheels.txt").decode().splitlines()
    assert {"fim_lsp", "pip"} <= {line.partition("-")[0] for line in listed}
    wheels = tmp_path / "wheels"
    with (
        whole.open("extension/wheels/wheels.tar.xz") as packed,
        tarfile.open(fileobj=packed, mode="r|xz") as all_of_it,
    ):
        all_of_it.extractall(wheels, filter="data")
    assert sorted(listed) == sorted(f"{path.name} {path.stat().st_size}" for path in wheels.iterdir())
    [pip], [wheel] = wheels.glob("pip-*.whl"), wheels.glob("fim_lsp-*.whl")
    environment = tmp_path / "environment"
    run = partial(subprocess.run, check=True, capture_output=True, text=True, cwd=tmp_path)
    run([sys.executable, "-I", "-m", "venv", "--without-pip", environment])
    python = environment / "bin" / "python"
    options = ("--isolated", "install", "--no-index", "--find-links", wheels, "--no-cache-dir")
    run([python, "-I", f"{pip}/pip", *options, wheel])
    (tmp_path / "hole.py").write_text("x = (1, 2\n")
    answer = run([environment / "bin" / "fim-lsp", "complete", "--json", "hole.py:1:10"])
    [first, *_] = json.loads(answer.stdout)["completions"]
    ast.parse("x = (1, 2" + first["text"] + "\n")
    # The runtimes of the bundled model and of GGUF files are included.
    listed_here = json.loads(run([environment / "bin" / "fim-lsp", "models", "--json"]).stdout)
    assert listed_here["has_llama"] == has_library()


def test_it_is_for_one_platform_as_its_wheels_are(vsix: zipfile.ZipFile) -> None:
    target = re.search(r'TargetPlatform="([^"]+)"', vsix.read("extension.vsixmanifest").decode())
    assert target is not None
    assert (
        target[1].partition("-")[0] == {"linux": "linux", "darwin": "darwin", "win32": "win32"}[sys.platform]
    )
