"""The laws as properties over small alphabets, for Hypothesis to break and to shrink."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from quotient import Document, Language
from tests.laws import verdicts
from tests.laws.cases import Case
from tests.laws.documents import recognizer_or_reason
from tests.laws.oracle import parses
from tests.laws.pieces import PIECES as WALK_PIECES
from tests.laws.small import COMPLETIONS, PIECES, PROGRAMS

pytestmark = pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="the judge is CPython 3.11")

PYTHON = Language.load("python", version="3.11")

# Each alphabet stresses one part: layout, strings, f-strings, numbers, brackets, operators and names.
ALPHABETS = (
    ("a", ":", "\n", " ", "  ", "if a:", "\t", "\f", "#", "\\\n", "\r", "else:"),
    ("'", '"', "'''", "\\", "a", "\n", "r", "b", "x4", "#", " ", "+"),
    ("f'", 'f"', "{", "}", "a", "!r", ":", "=", "'", '"', "{{", " "),
    ("0", "1", "o", "x", "b", "e", "j", "_", ".", "r ", "f", " "),
    ("(", ")", "[", "]", "{", "}", ",", "a", "\n", ":", "*", "="),
    ("a", "or", "not ", "in ", "is ", "lambda ", ":", "=", ":=", "<", ">", " "),
    ("try:", "except", "finally:", "\n", " ", "a", ":", "*", "match a:", "case ", "with a", "as "),
)


def texts(pieces: tuple[str, ...], longest: int) -> st.SearchStrategy[str]:
    """Texts of up to `longest` of the pieces."""
    return st.lists(st.sampled_from(pieces), max_size=longest).map("".join)


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A hole between texts over one small alphabet, or in a tiny program."""
    pieces = draw(st.sampled_from(ALPHABETS))
    middle = draw(texts(pieces, 6))
    if draw(st.booleans()):
        return Case(draw(texts(pieces, 6)), middle, draw(texts(pieces, 6)))
    program = draw(st.sampled_from(PROGRAMS))
    start = draw(st.integers(0, len(program)))
    stop = draw(st.integers(start, min(len(program), start + 8)))
    return Case(program[:start], middle, program[stop:])


@given(cases())
def test_member_exactly_when_it_parses(case: Case) -> None:
    assert verdicts.membership(PYTHON, case) is None


@given(cases())
def test_every_prefix_of_a_member_advances(case: Case) -> None:
    assert verdicts.true_prefixes(PYTHON, case) is None


@given(cases())
def test_the_witness_parses(case: Case) -> None:
    assert verdicts.witnessed(PYTHON, case) is None


@given(cases(), texts(COMPLETIONS, 3))
def test_what_has_a_completion_is_not_dead(case: Case, completion: str) -> None:
    whole = Case(case.left, case.middle + completion, case.right)
    assert verdicts.true_prefixes(PYTHON, whole) is None


@given(cases())
def test_chunks_do_not_matter(case: Case) -> None:
    assert verdicts.chunking(PYTHON, case) is None


@given(st.text(max_size=12), st.text(max_size=12), st.text(max_size=12))
def test_any_text_gets_an_answer(left: str, middle: str, right: str) -> None:
    assert verdicts.survival(PYTHON, Case(left, middle, right)) is None


@given(texts(PIECES, 3), texts(WALK_PIECES, 4), texts(PIECES, 3))
def test_any_code_gets_an_answer(left: str, middle: str, right: str) -> None:
    assert verdicts.survival(PYTHON, Case(left, middle, right)) is None


@given(st.binary(max_size=12))
def test_any_bytes_get_an_answer(data: bytes) -> None:
    whole, bytewise = PYTHON.recognizer(), PYTHON.recognizer()
    accepted = whole.advance(data)
    assert all(bytewise.advance(data[index : index + 1]) for index in range(len(data))) == accepted
    if accepted:
        assert bytewise.is_member() == whole.is_member()
        assert bytewise.witness() == whole.witness()


class Editing(RuleBasedStateMachine):
    """A document under edits and cursor moves answers as a fresh start on its text does."""

    document: Document
    text: str

    @initialize(text=st.sampled_from(PROGRAMS))
    def opened(self, text: str) -> None:
        self.document = PYTHON.document(text)
        self.text = text

    @rule(data=st.data(), new=texts(PIECES, 2))
    def edited(self, data: st.DataObject, new: str) -> None:
        start = data.draw(st.integers(0, len(self.text)))
        stop = data.draw(st.integers(start, min(len(self.text), start + 4)))
        self.document.edit(start, stop, new)
        self.text = self.text[:start] + new + self.text[stop:]
        assert self.document.text == self.text

    @rule(data=st.data(), typed=texts(PIECES, 2))
    @precondition(lambda self: len(self.text) < 200)
    def asked(self, data: st.DataObject, typed: str) -> None:
        start = data.draw(st.integers(0, len(self.text)))
        stop = data.draw(st.integers(start, min(len(self.text), start + 6)))
        left, right = self.text[:start], self.text[stop:]
        fresh = recognizer_or_reason(lambda: PYTHON.recognizer(left, right))
        kept = recognizer_or_reason(lambda: self.document.recognizer(start, stop))
        if isinstance(fresh, tuple) or isinstance(kept, tuple):
            assert fresh == kept
            return
        assert kept.advance(typed) == fresh.advance(typed)
        assert kept.is_member() == fresh.is_member()
        witness = kept.witness()
        assert len(witness) == len(fresh.witness())
        # A refused text left both unchanged.
        recognizer = PYTHON.recognizer(left, right)
        read = typed if recognizer.advance(typed) else ""
        assert parses(left + read + witness + right)


TestEditing = Editing.TestCase
