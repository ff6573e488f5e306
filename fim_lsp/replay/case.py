"""A case: a text that parses, the hole in it, and the tests that the filled text has to pass, if any."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Case:
    """A hole in a text: `text[start:stop]` was cut out. The cases of a file share one `text`, so that
    many fit into memory."""

    id: str
    text: str
    start: int
    stop: int
    # A program to be run behind the filled text; empty where nothing can be run.
    tests: str = ""
    # The language of the text, by the name of the grammar.
    language: str = "python"

    @property
    def left(self) -> str:
        return self.text[: self.start]

    @property
    def middle(self) -> str:
        return self.text[self.start : self.stop]

    @property
    def right(self) -> str:
        return self.text[self.stop :]

    def with_middle(self, middle: str) -> str:
        return self.left + middle + self.right


@dataclass(frozen=True, slots=True)
class Excluded:
    """A file that is left out of a run; `reason` is one of a few, so that reports can count them."""

    name: str
    reason: str
    detail: str = ""
