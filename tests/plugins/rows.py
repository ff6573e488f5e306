"""A file of played places, one per line, so that a stopped run can continue.

A place's row is used again if the plugin, the model and the place are the same.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

from tests.plugins.places import Place
from tests.plugins.recorder import Exchange


@dataclass(slots=True)
class PlayedPlace:
    """The texts sent at a place, and for each server whether the file parses with the accepted text, and the
    plugin's wait for it in seconds."""

    key: str
    exchanges: list[Exchange] = field(default_factory=list)
    taken: dict[str, bool] = field(default_factory=dict)
    waits: dict[str, float] = field(default_factory=dict)
    # Whether the plugin asked both servers the same up to the answer that it waited for.
    is_same: bool = False


def place_key(plugin: str, version: str, model: str, place: Place) -> str:
    parts = (plugin, version, model, place.left, place.keys, place.right)
    return sha256("\0".join(parts).encode()).hexdigest()[:24]


def saved_rows(path: Path) -> dict[str, PlayedPlace]:
    """The rows of a file, by their keys. The last row may be cut off."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        try:
            row = json.loads(line)
        except ValueError:
            continue
        exchanges = [
            Exchange(**one | {"content": one["content"].encode("latin-1")}) for one in row["exchanges"]
        ]
        found[row["key"]] = PlayedPlace(**row | {"exchanges": exchanges})
    return found


def save_row(path: Path, played: PlayedPlace) -> None:
    row = asdict(played)
    for exchange in row["exchanges"]:
        exchange["content"] = exchange["content"].decode("latin-1")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
