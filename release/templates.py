"""Templates of the shelves' manifests, with `%{name}` in place of a fact or a placeholder.

None of the manifests' languages uses that sign: `${{ }}` belongs to GitHub and the recipes, `${ }` to Nix,
`#{ }` to Ruby.
"""

from __future__ import annotations

import string
from pathlib import Path

FOLDER = Path(__file__).with_name("templates")


class ShelfManifest(string.Template):
    delimiter = "%"
    # Lower-case names in braces only.
    idpattern = r"(?!)"
    braceidpattern = r"[a-z0-9_]+"


def template(path: str) -> ShelfManifest:
    return ShelfManifest((FOLDER / path).read_text(encoding="utf-8"))


def names_in(manifest: ShelfManifest) -> frozenset[str]:
    """The names in a template."""
    return frozenset(
        found["braced"] for found in manifest.pattern.finditer(manifest.template) if found["braced"]
    )
