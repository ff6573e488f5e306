"""What users can set. Decoded once, where it comes in; everything behind works on this frozen value.

Editors write names in camel case (`timeBudget`), so do docs/server.md and the messages here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any

SCOPES = ("", "statement", "block", "bracket", "free")
EAGERNESS = ("quiet", "balanced", "eager")
POPUP_MODES = ("auto", "on", "off")
CONTEXT_MODES = ("auto", "on", "off")
TYPES_MODES = ("auto", "on", "off")
READ_AHEAD_MODES = ("plugged", "always", "never")
TOML_VERSIONS = ("1.0", "1.1")
# Milliseconds for an answer while somebody types, and for one that somebody asked for and waits for.
BUDGET_MS, ASKED_MS = 800, 10_000
# How much more than what an offer takes may be waited for while somebody types, and how long at most.
ROOM, LONGEST_S = 1.4, 4.0


def setting(default: Any, at_least: int | None = None, among: tuple[str, ...] = ()) -> Any:
    """A field with the limits that a value has to respect."""
    return field(default=default, metadata={"at_least": at_least, "among": among})


@dataclass(frozen=True, slots=True)
class Settings:
    """docs/server.md says what each of them means."""

    enable: bool = setting(True)
    model: str = setting("")
    device: str = setting("auto")
    gpu_layers: int = setting(-1, at_least=-1)
    python_version: str = setting("")
    toml_version: str = setting("1.0", among=TOML_VERSIONS)
    manual_only: bool = setting(False)
    scope: str = setting("", among=SCOPES)
    multi_line: bool = setting(True)
    max_lines: int = setting(20, at_least=1)
    max_tokens: int = setting(64, at_least=1)
    alternatives: int = setting(3, at_least=1)
    in_comments: bool = setting(False)
    next_edits: bool = setting(True)
    eagerness: str = setting("balanced", among=EAGERNESS)
    memory: bool = setting(True)
    context: str = setting("auto", among=CONTEXT_MODES)
    names: bool = setting(True)
    unique_keys: bool = setting(False)
    imports: bool = setting(True)
    types: str = setting("auto", among=TYPES_MODES)
    disk_cache: bool = setting(True)
    time_budget: int = setting(BUDGET_MS, at_least=1)
    debounce: int = setting(0, at_least=0)
    prefetch: bool = setting(True)
    read_ahead: str = setting("plugged", among=READ_AHEAD_MODES)
    popup_completion: str = setting("auto", among=POPUP_MODES)
    exclude: tuple[str, ...] = setting(())
    statistics: bool = setting(False)
    max_document_kilobytes: int = setting(1024, at_least=1)
    max_documents: int = setting(32, at_least=1)
    max_chart_megabytes: int = setting(64, at_least=1)
    max_model_sessions: int = setting(4, at_least=1)
    max_cached_completions: int = setting(64, at_least=0)
    max_worker_megabytes: int = setting(4096, at_least=1)

    @property
    def max_characters(self) -> int:
        """The longest text that is completed."""
        return self.max_document_kilobytes << 10

    def budget_s(self, is_asked: bool, seconds_an_offer: float | None = None) -> float:
        """Seconds for an answer, if none were chosen by what an offer of the model takes. Whoever asks waits
        until there is one."""
        if self.time_budget != BUDGET_MS:
            return self.time_budget / 1000
        if is_asked:
            return ASKED_MS / 1000
        return min(max(BUDGET_MS / 1000, ROOM * (seconds_an_offer or 0.0)), LONGEST_S)

    def updated(self, given: object) -> tuple[Settings, list[str]]:
        """These settings with what a client sent laid over them, and what is wrong with the rest.

        Unknown names are the client's own business: VS Code sends those of the extension, too.
        """
        if given is None:
            return self, []
        if not isinstance(given, Mapping):
            return self, [f"settings are an object, not {kind_of(given)}"]
        changes: dict[str, object] = {}
        complaints: list[str] = []
        for known in fields(self):
            name = camel_case(known.name)
            value = given.get(name)
            if value is None:
                continue
            try:
                changes[known.name] = checked(value, known.default, **known.metadata)
            except ValueError as error:
                complaints.append(f"{name}: {error}")
        return replace(self, **changes), complaints  # type: ignore[arg-type]


def checked(value: object, default: object, at_least: int | None, among: tuple[str, ...]) -> object:
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
    if at_least is not None and isinstance(value, int) and value < at_least:
        raise ValueError(f"expected at least {at_least}, found {value}")
    if among and value not in among:
        raise ValueError(f"expected one of {', '.join(map(repr, among))}, found {value!r}")
    return value


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
