"""The offer on the screen, and whether the user has seen it: functions of timestamps, and of nothing else.

An offer stays while what is typed is what it begins with, and keeps the time at which it appeared. An
answer with another text takes its place from then on; an answer without one takes it away, as editors do.
What has been there for less than `SEEN_SECONDS` has not been seen: it can neither be accepted nor blamed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

# No person notices a change, and reacts to it, in less.
SEEN_SECONDS = 0.150


@dataclass(frozen=True, slots=True)
class OnScreen:
    """An offer behind the cursor, and since when it is there, in seconds of any clock."""

    text: str
    since: float


def seen_text(offer: OnScreen | None, at: float) -> str:
    """The text that the user has seen at a time: the offer, or nothing."""
    return offer.text if offer is not None and at - offer.since >= SEEN_SECONDS else ""


def after_answer(offer: OnScreen | None, text: str, at: float) -> OnScreen | None:
    """The offer on the screen once an answer for the text as it is has come."""
    if not text:
        return None
    return offer if offer is not None and offer.text == text else OnScreen(text, at)


def after_key(offer: OnScreen | None, typed: str) -> OnScreen | None:
    """The offer that is left on the screen when a text is typed, or accepted, at the cursor."""
    if offer is None or not offer.text.startswith(typed) or offer.text == typed:
        return None
    return replace(offer, text=offer.text[len(typed) :])
