"""`python -m tests.schemas.projects`: fetch the sources of the projects in `projects.txt`, once, with uv.

uv unpacks what it is about to build, and builds nothing here: the environment has no build backend, and it is
told to use no other one. So each install fails, and leaves what it was wanted for.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("projects.txt")
FOLDER = Path(__file__).parents[2] / "target" / "corpora" / "schemas"


def sources() -> Path:
    """Return the folder that has a folder for each project."""
    return next(FOLDER.glob("cache/sdists-*/pypi"))


def fetch(project: str) -> None:
    """Fetch a project's sources."""
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
    """Fetch all of them, and say where they are."""
    subprocess.run(["uv", "venv", "--quiet", "--allow-existing", str(FOLDER / "bare")], check=True)
    for line in LIST.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            fetch(line)
    print(sources())
    return 0


if __name__ == "__main__":
    sys.exit(main())
