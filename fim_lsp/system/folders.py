"""The folders where other programs keep what they fetch. Our own cache lies elsewhere (`user_cache.py`)."""

from __future__ import annotations

import os
from pathlib import Path

from fim_lsp.system.kind import is_mac, is_windows


def cache_folder() -> Path:
    """The folder where llama.cpp and others put theirs, by the rules that they all have."""
    if is_windows():
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser()
    if is_mac():
        return Path("~/Library/Caches").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
