"""The template for LSP4IJ says what the server understands; the IDEs themselves cannot be had here."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path
from typing import Any

from fim_lsp.cli import COMMANDS
from fim_lsp.known_languages import KNOWN
from fim_lsp.server.settings import Settings, camel_case

FOLDER = Path(__file__).parent.parent / "editors" / "jetbrains"


def read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    return found


def test_each_language_is_mapped_by_the_servers_name_and_extensions() -> None:
    mapped = {
        mapping["languageId"]: {pattern.removeprefix("*") for pattern in mapping["fileType"]["patterns"]}
        for mapping in read("template.json")["fileTypeMappings"]
    }
    assert mapped == {language.name: set(language.extensions) for language in KNOWN}


def test_the_command_is_the_server() -> None:
    for command in read("template.json")["programArgs"].values():
        program, subcommand = command.replace('"', " ").split()[-2:]
        assert program.removesuffix(".exe") == "fim-lsp"
        assert subcommand == "serve"
        assert subcommand in COMMANDS


def test_the_settings_are_the_servers_with_its_defaults() -> None:
    defaults = {camel_case(known.name): known.default for known in fields(Settings)}
    given = read("settings.json")["fim-lsp"]
    assert given.items() <= defaults.items()
