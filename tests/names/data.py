"""Names that a language brings along, kept as data of the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def keep_or_tell(arguments: list[str], names: Any, data: Path, said: str) -> int:
    """Write the names where `--write` is asked for; say how many they are. The exit code."""
    if arguments == ["--write"]:
        data.write_text(json.dumps(names, indent=0) + "\n", encoding="utf-8")
    print(said)
    return 0
