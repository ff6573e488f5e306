"""The declaration of a setting: its value's limits, and the texts of the page and of VS Code.

`settings.py` declares the settings. From there `make settings` writes the table in docs/server.md, and of the
extension its manifest, its English texts and the names that it sends (`release/settings.py`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import Any

DECLARED = "declared"


class SettingsPage(Enum):
    """The pages of VS Code's settings editor, in their order.

    Settings that decide about a completion can be set for a language; the others are the window's.
    """

    COMPLETIONS = "completions"
    MODEL = "model"
    SERVER = "server"
    LIMITS = "limits"

    @property
    def scope(self) -> str:
        return "language-overridable" if self in (SettingsPage.COMPLETIONS, SettingsPage.MODEL) else "window"


@dataclass(frozen=True, slots=True)
class Declaration:
    """The declaration of a setting without its name and its default."""

    # The setting's row of docs/server.md.
    meaning: str
    # The text in VS Code's settings editor; where it is empty, the extension has no such setting.
    in_vscode: str = ""
    group: SettingsPage = SettingsPage.COMPLETIONS
    # Whether a workspace that is not trusted may set it: a setting that only says when and how much of an
    # offer is shown, and which version it is for; never one that starts, reads, sends or keeps more.
    is_harmless: bool = False
    # The values that may be chosen, with what VS Code says of each. No choices: any value of the kind.
    among: Mapping[str, str] = field(default_factory=dict)
    at_least: int | None = None
    # The extension waits for keystrokes by itself, and VS Code's editor holds people to narrower limits.
    default_in_vscode: object = None
    at_least_in_vscode: int | None = None
    at_most: int | None = None
    # Values that VS Code offers, though others may be meant as well.
    suggested: tuple[str, ...] = ()
    # The label of a choice that is empty.
    empty_label: str = ""

    def checked_value(self, value: object, default: object) -> object:
        """A value as the field keeps it; a `ValueError` for people when it is of the wrong kind or size."""
        if isinstance(value, float) and value.is_integer():
            # Lua, and so Neovim, has one kind of number.
            value = int(value)
        if isinstance(default, tuple):
            if not isinstance(value, list | tuple) or not all(isinstance(item, str) for item in value):
                raise ValueError(f"expected a list of texts, found {kind_of(value)}")
            return tuple(value)
        if type(value) is not type(default):
            raise ValueError(f"expected {kind_of(default)}, found {kind_of(value)}")
        if self.at_least is not None and isinstance(value, int) and value < self.at_least:
            raise ValueError(f"expected at least {self.at_least}, found {value}")
        if self.among and value not in self.among:
            raise ValueError(f"expected one of {', '.join(map(repr, self.among))}, found {value!r}")
        return value


def setting(default: Any, meaning: str, in_vscode: str = "", **told: Any) -> Any:
    """A field of `Settings` with its declaration."""
    return field(default=default, metadata={DECLARED: Declaration(meaning, in_vscode, **told)})


@dataclass(frozen=True, slots=True)
class DeclaredSetting:
    """A setting as it was declared."""

    attribute: str
    default: Any
    declaration: Declaration

    @property
    def name(self) -> str:
        """The name as editors write it."""
        return camel_case(self.attribute)


def declared_settings(settings: Any) -> Iterator[DeclaredSetting]:
    """The settings of a class of settings, in their order."""
    for known in fields(settings):
        yield DeclaredSetting(known.name, known.default, known.metadata[DECLARED])


def kind_of(value: object) -> str:
    """A value's kind in the words of JSON."""
    match value:
        case bool():
            return "true or false"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case None:
            return "null"
        case _:
            return "an object"


def camel_case(name: str) -> str:
    return re.sub(r"_(\w)", lambda found: found[1].upper(), name)
