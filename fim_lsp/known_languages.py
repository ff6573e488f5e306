"""The languages that files are written in: all that is known of one beside its grammar, in one entry.

A new language is an entry of `KNOWN` and a grammar (`quotient/grammars/`). Everything else reads this table:
the command line by extension, the server by the ids that editors give, the replays, and the clients, whose
lists are tested against it. Python's layout, names and docstrings are code of their own, and know it by name.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

# The style of blocks that a language has: suites by columns, braces, or data without statements.
Blocks = Literal["suites", "braces", "data"]


@dataclass(frozen=True, slots=True)
class KnownLanguage:
    """A language that the engine has a grammar for."""

    # The name for `Language.load` and editors.
    name: str
    title: str
    extensions: tuple[str, ...]
    # The package with tree-sitter's grammar, by the name of its module.
    tree_sitter: str
    blocks: Blocks
    # The sign that begins a comment up to its line's end; empty where there is none.
    line_comment: str
    # The quotes that end strings and characters.
    quotes: tuple[str, ...]
    # Finds in a line the header of what encloses a hole, from its first group on, and what has to stand
    # around such a part of a file so that it is a file.
    definition: re.Pattern[str]
    frame: tuple[str, str]
    # The sign that ends a statement, if people type it.
    terminator: str = ""
    # The signs that begin and end a comment of any length.
    block_comment: tuple[str, str] | None = None
    # The sign that ends a type's arguments, if it is not a bracket everywhere else, too.
    type_end: str = ""
    # Substitutes for a broken line that opens a block, by the first of these that is found in it.
    headers: tuple[tuple[re.Pattern[str], str], ...] = ()
    # The function of `tree_sitter` that has the grammar.
    tree_sitter_function: str = "language"
    # The nodes of its trees whose children are statements, members or entries.
    block_nodes: frozenset[str] = frozenset()
    # The language whose files are remembered together with these, if it is another one.
    kin: str = ""
    # Whether its law is only advice, which holds where the user asks for it.
    has_law_on_request: bool = False

    @property
    def family(self) -> str:
        """The family of languages that are remembered together."""
        return self.kin or self.name

    def has_law(self, names: bool, unique_keys: bool) -> bool:
        """Whether what holds beside the grammar is asked for, by two settings."""
        return unique_keys if self.has_law_on_request else names

    @property
    def has_suites(self) -> bool:
        """Whether columns say where blocks end, which the engine knows then."""
        return self.blocks == "suites"


def nodes(names: str) -> frozenset[str]:
    return frozenset(names.split())


def headers(*pairs: tuple[str, str]) -> tuple[tuple[re.Pattern[str], str], ...]:
    return tuple((re.compile(pattern), text) for pattern, text in pairs)


PYTHON = KnownLanguage(
    name="python",
    title="Python",
    extensions=(".py", ".pyi", ".pyw"),
    tree_sitter="tree_sitter_python",
    blocks="suites",
    line_comment="#",
    # One or two of a string's three quotes may stand there already.
    quotes=("'", '"', "''", '""', "'''", '"""'),
    definition=re.compile(r"([ \t\f]*(?:async[ \t]+def|def|class)\b)"),
    # A part that is indented stands in a block of its own.
    frame=("if 1:\n", ""),
)
GO = KnownLanguage(
    name="go",
    title="Go",
    extensions=(".go",),
    tree_sitter="tree_sitter_go",
    blocks="braces",
    line_comment="//",
    block_comment=("/*", "*/"),
    block_nodes=nodes(
        "source_file block statement_list field_declaration_list import_spec_list var_spec_list"
        " interface_type"
    ),
    quotes=('"', "`", "'"),
    definition=re.compile(r"((?:func|type|var|const|import)\b)"),
    frame=("package p;", ""),
    headers=headers(
        (r"^func\b", "func _() {"),
        (r"^type\b.*\bstruct\b", "type _ struct {"),
        (r"^type\b.*\binterface\b", "type _ interface {"),
        (r"^\s*\}\s*else\s+if\b", "} else if x {"),
        (r"\bswitch\b", "switch {"),
        (r"\bselect\b", "select {"),
    ),
)
JAVA = KnownLanguage(
    name="java",
    title="Java",
    extensions=(".java",),
    tree_sitter="tree_sitter_java",
    blocks="braces",
    line_comment="//",
    block_comment=("/*", "*/"),
    block_nodes=nodes(
        "program block constructor_body class_body interface_body enum_body enum_body_declarations"
        " annotation_type_body"
    ),
    quotes=('"', '""', '"""', "'"),
    # Members and types: the word in front of the braces is a name, and no statement's keyword.
    definition=re.compile(
        r"([ \t\f]*(?!(?:if|else|for|while|do|try|catch|finally|switch|case|default|return|throw|new)\b)"
        r"[@\w][^;=]*(?:\{|\)[^;=]*)$)"
    ),
    frame=("class A {", "}"),
    terminator=";",
    type_end=">",
    headers=headers(
        (r"\b(?:class|interface|enum|record)\b", "class A {"),
        (r"^\s*\}\s*else\s+if\b", "} else if (x) {"),
        (r"^\s*\}\s*catch\b", "} catch (E e) {"),
        (r"\btry\b", "try {"),
        (r"\bdo\b", "do {"),
        (r"\bswitch\b", "switch (x) {"),
    ),
)
JSON = KnownLanguage(
    name="json",
    title="JSON",
    extensions=(".json",),
    tree_sitter="tree_sitter_json",
    blocks="data",
    line_comment="",
    block_nodes=nodes("object array"),
    quotes=('"',),
    definition=re.compile(r".*?([\[{][ \t]*)$"),
    frame=("", ""),
    # RFC 8259 allows keys that are there twice.
    has_law_on_request=True,
)
TOML = KnownLanguage(
    name="toml",
    title="TOML",
    extensions=(".toml",),
    tree_sitter="tree_sitter_toml",
    blocks="data",
    line_comment="#",
    quotes=("'", '"', "''", '""', "'''", '"""'),
    block_nodes=nodes("document table table_array_element array"),
    # The name of a table.
    definition=re.compile(r"[ \t]*(\[[^=]*\][ \t]*(?:#.*)?)$"),
    frame=("", ""),
)
JAVASCRIPT = KnownLanguage(
    name="javascript",
    title="JavaScript",
    extensions=(".js", ".mjs", ".cjs"),
    tree_sitter="tree_sitter_javascript",
    blocks="braces",
    line_comment="//",
    block_comment=("/*", "*/"),
    quotes=('"', "'", "`"),
    block_nodes=nodes("program statement_block class_static_block class_body"),
    # Functions, classes, and a name with brackets, like a method's, in front of a brace.
    definition=re.compile(
        r"([ \t]*(?!(?:if|else|for|while|do|try|catch|finally|switch|case|default|return|throw|with)\b)"
        r"(?:[^;]*\b(?:function|class)\b|[^;]*=>|[\w$#*\[\]. \t]+\([^;]*\))[^;]*\{?$)"
    ),
    frame=("", ""),
    headers=headers(
        (r"\bclass\b", "class A {"),
        (r"=>\s*\{\s*$", "_(() => {"),
        (r"\b(?:for|while)\b", "for (;;) {"),
        (r"^\s*\}\s*else\s+if\b", "} else if (x) {"),
        (r"^\s*\}\s*catch\b", "} catch {"),
        (r"\btry\b", "try {"),
        (r"\bdo\b", "do {"),
        (r"\bswitch\b", "switch (x) {"),
        (r"\bfunction\b", "function _() {"),
    ),
)
# JavaScript with JSX, in the files that have it. Its name is the one that editors have for it.
JAVASCRIPTREACT = replace(
    JAVASCRIPT, name="javascriptreact", title="JavaScript with JSX", extensions=(".jsx",), kin="javascript"
)
TYPESCRIPT = replace(
    JAVASCRIPT,
    name="typescript",
    title="TypeScript",
    kin="javascript",
    extensions=(".ts", ".mts", ".cts"),
    tree_sitter="tree_sitter_typescript",
    tree_sitter_function="language_typescript",
    type_end=">",
    block_nodes=JAVASCRIPT.block_nodes | nodes("interface_body object_type enum_body"),
    # Functions as above, and declarations of types, modules and values.
    definition=re.compile(
        r"([ \t]*(?!(?:if|else|for|while|do|try|catch|finally|switch|case|default|return|throw|with)\b)"
        r"(?:[^;]*\b(?:function|class|interface|enum|namespace|module|global)\b|[^;]*=>"
        r"|[ \t]*(?:export[ \t]+)?(?:declare[ \t]+)?type\b|[\w$#*\[\]. \t<>]+\([^;]*\))[^;]*\{?$)"
    ),
    headers=headers((r"\b(?:interface|enum|namespace|module|global)\b", "class A {")) + JAVASCRIPT.headers,
)
TYPESCRIPTREACT = replace(
    TYPESCRIPT,
    name="typescriptreact",
    title="TypeScript with JSX",
    extensions=(".tsx",),
    tree_sitter_function="language_tsx",
)
# Languages with tags of JSX.
WITH_TAGS = (JAVASCRIPTREACT, TYPESCRIPTREACT)
KNOWN = (PYTHON, GO, JAVA, JSON, TOML, JAVASCRIPT, JAVASCRIPTREACT, TYPESCRIPT, TYPESCRIPTREACT)
# Languages whose files are looked for in folders: sources. TOML is data, and JSON, which is often not strict.
IN_FOLDERS = tuple(language for language in KNOWN if language.blocks != "data")
# Endings that people take for one of these languages, and the reason why they are none.
NOT_QUITE = {
    "jsonc": "JSON with comments is not JSON, and there is no grammar for it",
    "json5": "JSON5 is not JSON, and there is no grammar for it",
    "jsonl": "lines of JSON are no JSON file, and there is no grammar for them",
}


class UnknownLanguage(Exception):
    """The language of a file is not known, or there is no grammar for it; the message is for people."""


def language_named(name: str) -> KnownLanguage:
    found = next((language for language in KNOWN if language.name == name.lower()), None)
    if found is None:
        raise UnknownLanguage(
            f"there is no language {name!r}; `fim-lsp languages` lists those that there are"
        )
    return found


def of_editor(language_id: str | None) -> KnownLanguage | None:
    """The language with the id that an editor gives a document; None where there is no grammar for it."""
    return next((language for language in KNOWN if language.name == language_id), None)


def no_grammar(language_id: str | None) -> str:
    """A sentence on why a document of an editor gets nothing."""
    why = NOT_QUITE.get(language_id or "")
    return f"{why}." if why else f"There is no grammar for {language_id} yet."


def extensions_of(family: str) -> tuple[str, ...]:
    """The endings of the files that are remembered together."""
    return tuple(end for language in KNOWN if language.family == family for end in language.extensions)


def titles_with_braces() -> str:
    """The languages of the second bundled model, in words; JSX is of two of them."""
    *others, last = [one.title for one in KNOWN if one.blocks == "braces" and "JSX" not in one.title]
    return f"{', '.join(others)} and {last}"


def of_file(name: str) -> KnownLanguage:
    """The language of a file, by its extension, or by the first line of a script that has none."""
    path = Path(name)
    # A file's own name may look like a place in a file: `a.py:1:1`.
    extension = path.suffix.partition(":")[0].lower()
    found = next((language for language in KNOWN if extension in language.extensions), None)
    if found is not None:
        return found
    if not extension and is_python_script(path):
        return PYTHON
    what = f"{extension} files" if extension else "files without an extension"
    why = NOT_QUITE.get(extension[1:]) or f"no language is known for {what}"
    raise UnknownLanguage(f"{name}: {why}; --language names one{meant_extension(extension)}")


def meant_extension(extension: str) -> str:
    """`; did you mean .java?`, or nothing if no extension is like it.

    Those of other languages differ in a letter of two or three: .rs and .ts, .css and .cts.
    """
    from difflib import get_close_matches

    extensions = [one[1:] for language in KNOWN for one in language.extensions]
    close = get_close_matches(extension[1:], extensions, n=1, cutoff=0.75)
    return f"; did you mean .{close[0]}?" if close and extension[1:] not in NOT_QUITE else ""


def is_python_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            first = file.readline(200)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first
