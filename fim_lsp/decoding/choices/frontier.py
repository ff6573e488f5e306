"""The frontier: the state of the text in progress, for a remote runtime that asks for the allowed tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fim_lsp.decoding.choices.chooser import MOST_TRIED, Chooser
from fim_lsp.decoding.texts.hypothesis import Hypothesis


@dataclass(slots=True)
class Frontier:
    """The text in progress and its chooser. A hole has one frontier, and the loop moves it."""

    _chooser: Chooser | None = None
    _hypothesis: Hypothesis | None = None

    def move(self, chooser: Chooser, hypothesis: Hypothesis) -> None:
        self._chooser, self._hypothesis = chooser, hypothesis

    def wanted_tokens(self, most: int) -> list[int]:
        """All tokens of which one must come next; empty if there are more than `most`."""
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
    """Whether the chooser would take a token, which the engine allows, if the model wanted only that one."""
    text, pending = chooser.model.token_bytes[token], hypothesis.pending
    if token in chooser.model.ends:
        return chooser.may_end(hypothesis)
    if chooser.lessons.forbids(hypothesis.text, token):
        return False
    return len(text) <= len(pending) or chooser.reads(hypothesis.fork(), text[len(pending) :])
