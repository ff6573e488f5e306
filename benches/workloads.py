"""Workloads of the benches: real code of the standard library, in sizes from 1 kB to 1 MB."""

from dataclasses import dataclass
from random import Random

from fim_lsp.replay.cuts import symbols
from tests.laws.sources import library_text

SIZES = (1_000, 10_000, 100_000, 1_000_000)


@dataclass(frozen=True, slots=True)
class Workload:
    """A text of about the given size, and a hole of some hundred characters near its middle."""

    size: int
    left: str
    middle: str
    right: str

    @property
    def text(self) -> str:
        """The whole file."""
        return self.left + self.middle + self.right


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A typed line: the text before the first key, the typed text, and the text behind it."""

    left: str
    right: str
    typed: str


def workload(size: int, seed: int, typed: int = 400) -> Workload:
    """A text that has another order for each seed, with a hole between two of its symbols."""
    text = library_text(size, seed=seed)
    random = Random(f"{size} {seed}")
    near_middle = random.uniform(0.4, 0.6) * len(text)
    starts = [symbol.start for symbol in symbols(text)]
    start = min(starts, key=lambda position: abs(position - near_middle))
    stop = start + typed
    return Workload(size, text[:start], text[start:stop], text[stop:])


def lines(n: int, seed: int) -> str:
    """Return about `n` lines of library code."""
    text = library_text(n * 60, seed=seed).splitlines(keepends=True)
    # A statement may be cut here: the bench of edits wants a size, and its questions are far above the end.
    return "".join(text[:n])
