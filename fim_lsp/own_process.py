"""The command with which this program starts itself again: the worker, and servers that are measured.

`python -m` puts the working directory in front of the module path, and imports from there before any line
of ours could object: a `types.py` in a folder that the user opens would run, or keep us from starting. `-P`
is new in Python 3.11, and `-I` leaves out what users installed for themselves. So `-c` it is, whose entry
for the working directory, the empty text, is taken out before anything is imported. The VS Code extension
does the same (`serverCommand.ts`).
"""

from __future__ import annotations

import sys
from pathlib import Path

import fim_lsp

# Last on the path, for a server that found us in its own working directory.
INSTALLED_IN = Path(fim_lsp.__file__).absolute().parent.parent


def python_command(module: str, *arguments: str) -> list[str]:
    """The command line that runs a module's `main` and imports nothing from where it runs."""
    start = (
        f"import sys; sys.path[:] = [*filter(None, sys.path), {str(INSTALLED_IN)!r}];"
        f" from {module} import main; sys.exit(main())"
    )
    return [sys.executable, "-c", start, *arguments]
