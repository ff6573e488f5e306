"""Placeholders, whose values only a maintainer knows: `placeholders.toml`, one name each, such as
`pypi_download`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import tomllib

FILE = Path(__file__).with_name("placeholders.toml")


def placeholders(file: Path = FILE) -> dict[str, str]:
    """Each value by the name of its table and its own name; the project's values by their own names alone."""
    tables: dict[str, dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        key if table == "project" else f"{table}_{key}": value
        for table, values in tables.items()
        for key, value in values.items()
    }


def is_open(value: str) -> bool:
    """Whether a placeholder is not filled in yet."""
    return "placeholder" in value or not value.strip("0")


def still_open(known: Mapping[str, str]) -> frozenset[str]:
    return frozenset(name for name, value in known.items() if is_open(value))
