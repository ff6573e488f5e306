"""The trace of a completion: each of its tokens, for people who want to know why."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """A token that the model preferred to the one it got, and who was against it."""

    token: int
    why: str


@dataclass(frozen=True, slots=True)
class DecodedToken:
    """A token of a completion."""

    token: int
    text: bytes
    # The token's place in the model's order, from 0; None where the model was not asked.
    rank: int | None
    logprob: float | None
    # The tokens that the model would have preferred, and the constraints against them.
    refusals: tuple[Refusal, ...]
    # Whether the text fits with it.
    is_member: bool
    # The token that the model itself would have preferred to this one, which is remembered.
    overruled: int | None = None
