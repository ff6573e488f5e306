"""The origin of figures: machine, date and commit."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent


def machine() -> str:
    """The machine that the figures were measured on."""
    # The load shows what a second thread can gain; all other figures are processor times.
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{platform.machine()}, {os.cpu_count()} cores{load}, CPython {platform.python_version()}"


def git_output(*arguments: str, root: Path = ROOT) -> str:
    """The output of git for the checkout; empty where there is none."""
    if not shutil.which("git"):
        return ""
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def origin() -> dict[str, str]:
    """The head of a file of figures. The commit has a `+` if the checkout had changes."""
    is_changed = bool(git_output("status", "--porcelain", "--untracked-files=no"))
    head = git_output("rev-parse", "--short=10", "HEAD")
    return {
        "machine": machine(),
        "date": time.strftime("%Y-%m-%d", time.gmtime()),
        "head": head + "+" * (bool(head) and is_changed),
    }


def origin_sentence(of: dict[str, str]) -> str:
    """The origin as part of a sentence that begins with `On`."""
    code = f", of {of['head']}" if of["head"] else ""
    return f"{of['machine']}, {of['date']}{code}"
