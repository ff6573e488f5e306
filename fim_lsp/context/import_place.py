"""The place of a missing import, and its text there.

from shop.prices import Net, Prices     a name joins the line of its module, if there is one;
import os                               otherwise it gets a line behind the last one of its kind,
import re                               or in order, if those lines are sorted

The kinds are the usual ones: standard library, installed, the project's own, relative; `import` and `from`.
Only top-level lines count, so no import goes into `try`, `if TYPE_CHECKING` or a function. Other code checks
whether the file is right with the import.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import tree_sitter

from fim_lsp.context.added_import import AddedImport
from fim_lsp.context.importable import Importable, ImportSource
from fim_lsp.context.outline import text_of
from fim_lsp.positions import Lines

# An import line may be as long as this, or as the longest existing one.
LONGEST_LINE = 88
IMPORTS = {"import_statement", "import_from_statement", "future_import_statement"}
# Definitions, in front of which imports stand.
BODIES = {"class_definition", "function_definition", "decorated_definition"}
DEFINITIONS = ("def ", "class ", "async def ", "@")
PYTHON_S_OWN, INSTALLED, OWN, RELATIVE = range(4)


@dataclass(frozen=True, slots=True)
class Asker:
    """The importing file: its module name, whether it is a package's `__init__.py`, and the names of the
    project's modules."""

    module: str = ""
    is_package: bool = False
    tops: frozenset[str] = frozenset()

    def relative(self, module: str) -> str | None:
        """A module's relative name from here; None if it is in another package."""
        own, parts = self.module.split("."), module.split(".")
        package = own if self.is_package else own[:-1]
        n_shared = 0
        while n_shared < min(len(package), len(parts)) and package[n_shared] == parts[n_shared]:
            n_shared += 1
        if not n_shared:
            return None
        return "." * (len(package) - n_shared + 1) + ".".join(parts[n_shared:])

    def kind(self, module: str) -> int:
        if module.startswith("."):
            return RELATIVE
        top = module.partition(".")[0]
        if top in self.tops:
            return OWN
        return PYTHON_S_OWN if top in sys.stdlib_module_names else INSTALLED


@dataclass(frozen=True, slots=True)
class ImportLine:
    """A top-level import on lines of its own."""

    node: tree_sitter.Node
    module: str
    is_import: bool
    kind: int

    @property
    def names(self) -> list[tree_sitter.Node]:
        return self.node.children_by_field_name("name")


def asker_of(importable: Importable, uri: str) -> Asker:
    """A document in the role of the importer."""
    tops = frozenset(module.partition(".")[0] for module in importable.modules)
    return Asker(importable.module_name(uri), uri.endswith("/__init__.py"), tops)


def added_import(
    text: str, root: tree_sitter.Node, source: ImportSource, until: int, asker: Asker, line_end: str
) -> AddedImport | None:
    """The import to add to a text in front of an offset; `root` is its tree."""
    place = ImportMargin(text, root, until, asker, line_end)
    module = place.spelled_module(source.module) if not source.is_import else source.module
    binding = source.name if source.alias == source.name else f"{source.name} as {source.alias}"
    if source.is_import:
        is_plain = source.alias == module
        statement = f"import {module}" if is_plain else f"import {module} as {source.alias}"
    else:
        statement = f"from {module} import {binding}"
        if (joined := place.joining_place(module, binding)) is not None:
            return AddedImport(source.alias, statement, joined[0], joined[0], joined[1])
    found = place.own_line(statement, module, source.is_import)
    return None if found is None else AddedImport(source.alias, statement, found[0], found[0], found[1])


class ImportMargin:
    """The top-level lines of a text in front of an offset."""

    def __init__(self, text: str, root: tree_sitter.Node, until: int, asker: Asker, line_end: str) -> None:
        self.lines = Lines(text)
        self.asker, self.line_end = asker, line_end
        # An import must end in front of the offset's line.
        self.limit = self.lines.line_at(until)
        self.head = [one for one in root.named_children if one.end_point.row < self.limit]
        self.imports = [line for one in self._before_bodies() if (line := self._import(one)) is not None]
        self._content = text.encode(errors="replace")
        self._is_ascii = text.isascii()

    def _before_bodies(self) -> Iterator[tree_sitter.Node]:
        for node in self.head:
            if node.type in BODIES:
                return
            yield node

    def _import(self, node: tree_sitter.Node) -> ImportLine | None:
        if node.type not in IMPORTS or node.start_point.column:
            return None
        behind = self.lines.content(node.end_point.row).encode(errors="replace")[node.end_point.column :]
        if behind.strip() and not behind.lstrip().startswith(b"#"):
            return None
        if node.type == "import_statement":
            [first, *_] = node.children_by_field_name("name")
            module = text_of(first.child_by_field_name("name") if first.type == "aliased_import" else first)
            return ImportLine(node, module, True, self.asker.kind(module))
        is_future = node.type == "future_import_statement"
        module = "__future__" if is_future else text_of(node.child_by_field_name("module_name"))
        module = module.replace(" ", "")
        return ImportLine(node, module, False, self.asker.kind(module))

    def spelled_module(self, module: str) -> str:
        """A module of the project in the file's style: relative, if all of its imports are."""
        kinds = {line.kind for line in self.imports if not line.is_import}
        relative = self.asker.relative(module)
        is_relative = RELATIVE in kinds and OWN not in kinds and relative is not None
        return relative if is_relative and relative is not None else module

    def joining_place(self, module: str, binding: str) -> tuple[int, str] | None:
        """A place among the names that are already imported from a module."""
        for line in reversed(self.imports):
            names = line.names
            if line.is_import or line.module != module or not names or "\\" in text_of(line.node):
                continue
            is_one_line = names[0].start_point.row == names[-1].start_point.row
            length = len(self.lines.content(line.node.end_point.row)) + len(binding) + 2
            if is_one_line and length > max(LONGEST_LINE, *map(len, self._import_lines())):
                continue
            index = sorted_place([text_of(name) for name in names], binding)
            node = names[min(index, len(names) - 1)]
            begins_line = not self.lines[node.start_point.row].encode()[: node.start_point.column].strip()
            indent = self.lines.content(node.start_point.row)[: node.start_point.column]
            gap = self.line_end + indent if begins_line else " "
            if index < len(names):
                return self._offset(node.start_byte), f"{binding},{gap}"
            return self._offset(node.end_byte), f",{gap}{binding}"
        return None

    def _import_lines(self) -> Iterator[str]:
        yield ""
        for line in self.imports:
            yield self.lines.content(line.node.end_point.row)

    def own_line(self, statement: str, module: str, is_import: bool) -> tuple[int, str] | None:
        """A line of its own: its offset, and the inserted text."""
        kind = self.asker.kind(module)
        added = statement + self.line_end
        usual = [line for line in self.imports if line.module != "__future__"]
        same = [line for line in usual if (line.kind, line.is_import) == (kind, is_import)]
        if same:
            index = sorted_place([line.module for line in same], module)
            if index:
                return self._behind(same[index - 1], added)
            return self._in_front(same[0], added)
        if others := [line for line in usual if line.kind == kind]:
            return self._in_front(others[0], added) if is_import else self._behind(others[-1], added)
        if earlier := [line for line in usual if line.kind < kind]:
            return self._behind(earlier[-1], self.line_end + added)
        if usual:
            return self._in_front(usual[0], added + self.line_end)
        return self._at_the_top(added)

    def _at_the_top(self, added: str) -> tuple[int, str] | None:
        """The place behind the file's `__future__` imports, docstring or first comments."""
        futures = [line for line in self.imports if line.module == "__future__"]
        if futures:
            return self._apart(futures[-1].node.end_point.row + 1, added)
        is_docstring = [one for one in self.head if one.type == "expression_statement" and one.named_children]
        code = next((one for one in self.head if one.type != "comment"), None)
        if code is not None and code in is_docstring and code.named_children[0].type == "string":
            return self._apart(code.end_point.row + 1, added)
        row = 0
        while row < self.limit and self.lines[row].startswith("#"):
            row += 1
        return self._apart(row, added)

    def _apart(self, row: int, added: str) -> tuple[int, str] | None:
        """The import at the beginning of a line, with a blank line on each side."""
        if row > self.limit:
            return None
        before = self.line_end if row and self.lines.content(row - 1).strip() else ""
        following = self.lines.content(row)
        n_blank = 2 if following.startswith(DEFINITIONS) else int(bool(following.strip()))
        behind = self.line_end * n_blank
        return self.lines.starts[row], before + added + behind

    def _behind(self, line: ImportLine, added: str) -> tuple[int, str] | None:
        row = line.node.end_point.row + 1
        return (self.lines.starts[row], added) if row <= self.limit else None

    def _in_front(self, line: ImportLine, added: str) -> tuple[int, str] | None:
        return self.lines.starts[line.node.start_point.row], added

    def _offset(self, n_bytes: int) -> int:
        return n_bytes if self._is_ascii else len(self._content[:n_bytes].decode(errors="replace"))


def sorted_place(names: Sequence[str], name: str) -> int:
    """The place of a name among others: in order, if they are sorted; otherwise behind the last one."""
    for key in ORDERS:
        if [*names] == sorted(names, key=key):
            return sum(key(other) <= key(name) for other in names)
    return len(names)


def by_type(name: str) -> tuple[int, str]:
    """The order of isort and ruff: constants, classes, the rest."""
    word = re.split(r"\W", name, maxsplit=1)[0]
    is_constant = word.isupper() and len(word) > 1
    return (0 if is_constant else 1 if word[:1].isupper() else 2), name


ORDERS: tuple[Callable[[str], tuple[int, str]], ...] = (
    by_type,
    lambda name: (0, name.casefold()),
    lambda name: (0, name),
)
