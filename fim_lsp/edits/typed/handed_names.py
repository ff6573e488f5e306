"""Names that a file of JavaScript or TypeScript exports by the names of its declarations.

    export function area(        export { area };        module.exports = { area };

If a file exports a declaration under another key (`module.exports = { size: area }`,
`export { area as size }`, `export default area`), other files use that key, which stays as it is.
"""

from __future__ import annotations

from collections.abc import Sequence

import tree_sitter

from fim_lsp.edits.texts.source import SourceText
from fim_lsp.known_languages import JAVASCRIPT

EXPORTS = ("module.exports", "exports")
# A variable that is also its key; after a rename, it needs the key written out.
SHORTHAND = "shorthand_property_identifier"
# The same in a pattern that destructures an object.
PATTERN = "shorthand_property_identifier_pattern"


def is_handed_by_key(source: SourceText, path: Sequence[tree_sitter.Node]) -> bool:
    """Whether a variable is also its key in the object of `module.exports`."""
    if len(path) < 3 or path[-1].type != SHORTHAND or path[-3].type != "assignment_expression":
        return False
    return source.text_of(path[-3].child_by_field_name("left")) in EXPORTS


def hands_out(source: SourceText, name: str) -> bool:
    """Whether other files know a top-level name by that name; other languages are not asked here."""
    if source.known_language.family != JAVASCRIPT.family:
        return True
    return any(is_handed_out(source, source.path_to(start)) for start in source.places(name))


def is_handed_out(source: SourceText, path: Sequence[tree_sitter.Node]) -> bool:
    if is_handed_by_key(source, path):
        return True
    at = next((at for at, node in enumerate(path) if node.type == "export_statement"), None)
    if at is None or path[at].child_by_field_name("source") is not None:
        return False
    below = path[at + 1 :]
    if any(node.type == "export_specifier" for node in below):
        return below[-1].type == "identifier" and path[-2].child_by_field_name("alias") is None
    is_default = any(child.type == "default" for child in path[at].children)
    return not is_default and is_declared_by(path[at].child_by_field_name("declaration"), path)


def is_declared_by(declaration: tree_sitter.Node | None, path: Sequence[tree_sitter.Node]) -> bool:
    """Whether a declaration declares a name, and does not just contain it."""
    if declaration is None:
        return False
    if declaration.child_by_field_name("name") == path[-1]:
        return True
    around = next((node for node in path if node.type == "variable_declarator"), None)
    named = None if around is None else around.child_by_field_name("name")
    return around in declaration.named_children and named in path


def default_name(source: SourceText) -> str:
    """The name of the file's default, `export default area` or `module.exports = area`, if it has one."""
    for node in source.root.named_children:
        if node.type == "export_statement" and any(child.type == "default" for child in node.children):
            said = node.child_by_field_name("declaration")
            named = node.child_by_field_name("value") if said is None else said.child_by_field_name("name")
            return source.text_of(named) if named is not None and "identifier" in named.type else ""
        given = node.named_children[0] if node.named_children else node
        if given.type == "assignment_expression":
            value = given.child_by_field_name("right")
            is_whole = source.text_of(given.child_by_field_name("left")) in EXPORTS
            if is_whole and value is not None and value.type == "identifier":
                return source.text_of(value)
    return ""
