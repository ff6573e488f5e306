"""An index of texts by context: it finds the places behind given tokens.

Each place in the texts has a key: the tokens in front of it, the nearest one in the highest bits. The keys
are sorted, so places with the same last n tokens are adjacent, and bisection finds them. A key has 64 bits,
which is four tokens of a small vocabulary; beyond that, the texts themselves are compared.

A place takes 16 bytes. Building one for a million tokens takes 0.3 s, a look-up some ten microseconds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

KEY_BITS = 64
# The longest match.
LONGEST = 24
# The most places of one context that are used.
MOST_PLACES = 512

Tokens = npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Matches:
    """The places of a context with the length of the match; a token that followed is at each place."""

    length: int
    places: npt.NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Index:
    """Texts in a row. Tokens are counted from 1 here; 0 separates two texts."""

    tokens: Tokens
    # The beginnings of the texts, in ascending order.
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
        # A boundary never follows, and the token behind one has no context. Contexts have no boundaries, so
        # no match crosses one.
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
        """The span of a text's places."""
        ends = [*self.starts[number + 1 : number + 2].tolist(), len(self.tokens)]
        return int(self.starts[number]), int(ends[0])

    def following(self, places: npt.NDArray[np.int32]) -> Tokens:
        """The tokens at some places, numbered as in the vocabulary."""
        return self.tokens[places] - 1

    def going_on(self, places: npt.NDArray[np.int32], most: int) -> list[int]:
        """The most frequent token at some places, then the most frequent behind it at those, as long as most
        agree."""
        found: list[int] = []
        while len(found) < most and len(places):
            ((token, count),) = Counter(self.tokens[places].tolist()).most_common(1)
            if token == 0 or 2 * count <= len(places):
                break
            found.append(token - 1)
            places = places[self.tokens[places] == token] + 1
        return found

    def matches(self, context: Sequence[int]) -> Matches | None:
        """The longest end of a context that occurs; None if even its last token does not."""
        found = self.matches_from(context, 0)
        return found[-1] if found else None

    def matches_from(self, context: Sequence[int], short: int) -> list[Matches]:
        """The match of the last `short` tokens, if it differs, and the longest match."""
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
        longest = self._lengthened_matches(numbers, length, sampled_places(self._places[low:high]))
        return [longest] if shorter is None or longest.length <= short else [shorter, longest]

    def matches_of_each_length(self, context: Sequence[int]) -> Iterator[Matches]:
        """The places of a context's last token, of its last two, and so on as far as it occurs."""
        numbers = [int(token) + 1 for token in context[-LONGEST:]]
        length, low, high, prefix = 0, 0, len(self._keys), 0
        places = self._places[:0]
        for token in reversed(numbers[-self.depth :]):
            shift = KEY_BITS - self.n_bits * (length + 1)
            prefix |= token << shift
            part = self._keys[low:high]
            begin = int(part.searchsorted(np.uint64(prefix)))
            end = int(part.searchsorted(np.uint64(prefix | ((1 << shift) - 1)), side="right"))
            if begin == end:
                return
            length, low, high = length + 1, low + begin, low + end
            places = sampled_in_order(self._places[low:high])
            yield Matches(length, places)
        while length and length < len(numbers):
            places = places[self.tokens[places - length - 1] == numbers[-length - 1]]
            if not len(places):
                return
            length += 1
            yield Matches(length, places)

    def _lengthened_matches(self, context: list[int], length: int, places: npt.NDArray[np.int32]) -> Matches:
        """Those of the places that agree furthest back."""
        depth = self.depth
        while depth <= length < len(context):
            # The boundary in front of all texts ends every comparison.
            agreeing = places[self.tokens[places - length - 1] == context[-length - 1]]
            if not len(agreeing):
                break
            length, places = length + 1, agreeing
        return Matches(length, places)


def sampled_places(places: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """A sample of many places, evenly from all texts."""
    return places if len(places) <= MOST_PLACES else places[:: len(places) // MOST_PLACES + 1]


def sampled_in_order(places: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """A sample that does not depend on the tokens' numbers, by which keys are sorted. Words are numbered in
    the order in which files were read."""
    return places if len(places) <= MOST_PLACES else sampled_places(np.sort(places))


def keys_of(tokens: Tokens, n_bits: int) -> npt.NDArray[np.uint64]:
    """The key of each place."""
    keys = np.zeros(len(tokens), np.uint64)
    wide = tokens.astype(np.uint64)
    for distance in range(1, KEY_BITS // n_bits + 1):
        shifted = np.zeros(len(tokens), np.uint64)
        shifted[distance:] = wide[:-distance] if distance < len(tokens) else 0
        keys |= shifted << np.uint64(KEY_BITS - n_bits * distance)
    return keys
