"""A class's name says which class it is: no two share one."""

from __future__ import annotations

import ast
from collections import Counter

from tests.test_house_repository import ROOT, tracked


def classes() -> list[str]:
    return [
        node.name
        for folder in ("fim_lsp", "quotient", "lexer")
        for name in tracked(folder)
        if name.endswith(".py")
        for node in ast.parse((ROOT / name).read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef)
    ]


def test_no_two_classes_share_a_name() -> None:
    named = classes()
    assert len(named) > 400
    assert [name for name, times in Counter(named).items() if times > 1] == [], (
        "name each for what it alone is"
    )
