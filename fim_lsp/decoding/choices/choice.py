"""A choice: what happens to a text at its next token.

print(total|        a token: the text goes on
print(total)|       an end: the model has ended the text
print(total|, b)    a leaving: the text fits, and the model's next token would leave the scope
print(totl|         a wrong name: the model's next token would complete an undefined name
class A { module|   a wrong beginning: the model's next token, `.exports`, does not fit
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.texts.step import Refusal
from fim_lsp.runtimes.runtime import Row


@dataclass(frozen=True, slots=True)
class Turn:
    """The input of a choice: a text, and the model's row behind it."""

    hypothesis: Hypothesis
    row: Row  # (vocabulary,)
    # Whether the text fits as it is.
    is_member: bool
    # The tokens that may come, (vocabulary,), if they are known already.
    allowed: npt.NDArray[np.bool_] | None = None
    # Whether the model's wish may be followed back to a wrong name, instead of taking the next best.
    may_go_back: bool = False
    # Whether constraints give way if they refuse everything that is known to fit.
    may_relax: bool = True
    # Whether a text may end inside a token; whole lines end behind one.
    may_split: bool = True
    # The tokens that were refused so far, if a trace is wanted.
    refusals: list[Refusal] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Token:
    """The chosen token. The hypothesis' recognizer has read it; `row` is the row it was chosen from."""

    token: int
    row: Row
    # The tokens that the model would have preferred, if a trace is wanted.
    refusals: tuple[Refusal, ...] = ()
    # If it is only a beginning of the pending text: the likeliest token that spells all of it.
    whole: int | None = None


@dataclass(frozen=True, slots=True)
class End:
    """The model ends the text with one of its end tokens."""

    token: int


@dataclass(frozen=True, slots=True)
class Leaving:
    """The text ends inside a token or in front of it, because the token leaves the scope.

    `kept` is the token's part that belongs to the text, `__` of `__)` behind `f(__name`; `left` is the rest.
    """

    kept: bytes
    left: bytes


@dataclass(frozen=True, slots=True)
class WrongName:
    """A written name that is undefined if the model's next token follows.

    `place` is its start, in bytes from the beginning of the hole.
    """

    name: str
    place: int


@dataclass(frozen=True, slots=True)
class WrongBeginning:
    """A line's blanks, or its first word, behind which the model's next token does not fit, nor any other
    likely one.

    `place` is the start of the blanks or the word, in bytes from the beginning of the hole.
    """

    place: int


# None instead of a choice means that no token can follow.
Choice = Token | End | Leaving | WrongName | WrongBeginning
