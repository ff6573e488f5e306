"""The outline of a file for other files: its imports, and its definitions without bodies.

    class Prices(Table):                        signatures and bases,
        \"\"\"What things cost.\"\"\"                 the first line of a docstring,
        currency: str                           fields, those that `__init__` sets among them,
        def net(self, gross: float) -> float    and methods.

tree-sitter parses it, because a file of the workspace may be broken. Values with text are left out, and so is
each line that may hold a secret.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import tree_sitter
import tree_sitter_python

from fim_lsp.context.secrets import is_secret

# A longer outline belongs to data or generated code.
MOST_DEFINITIONS, MOST_MEMBERS = 400, 40
LONGEST_SIGNATURE, LONGEST_VALUE, LONGEST_DOCSTRING = 240, 40, 100
BLANKS = re.compile(r"\s+")
# Compound top-level statements whose inner statements are also module level for importing code.
AT_THE_MARGIN = {
    "module",
    "if_statement",
    "elif_clause",
    "else_clause",
    "try_statement",
    "except_clause",
    "finally_clause",
    "with_statement",
    "block",
}


@dataclass(frozen=True, slots=True)
class PythonImport:
    """An imported name. `module` is dotted, with leading dots if it is relative; `name` is empty if the name
    stands for the module itself."""

    module: str
    name: str
    alias: str


@dataclass(frozen=True, slots=True)
class Definition:
    """A top-level class, function or value, as it is shown to other files."""

    name: str
    text: str
    bases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PythonOutline:
    """The definitions and imports of a file."""

    definitions: dict[str, Definition]
    imports: tuple[PythonImport, ...]
    n_characters: int

    @classmethod
    def of(cls, text: str) -> PythonOutline:
        root = parse_python(text).root_node
        definitions: dict[str, Definition] = {}
        imports: list[PythonImport] = []
        for node in statements(root):
            if node.type in ("import_statement", "import_from_statement"):
                imports += imports_of(node)
            elif len(definitions) < MOST_DEFINITIONS and (found := definition_of(node)) is not None:
                definitions[found.name] = found
        n_characters = sum(len(one.name) + len(one.text) for one in definitions.values())
        return cls(definitions, tuple(imports), n_characters)


NO_OUTLINE = PythonOutline({}, (), 0)


def parse_python(text: str) -> tree_sitter.Tree:
    """A tree from a new parser, since threads must not share parsers."""
    return tree_sitter.Parser(python()).parse(text.encode(errors="replace"))


@cache
def python() -> tree_sitter.Language:
    return tree_sitter.Language(tree_sitter_python.language())


def statements(node: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    """The statements that run when a file is imported, outermost first."""
    for child in node.named_children:
        if child.type in AT_THE_MARGIN:
            yield from statements(child)
        else:
            yield child


def text_of(node: tree_sitter.Node | None) -> str:
    return "" if node is None or node.text is None else node.text.decode(errors="replace")


def one_line(node: tree_sitter.Node | None) -> str:
    return BLANKS.sub(" ", text_of(node)).strip()


# --- imports ---------------------------------------------------------------------------------------------


def imports_of(node: tree_sitter.Node) -> Iterator[PythonImport]:
    """The names that an import statement binds; `*` for all of a module's."""
    module = one_line(node.child_by_field_name("module_name")).replace(" ", "")
    if module and any(child.type == "wildcard_import" for child in node.named_children):
        yield PythonImport(module, "*", "*")
    for child in node.children_by_field_name("name"):
        name = one_line(child.child_by_field_name("name") if child.type == "aliased_import" else child)
        alias = one_line(child.child_by_field_name("alias")) if child.type == "aliased_import" else ""
        if module:
            yield PythonImport(module, name, alias or name)
        elif name:
            yield PythonImport(name, "", alias or name)


def all_imports(root: tree_sitter.Node) -> list[PythonImport]:
    """The imports of a whole file, including those in functions."""
    found: list[PythonImport] = []
    pending = [root]
    while pending:
        node = pending.pop()
        if node.type in ("import_statement", "import_from_statement"):
            found += imports_of(node)
        elif node.type.endswith(("_statement", "_clause", "_definition")) or node.type in ("module", "block"):
            pending += reversed(node.named_children)
    return found


# --- definitions -----------------------------------------------------------------------------------------


def definition_of(node: tree_sitter.Node) -> Definition | None:
    """The definition in a top-level statement; None if it is none, or may not be shown."""
    if node.type == "decorated_definition":
        inner = node.child_by_field_name("definition")
        return None if inner is None else definition_of(inner)
    match node.type:
        case "class_definition":
            lines = class_lines(node)
        case "function_definition":
            lines = function_lines(node, "")
        case "expression_statement":
            return value_of(node)
        case _:
            return None
    name = text_of(node.child_by_field_name("name"))
    shown = [line for line in lines if not is_secret(line)]
    if not name or not shown or shown[0] != lines[0]:
        return None
    return Definition(name, "\n".join(shown) + "\n", bases_of(node))


def value_of(node: tree_sitter.Node) -> Definition | None:
    line = assigned_value(node)
    if line is None or is_secret(line):
        return None
    return Definition(re.split(r"\W", line, maxsplit=1)[0], line + "\n")


def class_lines(node: tree_sitter.Node) -> list[str]:
    superclasses = one_line(node.child_by_field_name("superclasses"))
    head = f"class {text_of(node.child_by_field_name('name'))}{superclasses}"[:LONGEST_SIGNATURE] + ":"
    lines = [head, *docstring(node, "    ")]
    body = node.child_by_field_name("body")
    for child in [] if body is None else body.named_children:
        if len(lines) > MOST_MEMBERS:
            break
        inner = child.child_by_field_name("definition") if child.type == "decorated_definition" else child
        if inner is not None and inner.type == "function_definition":
            decorators = [text_of(one) for one in child.named_children if one.type == "decorator"]
            lines += [
                f"    {one}" for one in decorators if one in ("@property", "@classmethod", "@staticmethod")
            ]
            lines += function_lines(inner, "    ")[:1]
            if text_of(inner.child_by_field_name("name")) == "__init__":
                lines += fields_set_in(inner)
        elif inner is not None and (line := assigned_value(inner)) is not None:
            lines.append(f"    {line}")
    return lines


def function_lines(node: tree_sitter.Node, indentation: str) -> list[str]:
    # The text of a whole function is not copied, which would take as long as to parse it.
    prefix = "async def" if node.children and node.children[0].type == "async" else "def"
    parameters = one_line(node.child_by_field_name("parameters"))
    returned = one_line(node.child_by_field_name("return_type"))
    head = f"{prefix} {text_of(node.child_by_field_name('name'))}{parameters}"
    head += f" -> {returned}" if returned else ""
    return [f"{indentation}{head[:LONGEST_SIGNATURE]}: ...", *docstring(node, f"{indentation}    ")]


def docstring(node: tree_sitter.Node, indentation: str) -> list[str]:
    """The first line of a docstring, as one."""
    body = node.child_by_field_name("body")
    first = body.named_children[0] if body is not None and body.named_children else None
    if first is None or first.type != "expression_statement" or not first.named_children:
        return []
    if first.named_children[0].type != "string":
        return []
    contents = [
        text_of(one) for one in first.named_children[0].named_children if one.type == "string_content"
    ]
    said = "".join(contents).strip().partition("\n")[0].strip()
    return [f'{indentation}"""{said[:LONGEST_DOCSTRING]}"""'] if said else []


def assigned_value(node: tree_sitter.Node) -> str | None:
    """`name: type = value` of a statement that assigns one name, without long values and texts."""
    if node.type != "expression_statement" or not node.named_children:
        return None
    found = node.named_children[0]
    target = found.child_by_field_name("left") if found.type == "assignment" else None
    if target is None or target.type != "identifier":
        return None
    kind, value = one_line(found.child_by_field_name("type")), one_line(found.child_by_field_name("right"))
    return text_of(target) + (f": {kind}" if kind else "") + shown_value(value, bool(kind))


def shown_value(value: str, has_type: bool) -> str:
    if not value or (has_type and not is_showable(value)):
        return ""
    return f" = {value}" if is_showable(value) else " = ..."


def is_showable(value: str) -> bool:
    """Whether a value is short and holds no text, which could be a secret."""
    return len(value) <= LONGEST_VALUE and '"' not in value and "'" not in value


def fields_set_in(node: tree_sitter.Node) -> list[str]:
    """`self.name = value` for each field that a method assigns in a statement of its own."""
    body = node.child_by_field_name("body")
    lines = []
    for child in [] if body is None else body.named_children:
        found = (
            child.named_children[0] if child.type == "expression_statement" and child.named_children else None
        )
        target = (
            found.child_by_field_name("left") if found is not None and found.type == "assignment" else None
        )
        if (
            found is None
            or target is None
            or target.type != "attribute"
            or not text_of(target).startswith("self.")
        ):
            continue
        kind, value = (
            one_line(found.child_by_field_name("type")),
            one_line(found.child_by_field_name("right")),
        )
        line = text_of(target) + (f": {kind}" if kind else "") + shown_value(value, bool(kind))
        lines.append(f"        {line}")
    return lines


def bases_of(node: tree_sitter.Node) -> tuple[str, ...]:
    superclasses = node.child_by_field_name("superclasses")
    if superclasses is None:
        return ()
    return tuple(
        one_line(child) for child in superclasses.named_children if child.type in ("identifier", "attribute")
    )
