"""A choice: what becomes of a text where its next token is asked for.

print(total|        a token: the text goes on
print(total)|       an end: the model has ended the text
print(total|, b)    a leaving: the text fits, and what the model wants next is behind its scope
print(totl|         a wrong name: what the model wants next would leave a name undefined
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
    """A choice that is to be made: behind a text, from what the model expects there."""

    hypothesis: Hypothesis
    row: Row  # (vocabulary,)
    # Whether the text fits as it is.
    is_member: bool
    # The tokens that may come, (vocabulary,), where that was worked out already.
    allowed: npt.NDArray[np.bool_] | None = None
    # Whether the model's wish may be followed back to a wrong name, instead of taking the next best.
    may_go_back: bool = False
    # Whether constraints give way where they are against all that is known to fit.
    may_relax: bool = True
    # The tokens that have been refused so far, if they are wanted.
    refusals: list[Refusal] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Token:
    """The token that comes next. The hypothesis' recognizer has read it; `row` is what it was chosen from."""

    token: int
    row: Row
    # The tokens that the model would have preferred, if they are wanted.
    refusals: tuple[Refusal, ...] = ()


@dataclass(frozen=True, slots=True)
class End:
    """The model ends the text, by one of the tokens that do."""

    token: int


@dataclass(frozen=True, slots=True)
class Leaving:
    """The text ends within a token or in front of it, because that token goes on to leave the scope.

    `kept` is what of it still belongs to the text, `__` of `__)` behind `f(__name`, and `left` what does not.
    """

    kept: bytes
    left: bytes


@dataclass(frozen=True, slots=True)
class WrongName:
    """A name that has been written already, and that what the model wants next would leave undefined.

    `place` is where it begins, in bytes from the beginning of the hole.
    """

    name: str
    place: int


# A choice may be None, too: nothing can come.
Choice = Token | End | Leaving | WrongName
