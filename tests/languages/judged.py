"""Verdicts of languages' parsers. If one is not installed, the test is skipped with the reason."""

from __future__ import annotations

import pytest

from fim_lsp.replay import judges
from fim_lsp.replay.judges import NoJudge
from tests.laws.domains import DOMAINS
from tests.laws.oracle import Verdict


def verdict(language: str, text: str) -> Verdict:
    """The verdict, as in the laws: some kinds of errors are left open."""
    try:
        return DOMAINS[language].judge(text)
    except NoJudge as why:
        pytest.skip(str(why))


def fault(language: str, text: str) -> str | None:
    """The judge's message about a text's fault, or None."""
    try:
        found = judges.process(language).fault(text)
    except NoJudge as why:
        pytest.skip(str(why))
    return None if found is None else found[1]
