"""The places of a newcomer's addition are few: CONTRIBUTING leads to them, and no other file names the
addition.

A family of fill-in-the-middle models touches one file, a setting three, a subcommand two, beside tests.
"""

from __future__ import annotations

import ast
import inspect
from importlib import import_module

import pytest

from fim_lsp.cli import COMMANDS
from fim_lsp.fim_formats import FIM_FORMATS, format_named_in
from tests.house.own_files import text_of, tracked

FAMILIES = "fim_lsp/fim_formats.py"
# Models that can be downloaded, each with its family.
CATALOGUE = "fim_lsp/catalogue.py"


def strings(name: str) -> set[str]:
    tree = ast.parse(text_of(name))
    return {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }


def test_families_are_named_in_one_table() -> None:
    families = {one.name for one in FIM_FORMATS}
    signs = {sign for one in FIM_FORMATS for sign in (one.prefix, one.suffix, one.middle) if sign}
    sources = {*tracked("fim_lsp/*.py")} - {FAMILIES, CATALOGUE}
    assert len(sources) > 300
    assert {name: found for name in sources if (found := strings(name) & (families | signs))} == {}
    clients = [
        name for name in tracked("vscode-client/src") + tracked("editors") if not name.endswith(".png")
    ]
    texts = {name: text_of(name) for name in clients}
    assert [name for name, text in texts.items() if any(sign in text for sign in signs)] == []


def test_a_family_says_in_its_entry_what_its_models_are_called() -> None:
    for one in FIM_FORMATS:
        assert one.name_parts
        for part in one.name_parts:
            assert format_named_in(part) == one


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_a_line_and_a_module(name: str) -> None:
    """A newcomer would have to find any further place that names commands."""
    module = import_module(f"fim_lsp.commands.{name}")
    assert list(inspect.signature(module.add_arguments).parameters) == ["parser"]
    assert list(inspect.signature(module.run).parameters) == ["arguments"]
    assert (module.__doc__ or "").startswith(f"`fim-lsp {name}")


def test_commands_are_listed_in_one_place() -> None:
    sources = {*tracked("fim_lsp/*.py")} - {"fim_lsp/cli.py"}
    listing = [name for name in sources if len(strings(name) & COMMANDS.keys()) > len(COMMANDS) // 2]
    assert listing == []
