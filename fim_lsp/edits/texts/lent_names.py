"""Names that a file has from another one, through which the types of its values are known.

import { fetchUser } from "./api";        const user = await fetchUser(1);      `user` is a `User`
s := store.New()                          `s` is a `Store` of the package
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fim_lsp.edits.texts.source import SourceText


@dataclass(frozen=True)
class LentNames:
    """The other file, and the names that a file has for its declarations."""

    source: SourceText
    # Names of declarations there, by those here.
    members: Mapping[str, str]
    # The names for the other file, or its package, as a whole.
    wholes: frozenset[str]
    # Whether the file sees the other file's declarations by their own names.
    shares: bool = False

    def name_there(self, name: str) -> str:
        """The other file's name for a name of this file; empty if that is from elsewhere."""
        whole, dot, member = name.rpartition(".")
        if dot:
            return member if whole in self.wholes else ""
        return self.members.get(name, name if self.shares else "")


def declared_name(source: SourceText, name: str) -> str:
    """The declared name of a type, by a file's name for it: `User` for `api.User`."""
    if source.lent is None:
        return name
    return source.lent.name_there(name) or ("" if "." in name else name)
