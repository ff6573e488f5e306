"""Masks inside vLLM: the tokens that may come next in a hole, and a server that is constrained to it.

`make test-vllm` runs the plugin in a real vLLM; the tests here cover its parts.
"""

from __future__ import annotations

import json
import math
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from fim_lsp.runtimes.contexts import MARK, MOST_NAMED, HoleContexts
from fim_lsp.vllm_plugin.filling import FillingState, Mask, OrderedVocabulary
from fim_lsp.vllm_plugin.register import CHANGED, change, checking, making
from fim_lsp.vllm_plugin.striking import pairs, striking
from fim_lsp.vllm_plugin.together import MaskBatch, Next
from quotient import Language
from quotient.logits import allowed_tokens
from tests.models import tiny_model
from tests.runtimes.served_holes import BROKEN, CONTEXTS, footing_in


@pytest.fixture(scope="module")
def tokens() -> OrderedVocabulary:
    return OrderedVocabulary(tiny_model().vocabulary)


def allowed(filling: FillingState) -> set[int]:
    return set(np.flatnonzero(allowed_tokens(filling.mask(), len(filling.tokens.texts))).tolist())


def test_masks_are_those_of_the_hole(tokens: OrderedVocabulary) -> None:
    filling = FillingState.between(CONTEXTS, tokens)
    recognizer = Language.load("python", version="3.11").recognizer(CONTEXTS.left, CONTEXTS.right)
    for text in (b"width", b" *", b" height"):
        assert np.array_equal(filling.mask(), recognizer.mask(tokens.vocabulary))
        for token in tiny_model().encode(text.decode()):
            assert filling.read([token])
        recognizer.advance(text)


@pytest.mark.parametrize("pending", ["retur", "\n    return", "\n ", " if"])
def test_what_stands_left_of_the_cursor_is_written_first(tokens: OrderedVocabulary, pending: str) -> None:
    left = "def area(width):\n    x = (1)\n    " if pending == "retur" else "def area(width):\n    x = (1)"
    contexts = HoleContexts(left + pending, "\n").behind(pending.encode(), b"")
    assert (contexts.left, contexts.pending) == (left, pending)
    filling = FillingState.between(contexts, tokens)
    language = Language.load("python")
    for token in range(len(tokens.texts)):
        text = tokens.texts[token]
        spells = text.startswith(pending.encode()) or (text and pending.encode().startswith(text))
        fits = bool(spells) and language.recognizer(contexts.left, "\n").advance(text)
        assert (token in allowed(filling)) == fits, text
        assert (filling.fitting([token]) == [token]) == fits, text


def test_tokens_are_taken_back(tokens: OrderedVocabulary) -> None:
    """vLLM takes back tokens of rejected speculation."""
    filling = FillingState.between(replace(CONTEXTS, left=CONTEXTS.left[:-2], pending="n "), tokens)
    before = filling.mask().copy()
    written = tiny_model().encode("n width * height")
    end = min(tokens.ends)
    assert filling.fitting([*written, end, 7]) == [*written, end]
    assert np.array_equal(filling.mask(), before)
    assert filling.read([*written, end])
    assert filling.has_ended
    # Any token may follow an end, to fill up a batch.
    assert filling.read([7])
    assert filling.n_read == len(written) + 1
    filling.take_back(filling.n_read)
    assert np.array_equal(filling.mask(), before)


def test_what_does_not_fit_is_refused(tokens: OrderedVocabulary) -> None:
    filling = FillingState.between(CONTEXTS, tokens)
    (wrong,) = tiny_model().encode(")")
    assert not filling.read([wrong])
    assert not filling.read([-1])
    assert not filling.read([10**6])
    assert filling.n_read == 0
    # The function may not end behind `return x +`.
    assert filling.read(tiny_model().encode("width +"))
    assert not filling.read([min(tokens.ends)])


def test_the_first_token_is_one_of_those_that_are_named(tokens: OrderedVocabulary) -> None:
    some = tiny_model().encode("width")[:1] + tiny_model().encode(")") + [10**6]
    filling = FillingState.between(replace(CONTEXTS, first=tuple(some)), tokens)
    assert allowed(filling) == {some[0]}
    assert not filling.read(tiny_model().encode("height"))
    assert filling.read(some[:1])
    assert len(allowed(filling)) > 1


def test_a_text_is_in_no_encoding(tokens: OrderedVocabulary) -> None:
    """The editor has decoded the text, whatever encoding it declares."""
    left = "# -*- coding: cp1252 -*-\nx = 'é"
    assert len(allowed(FillingState.between(HoleContexts(left, "'\n"), tokens))) > 1
    half = HoleContexts("x = 'é", "'\n").behind("é".encode(), "é".encode()[:1])
    continuations = [token for token in allowed(FillingState.between(half, tokens)) if tokens.texts[token]]
    assert continuations
    assert all(tokens.texts[token][0] & 0xC0 == 0x80 for token in continuations)


def test_names_are_looked_at_if_it_is_said_so(tokens: OrderedVocabulary) -> None:
    unknown = tiny_model().encode("unknown_name\n")
    assert FillingState.between(CONTEXTS, tokens).read(unknown)
    assert not FillingState.between(replace(CONTEXTS, has_law=True), tokens).read(unknown)
    known = replace(CONTEXTS, has_law=True, known=("unknown_name",))
    assert FillingState.between(known, tokens).read(unknown)


@pytest.mark.parametrize(("marked", "rung"), BROKEN)
@pytest.mark.parametrize("has_names", [False, True])
def test_a_server_is_held_to_what_counts_of_a_broken_file(
    marked: str, rung: str, has_names: bool, tokens: OrderedVocabulary
) -> None:
    before, on_footing = footing_in(marked, has_names=has_names)
    assert on_footing.rung == rung
    contexts = HoleContexts.of_spec(on_footing.contexts.spec)
    assert contexts.ends_with(before[-4:].encode())
    filling = FillingState.between(contexts, tokens)
    here = on_footing.recognizer
    for word in ("bound", "_else", "where", ", unknown", ")\n"):
        np.testing.assert_array_equal(filling.mask(), here.mask(tokens.vocabulary))
        fits = here.advance(word)
        assert filling.recognizer.advance(word) == fits
        if not fits:
            return


def test_a_text_that_no_token_goes_on_with_may_end(tokens: OrderedVocabulary) -> None:
    filling = FillingState.between(replace(CONTEXTS, pending=")"), tokens)
    assert allowed(filling) == set(tokens.ends)
    assert filling.read([min(tokens.ends)])


def at(contexts: HoleContexts, tokens: OrderedVocabulary, together: MaskBatch) -> Next:
    return Next(FillingState.between(contexts, tokens), together)


def test_masks_of_all_texts_are_worked_out_together(tokens: OrderedVocabulary) -> None:
    together = MaskBatch(tokens)
    holes = [
        CONTEXTS,
        replace(CONTEXTS, left=CONTEXTS.left[:-2], pending="n "),
        replace(CONTEXTS, left="x = "),
    ]
    texts = [at(hole, tokens, together) for hole in holes]
    written = [tiny_model().encode(text) for text in ("width * height", "n width * height", "area(1, 2)")]
    for step in range(max(map(len, written))):
        for text in texts:
            together.add(text)
        assert texts[0].mask() is texts[0].mask()
        # The first requested mask computes all masks of the batch.
        assert all(text.known is not None for text in texts)
        for text in texts:
            np.testing.assert_array_equal(text.mask(), text.filling.mask())
        for text, tokens_written in zip(texts, written, strict=True):
            assert text.read(tokens_written[step : step + 1])
            assert text.n_read == min(step + 1, len(tokens_written))


def test_a_token_is_read_when_the_next_mask_is_wanted(tokens: OrderedVocabulary) -> None:
    together = MaskBatch(tokens)
    text, other = at(CONTEXTS, tokens, together), FillingState.between(CONTEXTS, tokens)
    first, *rest = tiny_model().encode("width * height")
    before = text.mask()
    assert text.read([first])
    assert (text.n_read, text.filling.n_read) == (1, 0)
    assert other.read([first])
    np.testing.assert_array_equal(text.mask(), other.mask())
    assert text.filling.n_read == 1
    # Pending tokens are taken back like read ones.
    assert text.read(rest[:1])
    text.take_back(2)
    assert text.n_read == 0
    np.testing.assert_array_equal(text.mask(), before)
    # Drafts are checked behind the pending tokens, and a wrong token is refused as usual.
    (wrong,) = tiny_model().encode(")")
    assert text.read([first])
    assert text.fitting([*rest, wrong]) == rest
    assert not text.read([wrong])
    assert not text.read([-1])
    assert not text.read([10**6])
    assert text.read([*rest, min(tokens.ends)])
    assert text.filling.has_ended


def test_a_text_that_the_engine_fails_at_ends_alone(
    tokens: OrderedVocabulary, caplog: pytest.LogCaptureFixture
) -> None:
    class Panic(BaseException):
        """A panic of Rust arrives like this: it is not an `Exception`."""

    class Broken(FillingState):
        def narrowed_mask(self, mask: Mask) -> Mask:  # noqa: ARG002
            raise Panic

    together = MaskBatch(tokens)
    well = at(CONTEXTS, tokens, together)
    filling = FillingState.between(CONTEXTS, tokens)
    failing = Next(Broken(filling.tokens, filling.recognizer), together)
    # Its mask allows a token that does not fit.
    lying = at(CONTEXTS, tokens, together)
    lying.known = ~tokens.bits(())
    assert lying.read(tiny_model().encode(")"))
    together.add(well)
    for text in (failing, lying):
        np.testing.assert_array_equal(text.mask(), tokens.ending)
    np.testing.assert_array_equal(well.mask(), well.filling.mask())
    assert len(caplog.records) == 2
    with pytest.raises(RuntimeError, match="does not fit"):
        lying.read([min(tokens.ends)])


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16])
@pytest.mark.parametrize("n_tokens", [64, 100, 49_152])
def test_logits_on_a_processor_are_struck_out(dtype: torch.dtype, n_tokens: int) -> None:
    random = np.random.default_rng(n_tokens)
    bits = random.random((3, 32 * math.ceil(n_tokens / 32))) < np.array([[0.01], [0.5], [0.99]])
    masks = np.packbits(bits, axis=1, bitorder="little").view(np.int32)
    logits = torch.from_numpy(random.normal(size=(5, n_tokens + 40))).to(dtype)
    logits[1, :9] = torch.inf
    # The second request is unconstrained and has no mask; the third one has left the batch.
    asked = SimpleNamespace(
        structured_output_request_ids=["c", "gone", "a"], grammar_bitmask=masks[[0, 1, 2]]
    )
    scheduled = SimpleNamespace(scheduled_spec_decode_tokens={"b": [7, 7]})
    expected = logits.clone()
    for row, mask in ((4, 0), (0, 2)):
        n_masked = min(bits.shape[1], expected.shape[1])
        expected[row, :n_masked][~torch.from_numpy(bits[mask, :n_masked])] = -torch.inf
    striking(pytest.fail)(scheduled, asked, SimpleNamespace(req_ids=["a", "b", "c"]), logits)
    assert torch.equal(logits, expected)


def test_each_draft_has_a_mask_of_its_own() -> None:
    drafts = {"a": [5, 6], "c": [7]}
    assert list(pairs(["a", "b", "c"], ["c", "a"], drafts)) == [(4, 0), (5, 1), (0, 2), (1, 3), (2, 4)]


def test_what_is_on_no_processor_is_left_to_vllm() -> None:
    asked: list[Any] = []
    logits = torch.zeros((1, 32), device="meta")
    striking(lambda *given: asked.extend(given))(1, 2, 3, logits)
    assert asked == [1, 2, 3, logits]


def test_contexts_come_over_as_they_are() -> None:
    contexts = HoleContexts("x = 'é😀\udcff", "\r\n", "python", "3.12", True, "\udce2", (3, 5), ("ab", "c"))
    assert HoleContexts.of_spec(contexts.spec) == contexts
    # The spec is sent as JSON inside JSON.
    assert json.loads(json.dumps(contexts.spec)) == contexts.spec
    half = HoleContexts("é", "").behind("é".encode(), "é".encode()[:1])
    assert (half.left, half.pending) == ("\udcc3", "\udca9")
    assert HoleContexts("a = b", "").ends_with(b" b")
    assert not HoleContexts("a = b", "").ends_with(b" c")
    assert not HoleContexts("\ud83d", "").ends_with(b"")


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "[]",
        "nothing",
        "{}",
        '{"left": 1, "right": ""}',
        '{"left": "", "right": "", "version": 3}',
        '{"left": "", "right": "", "more": 1}',
        '{"left": "", "right": "", "has_names": "yes"}',
        '{"left": "", "right": "", "first": ["x"]}',
        '{"left": "", "right": "", "known": [1]}',
        '{"left": "", "right": "", "known": 1}',
        '{"left": "", "right": "", "first": ' + str(list(range(MOST_NAMED + 1))) + "}",
        "[" * 100_000,
    ],
)
def test_other_contexts_are_refused_in_a_sentence(spec: str) -> None:
    with pytest.raises(ValueError, match=f"^{MARK}") as fault:
        HoleContexts.of_spec(MARK + spec)
    assert len(str(fault.value)) < 120


def test_all_other_grammars_go_on_as_before() -> None:
    class Manager:
        def make(self, request: Any) -> str:
            return f"vLLM's own for {request.structured_output_request.params.grammar}"

    change(Manager, "make", making)
    change(Manager, "make", making)
    wanted = SimpleNamespace(params=SimpleNamespace(grammar="root ::= a"))
    asked = SimpleNamespace(structured_output_request=wanted)
    assert Manager().make(asked) == "vLLM's own for root ::= a"
    # Each process of a vLLM registers the plugin, some of them twice.
    changed: Any = Manager.make
    assert hasattr(changed, CHANGED)
    assert not hasattr(changed.__wrapped__, CHANGED)


def test_a_network_that_writes_all_at_once_is_left_to_vllm() -> None:
    said: list[tuple[object, ...]] = []
    check = checking(lambda *taken: said.append(taken))
    request = SimpleNamespace(structured_outputs=SimpleNamespace(grammar=MARK + "{}"))
    check(request, SimpleNamespace(is_diffusion=True), SimpleNamespace(backend="auto"), None)
    assert len(said) == 1
