"""Samples that the model sees in training: cuts that lose nothing, in the layouts of our prompts."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from training.ahead import BatchesAhead
from training.collect import TrainingDocument, is_worth_reading, without_licence_header
from training.cuts import KINDS, MOST_LINES, TrainingCut, cut, end_of_block, unfinished
from training.duplicates import SeenWindows
from training.licences import permissive_licence
from training.neighbours import Neighbours
from training.recipe import TINY, Layout
from training.samples import END, MIDDLE, PREFIX, SUFFIX, Samples, SpecialIds, dressed, reindented, trimmed
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


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_middle_is_longer_than_what_people_ask_for(kind: Callable[..., Any]) -> None:
    """Each line end inside a middle would teach that a text does not end there."""
    text = "    value = compute(first)\n" * 400
    spans = filter(None, (kind(text, random.Random(seed)) for seed in range(300)))
    assert all(text.count("\n", start, stop) <= MOST_LINES for start, stop in spans)


def kinds_of(name: str) -> Iterator[str]:
    [kind] = [kind for kind in KINDS if kind.__name__ == name]
    for seed in range(200):
        if span := kind(CODE, random.Random(seed)):
            yield CODE[slice(*span)]


def test_the_rest_of_a_line_ends_with_the_line_and_is_not_blank() -> None:
    middles = set(kinds_of("rest_of_line"))
    assert not any("\n" in middle for middle in middles)
    assert "return None" in middles
    assert any("return price * (1 + tax)".endswith(middle) and 0 < len(middle) < 24 for middle in middles)


def test_a_bracket_is_filled_up_to_the_one_that_closes_it() -> None:
    assert set(kinds_of("in_brackets")) >= {"price, tax", "1 + tax", "tax"}


BODY = "if price > 0:\n        return price * (1 + tax)\n    return None"


def test_a_statement_ends_with_the_block_that_it_opens() -> None:
    middles = set(kinds_of("statement"))
    assert any(re.fullmatch(r"if price > \d+:\n        return price \* \(1 \+ tax\)", one) for one in middles)
    assert not any("return None" in one for one in middles if one.startswith("if price"))


def test_a_body_goes_from_the_colon_to_the_end_of_its_block() -> None:
    middles = set(kinds_of("body"))
    assert "return price * (1 + tax)" in middles
    assert "\n        return price * (1 + tax)" in middles
    assert re.sub(r"\d+", "0", next(one for one in middles if one.startswith("if"))) == BODY.replace(
        "1 +", "0 +"
    )


def test_the_rest_of_a_block_ends_where_the_indentation_does() -> None:
    middles = list(kinds_of("rest_of_block"))
    assert len(middles) > 100
    for middle in middles:
        assert middle == "" or middle[-1] in "e)"
        assert "def" not in middle


def test_the_rest_of_a_name_is_not_all_of_it() -> None:
    assert {"rice", "ax", "turn"} <= set(kinds_of("rest_of_name"))
    assert not {"price", "tax", "return"} & set(kinds_of("rest_of_name"))


def test_a_block_takes_the_brackets_that_close_it_and_no_more_lines_than_it_may() -> None:
    call = "x = call(\n    one,\n    two,\n)\ny = 1\n"
    assert call[: end_of_block(call, 0, deeper=True)] == "x = call(\n    one,\n    two,\n)"
    long = "if x:\n" + "    y()\n" * 100
    assert long[: end_of_block(long, 0, deeper=True)].count("\n") == MOST_LINES - 1


def test_a_middle_that_ends_its_line_may_be_the_last_of_the_file() -> None:
    parts = TrainingCut("x = ", "1", "\ny = 2\n")
    rights = {unfinished(parts, random.Random(seed)).right for seed in range(200)}
    assert rights == {"\ny = 2\n", "", "\n"}
    within = TrainingCut("f(", "1", ")\n")
    assert {unfinished(within, random.Random(seed)) for seed in range(200)} == {within}


def test_most_samples_are_cut_and_in_all_layouts(tokenizer: Tokenizer) -> None:
    samples = Samples([TrainingDocument("shop", "shop.py", CODE)], tokenizer, TINY)
    ids = {name: tokenizer.token_to_id(name) for name in (END, PREFIX, MIDDLE, SUFFIX)}
    n_samples, n_of = 0, dict.fromkeys(dict(TINY.layouts), 0)
    for step in range(100):
        [rows] = samples.passes(step, (TINY.context,))
        for row in rows.tolist():
            n_samples += 1
            assert len(row) == TINY.context + 1
            # The first sample of the row, up to its end; an uncut one begins with an end token.
            first = row[: row.index(ids[END], 1)] if ids[END] in row[1:] else row
            marks = [name for index in first for name in (PREFIX, MIDDLE, SUFFIX) if index == ids[name]]
            if first[:2] == [ids[PREFIX], ids[SUFFIX]]:
                assert marks == [PREFIX, SUFFIX, MIDDLE]
                n_of["suffix-middle-prefix"] += 1
            elif first[0] == ids[SUFFIX]:
                assert marks[:3] == [SUFFIX, PREFIX, MIDDLE]
                n_of["suffix-prefix-middle"] += 1
            elif marks:
                assert marks[:3] == [PREFIX, SUFFIX, MIDDLE]
                n_of["prefix-suffix-middle"] += first[0] == ids[PREFIX]
    n_cut = sum(n_of.values())
    assert abs(n_cut / n_samples - TINY.cut_share) < 0.1
    for layout, share in TINY.layouts:
        assert abs(n_of[layout] / n_cut - share) < 0.15


def test_a_sample_put_together_again_is_a_piece_of_the_document(tokenizer: Tokenizer) -> None:
    n_whole = 0
    samples = Samples([TrainingDocument("shop", "shop.py", CODE)], tokenizer, TINY)
    for row in (row for step in range(20) for row in samples.passes(step, (TINY.context,))[0].tolist()):
        tokens = tokenizer.decode(row, skip_special_tokens=False)
        begins_with_end = tokens.startswith(END)
        tokens = tokens.removeprefix(END).split(END)[0]
        if begins_with_end or MIDDLE not in tokens:
            text = tokens.split(PREFIX)[0].split(SUFFIX)[0]
        elif tokens.startswith(PREFIX + SUFFIX):
            right, left_and_middle = tokens.removeprefix(PREFIX + SUFFIX).split(MIDDLE)
            text = left_and_middle + right
        else:
            contexts, middle = tokens.split(MIDDLE)[:2]
            before, behind = contexts.split(PREFIX)[-1], contexts.split(SUFFIX)[-1]
            text = before.split(SUFFIX)[0] + middle + behind.split(PREFIX)[0]
        plain = CODE.replace("\r\n", "\n")
        n_whole += text in plain
        # The others have another style, or are at the end of a file in progress, or begin in a cut token.
    assert n_whole >= 30


@pytest.mark.parametrize(
    ("layout", "written"),
    [
        ("suffix-prefix-middle", [SUFFIX, " + 1\n", PREFIX, "x\u3042", MIDDLE, "ce", END]),
        ("prefix-suffix-middle", [PREFIX, "x\u3042", SUFFIX, " + 1\n", MIDDLE, "ce", END]),
    ],
)
def test_where_the_middle_begins_is_seen(tokenizer: Tokenizer, layout: Layout, written: list[str]) -> None:
    samples = Samples([TrainingDocument("shop", "shop.py", CODE)], tokenizer, TINY)
    ids = samples._arranged(TrainingCut("x\u3042", "ce", " + 1\n"), [], layout, room=40)
    assert tokenizer.decode(ids, skip_special_tokens=False) == "".join(written)


def test_a_token_that_has_been_begun_is_the_middles_as_in_the_decoder(tokenizer: Tokenizer) -> None:
    samples = Samples([TrainingDocument("shop", "shop.py", CODE)], tokenizer, TINY)
    healed = samples._healed(TrainingCut(CODE[: CODE.index("price") + 3], "ces, rate", "):\n"))
    assert healed.left + healed.middle == CODE[: CODE.index("price") + 3] + "ces, rate"
    # ` pri` is the beginning of a token, and `(pri` is that of another one.
    assert healed.middle.removeprefix("(").startswith("pri")
    # Text that no token begins with is not repeated.
    assert samples._healed(TrainingCut("x\u3042", "y", "")) == TrainingCut("x\u3042", "y", "")


def test_the_cursor_cannot_be_seen_where_the_left_side_follows_the_mark(tokenizer: Tokenizer) -> None:
    """The tokens at the cut are those of the whole text, as the decoder writes them after healing."""
    samples = Samples([TrainingDocument("shop", "shop.py", CODE)], tokenizer, TINY)
    ids = samples._arranged(TrainingCut("pri", "ce", " + 1\n"), [], "suffix-middle-prefix", room=40)
    mark = ids.index(SpecialIds.of(tokenizer).middle)
    assert ids[mark + 1 : -1] == tokenizer.encode("price").ids
    assert ids[-1] == tokenizer.token_to_id(END)


def test_a_middle_that_does_not_fit_has_no_end(tokenizer: Tokenizer) -> None:
    samples = Samples([TrainingDocument("shop", "shop.py", CODE)], tokenizer, TINY)
    ids = samples._arranged(TrainingCut("", CODE, ""), [], "prefix-suffix-middle", room=40)
    assert len(ids) <= 40
    assert tokenizer.token_to_id(END) not in ids


def test_long_samples_show_other_files_of_the_package_under_their_paths(tokenizer: Tokenizer) -> None:
    texts = {"shop/a.py": "from shop import b\n" + CODE, "shop/b.py": CODE.replace("rate_", "b_")}
    documents = [TrainingDocument("shop", path, text) for path, text in texts.items()]
    documents.append(TrainingDocument("bank", "bank/c.py", CODE.replace("rate_", "c_")))
    samples = Samples(documents, tokenizer, replace(TINY, tokens_per_step=2048, others_share=1.0))
    shown = [tokenizer.decode(row.tolist()) for row in samples.passes(0, (1024,))[0]]
    shown += [tokenizer.decode(row.tolist()) for row in samples.passes(1, (1024,))[0]]
    with_others = [text for text in shown if "# shop/b.py\n" in text and "# shop/a.py\n" in text]
    assert with_others
    assert not any("# bank/c.py" in text for text in shown)


def test_what_a_file_imports_is_shown_before_what_lies_beside_it() -> None:
    documents = [
        TrainingDocument("shop", "shop/cart.py", "from .money import Price\nimport os\n"),
        TrainingDocument("shop", "shop/deep/money.py", "class Price:\n    pass\n"),
        TrainingDocument("shop", "shop/other.py", "def f():\n    pass\n"),
        TrainingDocument("bank", "bank/money.py", "class Coin:\n    pass\n"),
    ]
    neighbours = Neighbours(documents)
    for seed in range(20):
        pieces = neighbours.pieces(0, random.Random(seed), 200)
        assert pieces[-1] == "# shop/deep/money.py\nclass Price:\n    pass\n"
        assert not any("bank" in piece or "cart" in piece for piece in pieces)
    assert neighbours.pieces(3, random.Random(0), 200) == []


def test_files_are_dressed_as_others_write_them() -> None:
    text = "if x:\n    if y:\n      z\n"
    assert reindented(text, "\t") == "if x:\n\tif y:\n\t  z\n"
    assert reindented(text, "  ") == "if x:\n  if y:\n    z\n"
    ways = {dressed(text, random.Random(seed)) for seed in range(500)}
    assert ways == {text, reindented(text, "\t"), reindented(text, "  "), text.replace("\n", "\r\n")}


def test_a_batch_depends_on_the_step_alone(tokenizer: Tokenizer) -> None:
    documents = [TrainingDocument("shop", "shop.py", CODE)]
    first, second = (Samples(documents, tokenizer, TINY) for _ in range(2))
    first.passes(0, (64,))
    assert (first.passes(7, (64,))[0] == second.passes(7, (64,))[0]).all()
    assert (first.passes(7, (64,))[0] != first.passes(8, (64,))[0]).any()


def test_passes_of_a_step_may_have_rows_of_different_lengths(tokenizer: Tokenizer) -> None:
    samples = Samples([TrainingDocument("shop", "shop.py", CODE)], tokenizer, TINY)
    assert [rows.shape for rows in samples.passes(0, (16, 64))] == [(4, 17), (1, 65)]


def shop_samples() -> Samples:
    return Samples([TrainingDocument("shop", "shop.py", CODE)], train_tokenizer([CODE], TINY.n_vocab), TINY)


def test_batches_made_in_other_processes_are_the_same() -> None:
    ahead, direct = BatchesAhead(shop_samples, n_processes=1), shop_samples()
    try:
        # The longer rows are requested when batches of the short ones have been started.
        for step, contexts in ((0, (32, 32)), (1, (32, 32)), (2, (32, 64)), (3, (32, 64))):
            pairs = zip(ahead.passes(step, contexts), direct.passes(step, contexts), strict=True)
            assert all((one == other).all() for one, other in pairs)
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
    seen = SeenWindows()
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
