"""Beams with one cache each, for caches that are cheap to copy; they are read one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from fim_lsp.runtimes.runtime import Row, Rows


class Forkable(Protocol):
    def read(self, tokens: Sequence[int], n_last: int) -> Rows: ...

    def fork(self) -> Forkable: ...


@dataclass(slots=True)
class Forks:
    caches: Sequence[Forkable]

    def read(self, parents: Sequence[int], tokens: Sequence[int]) -> list[Row]:
        self.caches = [self.caches[parent].fork() for parent in parents]
        return [cache.read([token], 1)[0] for cache, token in zip(self.caches, tokens, strict=True)]
