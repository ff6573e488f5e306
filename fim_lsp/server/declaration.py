"""The declaration of a setting: the limits of its value, and its texts for docs/server.md and VS Code.

`settings.py` declares the settings. From it `make settings` writes the table in docs/server.md, and the
extension's manifest, English texts and names of sent settings (`release/settings.py`).
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

    Settings of a single completion can be set for each language; the others hold for the whole window.
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
    # The text in VS Code's settings editor; if it is empty, the extension does not have the setting.
    in_vscode: str = ""
    group: SettingsPage = SettingsPage.COMPLETIONS
    # Whether an untrusted workspace may set it: only settings for when and how much of an offer is shown, and
    # for the language version; never one that starts, reads, sends or keeps more.
    is_harmless: bool = False
    # The allowed values with VS Code's texts for them. If empty, any value of the kind is allowed.
    among: Mapping[str, str] = field(default_factory=dict)
    at_least: int | None = None
    # Other defaults and narrower limits in VS Code's settings editor; the extension debounces keys by itself.
    default_in_vscode: object = None
    at_least_in_vscode: int | None = None
    at_most: int | None = None
    # Values that VS Code suggests; others are allowed.
    suggested: tuple[str, ...] = ()
    # The label of the empty choice.
    empty_label: str = ""

    def checked_value(self, value: object, default: object) -> object:
        """A value in the field's form. Raises `ValueError`, with a message for the user, for a wrong kind or
        size."""
        if isinstance(value, float) and value.is_integer():
            # Lua, and so Neovim, has only one kind of number.
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


def setting(default: Any, meaning: str, in_vscode: str = "", **facts: Any) -> Any:
    """A field of `Settings` with its declaration."""
    return field(default=default, metadata={DECLARED: Declaration(meaning, in_vscode, **facts)})


@dataclass(frozen=True, slots=True)
class DeclaredSetting:
    """A declared setting."""

    attribute: str
    default: Any
    declaration: Declaration

    @property
    def name(self) -> str:
        """The name in editors."""
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
