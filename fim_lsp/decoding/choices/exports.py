"""Names in `__all__`: they are texts, so no grammar knows them, but a module has to bind each of them.

    __all__ = ["Cart", "Pri|       a word of the file may come there, and no other

Any word of the file counts as bound, but for those that stand in such a list alone. In a package's
`__init__` its modules count, too; where they are not known, none is asked about. Other things than plain
texts are no items: what they would be cannot be told.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis

LIST = re.compile(rb"\b__all__\b[^=\n]*=\s*[\[(]")
WHOLE_LIST = re.compile(LIST.pattern + rb"[^\])]*")
# White space, commas and comments, and behind them a text, whose end may be missing.
ITEM = re.compile(rb"(?:[\s,]|#[^\n]*\n)*(?:(['\"])([^'\"\\\n]*)(\1)?)?")
# Texts that come where an item, or more of its text, is to come, and make it something else.
NO_ITEM = re.compile(rb"[\\(\[{0-9~]|-\d")
WORD = re.compile(rb"[^\W\d]\w*")
# Names that cannot be told.
UNTOLD = re.compile(rb"import\s*\*|\b__getattr__\b|\bglobals\b|\bexec\b")


@dataclass(slots=True)
class Exports(Constraint):
    """The names that may stand in `__all__`. `above` is the part of such a list left of the cursor."""

    why: ClassVar[str] = "member"
    is_selective: ClassVar[bool] = True
    left: str
    right: bytes
    above: bytes
    # Names that count besides the words of the file.
    modules: frozenset[bytes] = frozenset()
    # The words of the file, once they were asked for; None where it cannot be told which names it binds.
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
                # A list's part right of the cursor is left out, too.
                self._words = self.modules | frozenset(WORD.findall(WHOLE_LIST.sub(b"", whole)))
        return self._words

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text may go on like that, as far as `__all__` is concerned."""
        before = self.above + hypothesis.text
        whole, n_before = before + text, len(before)
        if not self.above and b"__all__" not in whole:
            return True
        return all(self._allow_list(whole, found.end(), n_before) for found in LIST.finditer(whole))

    def _allow_list(self, whole: bytes, place: int, n_before: int) -> bool:
        """Whether the items of a list may be that end behind what was there before."""
        while (found := ITEM.match(whole, place)) is not None and found[1] is not None:
            name, is_whole = found[2], found[3] is not None
            if found.end() > n_before and name and not self._may_be(name, is_whole):
                return False
            if not is_whole:
                # A name goes on, or what is none: `"get'` cannot become one any more.
                return found.end() == len(whole) or found.end() < n_before
            place = found.end()
        behind = len(whole) if found is None else found.end()
        return behind < n_before or NO_ITEM.match(whole, behind) is None

    def _may_be(self, name: bytes, is_whole: bool) -> bool:
        words = self.words
        if words is None or name in words:
            return True
        return not is_whole and any(word.startswith(name) for word in words)
