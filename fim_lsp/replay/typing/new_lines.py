"""Lines of a project that are new since an older release: a model that has read the older one has not read
them.

A line is compared by its text, wherever it stood: code that was only moved, or indented, is not new. Short
lines (`else:`, `return None`) stand everywhere, so they say nothing on whether a text is new.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

from fim_lsp.positions import LINE_END
from fim_lsp.replay.corpus import File

# A line with fewer letters and digits is too short to say anything.
DISTINCTIVE = 12
LETTER = re.compile(r"\w")
# Whether the text between two offsets is new.
IsNew = Callable[[str, int, int], bool]


@dataclass(frozen=True)
class OldLines:
    """The distinctive lines of an older release."""

    lines: frozenset[str]

    @classmethod
    def of(cls, files: Iterable[File]) -> OldLines:
        return cls(frozenset(line for file in files for line in distinctive_lines(LINE_END.split(file.text))))

    def is_new(self, text: str, start: int, stop: int) -> bool:
        """Whether the lines of a region are new: at least one is distinctive, and none is old."""
        first = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
        behind = LINE_END.search(text, stop)
        last = len(text) if behind is None else behind.start()
        found = distinctive_lines(LINE_END.split(text[first:last]))
        return bool(found) and not any(line in self.lines for line in found)

    @cached_property
    def digest(self) -> str:
        """The beginning of a checksum."""
        whole = "\n".join(sorted(self.lines)).encode("utf-8", "surrogatepass")
        return sha256(whole).hexdigest()[:12]


def distinctive_lines(lines: Iterable[str]) -> list[str]:
    stripped = (line.strip() for line in lines)
    return [line for line in stripped if len(LETTER.findall(line)) >= DISTINCTIVE]
