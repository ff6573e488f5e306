"""The frontier: the state of the text in progress, for a runtime that computes elsewhere and asks which
tokens may come there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fim_lsp.decoding.choices.chooser import MOST_TRIED, Chooser
from fim_lsp.decoding.texts.hypothesis import Hypothesis


@dataclass(slots=True)
class Frontier:
    """The text that goes on next, and who chooses how. A hole has one, and the loop moves it."""

    _chooser: Chooser | None = None
    _hypothesis: Hypothesis | None = None

    def move(self, chooser: Chooser, hypothesis: Hypothesis) -> None:
        self._chooser, self._hypothesis = chooser, hypothesis

    def wanted_tokens(self, most: int) -> list[int]:
        """The tokens of which one has to come next, for code that knows none of them; none if they are more
        than so many.
        """
        chooser, hypothesis = self._chooser, self._hypothesis
        if chooser is None or hypothesis is None:
            return []
        if hypothesis.pending:
            candidates = chooser.spellings(hypothesis.pending)
        else:
            candidates = np.flatnonzero(chooser.allowed_tokens(hypothesis)).tolist()
        if len(candidates) > most:
            return []
        if len(candidates) > MOST_TRIED:
            return candidates
        return [token for token in candidates if would_come(chooser, hypothesis, token)]


def would_come(chooser: Chooser, hypothesis: Hypothesis, token: int) -> bool:
    """Whether a token that the engine lets through would be chosen if the model wanted nothing else."""
    text, pending = chooser.model.token_bytes[token], hypothesis.pending
    if token in chooser.model.ends:
        return chooser.may_end(hypothesis)
    if chooser.lessons.forbids(hypothesis.text, token):
        return False
    return len(text) <= len(pending) or chooser.reads(hypothesis.fork(), text[len(pending) :])
