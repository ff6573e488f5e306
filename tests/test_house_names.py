"""A class's name says which class it is: those that share one are listed here, and become no more."""

from __future__ import annotations

import ast
from collections import Counter

from tests.test_house_repository import ROOT, tracked

# They wait for names of their own. A name that nobody shares any more is struck off; none is added.
SHARED = """

"""


def shared(names: list[str]) -> set[str]:
    return {name for name, times in Counter(names).items() if times > 1}


def classes() -> list[str]:
    return [
        node.name
        for folder in ("fim_lsp", "quotient", "lexer")
        for name in tracked(folder)
        if name.endswith(".py")
        for node in ast.parse((ROOT / name).read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]


def test_no_further_class_shares_its_name() -> None:
    named = classes()
    assert len(named) > 400
    assert shared(named) - set(SHARED.split()) == set(), "name each for what it alone is"


def test_what_is_shared_no_longer_is_struck_off() -> None:
    assert set(SHARED.split()) - shared(classes()) == set()
