"""The type checker of a folder: one of its own virtual environment, else the first one on PATH.

A program of the folder is run here, and a checker may run the folder's Python to know where packages are. So
no program is looked for in a folder that is not trusted.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from shutil import which

from fim_lsp.system.programs import executable, scripts_of

# The fastest first: pyright takes ten times as long for an answer.
KNOWN = (("ty", ("server",)), ("basedpyright-langserver", ("--stdio",)), ("pyright-langserver", ("--stdio",)))
ENVIRONMENTS = (".venv", "venv")


@dataclass(frozen=True, slots=True)
class Checker:
    """A language server of types, as a command line."""

    name: str
    command: tuple[str, ...]


def checker_of(folder: Path) -> Checker | None:
    """The checker of a folder that is trusted; None where there is none."""
    for name, arguments in KNOWN:
        for environment in ENVIRONMENTS:
            found = scripts_of(folder / environment) / executable(name)
            if found.is_file() and os.access(found, os.X_OK):
                return Checker(name, (str(found), *arguments))
    for name, arguments in KNOWN:
        # A relative entry of PATH would mean the folder that we run in.
        path = os.pathsep.join(filter(os.path.isabs, os.environ.get("PATH", "").split(os.pathsep)))
        if (on_path := which(name, path=path)) is not None:
            return Checker(name, (on_path, *arguments))
    return None
