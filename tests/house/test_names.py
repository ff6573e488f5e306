"""Names identify: no two classes share a name, and a function's name is more than a participle.

A function's name says what it returns (an adjective and a noun: `declared_settings`) or what it does to what
(a verb and a noun: `write_report`), and is never a participle alone (`written`). In Rust this holds for types
that leave their rooms, and for functions that leave their files.
"""

from __future__ import annotations

import ast
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache

from tests.house.own_files import text_of, tracked

# Participles that do not end in -ed. `cut`, `put`, `read`, `run` and `set` count as verbs, and `left` as a
# side.
IRREGULAR = """
    begun bound brought built chosen done drawn felt forgotten found given gone grown heard held hidden
    kept known laid lost made meant met paid said seen sent shown spelt spent spoken taken thrown told
    written
"""
# Prepositions that add no noun to a participle.
PREPOSITIONS = """
    around as at before behind by for from in into of off on out to up with within
"""
# Nouns and adjectives that end in -ed.
NOUNS = frozenset({"embed", "feed", "need", "seed", "speed"})

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
PROPERTIES = {"property", "cached_property", "functools.cached_property"}


@cache
def tree_of(name: str) -> ast.Module:
    """The parsed file, cached for all tests here: there are a thousand files."""
    return ast.parse(text_of(name))


@cache
def modules() -> dict[str, ast.Module]:
    return {
        name.removesuffix(".py").removesuffix("/__init__").replace("/", "."): tree_of(name)
        for folder in ("fim_lsp", "quotient")
        for name in tracked(folder)
        if name.endswith(".py")
    }


def classes() -> list[ast.ClassDef]:
    return [node for tree in modules().values() for node in tree.body if isinstance(node, ast.ClassDef)]


# A test's classes are its own, and so are its functions.
OWN_NAMES = ("tests/", "datasets/")


def is_lone_participle(name: str) -> bool:
    return name in IRREGULAR.split() or (name.endswith("ed") and "_" not in name and name not in NOUNS)


def lacks_noun(name: str) -> bool:
    """Whether a name is a participle, or a participle with a preposition: `kept_of`."""
    first, _, rest = name.partition("_")
    return is_lone_participle(first) and (not rest or rest in PREPOSITIONS.split())


def public_functions() -> Iterator[str]:
    for module, tree in modules().items():
        for node in tree.body:
            if isinstance(node, FUNCTIONS) and not node.name.startswith("_"):
                yield f"{module}.{node.name}"


def public_methods() -> Iterator[str]:
    """Properties are data, and may be named like fields."""
    boundary = ast.parse(text_of("quotient/_native.pyi")).body
    for owner in [*classes(), *(node for node in boundary if isinstance(node, ast.ClassDef))]:
        for node in owner.body if not owner.name.startswith("_") else ():
            if isinstance(node, FUNCTIONS) and not PROPERTIES.intersection(
                map(ast.unparse, node.decorator_list)
            ):
                yield f"{owner.name}.{node.name}"


def test_no_two_classes_share_a_name() -> None:
    sources = [name for name in tracked("*.py") if not name.startswith(OWN_NAMES)]
    assert {name.split("/")[0] for name in sources} > {
        "fim_lsp",
        "quotient",
        "training",
        "benches",
        "release",
    }
    bodies = [tree_of(name).body for name in sources]
    named = [node.name for body in bodies for node in body if isinstance(node, ast.ClassDef)]
    assert len(named) > 500
    assert [name for name, times in Counter(named).items() if times > 1] == []


def test_no_function_is_named_by_a_participle_alone() -> None:
    named = [*public_functions(), *public_methods()]
    assert len(named) > 3_000
    assert [name for name in named if lacks_noun(name.rpartition(".")[2])] == []


def test_a_known_language_is_not_called_known() -> None:
    """Many things are known; `known` alone does not tell the reader of a call which one is."""
    typed = [
        (module, node.lineno)
        for module, tree in modules().items()
        for node in ast.walk(tree)
        if (isinstance(node, ast.arg) and node.arg == "known" and node.annotation is not None)
        or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == "known")
        if "KnownLanguage" in ast.unparse(node.annotation or node)
    ]
    assert typed == []


# A type of `lexer` may occur in `quotient`, and types of both crates in `bindings`.
CRATES = ("lexer", "quotient", "bindings")
RUST_TYPE = re.compile(
    r"^(?P<door>pub(?:\((?:crate|super)\))?) (?:struct|enum|trait|type|union) (?P<name>\w+)", re.M
)
RUST_FUNCTION = re.compile(r"^ *pub(?:\(\w+\))? (?:const )?fn (?P<name>\w+)", re.M)
RUST_TRAIT = re.compile(r"^(?:pub(?:\(\w+\))? )?trait \w+.*?^\}$", re.M | re.S)


@cache
def rust_sources() -> dict[str, str]:
    """The code of each file, without its tests."""
    return {
        name: re.split(r"#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod tests", text_of(name))[0]
        for crate in CRATES
        for name in tracked(f"{crate}/src")
        if name.endswith(".rs")
    }


def test_no_two_types_of_rust_share_a_name_if_one_of_them_leaves_its_room() -> None:
    """`pub(super)` keeps a type in its room, whose name completes it; within one room names are unique."""
    met: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for path, text in rust_sources().items():
        crate, _, room, *_ = path.removesuffix(".rs").split("/")
        for found in RUST_TYPE.finditer(text):
            met[found["name"]].append((crate, room, found["door"]))
    assert len(met) > 250
    shared = {
        name: places
        for name, places in met.items()
        for index, one in enumerate(places)
        for other in places[:index]
        if one[:2] == other[:2]
        or (one[0] == other[0] and {one[2], other[2]} != {"pub(super)"})
        or (one[0] != other[0] and one[2] == other[2] == "pub")
    }
    assert shared == {}


def test_no_function_of_rust_that_others_use_is_named_by_a_participle_alone() -> None:
    named = [
        (path, found["name"])
        for path, text in rust_sources().items()
        for found in (
            *RUST_FUNCTION.finditer(text),
            *(
                method
                for of in RUST_TRAIT.finditer(text)
                for method in re.finditer(r"^    fn (?P<name>\w+)", of[0], re.M)
            ),
        )
    ]
    assert len(named) > 1_000
    assert [one for one in named if is_lone_participle(one[1])] == []
