"""A model's folder, as models are published: the files that are read before the network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

# The graph that `training` writes for ONNX Runtime. A folder with it needs no PyTorch.
GRAPH = "model.onnx"


class ModelError(Exception):
    """A model cannot be used; the message is a sentence for the user."""


def read_config(folder: Path) -> dict[str, Any]:
    return read_json(folder / "config.json")


def read_json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read: {error}") from error
    return found if isinstance(found, dict) else {}


def first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0]
