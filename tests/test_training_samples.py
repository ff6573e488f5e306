"""What the model sees in training: cuts that lose nothing, in the layouts that we ask it in."""

from __future__ import annotations

import random
from collections.abc import Iterator
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from training.ahead import Ahead
from training.collect import Document, is_worth_reading, without_licence_header
from training.cuts import KINDS, cut
from training.duplicates import Seen
from training.licences import permissive_licence
from training.recipe import TINY
from training.samples import END, MIDDLE, PREFIX, SUFFIX, Samples, trimmed
from training.similarity import edit_similarity, levenshtein
from training.tokenizer import train_tokenizer

FUNCTION = """\
def rate_{0}(price, tax):
    if price > {0}:
        return price * (1 + tax)
    return None


"""
CODE = "".join(FUNCTION.format(number) for number in range(60))


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train_tokenizer([CODE], TINY.n_vocab)


@given(st.text(), st.integers(0, 1000))
def test_a_cut_loses_nothing(text: str, seed: int) -> None:
    assert "".join(cut(text, random.Random(seed))) == text


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@given(text=st.text(alphabet="ab =([])\n", max_size=60), seed=st.integers(0, 1000))
def test_every_kind_of_cut_stays_in_the_text(kind: object, text: str, seed: int) -> None:
    assert callable(kind)
    span = kind(text, random.Random(seed))
    assert span is None or 0 <= span[0] <= span[1] <= len(text)


def kinds_of(name: str) -> Iterator[str]:
    [kind] = [kind for kind in KINDS if kind.__name__ == name]
    for seed in range(200):
        span = kind(CODE, random.Random(seed))
        assert span is not None
        yield CODE[slice(*span)]


def test_the_rest_of_a_line_ends_with_the_line_and_is_not_blank() -> None:
    middles = set(kinds_of("rest_of_line"))
    assert not any("\n" in middle for middle in middles)
    assert "return None" in middles
    assert any("return price * (1 + tax)".endswith(middle) and 0 < len(middle) < 24 for middle in middles)


def test_a_bracket_is_filled_up_to_the_one_that_closes_it() -> None:
    assert set(kinds_of("in_brackets")) >= {"price, tax", "1 + tax"}


def test_lines_begin_behind_the_indentation() -> None:
    for middle in kinds_of("lines"):
        assert middle == middle.strip()


def test_half_of_the_samples_are_cut_and_in_both_layouts(tokenizer: Tokenizer) -> None:
    samples = Samples([Document("shop", "shop.py", CODE)], tokenizer, TINY)
    ids = {name: tokenizer.token_to_id(name) for name in (END, PREFIX, MIDDLE, SUFFIX)}
    n_samples = n_prefix_first = n_suffix_first = 0
    for step in range(100):
        for row in samples.batch(step, TINY.context).tolist():
            n_samples += 1
            assert len(row) == TINY.context + 1
            # The first sample of the row, up to its end.
            first = row[: row.index(ids[END])] if ids[END] in row else row
            marks = [name for index in first for name in (PREFIX, MIDDLE, SUFFIX) if index == ids[name]]
            if first[:2] == [ids[PREFIX], ids[SUFFIX]] and marks == [PREFIX, SUFFIX, MIDDLE]:
                n_suffix_first += 1
            elif marks:
                assert marks == [PREFIX, SUFFIX, MIDDLE]
                assert first[0] == ids[PREFIX]
                n_prefix_first += 1
    n_cut = n_prefix_first + n_suffix_first
    assert abs(n_cut / n_samples - TINY.cut_share) < 0.1
    assert abs(n_suffix_first / n_cut - TINY.suffix_first_share) < 0.15


def test_a_sample_put_together_again_is_a_piece_of_the_document(tokenizer: Tokenizer) -> None:
    samples = Samples([Document("shop", "shop.py", CODE)], tokenizer, TINY)
    for row in samples.batch(1, TINY.context).tolist():
        tokens = tokenizer.decode(row, skip_special_tokens=False).split(END)[0]
        if tokens.startswith(PREFIX + SUFFIX):
            right, left_and_middle = tokens.removeprefix(PREFIX + SUFFIX).split(MIDDLE)
            assert left_and_middle + right in CODE
        elif tokens.startswith(PREFIX):
            left, rest = tokens.removeprefix(PREFIX).split(SUFFIX)
            right, middle = rest.split(MIDDLE)
            assert left + middle + right in CODE
        else:
            assert tokens in CODE


def test_a_batch_depends_on_the_step_alone(tokenizer: Tokenizer) -> None:
    documents = [Document("shop", "shop.py", CODE)]
    first, second = (Samples(documents, tokenizer, TINY) for _ in range(2))
    first.batch(0, TINY.context)
    assert (first.batch(7, TINY.context) == second.batch(7, TINY.context)).all()
    assert (first.batch(7, TINY.context) != first.batch(8, TINY.context)).any()


def shop_samples() -> Samples:
    return Samples([Document("shop", "shop.py", CODE)], train_tokenizer([CODE], TINY.n_vocab), TINY)


def test_batches_made_in_other_processes_are_the_same() -> None:
    ahead, direct = Ahead(shop_samples, n_processes=1), shop_samples()
    try:
        # The second context is asked for when batches of the first one have been begun.
        for step, context in ((0, 32), (1, 32), (2, 64), (3, 64)):
            assert (ahead.batch(step, context) == direct.batch(step, context)).all()
    finally:
        ahead.close()


@given(st.integers(0, 50), st.integers(0, 50), st.integers(0, 60))
def test_contexts_lose_their_far_ends_only_as_far_as_they_must(n_left: int, n_right: int, room: int) -> None:
    left, right = list(range(n_left)), list(range(100, 100 + n_right))
    kept_left, kept_right = trimmed(left, right, room)
    assert len(kept_left) + len(kept_right) == min(room, n_left + n_right)
    assert kept_left == left[n_left - len(kept_left) :]
    assert kept_right == right[: len(kept_right)]


@given(st.text())
def test_the_tokenizer_gives_every_text_back(text: str) -> None:
    made = train_tokenizer([], 261)
    assert made.decode(made.encode(text).ids, skip_special_tokens=False) == text


@pytest.mark.parametrize(
    ("metadata", "licence"),
    [
        ("License-Expression: MIT", "MIT"),
        ("License-Expression: Apache-2.0 OR BSD-3-Clause", "Apache-2.0 OR BSD-3-Clause"),
        ("License: BSD", "BSD"),
        ("Classifier: License :: OSI Approved :: ISC License (ISCL)", "ISC License (ISCL)"),
        ("License-Expression: MIT AND LGPL-2.1-or-later", None),
        ("License: GPLv3", None),
        ("License: MIT\nClassifier: License :: OSI Approved :: GNU Affero General Public License v3", None),
        ("License: MPL-2.0", None),
        ("License: UNKNOWN", None),
        ("Author: MIT", None),
    ],
)
def test_a_licence_is_taken_from_metadata_and_only_if_all_of_it_is_permissive(
    metadata: str, licence: str | None, tmp_path: Path
) -> None:
    (tmp_path / "METADATA").write_text(f"Metadata-Version: 2.4\nName: shop\nVersion: 1\n{metadata}\n")
    assert permissive_licence(PathDistribution(tmp_path)) == licence


def test_a_file_that_is_half_of_another_one_is_left_out() -> None:
    seen = Seen()
    seen.add(CODE)
    changed = CODE.replace("price", "cost")
    assert seen.is_repeated(CODE)
    assert seen.is_repeated(CODE.replace("    ", "\t"))
    assert not seen.is_repeated(changed)
    assert seen.is_repeated(CODE + changed[: len(changed) // 2])


def test_what_is_not_written_by_people_is_left_out() -> None:
    assert is_worth_reading(CODE)
    assert not is_worth_reading("# This file is generated, do not edit.\n" + CODE)
    assert not is_worth_reading(CODE + "def (:\n")
    assert not is_worth_reading("TABLE = [" + "'a', 'b', 'c',\n" * 100 + "]\n")
    assert not is_worth_reading(f'"""{"Prose about nothing. " * 800}"""\n' + CODE)


def test_only_a_header_about_the_licence_is_dropped() -> None:
    assert without_licence_header("#!/usr/bin/python\n# Copyright 2020 A. Body\n\nx = 1\n") == "x = 1\n"
    assert without_licence_header("# Adds numbers.\nx = 1\n") == "# Adds numbers.\nx = 1\n"


@pytest.mark.parametrize(("one", "other", "distance"), [("", "", 0), ("kitten", "sitting", 3), ("ab", "", 2)])
def test_levenshtein(one: str, other: str, distance: int) -> None:
    assert levenshtein(one, other) == levenshtein(other, one) == distance


def test_edit_similarity_is_between_nothing_and_one() -> None:
    assert edit_similarity("", "") == edit_similarity("x = 1", "x = 1") == 1.0
    assert edit_similarity("abc", "xyz") == 0.0
    assert edit_similarity("x = 1", "x = 2") == 0.8
