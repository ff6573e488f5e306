"""The offer on the screen, and whether the user has seen it: functions of timestamps, and of nothing else.

An offer stays while the typed text is its beginning, and keeps the time at which it appeared. An answer with
another text takes its place from then on; an answer without one takes it away, as editors do. An offer that
has been there for less than `SEEN_SECONDS` has not been seen: it can neither be accepted nor blamed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

# A person needs at least so many seconds to notice a change and to react.
SEEN_SECONDS = 0.150


@dataclass(frozen=True, slots=True)
class OnScreen:
    """An offer behind the cursor, and the time at which it appeared, in seconds of any clock."""

    text: str
    since: float


def seen_text(offer: OnScreen | None, at: float) -> str:
    """The text that the user has seen at a time: the offer, or nothing."""
    return offer.text if offer is not None and at - offer.since >= SEEN_SECONDS else ""


def after_answer(offer: OnScreen | None, text: str, at: float) -> OnScreen | None:
    """The offer on the screen after an answer for the present text has come."""
    if not text:
        return None
    return offer if offer is not None and offer.text == text else OnScreen(text, at)


def after_key(offer: OnScreen | None, typed: str) -> OnScreen | None:
    """The offer that stays on the screen after a text was typed, or accepted, at the cursor."""
    if offer is None or not offer.text.startswith(typed) or offer.text == typed:
        return None
    return replace(offer, text=offer.text[len(typed) :])
