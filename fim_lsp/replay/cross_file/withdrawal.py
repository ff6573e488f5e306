"""A file without the names that it imports from its own project.

    from shop.prices import Prices, net     ->  pass                     names are not defined any more
                                            ->  from e0 import ...       `Prices` is a class without members

Lines stay where they are, so that what is missing can be found in the file as it was.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from fim_lsp.context.modules import FoundDefinition, Modules
from fim_lsp.context.outline import PythonImport
from fim_lsp.positions import Lines

# Anything may be given to an empty class, and it has no members.
EMPTY_CLASS = "class {name}:\n    def __init__(self, *args: object, **named: object) -> None: ...\n"
ANYTHING = "from typing import Any\n{name}: Any\n"


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """A file in two spoilt forms, and the module that the second one imports."""

    without_names: str
    without_members: str
    empty: str


def withdrawn(
    text: str, uri: str, path: PurePosixPath, modules: Modules, empty_name: str
) -> Withdrawn | None:
    """The text without its project; None if it imports nothing from there, or does not parse."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    lines = Lines(text)
    without_names = without_members = text
    empty: list[str] = []
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in sorted(nodes, key=lambda node: -node.lineno):
        found = [modules.import_target(one, path) for one in imports_in(node)]
        if not found or any(one is None or uri in (one, getattr(one, "uri", None)) for one in found):
            continue
        start, stop = span(lines, text, node)
        n_breaks = text.count("\n", start, stop)
        without_names = without_names[:start] + "pass" + padding(n_breaks) + without_names[stop:]
        if isinstance(node, ast.ImportFrom):
            shown = f"from {empty_name} import " + ", ".join(
                f"{alias.name} as {alias.asname or alias.name}" for alias in node.names
            )
            without_members = without_members[:start] + shown + padding(n_breaks) + without_members[stop:]
            empty += [
                declared_stand_in(alias.name, one) for alias, one in zip(node.names, found, strict=True)
            ]
    if without_names == text:
        return None
    return Withdrawn(without_names, without_members, "".join(dict.fromkeys(empty)))


def padding(n_breaks: int) -> str:
    return "\n" * n_breaks


def imports_in(node: ast.Import | ast.ImportFrom) -> Iterator[PythonImport]:
    """The imported names of a statement; empty for an import of a whole module, which cannot be withdrawn."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield PythonImport("." * node.level + (node.module or ""), alias.name, alias.asname or alias.name)
        else:
            yield PythonImport(alias.name, "", alias.asname or alias.name)


def declared_stand_in(name: str, found: FoundDefinition | str | None) -> str:
    is_class = isinstance(found, FoundDefinition) and found.definition.text.startswith("class ")
    return (EMPTY_CLASS if is_class else ANYTHING).format(name=name)


def span(lines: Lines, text: str, node: ast.stmt) -> tuple[int, int]:
    """The offsets of a statement, whose columns count bytes."""
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    return offset(lines, text, node.lineno, node.col_offset), offset(
        lines, text, node.end_lineno, node.end_col_offset
    )


def offset(lines: Lines, text: str, line: int, n_bytes: int) -> int:
    start = lines.starts[line - 1]
    return start + len(text[start : start + n_bytes].encode()[:n_bytes].decode(errors="ignore"))
