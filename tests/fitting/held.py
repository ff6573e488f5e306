"""Texts in files: the results of `fim_lsp.fit`, checked with the language's own recognizer."""

from __future__ import annotations

import fim_lsp
from quotient import Language


def check_fit(
    before: str, text: str, expected: str | None, reason: str, *, language: str = "python"
) -> fim_lsp.Fit:
    """`$0` marks the cursor in the file."""
    left, right = before.split("$0")
    found = fim_lsp.fit(left, text, right, language=language)
    assert found.text == expected, found
    assert reason in found.reason
    assert found.is_changed == (expected != text)
    if expected is not None:
        assert Language.load(language).recognizer(left + expected + right).is_member()
    return found
