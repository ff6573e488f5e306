"""Whether a package's licence allows training on its sources and shipping the result under Apache-2.0.

Only the package's own metadata counts. A package that names no licence, or one with copyleft beside a
permissive one, is left out: the others suffice.
"""

from __future__ import annotations

import re
from importlib.metadata import Distribution

PERMISSIVE = re.compile(
    r"\b(MIT|BSD|0BSD|Apache|ISC|PSF|Python Software Foundation|HPND|Zlib|Unlicense|NCSA)\b", re.IGNORECASE
)
COPYLEFT = re.compile(
    r"\b([AL]?GPL|GNU|General Public|MPL|Mozilla|EPL|Eclipse|CC-BY|CDDL|EUPL|Proprietary|Commercial)\b"
    r"|\b[AL]?GPL(v?\d)",
    re.IGNORECASE,
)


def permissive_licence(distribution: Distribution) -> str | None:
    """The licence in a few words, if all of it is permissive; None otherwise."""
    stated = stated_licences(distribution)
    if not stated or any(COPYLEFT.search(text) for text in stated):
        return None
    named = [text for text in stated if PERMISSIVE.search(text)]
    return named[0] if named else None


def stated_licences(distribution: Distribution) -> list[str]:
    """The licences in the metadata, the newest field first. A full licence text is recognized by its first
    line."""
    metadata = distribution.metadata
    expression = metadata["License-Expression"]
    if expression:
        return [expression]
    field = (metadata["License"] or "").strip()
    first_line = field.split("\n", 1)[0].strip()[:80]
    classifiers = [
        value.rpartition(" :: ")[2]
        for value in metadata.get_all("Classifier") or []
        if value.startswith("License :: ") and value != "License :: OSI Approved"
    ]
    return [text for text in (first_line, *classifiers) if text and text != "UNKNOWN"]
