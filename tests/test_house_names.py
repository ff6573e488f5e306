"""Names identify: no two classes share one, and a function's says more than a participle.

It says what the function gives (an adjective and a noun: `declared_settings`) or what it does to what (a verb
and a noun: `write_report`), and is never a participle alone (`written`).
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from tests.test_house_repository import ROOT, tracked

# Participles that do not end in -ed. `cut`, `put`, `read`, `run` and `set` are verbs here, and `left` a side.
IRREGULAR = """
    begun bound brought built chosen done drawn felt forgotten found given gone grown heard held hidden
    kept known laid lost made meant met paid said seen sent shown spelt spent spoken taken thrown told
    written
"""
# They end in -ed, and are no participles.
NOUNS = frozenset({"embed", "feed", "need", "seed", "speed"})

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PROPERTIES = {"property", "cached_property", "functools.cached_property"}


@lru_cache
def modules() -> dict[str, ast.Module]:
    return {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): ast.parse(
            (ROOT / name).read_text(encoding="utf-8")
        )
        for folder in ("fim_lsp", "quotient", "lexer")
        for name in tracked(folder)
        if name.endswith(".py")
    }


def classes() -> list[ast.ClassDef]:
    return [node for tree in modules().values() for node in tree.body if isinstance(node, ast.ClassDef)]


def is_lone_participle(name: str) -> bool:
    return name in IRREGULAR.split() or (name.endswith("ed") and "_" not in name and name not in NOUNS)


def public_functions() -> Iterator[str]:
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
                yield f"{module}.{node.name}"


def public_methods() -> Iterator[str]:
    """Properties are data, and may be called as fields are."""
    for owner in classes():
        for node in owner.body if not owner.name.startswith("_") else ():
            if isinstance(node, FUNCTIONS) and not PROPERTIES.intersection(
                map(ast.unparse, node.decorator_list)
            ):
                yield f"{owner.name}.{node.name}"


def test_no_two_classes_share_a_name() -> None:
    named = [one.name for one in classes()]
    assert len(named) > 400
    assert [name for name, times in Counter(named).items() if times > 1] == []


def test_no_function_is_named_by_a_participle_alone() -> None:
    named = [*public_functions(), *public_methods()]
    assert len(named) > 3_000
    assert [name for name in named if is_lone_participle(name.rpartition(".")[2])] == []


def test_a_known_language_is_not_called_known() -> None:
    """Much is known, and of `known` alone the reader of a call cannot tell what."""
    typed = [
        (module, node.lineno)
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.arg) and node.arg == "known" and node.annotation is not None)
        or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "known")
        if "KnownLanguage" in ast.unparse(node.annotation or node)
    ]
    assert typed == []
