"""`python -m release.settings`: writes the server's settings into all pages and manifests that list them.

The settings are declared in `fim_lsp/server/settings.py`. The command makes the table of docs/server.md and,
for the extension, the settings in its manifest, those that an untrusted workspace may not set, the English
texts, and the names that it sends. The extension's own settings (which program is started, for example) are
in its manifest, and stay unchanged. Translations are written by people; tests name missing ones.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fim_lsp.server.declaration import DeclaredSetting, SettingsPage, declared_settings
from fim_lsp.server.settings import Settings
from release.facts import ROOT

PREFIX = "fim-lsp."
PAGE = "docs/server.md"
MANIFEST = "vscode-client/package.json"
ENGLISH = "vscode-client/package.nls.json"
GERMAN = "vscode-client/package.nls.de.json"
NAMES = "vscode-client/src/serverSettings.ts"
TABLE = re.compile(r"(?<=\| setting \| default \| meaning \|\n\|---\|---\|---\|\n)(?:\|.*\n)+")
KINDS = {bool: "boolean", int: "integer", str: "string", tuple: "array"}
# The extension waits for keystrokes, so that the server does not have to.
WAITED_FOR_HERE = "debounce"

Properties = dict[str, dict[str, Any]]


def main() -> None:
    for name, text in written(ROOT).items():
        (ROOT / name).write_text(text, encoding="utf-8")


def written(root: Path) -> dict[str, str]:
    """The files as they should be, made from the present ones."""
    said = {name: (root / name).read_text(encoding="utf-8") for name in (PAGE, MANIFEST, ENGLISH, GERMAN)}
    settings = list(declared_settings(Settings))
    shown = [setting for setting in settings if setting.declaration.in_vscode]
    manifest = with_settings(json.loads(said[MANIFEST]), shown)
    keys = list(keys_of(manifest))
    english = with_texts(json.loads(said[ENGLISH]), english_texts(shown), keys)
    return {
        PAGE: with_table(said[PAGE], "".join(map(row, settings))),
        MANIFEST: as_json(manifest),
        ENGLISH: as_json(english),
        GERMAN: as_json(with_texts(json.loads(said[GERMAN]), {}, keys)),
        NAMES: names(shown),
    }


def with_table(page: str, rows: str) -> str:
    made, n_tables = TABLE.subn(lambda _: rows, page)
    if n_tables != 1:
        raise ValueError(f"{PAGE} has {n_tables} tables of settings, and one is expected")
    return made


def row(setting: DeclaredSetting) -> str:
    return f"| `{setting.name}` | `{json.dumps(setting.default)}` | {setting.declaration.meaning} |\n"


def with_settings(manifest: dict[str, Any], shown: Sequence[DeclaredSetting]) -> dict[str, Any]:
    """The manifest with the declared settings of the server."""
    restricted = [name_in_vscode(setting) for setting in shown if not setting.declaration.is_harmless]
    untrusted = manifest["capabilities"]["untrustedWorkspaces"]
    ours = {name_in_vscode(setting) for setting in declared_settings(Settings)}
    own = [name for name in untrusted["restrictedConfigurations"] if name not in ours]
    untrusted["restrictedConfigurations"] = own + restricted
    for group, page in zip(SettingsPage, manifest["contributes"]["configuration"], strict=True):
        made = {name_in_vscode(s): definition(s) for s in shown if s.declaration.group is group}
        page["properties"] = {
            name: {"order": order, **{key: value for key, value in about.items() if key != "order"}}
            for order, (name, about) in enumerate(among_own(page["properties"], made, ours), 1)
        }
    return manifest


def among_own(there: Properties, made: Properties, ours: set[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The server's settings in the order of their declaration, each followed by the extension's own settings
    that follow it today."""
    followers: dict[str, list[str]] = {"": []}
    last = ""
    for name in there:
        if name in made:
            last = name
        elif name not in ours:
            followers.setdefault(last, []).append(name)
    for name in ("", *made):
        if name:
            yield name, made[name]
        for own in followers.get(name, ()):
            yield own, there[own]


def definition(setting: DeclaredSetting) -> dict[str, Any]:
    """A setting in the format of the manifest."""
    told, name = setting.declaration, setting.name
    default = setting.default if told.default_in_vscode is None else told.default_in_vscode
    at_least = told.at_least if told.at_least_in_vscode is None else told.at_least_in_vscode
    made: dict[str, Any] = {
        "type": KINDS[type(setting.default)],
        "default": default,
        "scope": told.group.scope,
        "markdownDescription": f"%setting.{name}%",
    }
    if told.among or told.suggested:
        made["enum"] = list(told.among or told.suggested)
    if told.empty_label:
        made["enumItemLabels"] = [f"%setting.{name}.empty.label%"]
    if any(told.among.values()):
        made["enumDescriptions"] = [f"%setting.{name}.{choice or 'empty'}%" for choice in told.among]
    if at_least is not None:
        made["minimum"] = at_least
    if told.at_most is not None:
        made["maximum"] = told.at_most
    if isinstance(setting.default, tuple):
        made["items"] = {"type": "string"}
    return made


def english_texts(shown: Sequence[DeclaredSetting]) -> dict[str, str]:
    texts: dict[str, str] = {}
    for setting in shown:
        key, told = f"setting.{setting.name}", setting.declaration
        texts[key] = told.in_vscode
        texts |= {f"{key}.{choice or 'empty'}": text for choice, text in told.among.items() if text}
        if told.empty_label:
            texts[f"{key}.empty.label"] = told.empty_label
    return texts


def keys_of(manifest: Mapping[str, Any]) -> Iterator[str]:
    """The keys of settings' texts, in the manifest's order."""
    for page in manifest["contributes"]["configuration"]:
        yield from re.findall(r'"%([^%"]+)%"', json.dumps(page))


def with_texts(there: dict[str, str], texts: Mapping[str, str], keys: Sequence[str]) -> dict[str, str]:
    """The present texts, followed by the settings' texts in the order of their keys. Texts of removed
    settings are dropped; tests report a key without a text."""
    rest = {key: text for key, text in there.items() if not re.match(r"settings?\.", key)}
    known = {**there, **texts}
    return rest | {key: known[key] for key in keys if key in known}


def names(shown: Sequence[DeclaredSetting]) -> str:
    listed = "".join(f'  "{setting.name}",\n' for setting in shown if setting.name != WAITED_FOR_HERE)
    return (
        "// Written by `make settings`: what fim_lsp/server/settings.py declares.\n\n"
        "/** The settings that the server is told for one document, by its own names (docs/server.md). */\n"
        f"export const SERVER_SETTINGS = [\n{listed}] as const;\n"
    )


def name_in_vscode(setting: DeclaredSetting) -> str:
    return PREFIX + setting.name


def as_json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    main()
