"""The extension for the marketplaces: the one that `make vsix` has built, under a publisher's name.

In the checkout the manifest is private and names no repository. The published package has the same files with
another manifest. vsce packs it again, and reports what the marketplaces would refuse.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from release.facts import ROOT

VSCE = ROOT / "vscode-client" / "node_modules" / ".bin" / "vsce"
INSIDE = "extension/"
# The keys that are only for building.
OF_THE_CHECKOUT = ("private", "scripts", "devDependencies", "dependencies")


def public_manifest(manifest: Mapping[str, Any], known: Mapping[str, str]) -> dict[str, Any]:
    return {
        **{key: value for key, value in manifest.items() if key not in OF_THE_CHECKOUT},
        "publisher": known["vscode_publisher"],
        "repository": {"type": "git", "url": known["repository"]},
        "bugs": {"url": known["issues"]},
        "homepage": known["homepage"],
    }


def target(built: zipfile.ZipFile) -> str:
    """The platform of a built extension."""
    said = re.search(r'TargetPlatform="([\w-]+)"', built.read("extension.vsixmanifest").decode())
    return said[1] if said else "universal"


def pack(built: Path, folder: Path, version: str, known: Mapping[str, str]) -> tuple[Path | None, str]:
    """Packs the extension for the marketplaces. Returns vsce's messages, too. The same files and the same
    SOURCE_DATE_EPOCH give the same bytes."""
    with zipfile.ZipFile(built) as archive, TemporaryDirectory() as scratch:
        platform = target(archive)
        inside = [name for name in archive.namelist() if name.startswith(INSIDE)]
        archive.extractall(scratch, inside)
        stage = Path(scratch) / INSIDE
        manifest = json.loads((stage / "package.json").read_text(encoding="utf-8"))
        (stage / "package.json").write_text(
            json.dumps(public_manifest(manifest, known), indent=2, ensure_ascii=False) + "\n",
            encoding="utf-8",
        )
        folder.mkdir(parents=True, exist_ok=True)
        packed = folder / f"fim-lsp-{version}-{platform}.vsix"
        only_there = [] if platform == "universal" else ["--target", platform]
        command: list[str | Path] = [
            VSCE,
            "package",
            "--no-dependencies",
            "--allow-package-all-secrets",
            *only_there,
            "--out",
            packed,
        ]
        said = subprocess.run(
            command,
            cwd=stage,
            env=dict(os.environ),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
    return (packed if said.returncode == 0 else None), said.stdout + said.stderr
