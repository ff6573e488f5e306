"""Our files by their names in the checkout, wherever they are: archives have no git, and wheels are
installed."""

from __future__ import annotations

import shutil
import subprocess
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

import fim_lsp

ROOT = Path(__file__).parents[2]
# The folder of our packages: the checkout, or the place of an installed wheel.
INSTALLED = Path(fim_lsp.__file__).parent.parent
PACKAGES = ("fim_lsp", "quotient")
# The files that git would not list.
MADE = {
    "__pycache__",
    ".pytest_cache",
    ".venv",
    ".toolchain",
    "target",
    "dist",
    "node_modules",
    "llama_libraries",
}
COMPILED = (".pyd", ".so")


def path_of(name: str) -> Path:
    """The path of a file or a folder."""
    is_here = name.split("/")[0] not in PACKAGES or (ROOT / name).exists()
    return (ROOT if is_here else INSTALLED) / name


def text_of(name: str) -> str:
    return path_of(name).read_text(encoding="utf-8")


def tracked(*patterns: str) -> list[str]:
    """The names of the files that git lists, or would list, in a folder or by a pattern."""
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "ls-files", *patterns]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
        return listed.stdout.splitlines()
    return [
        name
        for name in unlisted()
        if any(
            pattern in (".", name) or name.startswith(f"{pattern}/") or fnmatchcase(name, pattern)
            for pattern in patterns
        )
    ]


@cache
def unlisted() -> list[str]:
    """All files of a tree without git, in which nothing but our files lies among the sources."""
    found = {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*") if path.is_file()}
    for package in PACKAGES:
        for path in (INSTALLED / package).rglob("*"):
            if path.is_file():
                found.add(path.relative_to(INSTALLED).as_posix())
    return sorted(name for name in found if not set(name.split("/")) & MADE and not name.endswith(COMPILED))
