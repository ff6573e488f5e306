"""Rooms: each package and crate is entered by its door, and uses only the rooms in front of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from tests.house.own_files import path_of, text_of, tracked

# Packages whose door lists its modules.
LISTING = (
    "context",
    "document",
    "document/repair",
    "runtimes/llama",
    "runtimes/served",
    "server",
    "server/worker",
    "system",
    "vllm_plugin",
    "worth",
)


@pytest.mark.parametrize("package", LISTING)
def test_a_door_that_lists_its_modules_lists_all(package: str) -> None:
    folder = path_of("fim_lsp") / package
    door = (folder / "__init__.py").read_text(encoding="utf-8")
    modules = {path.name for path in folder.glob("*.py")} - {"__init__.py"}
    assert sorted(modules - set(re.findall(r"\w+\.py\b", door))) == []


# Packages that are used only through their door.
BEHIND_DOORS = ("fim_lsp.document.repair",)


@pytest.mark.parametrize("package", BEHIND_DOORS)
def test_a_package_with_one_door_is_asked_there(package: str) -> None:
    folder = package.replace(".", "/")
    inner = re.compile(rf"^\s*(?:from|import) {re.escape(package)}\.", re.MULTILINE)
    # Tests may look behind it.
    sources = [name for name in tracked("*.py") if not name.startswith(("tests/", f"{folder}/"))]
    assert len(sources) > 300
    assert [name for name in sources if inner.search(text_of(name))] == []
    door = text_of(f"{folder}/__init__.py")
    handed_on = set(re.findall(r'"(\w+)"', door.split("__all__")[1]))
    asked = {
        word
        for name in sources
        for listed in re.findall(
            rf"^from {re.escape(package)} import (?:\(([^)]*)\)|(.*))$",
            text_of(name),
            re.MULTILINE,
        )
        for word in re.findall(r"\w+", "".join(listed))
    }
    assert asked == handed_on, "the door hands on what others use, and no more"


# The rooms that may use the server: they are it, start it, or drive it.
ABOVE_THE_SERVER = ("fim_lsp/server/", "fim_lsp/commands/", "fim_lsp/replay/")


def test_what_the_server_uses_knows_nothing_of_it() -> None:
    sources = [name for name in tracked("fim_lsp/*.py") if not name.startswith(ABOVE_THE_SERVER)]
    assert len(sources) > 200
    found = re.compile(r"^(?:from|import) fim_lsp\.server", re.MULTILINE)
    assert [name for name in sources if found.search(text_of(name))] == []


def package_uses() -> set[tuple[str, str]]:
    """Pairs of packages or modules of `fim_lsp`, the first of which imports the second at any time."""
    uses = set()
    for name in tracked("fim_lsp/*.py"):
        own = name.split("/")[1].removesuffix(".py")
        for node in ast.walk(ast.parse(text_of(name))):
            match node:
                case ast.ImportFrom(module=str(module)):
                    imported = [module]
                case ast.Import(names=names):
                    imported = [one.name for one in names]
                case _:
                    continue
            uses |= {(own, used.split(".")[1]) for used in imported if used.startswith("fim_lsp.")}
    return uses


def test_no_two_packages_lean_on_each_other() -> None:
    uses = package_uses()
    assert len(uses) > 150
    assert {(one, other) for one, other in uses if one < other and (other, one) in uses} == set()


def test_the_engine_knows_nothing_of_what_users_meet() -> None:
    """The engine's extension is its own, so that dependencies point one way."""
    assert path_of("quotient/_native.pyi").exists()
    names = tracked("quotient/*.py", "quotient/*.pyi")
    found = re.compile(r"^\s*(?:from|import) fim_lsp\b", re.MULTILINE)
    assert len(names) > 20
    assert [name for name in names if found.search(text_of(name))] == []


# The rooms of `quotient` in Python, from first to last. The other modules there are for users.
PYTHON_ROOMS = ("expressions", "compiler", "lark_meaning")
FACES = {"__init__", "language", "logits", "token_spelling", "vocabulary"}


def test_rooms_of_the_grammar_compiler_use_only_those_in_front_of_them() -> None:
    names = tracked("quotient/*.py")
    assert {name.split("/")[1].removesuffix(".py") for name in names} == {*PYTHON_ROOMS, *FACES}
    n_uses = 0
    for room in PYTHON_ROOMS:
        behind = {*PYTHON_ROOMS[PYTHON_ROOMS.index(room) + 1 :], *FACES}
        for name in tracked(f"quotient/{room}"):
            used = re.findall(r"\bfrom quotient(?:\.(\w+))?", text_of(name))
            n_uses += len(used)
            assert not behind.intersection(one or "__init__" for one in used), name
    assert n_uses > 50


CRATES = ("lexer", "quotient")


def rooms(crate: str) -> list[str]:
    """The rooms of a crate, in the order in which they may use each other."""
    return numbered_rooms(f"{crate}/src/lib.rs")


def numbered_rooms(door_name: str) -> list[str]:
    door = text_of(door_name)
    listed = re.findall(r"^//! \d+\. \[?`(\w+)`", door, re.MULTILINE)
    code = door.split("#[cfg(test)]")[0]
    assert sorted(listed) == sorted(re.findall(r"^(?:pub )?mod (\w+);$", code, re.MULTILINE))
    return listed


@pytest.mark.parametrize("crate", CRATES)
def test_rooms_use_only_those_in_front_of_them(crate: str) -> None:
    order = rooms(crate)
    n_uses = 0
    for name in tracked(f"{crate}/src"):
        room = name.split("/")[2].removesuffix(".rs")
        if room == "lib":
            continue
        text = text_of(name)
        code = re.split(r"#\[cfg\(test\)\]\n(?:pub\(crate\) )?mod tests", text)[0]
        for used in re.findall(r"^(?!\s*//).*?\bcrate::(\w+)", code, re.MULTILINE):
            n_uses += 1
            assert used in order, (name, used)
            assert order.index(used) <= order.index(room), (name, used)
    assert n_uses > 10


def test_rooms_within_the_law_of_names_use_only_those_in_front_of_them() -> None:
    order = numbered_rooms("quotient/src/python_names.rs")
    n_uses = 0
    for name in tracked("quotient/src/python_names"):
        room = name.split("/")[3].removesuffix(".rs")
        code = text_of(name).split("#[cfg(test)]\nmod tests")[0]
        for used in re.findall(r"\bcrate::python_names::(\w+)::", code):
            n_uses += 1
            assert order.index(used) < order.index(room), (name, used)
    assert n_uses > 40


@pytest.mark.parametrize("crate", CRATES)
def test_examples_in_comments_are_no_code_that_cargo_would_have_to_run(crate: str) -> None:
    """`doctest` is off, because cargo would compile the whole engine again for an example."""
    examples = [
        f"{name}: {language or 'no language'}"
        for name in tracked(f"{crate}/src")
        for language in re.findall(
            r"^\s*//[/!] ```(.*)\n(?:\s*//[/!].*\n)*?\s*//[/!] ```$",
            text_of(name),
            re.MULTILINE,
        )
    ]
    assert [example for example in examples if not example.endswith(": text")] == []


@pytest.mark.parametrize("crate", CRATES)
def test_what_tests_from_outside_use_is_what_others_may_use(crate: str) -> None:
    """The tests are compiled with the crate (src/lib.rs), so only this test keeps them out of its private
    parts."""
    door = text_of(f"{crate}/src/lib.rs")
    public = set(re.findall(r"^pub (?:mod |use (?:\w+::)*)(?:\{([^}]*)\}|(\w+));", door, re.MULTILINE))
    names = {name for pair in public for name in re.findall(r"\w+", " ".join(pair))}
    n_used = 0
    for name in tracked(f"{crate}/tests"):
        if not name.endswith(".rs"):
            continue
        text = text_of(name)
        assert not re.search(r"\bcrate::|super::super", text), name
        for used in re.findall(rf"\bfim_{crate}::(?:\{{([^}}]*)\}}|(\w+))", text):
            for word in re.findall(r"\w+", " ".join(used)):
                n_used += 1
                assert word in names, (name, word)
    assert n_used > 4


@pytest.mark.parametrize("crate", CRATES)
def test_the_map_lists_the_rooms_in_their_order(crate: str) -> None:
    page = text_of("ARCHITECTURE.md")
    mapped = re.findall(rf"^\| `{crate}/src/(\w+)(?:/|\.rs)` \|", page, re.MULTILINE)
    assert mapped == rooms(crate)


def test_modules_name_what_they_answer_of_the_paper() -> None:
    """The modules in the table of the paper's terms, except for those about things that the paper leaves
    out."""
    page = text_of("ARCHITECTURE.md")
    rows = page.split("## The paper's terms")[1].split("\n## ")[0].splitlines()
    answering = [row for row in rows if row.startswith("| ") and "leaves out" not in row]
    named = {name for row in answering for name in re.findall(r"`([\w/]+\.rs)`", row.split(" | ")[2])}
    assert len(named) > 14
    silent = [
        name
        for name in sorted(named)
        if not re.search(r"^//! .*\b(?:In the paper:|the paper's)", text_of(name), re.MULTILINE)
    ]
    assert silent == []


# Packages whose rooms use only those in front of them, and are entered by their doors.
ROOMED = ("decoding", "edits")


def listed_rooms(package: str) -> list[str]:
    """The rooms of a package, in the order in which they may use each other."""
    folder = path_of(f"fim_lsp/{package}")
    door = (folder / "__init__.py").read_text(encoding="utf-8")
    listed = re.findall(r"^\d+\. `(\w+)`", door, re.MULTILINE)
    files = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    folders = {path.parent.name for path in folder.glob("*/__init__.py")}
    assert sorted(listed) == sorted(files | folders)
    return listed


@pytest.mark.parametrize("package", ROOMED)
def test_rooms_of_a_package_use_only_those_in_front_of_them(package: str) -> None:
    order = listed_rooms(package)
    n_uses = 0
    for name in tracked(f"fim_lsp/{package}"):
        room = name.split("/")[2].removesuffix(".py")
        if room == "__init__" or not name.endswith(".py"):
            continue
        for used in re.findall(rf"\bfim_lsp\.{package}\.(\w+)", text_of(name)):
            n_uses += 1
            assert used in order, (name, used)
            assert order.index(used) <= order.index(room), (name, used)
    assert n_uses > 100


@pytest.mark.parametrize("package", ROOMED)
def test_rooms_of_a_package_are_entered_by_their_doors(package: str) -> None:
    doors = {}
    for door in path_of(f"fim_lsp/{package}").glob("*/__init__.py"):
        in_front, _, behind = door.read_text(encoding="utf-8").partition("Behind the door:")
        # Each module is listed once.
        listed = re.findall(r"^    (\w+)\.py ", in_front + behind, re.MULTILINE)
        assert sorted(listed) == sorted({path.stem for path in door.parent.glob("*.py")} - {"__init__"}), door
        doors[door.parent.name] = set(re.findall(r"^    (\w+)\.py ", in_front, re.MULTILINE))
    used = {room: set[str]() for room in doors}
    for name in tracked("fim_lsp"):
        text = text_of(name) if name.endswith(".py") else ""
        for room, module in entered_rooms(text, package):
            if room in doors and not name.startswith(f"fim_lsp/{package}/{room}/"):
                assert module in doors[room], (name, room, module)
                used[room].add(module)
    # A name that no other module uses stays behind the door.
    assert used == doors


def entered_rooms(text: str, package: str) -> Iterator[tuple[str, str]]:
    """The rooms of a package, and the modules in them, that a text names or imports."""
    yield from re.findall(rf"\bfim_lsp\.{package}\.(\w+)\.(\w+)", text)
    whole = rf"^ *from fim_lsp\.{package}\.(\w+) import (\([^)]*\)|.*)$"
    for room, modules in re.findall(whole, text, re.MULTILINE):
        yield from ((room, module) for module in re.findall(r"\w+", modules))
