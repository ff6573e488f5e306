"""Rows are computed once: a key that continues the written text computes nothing again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from fim_lsp.decoding.prompts.kept_rows import MOST_BYTES, KeptRows
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.runtimes.runtime import Beams, Row, Rows, Runtime

PROMPT = [5, 6, 7, 8]


class Telling:
    """A cache whose rows equal all tokens up to them."""

    def __init__(self) -> None:
        self.held: list[int] = []

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        self.held.extend(tokens)
        stops = range(len(self.held) - n_last + 1, len(self.held) + 1)
        return [np.array(self.held[:stop], np.float32) for stop in stops]

    def crop(self, n_tokens: int) -> None:
        del self.held[n_tokens:]

    def beams(self) -> Beams:
        raise NotImplementedError


class Network:
    def cache(self) -> Telling:
        return Telling()


def new_reader() -> PromptReader:
    return PromptReader(cast(Runtime, Network()))


def never() -> bool:
    return False


def fresh(tokens: Sequence[int], n_last: int) -> list[Row]:
    """The rows of a new reader."""
    return list_of(new_reader().prompt(tokens, n_last, never))


def list_of(rows: Rows) -> list[Row]:
    return [rows[index] for index in range(len(rows))]


def is_same(one: Rows, other: Rows) -> bool:
    pairs = zip(list_of(one), list_of(other), strict=True)
    return all(np.array_equal(row, expected) for row, expected in pairs)


def written(reader: PromptReader, tokens: Sequence[int]) -> None:
    """Reads tokens one at a time, as if they were being written."""
    reader.prompt(PROMPT, 1, never)
    for n in range(1, len(tokens) + 1):
        reader.behind(len(PROMPT), tokens[:n], 1)


def test_what_was_written_is_known_behind_the_next_key() -> None:
    reader = new_reader()
    written(reader, [9, 10, 11])
    before = reader.n_computed
    # The first token was typed meanwhile, and the second is expected.
    rows = reader.prompt([*PROMPT, 9, 10], 2, never)
    assert is_same(rows, fresh([*PROMPT, 9, 10], 2))
    assert is_same(reader.behind(5, [10, 11], 1), fresh([*PROMPT, 9, 10, 11], 1))
    assert reader.n_computed == before


def test_another_token_is_read_from_where_it_stands() -> None:
    reader = new_reader()
    written(reader, [9, 10, 11])
    before = reader.n_computed
    rows = reader.prompt([*PROMPT, 9, 12, 11], 3, never)
    assert reader.n_computed - before == 2
    assert is_same(rows, fresh([*PROMPT, 9, 12, 11], 3))
    assert reader.tokens == [*PROMPT, 9, 12, 11]


def test_after_a_shorter_text_the_rest_is_known_until_something_else_is_read() -> None:
    reader = new_reader()
    written(reader, [9, 10, 11])
    reader.prompt(PROMPT, 1, never)
    before = reader.n_computed
    reader.behind(len(PROMPT), [9, 10], 1)
    assert reader.n_computed == before
    reader.behind(len(PROMPT), [13], 1)
    assert reader.tokens == [*PROMPT, 13]
    assert is_same(reader.behind(len(PROMPT), [13, 10], 1), fresh([*PROMPT, 13, 10], 1))


def test_rows_are_bounded_in_bytes() -> None:
    rows = KeptRows()
    width = MOST_BYTES // 4 // 5
    for position in range(8):
        rows.put(position, [np.full(width, position, np.float32)])
    assert len(rows.behind(0, 8)) == 5
    rows.keep(3, 5)
    assert [row[0] for row in rows.behind(3, 8)] == [3, 4]
    # There is room again.
    rows.put(5, [np.full(width, 5, np.float32)])
    assert len(rows.behind(3, 8)) == 3


def test_a_prompt_is_followed_by_what_was_read_behind_it_as_far_as_rows_are_known() -> None:
    reader = new_reader()
    written(reader, [9, 10, 11])
    assert reader.ahead(PROMPT) == [9, 10, 11]
    assert reader.ahead([*PROMPT, 9]) == [10, 11]
    assert reader.ahead([*PROMPT, 9, 10, 11]) == []
    assert reader.ahead([*PROMPT, 10]) is None
    # Of the tokens in front of the last row none has a row.
    assert reader.ahead(PROMPT[:2]) is None
    reader.crop(len(PROMPT) + 2)
    assert reader.ahead(PROMPT) == [9, 10]
