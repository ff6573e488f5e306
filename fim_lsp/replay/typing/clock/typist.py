"""The typist in real time: the rules of `replay/typing/typist.py`, for the offer that the user has seen.

1. At the jump, and behind each key, the editor asks with the text as it stands; an older request is
   cancelled.
2. The next key falls when the person's interval is over. An offer that has been on the screen for long enough
   has been seen: the first time it counts as one *shown* offer.
3. If the whole offer is the text that comes next and saves at least two keys, the key accepts it. Otherwise,
   if its first words come next and save at least three keys, the key accepts the first of them, and the
   following keys accept the others, as long as they are still there. Otherwise the key types the next
   character.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from fim_lsp.replay.typing.clock.screen import OnScreen, after_answer, after_key, seen_text
from fim_lsp.replay.typing.typist import (
    LEAST_SAVED_BY_WHOLE,
    LEAST_SAVED_BY_WORDS,
    Typed,
    TypedOffer,
    n_agreeing,
    words_agreeing,
)


@dataclass(frozen=True, slots=True)
class Arrival:
    """The answer to the latest request: when it came, and the text that it offers; empty if none."""

    at: float
    text: str


class TypingEditor(Protocol):
    """An editor for the typist. All times are in seconds of one clock."""

    def now(self) -> float: ...

    def ask(self) -> None:
        """Sends a request for the place of the cursor; the one before is cancelled if it is under way."""

    async def until(self, at: float) -> Arrival | None:
        """Waits until a time; the answer to the latest request, if it has come by then."""

    def write(self, text: str, *, is_accepted: bool) -> None:
        """Inserts a text at the cursor; `is_accepted` says that it is a whole offer."""

    def processor_seconds(self) -> float | None:
        """The seconds that the server and its children have computed so far; None where that is not known."""


# The fate of a request by the time of the next key: an offer came, nothing was offered, or no answer came.
Fate = Literal["offered", "nothing", "late"]


@dataclass(frozen=True, slots=True)
class TimedRequest:
    """A request, and its fate."""

    place: int
    fate: Fate
    # Seconds to the answer or, if that is late, to the key that made it useless.
    seconds: float
    # Whether the last key left an offer on the screen, so that the user waits for nothing new.
    was_offered: bool
    # Whether something had been seen when the next key fell.
    in_time: bool
    # Whether an offer was on the screen at that time, but not for long enough.
    is_unseen: bool
    # The processor's seconds, until the answer or the key.
    processor: float | None = None


@dataclass(slots=True)
class TypedOnClock:
    """The keys, requests and seconds that typing a region took."""

    typed: Typed
    asked: list[TimedRequest] = field(default_factory=list)
    # The seconds from the jump to the last key.
    seconds: float = 0.0
    processor: float | None = None
    # The delay of the latest key, in seconds: a long one says that the machine was not quiet.
    delay: float = 0.0


async def typed_on_clock(region: str, intervals: Sequence[float], editor: TypingEditor) -> TypedOnClock:
    """Types a region; `intervals` has for each character the seconds that pass before it."""
    done = TypedOnClock(Typed(len(region)))
    place = 0
    screen: OnScreen | None = None
    # The offer on the screen, once it has been seen, and those of its words that will be accepted.
    shown: TypedOffer | None = None
    words: tuple[str, ...] = ()
    begun, spent = editor.now(), editor.processor_seconds()
    asked_at, spent_before, was_offered = begun, spent, False
    editor.ask()
    while True:
        due = asked_at + intervals[place]
        arrival = await editor.until(due)
        now, spent_now = editor.now(), editor.processor_seconds()
        done.delay = max(done.delay, now - due)
        if arrival is not None:
            answered = after_answer(screen, arrival.text, arrival.at)
            if answered is not screen:
                if shown is None and (text := seen_text(screen, arrival.at)):
                    done.typed.shown.append(TypedOffer(place, text))
                screen, shown, words = answered, None, ()
        offer = seen_text(screen, now)
        done.asked.append(
            TimedRequest(
                place,
                "late" if arrival is None else "offered" if arrival.text else "nothing",
                (now if arrival is None else arrival.at) - asked_at,
                was_offered,
                in_time=bool(offer),
                is_unseen=screen is not None and not offer,
                processor=difference(spent_before, spent_now),
            )
        )
        if offer and shown is None:
            shown = TypedOffer(place, offer)
            done.typed.shown.append(shown)
        pressed = key(offer, region[place:], words)
        text, words = pressed.text, pressed.words
        editor.write(text, is_accepted=pressed.is_whole)
        done.typed.n_keys += 1
        if shown is not None and pressed.is_accept:
            shown.n_accepted += len(text)
            shown.is_whole |= pressed.is_whole
        place += len(text)
        screen = None if pressed.is_whole else after_key(screen, text)
        if screen is None:
            shown, words = None, ()
        asked_at, spent_before, was_offered = now, spent_now, screen is not None
        if place >= len(region):
            break
        editor.ask()
    done.seconds, done.processor = now - begun, difference(spent, spent_now)
    return done


@dataclass(frozen=True, slots=True)
class Key:
    """A key: the text that it inserts, and the words of the offer that the following keys accept."""

    text: str
    is_accept: bool = False
    # Whether the whole offer is accepted.
    is_whole: bool = False
    words: tuple[str, ...] = ()


def key(offer: str, wanted: str, words: Sequence[str]) -> Key:
    """The next key, by the seen offer and the text that comes next. `words` are those still to accept."""
    if not offer:
        return Key(wanted[0])
    n_whole = n_agreeing(offer, wanted)
    if not words and n_whole is not None and n_whole - 1 >= LEAST_SAVED_BY_WHOLE:
        # The blanks at line ends are those of the file.
        return Key(wanted[:n_whole], is_accept=True, is_whole=True)
    if not words:
        found = words_agreeing(offer, wanted)
        words = found if sum(map(len, found)) - len(found) >= LEAST_SAVED_BY_WORDS else ()
    return Key(words[0], is_accept=True, words=tuple(words[1:])) if words else Key(wanted[0])


def difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before
