"""The part of a prompt that is read again, and the information that a new cache gets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from fim_lsp.decoding.prompts.reader import LONG, Cancelled, PromptReader
from fim_lsp.runtimes.runtime import Beams, PromptHole, Rows
from fim_lsp.runtimes.speed import Speed

PROMPT = list(range(1000, 1300))
# The prompt after a window has moved.
MOVED = [*PROMPT[:100], *PROMPT[180:]]


class Plain:
    """A cache that records its tokens, and fails when it reads a 0."""

    def __init__(self) -> None:
        self.held: list[int] = []

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        if 0 in tokens:
            raise RuntimeError("the network is gone")
        self.held.extend(tokens)
        return [np.zeros(1, np.float32)] * n_last

    def crop(self, n_tokens: int) -> None:
        assert 0 < n_tokens < len(self.held)
        del self.held[n_tokens:]

    def beams(self) -> Beams:
        raise NotImplementedError


class Sliding(Plain):
    speed = Speed()

    @property
    def n_held(self) -> int:
        return len(self.held)

    def branch(self, n_tokens: int) -> Sliding:
        raise NotImplementedError

    def splice(self, start: int, n_removed: int, tokens: Sequence[int]) -> bool:
        self.held[start : start + n_removed] = tokens
        return True

    def attend(self, _is_given_up: Callable[[], bool]) -> None:
        pass


class Stiff(Sliding):
    def splice(self, _start: int, _n_removed: int, _tokens: Sequence[int]) -> bool:
        return False


class Remote(Plain):
    def __init__(self) -> None:
        super().__init__()
        self.told: list[object] = []

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self.told.append(is_given_up)

    def fill(self, hole: PromptHole) -> None:
        self.told.append(hole)

    def rest(self) -> None:
        self.told.append("rest")


class Runtime:
    """A runtime that makes caches of one kind, and keeps them."""

    def __init__(self, kind: type[Plain]) -> None:
        self.kind = kind
        self.caches: list[Plain] = []

    def cache(self) -> Plain:
        self.caches.append(self.kind())
        return self.caches[-1]


def reader_of(kind: type[Plain]) -> tuple[PromptReader, Runtime]:
    runtime: Any = Runtime(kind)
    return PromptReader(runtime), runtime


def read(reader: PromptReader, runtime: Runtime, prompt: list[int]) -> int:
    """The number of computed tokens of a prompt. The cache then holds exactly the prompt."""
    before = reader.n_computed
    reader.prompt(prompt, 1, lambda: False)
    assert runtime.caches[-1].held == reader.tokens == prompt
    return reader.n_computed - before


@pytest.mark.parametrize(("kind", "n_read"), [(Plain, 120), (Stiff, 120), (Sliding, 1)])
def test_where_a_window_has_moved_on_only_what_cannot_slide_is_read_again(
    kind: type[Plain], n_read: int
) -> None:
    reader, runtime = reader_of(kind)
    assert read(reader, runtime, PROMPT) == 300
    assert read(reader, runtime, MOVED) == n_read
    # A prompt that continues with another text is read from the difference on.
    assert read(reader, runtime, [*MOVED[:150], *PROMPT[:20]]) == 20


def test_what_is_behind_a_move_is_to_be_long() -> None:
    reader, runtime = reader_of(Sliding)
    read(reader, runtime, PROMPT)
    assert read(reader, runtime, [*PROMPT[:100], *PROMPT[1 - LONG :]]) == LONG - 1


def test_the_cache_that_took_the_place_of_one_that_failed_slides() -> None:
    reader, runtime = reader_of(Sliding)
    read(reader, runtime, PROMPT)
    failed = runtime.caches[-1]
    with pytest.raises(RuntimeError, match="gone"):
        reader.read([0], 1)
    assert reader.tokens == []
    assert read(reader, runtime, PROMPT) == 300
    assert read(reader, runtime, MOVED) == 1
    assert failed.held == PROMPT


def test_a_new_cache_elsewhere_is_told_who_waits_and_for_what() -> None:
    reader, runtime = reader_of(Remote)
    hole: Any = object()

    def is_given_up() -> bool:
        return False

    reader.attend(is_given_up)
    reader.fill(hole)
    reader.forget()
    reader.rest()
    first, second = runtime.caches
    assert isinstance(first, Remote)
    assert isinstance(second, Remote)
    assert first.told[1:] == [is_given_up, hole]
    assert second.told == [is_given_up, hole, "rest"]


def test_a_long_prompt_is_given_up_between_two_pieces() -> None:
    reader, runtime = reader_of(Plain)
    asked = iter([False, False, True])
    with pytest.raises(Cancelled):
        reader.prompt(list(range(1, 2000)), 1, lambda: next(asked))
    # The tokens that were read stay.
    assert runtime.caches[-1].held == reader.tokens == list(range(1, 1025))
