"""Readings: a file is read once, in its order, and the read tokens begin the prompts of all its places.

    <prefix> import json ... def load(path): |...| def save(orders): ...      a reading, kept
    <prefix> import json ... def load(path):  <suffix> save... <middle>       a prompt: a branch of it

The prompt of a place is the reading up to the cursor's line, a short right side, and the line. The reading
itself is not read again, so a jump costs some tens of tokens instead of two thousand.

Unread text around a place is left out if the request has no time for it, and read when no request waits
(`read_ahead`), so that the next request finds more. The text of other files stands in front of a reading.
When that text changes, the old reading is used until a new one has been read.

This is for networks that read slowly (`KeptCache`) and take the prefix first. The others use `prompt.Window`:
if the suffix comes first, no two places share a beginning.
"""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.prompts.prompt import (
    CHARACTERS_PER_TOKEN,
    N_TYPED,
    Prompt,
    is_indented_since,
    n_healed,
    n_pending,
)
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.decoding.prompts.reading import Reading, Splice, current_line
from fim_lsp.decoding.prompts.several_files import NOTHING_TOLD, CrossFileTokens
from fim_lsp.runtimes.runtime import GivenUp, KeptCache
from fim_lsp.runtimes.speed import Speed
from fim_lsp.shared import n_shared, n_shared_behind

# How many tokens are read in front of a place, and behind it. More of the left side did not help: the true
# rest of a line costs 16 bits behind 1,024 tokens, 20 behind 256, 25 behind 64.
N_LEFT, N_AHEAD = 1024, 512
# A place with fewer tokens of a reading in front of it gets a reading of its own, unless the file begins
# there.
FEWEST_LEFT, MOST_LEFT = 384, 1600
# The right side's tokens, and smaller numbers for requests with little time: 32 tokens did as well as 128,
# and none hardly worse. With 32 at most, a jump is not answered sooner.
N_RIGHT = (64, 32, 16, 0)
# The least number of tokens of a prompt, however little time there is.
FEWEST_SHOWN = 48
# The share of a request's time for reading its prompt, and the speed of a network that is not measured yet.
SHARE_OF_READING, UNKNOWN_SPEED = 0.5, 60.0
# The tokens of a piece that is read while no request waits. A request ends the reading at once, and the piece
# is lost; so the first pieces behind a request or a key are small. On two cores a token takes 6.8 ms of
# processor time in pieces of 16, and 5.5 ms in pieces of 64.
PIECE, FIRST_PIECE, N_FIRST = 64, 16, 4
# The most readings of one file. The runtime limits the memory of all files together.
MOST_READINGS = 3
# The closers that an editor inserts behind the cursor by itself.
CLOSERS, MOST_CLOSERS = ")]}\"' \t`", 8


@dataclass(frozen=True, slots=True)
class ShownPrompt:
    """A prompt up to its middle. Text typed later continues the middle."""

    # The texts left of the middle and right of the cursor.
    left: str
    right: str
    tokens: list[int]
    # The numbers of its tokens of each side.
    n_left: int
    n_right: int


@dataclass(frozen=True, slots=True)
class Better:
    """A better prompt, and the cache into which it is being read."""

    shown: ShownPrompt
    cache: KeptCache
    # The place for which it was begun.
    place: tuple[str, str]


class Readings:
    """The prompts of one document."""

    def __init__(self, model: Model, reader: PromptReader, speed: Speed) -> None:
        self.model, self.reader, self.speed = model, reader, speed
        self._file = ""
        self._told = NOTHING_TOLD
        # The last used one is at the end.
        self._readings: list[Reading] = []
        # The last place, its prompt, and a better prompt that is being read.
        self._place: tuple[str, str] | None = None
        self._shown: ShownPrompt | None = None
        self._better: Better | None = None
        # The number of pieces that were read since the last request.
        self._n_pieces = 0

    def prompt(
        self, left: str, right: str, room: int, told: CrossFileTokens, seconds: float | None
    ) -> Prompt:
        """The prompt for a place, of at most `room` tokens, most of them read already. `seconds` is the
        request's time; None means no limit. The reading's missing part is read here, so it may raise
        `GivenUp`."""
        self.rests_at(left, right, told)
        self._take_better(left, right)
        shown = self._shown
        is_lost = shown is not None and self.reader.n_held < len(shown.tokens) // 2
        if (
            shown is None
            or is_lost
            or typed_since(shown, left, right) is None
            or is_indented_since(shown.left, left)
        ):
            self._follow(left + right)
            self._shown = shown = self._chosen(left, right, room, seconds)
        typed = typed_since(shown, left, right)
        assert typed is not None
        middle = self.model.encode(typed)
        n_kept = len(middle) - n_pending(self.model, middle)
        return Prompt([*shown.tokens, *middle[:n_kept]], middle[n_kept:])

    def rests_at(self, left: str, right: str, told: CrossFileTokens | None = None) -> None:
        """Notes the user's place. None for `told` keeps the context of other files."""
        if told is not None:
            self._told = told
        # An empty file has nothing to read, so the last file is kept.
        if left or right or self._place is None:
            self._place = left, right
        self._n_pieces = 0

    def read_ahead(self, is_place_alone: bool = False) -> bool:
        """Reads a piece for the last place and, unless `is_place_alone`, for others around it; says whether
        there is more.

        Raises `GivenUp` if a request comes.
        """
        if self._place is None:
            return False
        left, right = self._place
        self._follow(left + right)
        reading = self._reading_at(left) or self._begun_at(left)
        is_read = self._read_up_to(reading, current_line(left)) or self._read_better(reading, left, right)
        if is_read or is_place_alone:
            return is_read
        return self._read_up_to(reading, self._end_ahead(len(left))) or self._read_anew(reading)

    # --- what is shown -----------------------------------------------------------------------------------

    def _chosen(self, left: str, right: str, room: int, seconds: float | None) -> ShownPrompt:
        """The largest prompt for which there is time."""
        n_most = self._n_affordable(seconds, room)
        reading = self._reading_at(left)
        if reading is None and seconds is None:
            reading = self._begun_at(left)
        if reading is not None:
            n_unread = self._n_unread(reading, left)
            if n_unread + FEWEST_SHOWN // 2 <= n_most or seconds is None:
                while self._read_up_to(reading, current_line(left)):
                    pass
                shown, cache = self._branched_prompt(reading, left, right, n_most - n_unread)
                self.reader.go_on(cache, shown.tokens[: cache.n_held])
                return shown
        # Snippets of other files would have to be read first, and near text is worth more.
        head = self._head if seconds is None else [*self.model.begin, self.model.prefix]
        return self._alone(head, left, right, n_most)

    def _alone(self, head: list[int], left: str, right: str, n_most: int) -> ShownPrompt:
        """The prompt of a place without a reading."""
        suffix = self._right_side(right, n_most // 3)
        n_left = max(FEWEST_SHOWN // 2, min(n_most - len(suffix), N_LEFT))
        start = current_line(left[: max(0, len(left) - n_left * CHARACTERS_PER_TOKEN)])
        tokens = self.model.encode(left[start:])
        prefix, anchor = self._without_healed(tokens, left)
        prefix = prefix[-n_left:]
        whole = [*head, *prefix, self.model.suffix, *suffix, *self._middle]
        return ShownPrompt(anchor, right, whole, len(prefix), len(suffix))

    def _branched_prompt(
        self, reading: Reading, left: str, right: str, n_most: int
    ) -> tuple[ShownPrompt, KeptCache]:
        """The prompt of a place in a reading, and a cache that begins with the reading's tokens."""
        n_tokens = reading.n_in_front(current_line(left))
        rest = left[reading.end_of(n_tokens) :]
        line, anchor = self._without_healed(self.model.encode(rest), left)
        suffix = self._right_side(right, n_most - len(line))
        prefix = [*reading.tokens[:n_tokens], *line]
        tokens = [*reading.head, *prefix, self.model.suffix, *suffix, *self._middle]
        n_begun = len(reading.head) + min(n_tokens, reading.n_read)
        return ShownPrompt(anchor, right, tokens, len(prefix), len(suffix)), reading.cache.branch(n_begun)

    def _without_healed(self, tokens: list[int], left: str) -> tuple[list[int], str]:
        """The left side without the tokens that are written again, as tokens and as text."""
        n_tokens = n_healed(self.model, tokens)
        n_bytes = sum(len(self.model.token_bytes[token]) for token in tokens[len(tokens) - n_tokens :])
        data = left.encode()
        return tokens[: len(tokens) - n_tokens], data[: len(data) - n_bytes].decode(errors="ignore")

    def _right_side(self, right: str, n_most: int) -> list[int]:
        """The beginning of the right side, in whole lines if possible."""
        n_tokens = next((n for n in N_RIGHT if n <= max(n_most, 0)), 0)
        if not n_tokens:
            return []
        shown = right[: n_tokens * CHARACTERS_PER_TOKEN]
        tokens = self.model.encode(shown)
        if len(tokens) <= n_tokens and len(shown) == len(right):
            return tokens
        kept = b"".join(self.model.token_bytes[token] for token in tokens[:n_tokens])
        n_bytes = kept.rfind(b"\n") + 1
        # Half of a line would mislead the model, but a part of a long line is better than nothing.
        return self.model.encode(kept[:n_bytes].decode(errors="ignore")) if n_bytes else tokens[:n_tokens]

    def _n_unread(self, reading: Reading, left: str) -> int:
        """The number of unread tokens in front of a place's line."""
        start = current_line(left)
        n_behind = len(self.model.encode(self._file[reading.stop : start])) if start > reading.stop else 0
        return max(0, reading.n_in_front(start) - reading.n_read) + n_behind

    def _n_affordable(self, seconds: float | None, room: int) -> int:
        most = room - max([len(self._head), *(len(one.head) for one in self._readings)]) - 2
        if seconds is None:
            return most
        n_read = self.speed.n_read_in(seconds * SHARE_OF_READING)
        n_read = int(seconds * SHARE_OF_READING * UNKNOWN_SPEED) if n_read is None else n_read
        return max(FEWEST_SHOWN, min(most, n_read))

    @property
    def _head(self) -> list[int]:
        return [*self.model.begin, *self._told.front, self.model.prefix, *self._told.above]

    @property
    def _middle(self) -> list[int]:
        return [] if self.model.middle is None else [self.model.middle]

    # --- what is read ------------------------------------------------------------------------------------

    def _follow(self, file: str) -> None:
        """Follows the changes of the file since the last call, as one edit."""
        if file == self._file:
            return
        before, self._file = self._file, file
        start = n_shared(before, file)
        n_behind = n_shared_behind(before, file, min(len(before), len(file)) - start)
        edit = Splice(start, len(before) - n_behind, len(file) - len(before))
        self._readings = [reading for reading in self._readings if reading.follow(file, edit)]

    def _reading_at(self, left: str) -> Reading | None:
        """The reading for a place, if there is one; it counts as used."""
        start, fitting = current_line(left), []
        for reading in self._readings:
            n_left = reading.n_in_front(start)
            is_near = reading.start <= start <= reading.stop + N_AHEAD * 2
            if is_near and n_left < MOST_LEFT and (reading.start == 0 or n_left >= FEWEST_LEFT):
                fitting.append(reading)
        if not fitting:
            return None
        head = self._head
        best = max(fitting, key=lambda one: (min(one.n_in_front(start), one.n_read), one.head == head))
        self._readings.remove(best)
        self._readings.append(best)
        return best

    def _begun_at(self, left: str) -> Reading:
        """A new reading for a place, from the file's beginning if that is near."""
        n_most = N_LEFT * 3
        start = 0 if len(left) <= n_most * 3 // 2 else current_line(left[: len(left) - n_most])
        return self._begun_reading(start)

    def _begun_reading(self, start: int) -> Reading:
        reading = Reading(self.model, self._cache(), self._head, start)
        self._readings = [*self._readings[-(MOST_READINGS - 1) :], reading]
        return reading

    def _cache(self) -> KeptCache:
        cache = self.model.runtime.cache()
        assert isinstance(cache, KeptCache)
        return cache

    def _end_ahead(self, place: int) -> int:
        """The end of a line behind a place, up to which a reading goes."""
        stop = place + N_AHEAD * 3
        return len(self._file) if stop >= len(self._file) else self._file.rfind("\n", place, stop) + 1

    def _read_up_to(self, reading: Reading, place: int) -> bool:
        """Reads a piece of a reading in front of a place; says whether there was any."""
        if place > reading.stop:
            reading.extend(self._file[reading.stop : place])
        wanted = [*reading.head, *reading.tokens[: reading.n_in_front(place)]]
        return self._read_piece(reading.cache, wanted)

    def _read_anew(self, reading: Reading) -> bool:
        """Reads a piece of a reading's successor, which begins with the present context of other files."""
        head = self._head
        if reading.head == head:
            # The old reading is no longer needed.
            self._readings = [one for one in self._readings if one.head == head or one.start != reading.start]
            return False
        same = (one for one in self._readings if one.head == head and one.start == reading.start)
        return self._read_up_to(next(same, None) or self._begun_reading(reading.start), reading.stop)

    def _read_better(self, reading: Reading, left: str, right: str) -> bool:
        """Reads a piece of a prompt that shows more of a place than its last one."""
        shown, better = self._shown, self._better
        if shown is not None and self._is_best(shown, reading, left, right):
            return False
        if better is None or (better.place != (left, right) and not goes_on(better.shown, left, right)):
            shown, cache = self._branched_prompt(reading, left, right, MOST_LEFT)
            better = self._better = Better(shown, cache, (left, right))
        return self._read_piece(better.cache, better.shown.tokens)

    def _is_best(self, shown: ShownPrompt, reading: Reading, left: str, right: str) -> bool:
        n_left, n_right = reading.n_in_front(current_line(left)), len(self._right_side(right, N_RIGHT[0]))
        return goes_on(shown, left, right) and shown.n_left >= n_left and shown.n_right >= n_right

    def _read_piece(self, cache: KeptCache, wanted: list[int]) -> bool:
        n_held = cache.n_held
        if n_held >= len(wanted):
            return False
        # The reading starts over if its memory was needed for another text.
        cache.crop(n_held)
        n_tokens = FIRST_PIECE if self._n_pieces < N_FIRST else PIECE
        try:
            cache.read(wanted[n_held : n_held + n_tokens], 0)
        except GivenUp:
            self._n_pieces = 0
            raise
        self._n_pieces += 1
        return True

    def _take_better(self, left: str, right: str) -> None:
        """Switches to the better prompt once it has been read completely."""
        better = self._better
        if better is None or better.cache.n_held < len(better.shown.tokens):
            return
        if typed_since(better.shown, left, right) is not None:
            self._shown, self._better = better.shown, None
            self.reader.go_on(better.cache, better.shown.tokens)


def typed_since(shown: ShownPrompt, left: str, right: str) -> str | None:
    """The text typed since a prompt was shown; None if anything else changed. Closers that an editor inserts
    and removes behind the cursor do not count."""
    typed = left[len(shown.left) :]
    if not left.startswith(shown.left) or len(typed) > N_TYPED:
        return None
    longer, shorter = (right, shown.right) if len(right) > len(shown.right) else (shown.right, right)
    closers = longer[: len(longer) - len(shorter)]
    is_same = longer.endswith(shorter) and len(closers) <= MOST_CLOSERS and not closers.strip(CLOSERS)
    return typed if is_same else None


def goes_on(shown: ShownPrompt, left: str, right: str) -> bool:
    """Whether a shown prompt is still good for a place, that is, no new line has begun since."""
    typed = typed_since(shown, left, right)
    return typed is not None and right == shown.right and "\n" not in typed
