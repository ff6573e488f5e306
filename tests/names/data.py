"""Names that a language predefines, stored as data of the package."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def keep_or_tell(arguments: list[str], names: Any, data: Path, said: str) -> int:
    """Writes the names with `--write`, prints their number, and returns the exit code."""
    if arguments == ["--write"]:
        data.write_text(json.dumps(names, indent=0) + "\n", encoding="utf-8")
    print(said)
    return 0
