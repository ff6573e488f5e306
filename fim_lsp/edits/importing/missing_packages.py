"""Missing imports of Go, Java and React: a package that was just written, and that the file does not import.

return strings.ToUpper(name)           import (
       ^ was just written                  "fmt"
                                       +   "strings"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import tree_sitter

from fim_lsp.edits.importing.known_packages import GO, JAVA, REACT
from fim_lsp.edits.importing.unused_names import imported_names
from fim_lsp.edits.renaming.renames import LIKELY
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.edits.typed.scoped import SCOPINGS, owner
from fim_lsp.known_languages import JAVASCRIPT
from fim_lsp.positions import LINE_END

MISSING = 0.95
MEMBER = re.compile(r"\.([A-Z]\w*)")


def missing_packages(change: FileChange) -> Iterator[Replacement]:
    """The imports of packages that were just written."""
    language = change.new.known_language
    if language.name not in ("go", "java") and language.family != JAVASCRIPT.family:
        return
    end = LINE_END.search(change.new.text)
    line_end = end[0] if end else "\n"
    done: set[str] = set()
    for name, source in written_packages(change):
        if name in done or is_known(change.old, name):
            continue
        done.add(name)
        if language.name == "go":
            start, stop, text = import_of_go(change.new, source)
        elif language.name == "java":
            start, stop, text = import_of_java(change.new, f"{source}.{name}")
        else:
            start, stop, text = import_of_react(change.new, name)
        sure = LIKELY if language.name == "java" else MISSING
        if text:
            reason = f"`{name}` is not imported yet"
            new = text.replace("\n", line_end)
            yield Replacement(start, stop, new, reason, sure, f"missing {name}")


def is_known(source: SourceText, name: str) -> bool:
    """Whether a file imported a name, whose import the user may have removed."""
    return any(one.name == name for one in imported_names(source))


def written_packages(change: FileChange) -> Iterator[tuple[str, str]]:
    """The names that were just written and that nothing in the file binds, with the packages they mean."""
    bound: set[str] | None = None
    for hunk in change.hunks:
        for found in WORD.finditer(change.new.text, hunk.new_start, hunk.new_stop):
            source = source_of(change.new, found)
            if not source or not change.is_typed(found.start(), found.end()):
                continue
            if bound is None:
                bound = {one.name for one in imported_names(change.new)}
            path = change.new.path_to(found.start())
            scoping = SCOPINGS[change.new.known_language.name]
            if found[0] in bound or not is_use(path) or owner(change.new, scoping, found[0], path):
                continue
            yield found[0], source


def source_of(source: SourceText, found: re.Match[str]) -> str:
    """The package that a word means; empty if none is known."""
    text, language = source.text, source.known_language
    if text[found.start() - 1 : found.start()] in (".", "@"):
        return ""
    if language.name == "go":
        member = MEMBER.match(text, found.end())
        return "" if member is None else GO.get((found[0], member[1]), "")
    if language.name == "java":
        package = JAVA.get(found[0], "")
        return "" if package and f"import {package}.*;" in text else package
    return "react" if found[0] in REACT and text[found.end() : found.end() + 1] in ("(", "<") else ""


def is_use(path: Sequence[tree_sitter.Node]) -> bool:
    """Whether a name stands for what would be imported."""
    if len(path) < 2 or path[-1].type not in ("identifier", "type_identifier", "package_identifier"):
        return False
    around = path[-2]
    if around.type == "method_invocation":
        return around.child_by_field_name("object") == path[-1]
    return around.type not in ("import_spec", "package_clause", "keyed_element", "scoped_type_identifier")


def import_of_go(source: SourceText, path: str) -> tuple[int, int, str]:
    """The place of a new import of Go, and its text."""
    statements = [node for node in source.root.named_children if node.type == "import_declaration"]
    line = f'"{path}"'
    if not statements:
        clause = next((node for node in source.root.named_children if node.type == "package_clause"), None)
        stop = 0 if clause is None else source.span(clause)[1]
        return stop, stop, "" if clause is None else f"\n\nimport {line}"
    listed = next((one for one in statements if one.named_children[0].type == "import_spec_list"), None)
    if listed is None:
        start, stop = source.span(statements[0])
        said = source.text_of(statements[0].named_children[-1])
        if len(statements) > 1 or source.text_of(statements[0]) != f"import {said}":
            stop = source.span(statements[-1])[1]
            return stop, stop, f"\nimport {line}"
        rows = "".join(f"\t{one}\n" for one in sorted((said, line)))
        return start, stop, f"import (\n{rows})"
    specs = [one for one in listed.named_children[0].named_children if one.type == "import_spec"]
    own = [one for one in specs if "." not in path_of(source, one).partition("/")[0]]
    behind = next((one for one in own if path_of(source, one) > path), None)
    if behind is not None:
        start = source.span(behind)[0]
        return start, start, f"{line}\n\t"
    if own:
        stop = source.span(own[-1])[1]
        return stop, stop, f"\n\t{line}"
    if not specs:
        return 0, 0, ""
    start = source.span(specs[0])[0]
    return start, start, f"{line}\n\n\t"


def path_of(source: SourceText, spec: tree_sitter.Node) -> str:
    return source.text_of(spec.child_by_field_name("path")).strip('"`')


def import_of_java(source: SourceText, name: str) -> tuple[int, int, str]:
    """The place of a new import of Java, and its text."""
    statements = [
        (source.text_of(node).removeprefix("import").strip().rstrip("; "), node)
        for node in source.root.named_children
        if node.type == "import_declaration"
    ]
    plain = [(said, node) for said, node in statements if not said.startswith("static ")]
    line = f"import {name};"
    same = [(said, node) for said, node in plain if said.partition(".")[0] == name.partition(".")[0]] or plain
    is_sorted = all(one[0] <= other[0] for one, other in pairwise(same))
    behind = next((node for said, node in same if said > name), None) if is_sorted else None
    if behind is not None:
        start = source.span(behind)[0]
        return start, start, f"{line}\n"
    if same:
        stop = source.span(same[-1][1])[1]
        return stop, stop, f"\n{line}"
    package = next((node for node in source.root.named_children if node.type == "package_declaration"), None)
    if package is not None:
        stop = source.span(package)[1]
        return stop, stop, f"\n\n{line}"
    first = next((node for node in source.root.named_children if "comment" not in node.type), None)
    start = 0 if first is None else source.span(first)[0]
    return start, start, f"{line}\n\n"


def import_of_react(source: SourceText, name: str) -> tuple[int, int, str]:
    """The place of a hook in the file's import of React, and its text; empty if the file has no such list."""
    for node in source.root.named_children:
        said = source.text_of(node.child_by_field_name("source")) if node.type == "import_statement" else ""
        if said.strip("'\"") != "react" or any(child.type == "type" for child in node.children):
            continue
        for clause in node.named_children:
            for listed in clause.named_children if clause.type == "import_clause" else ():
                items = [one for one in listed.named_children if one.type == "import_specifier"]
                if listed.type == "named_imports" and items:
                    stop = source.span(items[-1])[1]
                    start, _ = source.span(items[-1])
                    begin = source.text.rfind("\n", 0, start) + 1
                    indent = source.text[begin:start]
                    is_row = not indent.strip() and len(items) > 0
                    return stop, stop, f",\n{indent}{name}" if is_row else f", {name}"
    return 0, 0, ""
