"""The memory of one family of languages without a model, as words."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field

from fim_lsp.memory.alone import Closing, LackingWords, Remembered, Staying, remembered_texts, stays_anywhere
from fim_lsp.memory.expectation import Expectation, Uses
from fim_lsp.memory.project import CONTEXT_CHARACTERS, ProjectMemory
from fim_lsp.memory.recall import RecallSource
from fim_lsp.memory.weights import Weights
from fim_lsp.memory.words import MOST_WORDS, Words, begun_at_end
from quotient import Recognizer

# The most indexes whose word counts are cached.
MOST_COUNTED = 8


@dataclass(slots=True)
class FamilyMemory:
    """The memory of one family of languages, as words."""

    words: Words = field(default_factory=Words)
    project: ProjectMemory = field(init=False)
    _uses: OrderedDict[int, Uses] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.project = ProjectMemory(self.words.encode, MOST_WORDS, Weights())

    def expectation(self, uri: str, left: str, right: str) -> Expectation:
        return Expectation(self.words, self.project.recall(uri, left, right, 0).sources, self.uses)

    def uses(self, source: RecallSource) -> Uses:
        """The uses of words in a source, cached for the last few."""
        index, hidden = source.index, tuple(source.hidden)
        known = self._uses.pop(id(index), None)
        if known is None or known.index is not index or known.hidden != hidden:
            known = Uses.of(index, hidden)
        self._uses[id(index)] = known
        while len(self._uses) > MOST_COUNTED:
            self._uses.popitem(last=False)
        return known

    def remembered_texts(
        self,
        uri: str,
        left: str,
        right: str,
        recognizer: Recognizer,
        closing: Closing,
        is_cancelled: Callable[[], bool] = lambda: False,
        stays: Staying = stays_anywhere,
        lacking: LackingWords = (),
    ) -> list[Remembered]:
        """The texts that may be offered at a place of a document, the most worth first. One of the names that
        are `lacking` comes first, with what follows it."""
        before, begun = begun_at_end(left)
        context = self.words.up_to(before[-CONTEXT_CHARACTERS:])
        expectation = self.expectation(uri, left, right)
        blank = " " if begun.startswith(" ") else ""
        words = [(blank + name, *rest) for name, *rest in lacking]
        return remembered_texts(expectation, context, begun, recognizer, closing, is_cancelled, stays, words)
