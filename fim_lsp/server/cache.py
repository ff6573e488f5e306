"""A cache of answers, found again by the texts left and right of the cursor.

The key is both sides: with the left side alone, an entry would be stale after a change behind the cursor.
While the user types the offered text, each keystroke moves a character from the answer to the left side. Such
a request is answered here with the rest of the answer, without the worker, so the shown text does not change:

    offered     area = |width * height        right side: a line end
    typed       area = wid|th * height        the answer minus "wid"

An editor may close a typed bracket by itself. The closer is then right of the cursor already:

    offered     print|(x)                     right side: a line end
    typed       print(|)                      right side: ")" and a line end; the rest is "x"

Contexts are kept as digests, so an answer costs its own length and not the file's.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from hashlib import blake2b

from fim_lsp.context.added_import import AddedImport
from fim_lsp.positions import LINE_END

# The closers that editors insert by themselves behind the cursor.
CLOSERS = frozenset(")]}'\"")
MAX_CLOSERS = 8
CONTEXT_BYTES = 16


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text for the cursor, and how many characters right of it belong to it and are replaced."""

    text: str
    n_covered: int = 0
    # The import that is inserted further up when it is accepted.
    added: AddedImport | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """An answer at one place, perhaps an empty one."""

    n_left: int
    left: bytes
    right: bytes
    n_right: int
    suggestions: tuple[Suggestion, ...]


class CompletionCache:
    """The latest answers for one document, the one used last at the end."""

    def __init__(self, capacity: int) -> None:
        self.capacity = capacity
        self._entries: OrderedDict[tuple[int, bytes, bytes], Entry] = OrderedDict()

    def __len__(self) -> int:
        return len(self._entries)

    def clear(self) -> None:
        self._entries.clear()

    def put(self, left: str, right: str, suggestions: tuple[Suggestion, ...]) -> None:
        """Remembers an answer; no suggestions mean that there was nothing to offer."""
        entry = Entry(len(left), digest(left), digest(right), len(right), suggestions)
        key = (entry.n_left, entry.left, entry.right)
        self._entries[key] = entry
        self._entries.move_to_end(key)
        while len(self._entries) > self.capacity:
            self._entries.popitem(last=False)

    def get(self, left: str, right: str) -> tuple[Suggestion, ...] | None:
        """The part of a cached answer that is still offered; None if there is no such answer."""
        known: dict[int, bytes] = {}
        rights: dict[int, bytes] = {}
        for key, entry in reversed(self._entries.items()):
            n_typed = len(left) - entry.n_left
            n_closers = len(right) - entry.n_right
            if n_typed < 0 or not 0 <= n_closers <= MAX_CLOSERS:
                continue
            if n_typed == n_closers == 0:
                rest = entry.suggestions
            else:
                rest = remaining(entry.suggestions, left[entry.n_left :], right[:n_closers])
                if not rest:
                    continue
            if entry.n_left not in known:
                known[entry.n_left] = digest(left[: entry.n_left])
            if n_closers not in rights:
                rights[n_closers] = digest(right[n_closers:])
            if known[entry.n_left] == entry.left and rights[n_closers] == entry.right:
                self._entries.move_to_end(key)
                return rest
        return None


def remaining(whole: tuple[Suggestion, ...], typed: str, closers: str) -> tuple[Suggestion, ...]:
    """The rests of suggestions after the user typed a part of them and the editor added closers."""
    if not CLOSERS.issuperset(closers):
        return ()
    rests = ((one, one.text[len(typed) :]) for one in whole if one.text.startswith(typed))
    return tuple(
        replace(without_closers(rest, closers), added=one.added)
        for one, rest in rests
        if rest and rest != closers and is_closed_by(rest, closers)
    )


def is_closed_by(rest: str, closers: str) -> bool:
    """Whether the closers can be characters of the rest, as editors require."""
    characters = iter(rest)
    return all(closer in characters for closer in closers)


def without_closers(rest: str, closers: str) -> Suggestion:
    """An insertion if the rest ends with the closers on the cursor's line; otherwise it replaces them.

    Neovim hides the text in a range, so insertions are preferred. VS Code shows a replacement only if it
    contains the replaced text.
    """
    if rest.endswith(closers) and not LINE_END.search(rest):
        return Suggestion(rest[: len(rest) - len(closers)])
    return Suggestion(rest, len(closers))


def digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=CONTEXT_BYTES).digest()
