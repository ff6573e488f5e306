"""Chains cost time linear in their length: `make test` checks fewer and shorter ones than `make verify`."""

from random import Random

import pytest

from quotient import Language
from tests.laws.chains import KINDS, VOCABULARY, chains, check


@pytest.mark.parametrize("name", KINDS)
def test_chains_cost_what_they_are_long(name: str) -> None:
    language = Language.load(name)
    VOCABULARY.prepare_tables(language._native)
    found = {chain: check(language, chain, 1_000) for chain in chains(name, 2, Random("make test"))}
    assert {chain: wrong for chain, wrong in found.items() if wrong} == {}


def test_statements_of_java_in_a_right_context_share_their_charts() -> None:
    """If modifiers in front of a statement counted, each statement would have charts of its own."""
    language = Language.load("java")
    memory = []
    for n_lines in (100, 1_000):
        document = language.document("class A {\n" + "int a;\n" * n_lines + "}")
        assert document.recognizer(0, len("class A {")).advance("class A {")
        memory.append(document.memory)
    assert memory[1] < memory[0] + 100 * 900


@pytest.mark.parametrize(
    ("name", "left", "links", "right"),
    [
        ("typescript", "let x: A", "| A", ";"),
        ("typescript", "let x: A extends B ? C : A", " extends B ? C : A", ";"),
        ("javascript", "if (a) b; ", "else if (a) c; ", ";"),
    ],
)
def test_what_may_end_at_many_places_is_kept_once(name: str, left: str, links: str, right: str) -> None:
    """A right context's memory does not grow with the places at which a rule in front of it may end."""
    language = Language.load(name)
    memory = []
    for n_links in (50, 500):
        document = language.document(left + links * n_links + right)
        assert document.recognizer(len(left)).is_member()
        memory.append(document.memory / n_links)
    assert memory[1] < 2 * memory[0]


def test_the_mark_of_a_line_takes_no_chart_of_its_own() -> None:
    """The end of a `do` may be left out in any line, and its mark once made a chart in front of each symbol:
    1,230 bytes a link."""
    document = Language.load("typescript").document("let x: " + "A | " * 2_000 + "A;")
    assert document.recognizer(len("let x: ")).is_member()
    assert document.memory < 900 * 2_000
