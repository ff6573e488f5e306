"""An import that an offer brings along: `import_place.py` finds it, and the server sends it on.

The server's own process knows this much of imports, and no parser.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AddedImport:
    """An import that goes with a text: between two offsets of the document, in front of the text, comes
    something else. `statement` says it as a line of its own."""

    name: str
    statement: str
    start: int
    stop: int
    new: str
