"""An import that goes with an offer: `import_place.py` finds its place, and the server sends it on.

The server's own process needs only this value, and no parser.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AddedImport:
    """An import that goes with a text: it replaces the part between two offsets of the document, in front of
    the text. `statement` is the import as a whole line."""

    name: str
    statement: str
    start: int
    stop: int
    new: str
