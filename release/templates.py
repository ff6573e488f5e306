"""Manifests as their shelves want them, with `%{name}` where a fact or a placeholder goes.

None of their languages has a use for that sign: `${{ }}` is GitHub's and the recipes', `${ }` Nix's,
`#{ }` Ruby's.
"""

from __future__ import annotations

import string
from pathlib import Path

FOLDER = Path(__file__).with_name("templates")


class ShelfManifest(string.Template):
    delimiter = "%"
    # Between braces alone.
    idpattern = r"(?!)"
    braceidpattern = r"[a-z0-9_]+"


def template(path: str) -> ShelfManifest:
    return ShelfManifest((FOLDER / path).read_text(encoding="utf-8"))


def names_in(manifest: ShelfManifest) -> frozenset[str]:
    """What has to be known to fill it."""
    return frozenset(
        found["braced"] for found in manifest.pattern.finditer(manifest.template) if found["braced"]
    )
