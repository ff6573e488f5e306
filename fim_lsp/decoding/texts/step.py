"""The trace of a completion: each of its tokens, to explain it to the user."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """A token that the model preferred to the written one, and the constraint that refused it."""

    token: int
    why: str


@dataclass(frozen=True, slots=True)
class DecodedToken:
    """A token of a completion."""

    token: int
    text: bytes
    # The token's rank in the model's order, from 0; None if the model was not asked.
    rank: int | None
    logprob: float | None
    # The tokens that the model would have preferred, and the constraints against them.
    refusals: tuple[Refusal, ...]
    # Whether the text fits up to here.
    is_member: bool
    # The token that the model would have preferred to this remembered one.
    overruled: int | None = None
