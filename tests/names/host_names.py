"""`python -m tests.names.host_names`: the global names of JavaScript's hosts, from their declarations.

TypeScript's libraries declare those of engines, browsers and workers; Node lists its own. `--write` puts the
names into `fim_lsp/declared/host_names.json`, and the libraries' types into `host_types.json`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import tree_sitter

import fim_lsp.declared
from fim_lsp.document.syntax import parser
from fim_lsp.known_languages import TYPESCRIPT
from fim_lsp.replay.judges import CLIENT, NoJudge, node
from tests.names.data import keep_or_tell

LIBRARIES = CLIENT / "typescript-6" / "lib"
DATA = Path(fim_lsp.declared.__file__).with_name("host_names.json")
TYPES = DATA.with_name("host_types.json")
DECLARATIONS = frozenset(
    (
        "function_signature",
        "class_declaration",
        "abstract_class_declaration",
        "enum_declaration",
        "internal_module",
    )
)
TYPE_DECLARATIONS = frozenset(
    (
        "interface_declaration",
        "type_alias_declaration",
        "class_declaration",
        "abstract_class_declaration",
        "enum_declaration",
    )
)
NODE_PROGRAM = "console.log(JSON.stringify(Object.getOwnPropertyNames(globalThis)))"


def main(arguments: list[str]) -> int:
    """Writes or prints the names."""
    names, types = host_names(), host_types()
    keep_or_tell(arguments, types, TYPES, f"{len(types):,} types of libraries")
    return keep_or_tell(arguments, names, DATA, f"{len(names):,} names of hosts")


def host_names() -> list[str]:
    """All declared or existing names. Raises `NoJudge` without TypeScript's libraries or Node."""
    declared = {name for path in libraries() for name in declared_in(path.read_bytes())}
    return sorted(declared | of_node())


def host_types() -> list[str]:
    """Return the types that the libraries declare. Raises `NoJudge` without them."""
    return sorted({name for path in libraries() for name in types_in(path.read_bytes())})


def libraries() -> list[Path]:
    """Return TypeScript's libraries. Raises `NoJudge` without them."""
    found = sorted(LIBRARIES.glob("lib.*.d.ts"))
    if not found:
        raise NoJudge(f"TypeScript's libraries are not in {LIBRARIES}")
    return found


def of_node() -> set[str]:
    """Return the properties of Node's global object."""
    done = subprocess.run([node(), "-e", NODE_PROGRAM], capture_output=True, check=True)
    return set(json.loads(done.stdout))


def declared_in(content: bytes) -> Iterator[str]:
    """The values that a library declares at its top level."""
    for statement in parser(TYPESCRIPT).parse(content).root_node.named_children:
        if statement.type != "ambient_declaration":
            continue
        for one in statement.named_children:
            if one.type in ("variable_declaration", "lexical_declaration"):
                yield from (named(each) for each in one.named_children if each.type == "variable_declarator")
            elif one.type == "expression_statement":
                yield from (named(each) for each in one.named_children if each.type == "internal_module")
            elif one.type in DECLARATIONS:
                yield named(one)


def types_in(content: bytes) -> Iterator[str]:
    """The types that a library declares at its top level."""
    for statement in parser(TYPESCRIPT).parse(content).root_node.named_children:
        inner = statement.named_children if statement.type == "ambient_declaration" else [statement]
        yield from (named(one) for one in inner if one.type in TYPE_DECLARATIONS)


def named(declaration: tree_sitter.Node) -> str:
    """The name in a declaration."""
    name = declaration.child_by_field_name("name")
    return "" if name is None or name.text is None else name.text.decode()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
