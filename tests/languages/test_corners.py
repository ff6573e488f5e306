"""Corners of JavaScript and TypeScript, from their specifications: read alike at every cut.

The judges gave the verdicts in `tests/corpus/grammar` once.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quotient import Language
from tests.membership import is_member

CORPUS = Path(__file__).parents[1] / "corpus" / "grammar"
# The characters between two holes; each text begins at another offset, because all texts are short.
STEP = 4


def corners(language: str) -> list[tuple[str, bool]]:
    lines = (CORPUS / f"{language}.jsonl").read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, lines) if case["name"].startswith("corners-")]
    return [(case["text"], case["valid"]) for case in cases]


@pytest.mark.parametrize("name", ["javascript", "javascriptreact", "typescript", "typescriptreact"])
def test_they_are_read_alike_wherever_they_are_cut(name: str) -> None:
    found = corners(name)
    assert len(found) > 100
    for number, (text, is_valid) in enumerate(found):
        for cut in range(number % STEP, len(text) + 1, STEP):
            assert is_member(name, text[:cut], text[cut:]) == is_valid, (text[:cut], text[cut:])


@pytest.mark.parametrize("name", ["javascript", "javascriptreact", "typescript", "typescriptreact"])
def test_they_can_be_typed(name: str) -> None:
    for text, is_valid in corners(name):
        recognizer = Language.load(name).recognizer()
        assert not is_valid or all(recognizer.advance(character) for character in text), text
