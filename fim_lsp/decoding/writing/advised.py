"""A type checker's advice on a text: the text is cut back to the error and written another way.

    value.appned(1)        `value` is a list: behind the dot only its members are allowed
          ^
    area("3", 4)           the wrong token is forbidden there, and the next best one is taken
         ^

If all texts are wrong, the one with the fewest errors stays, with the place of its first error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from fim_lsp.decoding.choices.lessons import Lessons
from fim_lsp.decoding.choices.members import Members
from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.texts.written import Written

if TYPE_CHECKING:
    from fim_lsp.checkers.advice import Diagnostic

# The most times that a text is written, the first time included.
MOST_WRITTEN = 4
# Such a fault of a call is not in its text, but in its end.
LACKING = re.compile(r"missing|required", re.IGNORECASE)


class Adviser(Protocol):
    """An adviser that knows types."""

    @property
    def who(self) -> str: ...

    def diagnostics(self, text: str) -> Sequence[Diagnostic] | None:
        """The faults of a text in the hole; None if no answer came in time."""

    def members(self, text: str) -> frozenset[str] | None:
        """The names that may follow a text that ends with a dot; None if no answer came in time."""

    def members_at_cursor(self) -> tuple[str, frozenset[str]] | None:
        """The part of a name left of the cursor behind a dot, and the names allowed there."""


def write_advised(
    write: Callable[[], Written | None],
    adviser: Adviser,
    lessons: Lessons,
    model: Model,
    pending: bytes,
    is_short_of_time: Callable[[], bool],
) -> Written | None:
    """The first text without errors, or else the one with the fewest."""
    best: tuple[int, Written] | None = None
    for _ in range(MOST_WRITTEN):
        written = write()
        if written is None or (best is not None and not written.text.strip()):
            break
        wrong = adviser.diagnostics(written.text.decode(errors="ignore"))
        if not wrong:
            return written
        if best is None or len(wrong) < best[0]:
            best = len(wrong), replace(written, wrong_from=place_of(wrong[0], written))
        if wrong[0].stop <= n_own_characters(written):
            lessons.note(f"{adviser.who}: {wrong[0].words}")
        if is_short_of_time() or not is_learnt(written, wrong[0], adviser, lessons, model, pending):
            break
    return None if best is None else best[1]


def n_own_characters(written: Written) -> int:
    """The length of the model's own part of a text, to which the engine may have added an end."""
    completion = written.completion(0.0)
    return len(completion.text) - len(completion.made_up)


def is_learnt(
    written: Written, wrong: Diagnostic, adviser: Adviser, lessons: Lessons, model: Model, pending: bytes
) -> bool:
    """Forbids the cause of an error; says whether that forbids anything new."""
    text = written.text.decode(errors="ignore")
    if wrong.attribute is not None and (members := adviser.members(text[: wrong.attribute])):
        found = re.match(r"\w*", text[wrong.attribute :])
        rule = Members.of(text[: wrong.attribute], "", members)
        if found is not None and found[0] not in members and rule not in lessons.members and rule is not None:
            lessons.members.append(rule)
            return True
    n_bytes = len(text[: place_of(wrong, written)].encode())
    if wrong.is_chosen:
        n_bytes = least_sure(written, n_bytes, len(text[: wrong.stop].encode()))
    return forbid(written, n_bytes, lessons, model, pending)


def least_sure(written: Written, start: int, stop: int) -> int:
    """The place in a part of a text at which the model was least sure, including the token behind it.

    `class Reader(` becomes `class ReaderOfLines(` if the model was least sure of the bracket.
    """
    begins = [place.n_bytes for place in written.hypothesis.places]
    sure = {mark.n_bytes: mark.logprob for mark in written.hypothesis.marks if mark.logprob is not None}
    ends = [*begins[1:], len(written.hypothesis.text)]
    tokens = zip(begins, ends, strict=True)
    own = [(sure[end], begin) for begin, end in tokens if end > start and begin <= stop and end in sure]
    return min(own, default=(0.0, start))[1]


def place_of(wrong: Diagnostic, written: Written) -> int:
    """The start of a fault in a text, in characters."""
    if wrong.attribute is not None:
        return wrong.attribute
    text = written.text.decode(errors="ignore")
    is_lacking = LACKING.search(wrong.words) and text[wrong.stop - 1 : wrong.stop] == ")"
    return wrong.stop - 1 if is_lacking else wrong.start


def forbid(written: Written, n_bytes: int, lessons: Lessons, model: Model, pending: bytes) -> bool:
    """Forbids the token at a place of a text; says whether it was allowed before."""
    places = [place.n_bytes for place in written.hypothesis.places]
    begins = [place for place in places if place <= n_bytes]
    if not begins:
        return False
    begin = begins[-1]
    end = next((place for place in places if place > begin), len(written.hypothesis.text))
    before, piece = written.hypothesis.text[:begin], written.hypothesis.text[begin:end]
    tokens = {
        token
        for token, text in enumerate(model.token_bytes)
        if text == piece
        or (not before and piece and text.endswith(piece) and pending.endswith(text[: -len(piece)]))
    }
    return lessons.forbid(before, tokens)
