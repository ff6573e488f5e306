"""Names in `__all__`: they are strings, which no grammar checks, but the module must bind each of them.

    __all__ = ["Cart", "Pri|       only a word of the file may follow

Any word of the file counts as bound, unless it occurs only in such a list. In a package's `__init__` its
modules count, too; if they are not known, nothing is checked. Only plain strings are items, since the names
in other expressions are not known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis

LIST = re.compile(rb"\b__all__\b[^=\n]*=\s*[\[(]")
WHOLE_LIST = re.compile(LIST.pattern + rb"[^\])]*")
# White space, commas and comments, and behind them a string, perhaps unfinished.
ITEM = re.compile(rb"(?:[\s,]|#[^\n]*\n)*(?:(['\"])([^'\"\\\n]*)(\1)?)?")
# Texts that would make an item something other than a plain string.
NO_ITEM = re.compile(rb"[\\(\[{0-9~]|-\d")
WORD = re.compile(rb"[^\W\d]\w*")
# Code that may bind names that are not visible.
UNTOLD = re.compile(rb"import\s*\*|\b__getattr__\b|\bglobals\b|\bexec\b")


@dataclass(slots=True)
class Exports(Constraint):
    """The names allowed in `__all__`. `above` is the part of such a list left of the cursor."""

    why: ClassVar[str] = "member"
    is_selective: ClassVar[bool] = True
    left: str
    right: bytes
    above: bytes
    # Names that count beside the words of the file.
    modules: frozenset[bytes] = frozenset()
    # The words of the file, computed on demand; None if its bound names are not known.
    _words: frozenset[bytes] | None = None
    _is_read: bool = False

    @classmethod
    def around(cls, left: str, right: bytes, modules: frozenset[str] = frozenset()) -> Exports:
        last = left.rfind("__all__")
        begun = WHOLE_LIST.fullmatch(left[last:].encode(errors="replace")) if last >= 0 else None
        names = frozenset(name.encode() for name in modules)
        return cls(left, right, b"" if begun is None else begun[0], names)

    @property
    def words(self) -> frozenset[bytes] | None:
        if not self._is_read:
            self._is_read = True
            whole = self.left.encode(errors="replace") + self.right
            if not UNTOLD.search(whole):
                # This excludes the list's part right of the cursor, too.
                self._words = self.modules | frozenset(WORD.findall(WHOLE_LIST.sub(b"", whole)))
        return self._words

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether the items of `__all__` stay valid if a text goes on with `text`."""
        before = self.above + hypothesis.text
        whole, n_before = before + text, len(before)
        if not self.above and b"__all__" not in whole:
            return True
        return all(self._allow_list(whole, found.end(), n_before) for found in LIST.finditer(whole))

    def _allow_list(self, whole: bytes, place: int, n_before: int) -> bool:
        """Whether the items of a list that end behind the first `n_before` bytes are allowed."""
        while (found := ITEM.match(whole, place)) is not None and found[1] is not None:
            name, is_whole = found[2], found[3] is not None
            if found.end() > n_before and name and not self._may_be(name, is_whole):
                return False
            if not is_whole:
                # An unfinished item. `"get'` can no longer become a name.
                return found.end() == len(whole) or found.end() < n_before
            place = found.end()
        behind = len(whole) if found is None else found.end()
        return behind < n_before or NO_ITEM.match(whole, behind) is None

    def _may_be(self, name: bytes, is_whole: bool) -> bool:
        words = self.words
        if words is None or name in words:
            return True
        return not is_whole and any(word.startswith(name) for word in words)
