"""`python -m tests.schemas.projects`: fetches the sources of the projects in `projects.txt`, once, with uv.

uv unpacks what it is about to build, and builds nothing here: the environment has no build backend, and uv
may use no other one. So each install fails, but leaves the sources.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("projects.txt")
FOLDER = Path(__file__).parents[2] / "target" / "corpora" / "schemas"


def sources() -> Path:
    """The folder that has a folder for each project."""
    return next(FOLDER.glob("cache/sdists-*/pypi"))


def fetch(project: str) -> None:
    """Fetches a project's sources."""
    name = project.partition("==")[0]
    command = [
        "uv",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-build-isolation",
        "--no-binary",
        name,
        project,
    ]
    environment = {
        **os.environ,
        "UV_CACHE_DIR": str(FOLDER / "cache"),
        "VIRTUAL_ENV": str(FOLDER / "bare"),
    }
    subprocess.run(command, env=environment, capture_output=True, check=False, timeout=300)


def main() -> int:
    """Fetches all of them, and prints their folder."""
    subprocess.run(["uv", "venv", "--quiet", "--allow-existing", str(FOLDER / "bare")], check=True)
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            fetch(line)
    print(sources())
    return 0


if __name__ == "__main__":
    sys.exit(main())
