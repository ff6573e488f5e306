"""Tokens of some texts, found by what stands in front of them.

Each place in the texts has a key: the tokens in front of it, the nearest one in the highest bits. The keys
are sorted, so the places whose last n tokens are given ones lie side by side, and are found by bisection. A
key has 64 bits, four tokens of a small vocabulary; where all of them agree, the texts themselves are
compared.

A place takes 16 bytes. Building one for a million tokens takes 0.3 s, a look-up some ten microseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

KEY_BITS = 64
# No match is looked at further back than this.
LONGEST = 24
# The most places with one context that are looked at.
MOST_PLACES = 512

Tokens = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Matches:
    """The places of a context, as far back as it agrees: behind each one comes what followed it."""

    length: int
    places: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Index:
    """Texts one behind the other. Tokens count from 1 here; 0 stands between two texts."""

    tokens: Tokens
    # The beginnings of the texts, in rising order.
    starts: npt.NDArray[np.int32]
    n_bits: int
    _keys: npt.NDArray[np.uint64]
    _places: npt.NDArray[np.int32]

    @classmethod
    def of(cls, texts: Sequence[Tokens], n_vocabulary: int) -> Index:
        """An index of texts whose tokens are smaller than `n_vocabulary`."""
        n_bits = max(int(n_vocabulary).bit_length(), 1)
        parts: list[Tokens] = []
        starts, n_tokens = [], 0
        for text in texts:
            starts.append(n_tokens)
            parts += [np.zeros(1, np.int32), text.astype(np.int32) + 1]
            n_tokens += len(text) + 1
        tokens = np.concatenate([*parts, np.zeros(1, np.int32)])
        keys = keys_of(tokens, n_bits)
        # A boundary is never what comes next, and what comes behind one has no context. Contexts have no
        # boundaries, so no match reaches beyond one.
        is_place = tokens != 0
        is_place[1:] &= tokens[:-1] != 0
        places = np.flatnonzero(is_place).astype(np.int32)
        order = np.argsort(keys[places], kind="stable")
        places = places[order]
        return cls(tokens, np.array(starts, np.int32), n_bits, keys[places], places)

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def n_bytes(self) -> int:
        return self.tokens.nbytes + self.starts.nbytes + self._keys.nbytes + self._places.nbytes

    @property
    def depth(self) -> int:
        """The number of tokens that a key holds."""
        return KEY_BITS // self.n_bits

    def text(self, number: int) -> tuple[int, int]:
        """The places of a text: from one to in front of another."""
        ends = [*self.starts[number + 1 : number + 2].tolist(), len(self.tokens)]
        return int(self.starts[number]), int(ends[0])

    def following(self, places: npt.NDArray[np.int32]) -> Tokens:
        """The tokens at some places, as the vocabulary counts them."""
        return self.tokens[places] - 1

    def going_on(self, places: npt.NDArray[np.int32], most: int) -> list[int]:
        """The tokens at most of some places, and behind them at most of those, as far as they agree."""
        found: list[int] = []
        while len(found) < most and len(places):
            ((token, count),) = Counter(self.tokens[places].tolist()).most_common(1)
            if token == 0 or 2 * count <= len(places):
                break
            found.append(token - 1)
            places = places[self.tokens[places] == token] + 1
        return found

    def matches(self, context: Sequence[int]) -> Matches | None:
        """The longest end of a context that stands somewhere; None if not even its last token does."""
        found = self.matches_from(context, 0)
        return found[-1] if found else None

    def matches_from(self, context: Sequence[int], short: int) -> list[Matches]:
        """The longest match, and in front of it that of the last `short` tokens if it is another one."""
        numbers = [int(token) + 1 for token in context[-LONGEST:]]
        length, low, high, prefix = 0, 0, len(self._keys), 0
        shorter: Matches | None = None
        keys = self._keys
        for token in reversed(numbers[-self.depth :]):
            shift = KEY_BITS - self.n_bits * (length + 1)
            prefix |= token << shift
            part = keys[low:high]
            begin = int(part.searchsorted(np.uint64(prefix)))
            end = int(part.searchsorted(np.uint64(prefix | ((1 << shift) - 1)), side="right"))
            if begin == end:
                break
            length, low, high = length + 1, low + begin, low + end
            if length == short:
                shorter = Matches(length, sampled_places(self._places[low:high]))
        if not length:
            return []
        longest = self._lengthened(numbers, length, sampled_places(self._places[low:high]))
        return [longest] if shorter is None or longest.length <= short else [shorter, longest]

    def matches_of_each_length(self, context: Sequence[int]) -> Iterator[Matches]:
        """The places of the last token of a context, of its last two, and so on as far back as it agrees."""
        numbers = [int(token) + 1 for token in context[-LONGEST:]]
        length, low, high, prefix = 0, 0, len(self._keys), 0
        for token in reversed(numbers[-self.depth :]):
            shift = KEY_BITS - self.n_bits * (length + 1)
            prefix |= token << shift
            part = self._keys[low:high]
            begin = int(part.searchsorted(np.uint64(prefix)))
            end = int(part.searchsorted(np.uint64(prefix | ((1 << shift) - 1)), side="right"))
            if begin == end:
                return
            length, low, high = length + 1, low + begin, low + end
            yield Matches(length, sampled_places(self._places[low:high]))
        places = sampled_places(self._places[low:high])
        while length and length < len(numbers):
            places = places[self.tokens[places - length - 1] == numbers[-length - 1]]
            if not len(places):
                return
            length += 1
            yield Matches(length, places)

    def _lengthened(self, context: list[int], length: int, places: npt.NDArray[np.int32]) -> Matches:
        """The places of those that agree furthest back."""
        while length >= self.depth and length < len(context):
            # The boundary in front of all texts ends every comparison: no place lies further left.
            agreeing = places[self.tokens[places - length - 1] == context[-length - 1]]
            if not len(agreeing):
                break
            length, places = length + 1, agreeing
        return Matches(length, places)


def sampled_places(places: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """A sample of many places, evenly from all the texts."""
    return places if len(places) <= MOST_PLACES else places[:: len(places) // MOST_PLACES + 1]


def keys_of(tokens: Tokens, n_bits: int) -> npt.NDArray[np.uint64]:
    """The key of each place."""
    keys = np.zeros(len(tokens), np.uint64)
    wide = tokens.astype(np.uint64)
    for distance in range(1, KEY_BITS // n_bits + 1):
        shifted = np.zeros(len(tokens), np.uint64)
        shifted[distance:] = wide[:-distance] if distance < len(tokens) else 0
        keys |= shifted << np.uint64(KEY_BITS - n_bits * distance)
    return keys
