"""`fim-lsp settings`: the settings that an editor has of the server, with their defaults."""

from __future__ import annotations

import argparse
import json
import re
import shutil
import textwrap

from fim_lsp.server.declaration import DeclaredSetting, declared_settings
from fim_lsp.server.settings import Settings

# A reference to a page, which is none in a terminal.
REFERENCE = re.compile(r"\s*\(\[[^\]]*\]\([^)]*\)\)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(arguments: argparse.Namespace) -> int:
    settings = list(declared_settings(Settings))
    if arguments.json:
        print(json.dumps({"settings": list(map(described_setting, settings))}, indent=2))
        return 0
    width = max(40, shutil.get_terminal_size().columns - 4)
    for one in settings:
        print(f"{one.name} = {json.dumps(one.default)}")
        print(textwrap.indent(textwrap.fill(plain_meaning(one), width), "    "))
    return 0


def described_setting(one: DeclaredSetting) -> dict[str, object]:
    """A setting as a program reads it; limits that it has not are left out."""
    declared = one.declaration
    limits = {"among": list(declared.among), "at_least": declared.at_least, "at_most": declared.at_most}
    return {
        "name": one.name,
        "default": one.default,
        "meaning": plain_meaning(one),
        **{name: limit for name, limit in limits.items() if limit not in (None, [])},
    }


def plain_meaning(one: DeclaredSetting) -> str:
    return LINK.sub(r"\1", REFERENCE.sub("", one.declaration.meaning))
