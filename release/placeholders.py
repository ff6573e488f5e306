"""What only a maintainer knows: read from `placeholders.toml`, by one name each, `pypi_download` say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import tomllib

FILE = Path(__file__).with_name("placeholders.toml")


def placeholders(file: Path = FILE) -> dict[str, str]:
    """Each value by its table's name and its own; those of the project by their own alone."""
    tables: dict[str, dict[str, str]] = tomllib.loads(file.read_text(encoding="utf-8"))
    return {
        key if table == "project" else f"{table}_{key}": value
        for table, values in tables.items()
        for key, value in values.items()
    }


def is_open(value: str) -> bool:
    """Whether it is not filled in yet."""
    return "placeholder" in value or not value.strip("0")


def still_open(known: Mapping[str, str]) -> frozenset[str]:
    return frozenset(name for name, value in known.items() if is_open(value))
