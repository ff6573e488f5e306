"""Other people's programs, which this one starts: their environment is ours, without its keys.

A type checker of the folder that is open, Node and pip have no use for the key of a server of models or of
the hub. The worker, which is this program again, has; and programs that a model wrote get nothing at all.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence

from fim_lsp.runtimes.served.address import KEY_VARIABLE, PLACE_VARIABLE

# Variables that stand for a key, here and for the hub's client.
KEYS = frozenset((KEY_VARIABLE, PLACE_VARIABLE, "HF_TOKEN", "HUGGING_FACE_HUB_TOKEN"))


def environment_without_keys() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.upper() not in KEYS}


def finished_program(
    command: Sequence[str], seconds: float, folder: str | None = None
) -> subprocess.CompletedProcess[str]:
    """A program that has ended, with what it said. What its exit code means is left to the caller."""
    return subprocess.run(
        command,
        env=environment_without_keys(),
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
        encoding="utf-8",
        cwd=folder,
    )
