"""The user's caches of data that can be worked out again, and are kept to save time."""

import os
import sys
from pathlib import Path

# Names another folder than the system's, on a disk of this machine for instance.
VARIABLE = "FIM_LSP_CACHE"


def user_cache() -> Path:
    """The folder for all caches of fim-lsp, by the rules of the operating system."""
    if named := os.environ.get(VARIABLE):
        return Path(named).expanduser().absolute()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        # A relative path means nothing, by the specification: it would be another one in each folder.
        chosen = Path(os.environ.get("XDG_CACHE_HOME", ""))
        base = chosen if chosen.is_absolute() else Path.home() / ".cache"
    return base / "fim-lsp"
