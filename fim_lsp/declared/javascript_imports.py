"""The import that a file of JavaScript or TypeScript lacks for a value, and where it goes.

A name means what the project's other files import by it and use as a value, if they agree. The import has the
file's own style: `import` or `require`, as the others, with their quotes. It joins the names of a module from
which the file imports already.

    import { mean } from "./numbers.js";        in lib/a.js: also of "../lib/numbers.js" in test/b.js
    import { mean, sum } from "./numbers.js";
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePath
from typing import Literal

import tree_sitter

from fim_lsp.declared.beside import FileLocation, root_of_source, source
from fim_lsp.declared.roles import IDENTIFIERS, Plain, role
from fim_lsp.declared.tree import spans_of, text
from fim_lsp.known_languages import JAVASCRIPT, extensions_of, of_file
from fim_lsp.sources import files_below

# The most files of a project that are looked at, and the most folders up to where it begins.
MOST_FILES = 400
MOST_FOLDERS = 40
MADE = ("node_modules", "dist", "build", "coverage")
Kind = Literal["named", "default", "namespace", "required", "required name"]
REQUIRED: tuple[Kind, ...] = ("required", "required name")


@dataclass(frozen=True, slots=True)
class JavaScriptImport:
    """The import of a name: its module, and its name there, empty for the module itself."""

    kind: Kind
    module: str
    name: str
    local: str

    def statement(self, quote: str, end: str) -> str:
        module = f"{quote}{self.module}{quote}"
        match self.kind:
            case "named":
                return f"import {{ {self.entry} }} from {module}{end}"
            case "default":
                return f"import {self.local} from {module}{end}"
            case "namespace":
                return f"import * as {self.local} from {module}{end}"
            case "required":
                return f"const {self.local} = require({module}){end}"
            case "required name":
                return f"const {{ {self.entry} }} = require({module}){end}"

    @property
    def entry(self) -> str:
        between = ": " if self.kind == "required name" else " as "
        return self.local if self.name == self.local else f"{self.name}{between}{self.local}"


@dataclass(frozen=True, slots=True)
class Line:
    """A statement of a file that imports."""

    node: tree_sitter.Node
    imports: tuple[JavaScriptImport, ...]
    module: str


# The place of what is written, by bytes, what that is, and the import as a statement.
Written = tuple[int, int, str, str]


def missing_in_javascript(
    use: tree_sitter.Node, root: tree_sitter.Node, place: FileLocation, line_end: str
) -> Written | None:
    """The missing import; None where nothing says what a name means, or the file imports in no such way."""
    if place.path is None:
        return None
    found = set(imported_elsewhere(text(use), place))
    if len(found) != 1:
        return None
    [one] = found
    if PurePath(one.module).is_absolute():
        near = near_module(PurePath(one.module), place.path.parent)
        if near is None:
            return None
        one = JavaScriptImport(one.kind, near, one.name, one.local)
    own = list(lines_of(root))
    if one.kind == "named" and (joined := joined_line(one, own, line_end)) is not None:
        return joined
    alike = [line for line in own if (line.imports[0].kind in REQUIRED) == (one.kind in REQUIRED)]
    if not alike:
        return None
    last = text(alike[-1].node)
    statement = one.statement('"' if '"' in last else "'", ";" if last.endswith(";") else "")
    return alike[-1].node.end_byte, alike[-1].node.end_byte, f"{line_end}{statement}", statement


def near_module(module: PurePath, folder: PurePath) -> str | None:
    """The path by which the files of a folder name a module; None on another drive."""
    # As paths they are the same in either case where the system has it so.
    same = [
        type(folder)(one) == type(folder)(other)
        for one, other in zip(module.parts, folder.parts, strict=False)
    ]
    if not same[0]:
        return None
    n_same = [*same, False].index(False)
    up = [".."] * (len(folder.parts) - n_same) or ["."]
    return "/".join([*up, *module.parts[n_same:]])


def joined_line(one: JavaScriptImport, own: list[Line], line_end: str) -> Written | None:
    """Behind the last name that is imported from the module already."""
    for line in own:
        if line.module != one.module or not all(other.kind == "named" for other in line.imports):
            continue
        entries = list(specifiers(line.node))
        last = entries[-1]
        is_line = len(entries) > 1 and last.start_point.row > entries[0].start_point.row
        gap = f"{line_end}{' ' * last.start_point.column}" if is_line else " "
        whole = text(line.node)
        statement = one.statement('"' if '"' in whole else "'", ";" if whole.endswith(";") else "")
        return last.end_byte, last.end_byte, f",{gap}{one.entry}", statement
    return None


def imported_elsewhere(name: str, place: FileLocation) -> Iterator[JavaScriptImport]:
    """Imports by a name in the project's other files that use it as a value; of its own modules the place."""
    assert place.path is not None
    for path in islice(project_files(place.path), MOST_FILES):
        content = None if path == place.path else source(path, place)
        if content is None or name.encode() not in content:
            continue
        for one in imports_of(content, path.suffix):
            if one.local != name or not is_value(name, content, path.suffix):
                continue
            module = one.module
            if module.startswith("."):
                module = posixpath.normpath(posixpath.join(path.parent.as_posix(), module))
                if module in (place.path.as_posix(), place.path.with_suffix("").as_posix()):
                    continue
            yield JavaScriptImport(one.kind, module, one.name, one.local)


def project_files(path: Path) -> Iterator[Path]:
    """The files of the package around one; where there is none, those beside it."""
    around = (path.parent, *path.parent.parents)[:MOST_FOLDERS]
    project = next((folder for folder in around if (folder / "package.json").is_file()), None)
    if project is None:
        extensions = extensions_of(JAVASCRIPT.family)
        yield from (found for found in files_beside(path) if found.suffix in extensions)
        return
    for found in map(Path, files_below(str(project), extensions_of(JAVASCRIPT.family))):
        if not any(part in MADE for part in found.relative_to(project).parts[:-1]):
            yield found


def files_beside(path: Path) -> list[Path]:
    """The files in a file's folder. The folder of a new file may not be there yet, or not be readable."""
    try:
        return sorted(path.parent.iterdir())
    except OSError:
        return []


@lru_cache(maxsize=2_000)
def imports_of(content: bytes, extension: str, with_types: bool = False) -> tuple[JavaScriptImport, ...]:
    root = root_of_source(content, of_file(f"a{extension}"))
    return tuple(one for line in lines_of(root, with_types) for one in line.imports)


@lru_cache(maxsize=4_000)
def is_value(name: str, content: bytes, extension: str) -> bool:
    """Whether a file uses a name as a value anywhere; as a type alone is not enough."""
    root = root_of_source(content, of_file(f"a{extension}"))
    for start, stop in spans_of(name.encode(), content):
        node = root.descendant_for_byte_range(start, stop)
        if node is not None and node.type in IDENTIFIERS and role(node) is Plain.USE:
            return True
    return False


def lines_of(root: tree_sitter.Node, with_types: bool = False) -> Iterator[Line]:
    """The statements at a file's margin that import something by a name; those of types alone if asked."""
    for node in root.named_children:
        if node.type == "import_statement":
            found = tuple(of_statement(node, with_types))
        elif node.type in ("lexical_declaration", "variable_declaration"):
            found = tuple(of_declaration(node))
        else:
            continue
        if found:
            yield Line(node, found, found[0].module)


def of_statement(node: tree_sitter.Node, with_types: bool = False) -> Iterator[JavaScriptImport]:
    where = node.child_by_field_name("source")
    clause = next((one for one in node.named_children if one.type == "import_clause"), None)
    if where is None or clause is None or (is_of_types(node) and not with_types):
        return
    module = text(where)[1:-1]
    for part in clause.named_children:
        if part.type == "identifier":
            yield JavaScriptImport("default", module, "", text(part))
        elif part.type == "namespace_import":
            yield JavaScriptImport("namespace", module, "", text(part.named_children[0]))
    for entry in specifiers(node):
        name, alias = entry.child_by_field_name("name"), entry.child_by_field_name("alias")
        if name is not None and (with_types or not is_of_types(entry)):
            yield JavaScriptImport("named", module, text(name), text(alias or name))


def is_of_types(node: tree_sitter.Node) -> bool:
    return any(one.type in ("type", "typeof") for one in node.children)


def specifiers(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    for clause in node.named_children:
        for part in clause.named_children:
            if part.type == "named_imports":
                yield from (one for one in part.named_children if one.type == "import_specifier")


def of_declaration(node: tree_sitter.Node) -> Iterator[JavaScriptImport]:
    """The import that `const a = require("b")` is, where it stands alone."""
    declarators = [one for one in node.named_children if one.type == "variable_declarator"]
    if len(declarators) != 1:
        return
    target, value = (declarators[0].child_by_field_name(field) for field in ("name", "value"))
    module = None if value is None else required_module(value)
    if target is None or module is None:
        return
    if target.type == "identifier":
        yield JavaScriptImport("required", module, "", text(target))
    for part in target.named_children if target.type == "object_pattern" else ():
        if part.type == "shorthand_property_identifier_pattern":
            yield JavaScriptImport("required name", module, text(part), text(part))


def required_module(value: tree_sitter.Node) -> str | None:
    """The module of `require("b")`; None for anything else."""
    function, arguments = (value.child_by_field_name(field) for field in ("function", "arguments"))
    if function is None or arguments is None or text(function) != "require":
        return None
    given = arguments.named_children
    return text(given[0])[1:-1] if len(given) == 1 and given[0].type == "string" else None
