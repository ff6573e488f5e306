"""The short texts that fit a hole, found by trying all of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from tests.reference.reference import Reference


def short_texts(pieces: str | tuple[str, ...], longest: int) -> Iterator[str]:
    """All texts of at most `longest` pieces, the shortest first."""
    for length in range(longest + 1):
        for chosen in product(pieces, repeat=length):
            yield "".join(chosen)


def completion(
    reference: Reference, left: str, typed: str, right: str, pieces: str | tuple[str, ...], longest: int
) -> str | None:
    """The first text that makes the whole valid, or None if no text of at most `longest` pieces does.

    None proves that nothing fits only if a short completion exists whenever any does.
    """
    for text in short_texts(pieces, longest):
        if reference.is_valid(left + typed + text + right):
            return text
    return None
