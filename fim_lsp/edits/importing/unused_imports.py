"""Imports that lost their last use in a change, and the lines to remove with them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePath

import tree_sitter

from fim_lsp.edits.importing.imports import ImportBinding, bindings, is_untold
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import Occurrence
from fim_lsp.edits.texts.source import SourceText
from fim_lsp.edits.texts.symbols import WORD

# The user may be about to use a name again, more probably if more was changed.
UNUSED, UNFINISHED = 0.9, 0.4
# The lines behind an only import, with which no file begins.
BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)+")
CHECKING = ("TYPE_CHECKING", "typing.TYPE_CHECKING")
# The last word of a path or a dotted name in front of a name.
PATH_BEFORE, MOST_BEFORE = re.compile(r"([\w-]+)[./-]\Z"), 80
# The most hunks that may have nothing to do with it.
MOST_OTHERS = 2


def dropped_imports(change: FileChange) -> Iterator[Replacement]:
    """Removals of imports whose last use the change removed."""
    if is_untold(change.new) or change.path.endswith(("__init__.py", ".pyi")):
        return
    lost = words_lost(change)
    if not lost:
        return
    gone: dict[tuple[int, int], list[ImportBinding]] = {}
    for name, one in bindings(change.new).items():
        is_new = change.to_old(change.new.offset(one.node.start_byte)) is None
        if name not in lost or one.module == "__future__" or is_new or one.statement.has_error:
            continue
        if one.member == name and change.new.text_of(one.node).endswith(f" as {name}"):
            continue
        if not is_used(change.new_names.of(name), change.new) and is_used(
            change.old_names.of(name), change.old
        ):
            gone.setdefault((one.statement.start_byte, one.statement.end_byte), []).append(one)
    for several in gone.values():
        names = ", ".join(f"`{one.name}`" for one in several)
        reason = f"nothing uses {names} any more"
        sure = UNUSED if n_others(change, several) <= MOST_OTHERS else UNFINISHED
        for start, stop in removable(change.new, several):
            yield Replacement(start, stop, "", reason, sure, f"unused {names}")


def n_others(change: FileChange, several: Sequence[ImportBinding]) -> int:
    """The number of hunks that removed no use of these names."""
    names = {one.name for one in several}
    return sum(
        not names & {*WORD.findall(change.old.text, hunk.old_start, hunk.old_stop)} for hunk in change.hunks
    )


def words_lost(change: FileChange) -> set[str]:
    """The words of removed or changed lines."""
    found: set[str] = set()
    for hunk in change.hunks:
        found.update(WORD.findall(change.old.text[hunk.old_start : hunk.old_stop]))
    return found


def is_used(places: list[Occurrence], source: SourceText) -> bool:
    """Whether a name is used anywhere, including in string annotations and `__all__`."""
    for one in places:
        if one.role in ("use", "augment", "global"):
            return True
        if one.role == "text":
            start, stop = source.span(one.path[-1])
            is_short = stop - start < 200 and "\n" not in source.text[start:stop]
            if is_short and not is_end_of_path(source, one):
                return True
        if one.role == "comment":
            start, stop = source.span(one.path[-1])
            if source.text[start:stop].startswith("# type:"):
                return True
    return False


def is_end_of_path(source: SourceText, one: Occurrence) -> bool:
    """Whether a name in a string is the end of another one, as in `"cart.json"`, and no member of this file's
    module."""
    found = PATH_BEFORE.search(source.text, max(one.start - MOST_BEFORE, 0), one.start)
    return found is not None and found[1] != PurePath(source.path).stem


def removable(source: SourceText, several: Sequence[ImportBinding]) -> list[tuple[int, int]]:
    """The ranges to remove so that a statement no longer imports some names: parts of it, or all."""
    statement = several[0].statement
    parent = statement.parent
    start, stop = source.span(statement)
    line_start = source.lines.starts[source.lines.line_at(start)]
    number = source.lines.line_at(stop)
    line_stop = source.lines.starts[number + 1] if number + 1 < len(source.lines.starts) else len(source.text)
    if parent is None or "noqa" in source.text[start:line_stop] or parent.type not in ("module", "block"):
        return []
    around = parent.parent
    if around is not None and around.type in (
        "try_statement",
        "except_clause",
        "else_clause",
        "finally_clause",
    ):
        return []
    names = statement.children_by_field_name("name")
    if len(names) > len(several):
        return rows_without(source, several, names)
    if parent.type == "block" and len([n for n in parent.named_children if n.type != "comment"]) == 1:
        return block_for_types(source, parent)
    if source.text[line_start:start].strip() or source.text[stop:line_stop].strip():
        return []
    is_only = line_start == 0 and BLANK_LINES.match(source.text, line_stop)
    return [(line_start, is_only.end() if is_only else line_stop)]


def block_for_types(source: SourceText, block: tree_sitter.Node) -> list[tuple[int, int]]:
    """The whole of `if TYPE_CHECKING:` with one import in it, and the lines in front; of others nothing."""
    around = block.parent
    if (
        around is None
        or around.type != "if_statement"
        or around.child_by_field_name("alternative") is not None
    ):
        return []
    if source.text_of(around.child_by_field_name("condition")) not in CHECKING or len(block.children) != 1:
        return []
    lines = source.lines
    start, stop = source.span(around)
    first, last = lines.line_at(start), lines.line_at(stop - 1)
    while first and not lines.content(first - 1).strip():
        first -= 1
    end = lines.starts[last + 1] if last + 1 < len(lines.starts) else len(source.text)
    return [(lines.starts[first], end)]


def rows_without(
    source: SourceText, several: Sequence[ImportBinding], names: Sequence[tree_sitter.Node]
) -> list[tuple[int, int]]:
    """The parts of a list of names to remove with some of them."""
    leaving = [names.index(one.node) for one in several]
    found = [part_of_row(source, names, index, leaving) for index in leaving]
    return sorted(found)


def part_of_row(
    source: SourceText, names: Sequence[tree_sitter.Node], index: int, leaving: Sequence[int]
) -> tuple[int, int]:
    start, stop = source.span(names[index])
    number = source.lines.line_at(start)
    line = source.lines.content(number)
    if line.strip().rstrip(",") == source.text[start:stop] and line.strip().endswith(","):
        # A line of its own.
        behind = (
            source.lines.starts[number + 1] if number + 1 < len(source.lines.starts) else len(source.text)
        )
        return source.lines.starts[number], behind
    if any(other not in leaving for other in range(index + 1, len(names))):
        return start, source.span(names[index + 1])[0]
    return source.span(names[index - 1])[1], stop
