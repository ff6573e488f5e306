"""Names that the code below a place uses and nothing declares: a declaration at the place is likely of one.

const f|                                                fileAppender
const layouts = require('./layouts');
configure(fileAppender, layouts);

import { | } from 'node:fs/promises';                   readFile
const text = await readFile(path);
"""

from __future__ import annotations

import re

from fim_lsp.declared.advice import Declared
from fim_lsp.declared.laws import LAWS, NOT_DECLARED, FilePart
from fim_lsp.document.syntax import encode_text
from fim_lsp.known_languages import GO, JAVASCRIPT
from fim_lsp.recognizers import fits
from quotient import Recognizer

# The beginning of a declaration, and the begun name.
DECLARES = re.compile(
    r"(?:^|[^\w$.])(?P<kind>const|let|var|function|class|type|interface|enum|func)[ \t]+(?P<begun>[\w$]*)$"
)
# A line of Go that may become a declaration.
DECLARES_IN_GO = re.compile(r"^[ \t]*(?P<begun>\w*)$")
# Between the braces of an import, and of what a call gives: `import { a, |`, `const { | } = require('fs')`.
AMONG_IMPORTED = re.compile(
    r"(?:^|[;\n])[ \t]*(?:import\b[^'\"`{};()]*|(?:const|let|var)[ \t]*)"
    r"\{(?:[^{}='\"]*,)?\s*(?P<begun>[\w$]*)$"
)
MOST_ABOVE = 2_000
# Ends of a declaration; the first that fits is used to read the file.
ENDS = (
    *("", " = 0;", " = 0", "() {}", "() {", " {}", " {", " int", " struct {}", " struct {"),
    *(" = () => {", " = function () {", " = {", " = ["),
)
END_IN_GO = " := 0"
A_NAME = "lacking_"
# The most names that are looked at, in the order of their use.
MOST = 4


def lacking_names(declared: Declared, line: str, recognizer: Recognizer) -> tuple[tuple[str, ...], str]:
    """The names that are lacking behind the cursor, in the order of their use, of those that begin as the one
    in its line does; and what has to follow them. None where nothing is declared at the cursor."""
    ends: tuple[str, ...]
    found, ends, behind = DECLARES.search(line), ENDS, ""
    if found is None and declared.text.known_language is GO:
        found, ends, behind = DECLARES_IN_GO.match(line), (END_IN_GO,), " :="
    if found is None and declared.text.known_language.family == JAVASCRIPT.family:
        left = declared.text.text[: declared.start] + declared.begun
        found, ends = AMONG_IMPORTED.search(left[-MOST_ABOVE:]), ("",)
    if found is None:
        return (), ""
    if found.groupdict().get("kind") == "const":
        behind = " ="
    begun = found["begun"]
    name = "" if begun else A_NAME
    end = next((end for end in ends if fits(recognizer, name + end)), None)
    if end is None:
        return (), ""
    rests = [
        one[len(begun) :]
        for one in undeclared_uses(declared, name + end)
        if one.startswith(begun) and len(one) > len(begun)
    ]
    # A name that only another scope uses is lacking as before.
    return tuple(
        begun + rest for rest in rests[:MOST] if begun + rest not in undeclared_uses(declared, rest + end)
    ), behind


def undeclared_uses(declared: Declared, filled: str) -> list[str]:
    """The undeclared names that the file uses behind the hole, with a text in the hole, and behind the block
    that the text opens."""
    whole = declared.text.text
    root, content = declared.text.tree.with_text(
        whole, declared.start, declared.stop, declared.begun + filled
    )
    first = len(encode_text(whole[: declared.start] + declared.begun + filled))
    if filled.endswith(("{", "[")):
        # What a function's body lacks is a parameter: it does not lack the function.
        opened = root.descendant_for_byte_range(first - 1, first)
        first = first if opened is None or opened.parent is None else opened.parent.end_byte
    part = FilePart(root, content, first, len(content), declared.place)
    faults = sorted(
        (one for one in LAWS[declared.text.known_language.family](part) if one.why == NOT_DECLARED),
        key=lambda one: one.start,
    )
    return list(dict.fromkeys(one.name for one in faults))
