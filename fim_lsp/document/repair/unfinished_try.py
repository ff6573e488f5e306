"""Clauses that an unfinished `try` around a hole still lacks, written behind its block.

The `except` is written last. Without it the file cannot parse, so a text for the hole would have to write it,
and a text of one line would never fit:

    try:
        rows = load(|       `path)` fits the file in which `finally: pass` stands below
    print(rows)

The lines alone say what is a block, and a wrong guess costs only an attempt, because the engine checks the
text with the clauses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fim_lsp.document.code_lines import CodeLine, CodeLines
from fim_lsp.document.hole import Hole
from fim_lsp.document.repair.substitute import Patch

# The resources of `try (...) {` in Java need no clause.
TRY_BLOCK = re.compile(r"(?:^|[\s;{}])try\s*\{\s*$")
CLAUSE = re.compile(r"\s*(?:catch|finally)\b")
CLAUSES_OF_SUITES = ("except", "finally")


def missing_clauses(lines: CodeLines, hole: Hole) -> list[Patch]:
    """The patches that give each unfinished `try` around a hole a clause, in the order of the text."""
    if lines.known_language.blocks == "data" or "try" not in lines.text:
        return []
    has_suites = lines.known_language.has_suites
    found: dict[int, list[Patch]] = {}
    for index in lines_that_open(lines, hole):
        line = lines[index]
        if has_suites and line.first_word == "try" and line.without_comment.rstrip().endswith("try:"):
            patch = clause_of_suite(lines, line, hole)
        elif not has_suites and TRY_BLOCK.search(line.without_comment):
            patch = clause_of_block(lines, line, hole)
        else:
            continue
        if patch is not None:
            found.setdefault(patch.start, []).append(patch)
    return [joined_patches(found[start]) for start in sorted(found)]


def lines_that_open(lines: CodeLines, hole: Hole) -> Iterator[int]:
    """The lines above a hole that are left of all lines between them and the hole, the nearest first."""
    first = lines.line_at(hole.start)
    column = CodeLine(lines[first].text[: hole.start - lines.starts[first]], lines.known_language).column
    text, starts, margin = lines.text, lines.starts, " " * column
    for index in range(first - 1, -1, -1):
        if not column:
            return
        # Most lines: they are not left of the column.
        if text.startswith(margin, starts[index]):
            continue
        line = lines[index]
        if not line.is_blank and line.column < column:
            column = line.column
            margin = " " * column
            yield index


def clause_of_suite(lines: CodeLines, header: CodeLine, hole: Hole) -> Patch | None:
    """A `finally` behind the last line of a suite; None if a clause is there."""
    end = lines.line_at(hole.stop) + 1
    for index in range(end, len(lines)):
        line = lines[index]
        if line.is_blank:
            continue
        if line.column <= header.column:
            if line.column == header.column and line.first_word in CLAUSES_OF_SUITES:
                return None
            break
        end = index + 1
    line_end = header.line_end or "\n"
    clause = f"{header.indentation}finally: pass{line_end}"
    if end < len(lines):
        return Patch(lines.starts[end], "", clause)
    is_ended = lines.text.endswith(("\n", "\r"))
    return Patch(len(lines.text), "", clause if is_ended else line_end + clause)


def clause_of_block(lines: CodeLines, header: CodeLine, hole: Hole) -> Patch | None:
    """A `finally` behind a block's brace; None if the block is not closed, or a clause is there."""
    for index in range(lines.line_at(hole.stop) + 1, len(lines)):
        line = lines[index]
        if line.is_blank or line.column > header.column:
            continue
        brace, _, rest = line.text.partition("}")
        if line.column < header.column or brace.strip() or CLAUSE.match(rest):
            return None
        behind = next((lines[at] for at in range(index + 1, len(lines)) if not lines[at].is_blank), None)
        if not rest.strip() and behind is not None and CLAUSE.match(behind.text):
            return None
        return Patch(lines.starts[index], line.text, f"{brace}}} finally {{}}{rest}")
    return None


def joined_patches(patches: list[Patch]) -> Patch:
    """Several clauses at one place as one patch; the inner ones came first."""
    first, new = patches[0], patches[0].new
    for patch in patches[1:]:
        new += patch.new.lstrip("\r\n") if new.endswith(("\n", "\r")) else patch.new
    return Patch(first.start, first.old, new)
