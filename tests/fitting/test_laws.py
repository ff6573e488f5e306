"""Small runs of the laws of fitting in every language, on tiny files, judged by the languages' parsers."""

from __future__ import annotations

import sys
from random import Random

import pytest

from fim_lsp import Fit
from fim_lsp.replay.judges import NoJudge
from tests.laws import fitted
from tests.laws.cases import Case
from tests.laws.domains import DOMAINS, Domain
from tests.laws.search import tiny_hole

N_HOLES = 12


def said(domain: Domain, random: Random) -> list[Case]:
    """Texts that a writer might produce in holes of tiny files."""
    cases = []
    for _ in range(N_HOLES):
        text = random.choice(domain.programs)
        hole = tiny_hole(random, text, 1)
        middle = text[len(hole.left) : len(text) - len(hole.right)]
        donor = random.choice(domain.programs)
        texts = fitted.texts(random, hole.case(middle), donor, domain.words)
        cases += [hole.case(text) for text in texts]
    return cases


@pytest.mark.parametrize("language", DOMAINS)
def test_what_is_made_to_fit_parses_and_what_fits_is_not_touched(language: str) -> None:
    if language == "python" and sys.version_info[:2] != (3, 11):
        pytest.skip("the judge is CPython 3.11")
    domain = DOMAINS[language]
    cases = said(domain, Random(f"fit {language}"))
    try:
        problems = [(case, fitted.fitted(domain.language, case)) for case in cases]
    except NoJudge as why:
        pytest.skip(str(why))
    assert [problem for problem in problems if problem[1] is not None] == []


@pytest.mark.parametrize("language", DOMAINS)
def test_nothing_is_nearer(language: str) -> None:
    domain = DOMAINS[language]
    cases = [Case(case.left, case.middle[:24], case.right) for case in said(domain, Random(language))]
    problems = [(case, fitted.nearest(domain.language, case)) for case in cases]
    assert [problem for problem in problems if problem[1] is not None] == []


def test_the_law_of_the_nearest_sees_what_is_farther(monkeypatch: pytest.MonkeyPatch) -> None:
    language = DOMAINS["json"].language
    case = Case("[", "1, 2", "")
    assert fitted.nearest(language, case) is None
    far = Fit("1 ]", True, "", dropped=", 2", added="]")
    monkeypatch.setattr(fitted, "fit", lambda *_, **__: far)
    assert fitted.nearest(language, case) == fitted.FARTHER


def test_a_line_end_that_is_put_behind_a_text_makes_it_no_farther() -> None:
    language = DOMAINS["typescript"].language
    assert fitted.nearest(language, Case("switch (a) {\ncase b:\n", "c", "t")) is None
