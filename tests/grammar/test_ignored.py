"""Ignored symbols behind which not everything may follow: the engine's verdict on each short text equals that
of trying all continuations."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import pytest

from quotient import Language, NoCompletion, Vocabulary
from quotient.compiler.description import as_json
from quotient.compiler.reader import description
from tests.masks import law
from tests.reference.completions import short_texts
from tests.reference.reference import Reference

COMMENT = """
%ignore COMMENT
start: "0" "0" | "0" NEWLINE "0" "0"
COMMENT: /#[^\\n]*/
NEWLINE: "\\n"
"""
NO_LINES = """
%ignore COMMENT
start: "0" "0"
COMMENT: /#[^\\n]*/
"""
# A blank in front of a line break belongs to the line break, and two blanks do not.
BLANKS = """
%ignore BLANKS
start: "0" (LINE "0")+
BLANKS: / +/
LINE: / ?\\n/
"""
# A minus is ignored, except where it would become part of an arrow.
ARROW = """
%ignore MINUS
start: "0" ">" "0" | "0" "->" "0" "0"
MINUS: "-"
"""
GRAMMARS = {
    "comment": (COMMENT, "0#\n"),
    "no lines": (NO_LINES, "0#\n"),
    "blanks": (BLANKS, "0 \n"),
    "arrow": (ARROW, "0->"),
}
# The most characters that are typed, stand to the right, and are missing; more is never needed here.
TYPED, RIGHT, MISSING = 2, 1, 4


@dataclass(frozen=True, slots=True)
class Tried:
    """A language, and all of its short sentences."""

    language: Language
    alphabet: str
    sentences: set[str]

    def fits(self, typed: str, right: str) -> bool:
        n_given = len(typed) + len(right)
        beginning = (text for text in self.sentences if text.startswith(typed) and len(text) >= n_given)
        return any(text.endswith(right) for text in beginning)


@pytest.fixture(params=GRAMMARS, scope="module")
def tried(request: pytest.FixtureRequest) -> Tried:
    text, alphabet = GRAMMARS[request.param]
    compiled = description(text)
    reference = Reference(dict(compiled))
    texts = short_texts(alphabet, TYPED + MISSING + RIGHT)
    sentences = {text for text in texts if reference.is_valid(text)}
    return Tried(Language(as_json(compiled)), alphabet, sentences)


def test_what_can_be_completed_and_what_cannot(tried: Tried) -> None:
    assert tried.sentences
    for right, typed in product(short_texts(tried.alphabet, RIGHT), short_texts(tried.alphabet, TYPED)):
        fits = tried.fits(typed, right)
        try:
            recognizer = tried.language.recognizer(typed, right)
        except NoCompletion:
            assert not fits, (typed, right)
            continue
        assert fits, (typed, right)
        assert recognizer.is_member() == (typed + right in tried.sentences), (typed, right)
        witness = recognizer.witness()
        assert typed + witness + right in tried.sentences, (typed, witness, right)


def test_what_is_typed_is_refused_as_soon_as_nothing_fits(tried: Tried) -> None:
    for right in filter(lambda right: tried.fits("", right), short_texts(tried.alphabet, RIGHT)):
        for typed in filter(None, short_texts(tried.alphabet, TYPED)):
            fits = tried.fits(typed, right)
            recognizer = tried.language.recognizer("", right)
            assert recognizer.advance(typed) == fits, (typed, right)


def test_masks_equal_brute_force(tried: Tried) -> None:
    vocabulary = Vocabulary([text.encode() for text in short_texts(tried.alphabet, TYPED) if text])
    for right, typed in product(short_texts(tried.alphabet, RIGHT), short_texts(tried.alphabet, TYPED)):
        try:
            recognizer = tried.language.recognizer(typed, right)
        except NoCompletion:
            continue
        assert law.differences(recognizer, vocabulary) == [], (typed, right)
