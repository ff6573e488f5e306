"""Rows that stand beside each other with the same keys: objects in a list, tables of one name. If a key is
renamed in one row, or added with the same value to two, the others follow. JSON, TOML, JavaScript, Python.

    [{ "name": "web", "host_name": "a" },         -"host_name"  +"host"
     { "name": "db", "host_name": "b" }]           ^ `host` now, here as well
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import tree_sitter

from fim_lsp.edits.renaming.renames import pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

ROWS = ("object", "dictionary", "inline_table")
LISTS = ("array", "list")
TABLES = ("table_array_element", "table")
QUOTES = "'\""
# The probability that the others follow, by the number of changed rows.
ONCE, AGAIN = 0.7, 0.9
LEAST_ROWS = 3
LEAST_ADDED = 2
DATA = ("json", "toml")


def repeated_in_rows(change: FileChange) -> Iterator[Replacement]:
    yield from renamed_in_rows(change)
    yield from added_in_rows(change)


def keys_of(source: SourceText, row: tree_sitter.Node) -> dict[str, tree_sitter.Node]:
    """The pairs of a row, by their keys."""
    return {key_text(source, one): one for one in row.named_children if one.type == "pair"}


def key_text(source: SourceText, pair: tree_sitter.Node) -> str:
    return source.text_of(key_node(pair)).strip(QUOTES)


def key_node(pair: tree_sitter.Node) -> tree_sitter.Node | None:
    return pair.child_by_field_name("key") or (pair.named_children[0] if pair.named_children else None)


def rows_beside(source: SourceText, row: tree_sitter.Node) -> list[tree_sitter.Node]:
    """The rows beside a row, itself included."""
    around = row.parent
    if around is None:
        return []
    if row.type in TABLES:
        family = table_family(source, row)
        return [
            one
            for one in around.named_children
            if one.type == row.type and family and table_family(source, one) == family
        ]
    if around.type in LISTS:
        return [one for one in around.named_children if one.type == row.type]
    outer = around.parent if around.type == "pair" else None
    entries = [] if outer is None else [one for one in outer.named_children if one.type != "comment"]
    values = [one.named_children[-1] for one in entries if one.named_children]
    is_table = outer is not None and outer.type in ROWS and all(one.type == row.type for one in values)
    return values if is_table and len(values) >= LEAST_ROWS else []


def table_family(source: SourceText, table: tree_sitter.Node) -> str:
    """The common name of a table's family: `[[service]]`, and `[servers.` of `[servers.a]`."""
    name = source.text_of(table.named_children[0]) if table.named_children else ""
    return name if table.type == "table_array_element" else name.rpartition(".")[0]


def row_around(path: Sequence[tree_sitter.Node]) -> tree_sitter.Node | None:
    """The row that a name at the end of a path is a key of."""
    for number in range(len(path) - 1, max(len(path) - 5, 1), -1):
        pair, row = path[number - 1], path[number - 2]
        if pair.type == "pair" and key_node(pair) == path[number]:
            return row if row.type in (*ROWS, *TABLES) else None
    return None


# --- renamed keys -------------------------------------------------------------------------------------------


@lru_cache(maxsize=4)
def row_renames(change: FileChange) -> dict[tuple[str, str, int], list[tree_sitter.Node]]:
    """The renamed keys: old name, new name, the place of the first of the rows, and the changed rows."""
    made: dict[tuple[str, str, int], list[tree_sitter.Node]] = defaultdict(list)
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            row = row_around(change.old.path_to(old[0]))
            if row is None or row_around(change.new.path_to(new[0])) is None:
                continue
            beside = rows_beside(change.old, row)
            if beside:
                names = change.old.text[slice(*old)], change.new.text[slice(*new)]
                made[(*names, beside[0].start_byte)].append(row)
    return dict(made)


def is_key_of_others(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would rename a key of some rows in another object that has it, too."""
    pair = change.new.text[found.start : found.stop], found.new
    if is_elsewhere(change, found.start, pair):
        return True
    firsts = {first for *names, first in row_renames(change) if tuple(names) == pair}
    if len(firsts) != 1:
        return False
    was = change.to_old(found.start)
    row = None if was is None else row_around(change.old.path_to(was))
    beside = [] if row is None else rows_beside(change.old, row)
    return row is not None and not (beside and beside[0].start_byte in firsts)


def is_elsewhere(change: FileChange, start: int, names: tuple[str, str]) -> bool:
    """Whether a text of data stands at another depth than all keys that were changed like it, or is none."""
    depth = key_depth(change.new, start)
    if change.new.known_language.name not in DATA:
        return False
    made = [
        key_depth(change.new, new[0])
        for replaced in change.replaced
        for old, new in pairs(replaced)
        if (change.old.text[slice(*old)], change.new.text[slice(*new)]) == names
    ]
    return bool(made) and depth not in made


def key_depth(source: SourceText, offset: int) -> int:
    """How many rows a key stands in; 0 for what is no key."""
    path = source.path_to(offset)
    at = max((number for number, node in enumerate(path) if node.type == "pair"), default=-1)
    is_key = 0 <= at < len(path) - 1 and key_node(path[at]) == path[at + 1]
    return 1 + sum(node.type in (*ROWS, *TABLES, *LISTS) for node in path) if is_key else 0


def renamed_in_rows(change: FileChange) -> Iterator[Replacement]:
    for (old_key, new_key, _), changed in row_renames(change).items():
        last = max(row.start_byte for row in changed)
        left = [
            row
            for row in rows_beside(change.old, changed[0])
            if row not in changed and old_key in (keys := keys_of(change.old, row)) and new_key not in keys
        ]
        if any(row.start_byte < last for row in left):
            continue
        sure = ONCE if len(changed) == 1 else AGAIN
        reason = f"the key `{old_key}` is called `{new_key}` in a row beside it"
        for row in left:
            yield from renamed_key(change, row, old_key, new_key, reason, sure)


def renamed_key(
    change: FileChange, row: tree_sitter.Node, old: str, new: str, reason: str, sure: float
) -> Iterator[Replacement]:
    node = key_node(keys_of(change.old, row)[old])
    said = change.old.text_of(node)
    start = -1 if node is None else change.old.span(node)[0] + said.index(old)
    at = change.to_new(start)
    if at is not None and change.new.text[at : at + len(old)] == old:
        yield Replacement(at, at + len(old), new, reason, sure, f"row {old} {new}")


# --- added keys ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class AddedKey:
    """A key that was added to a row: the key in front of it, and the text from that one's end to its own."""

    key: str
    behind: str
    text: str


def added_in_rows(change: FileChange) -> Iterator[Replacement]:
    done: set[int] = set()
    for hunk in change.hunks:
        path = change.new.path_to(hunk.new_start + leading_blanks(change, hunk.new_start))
        for row in reversed(path):
            beside = rows_beside(change.new, row) if row.type in (*ROWS, *TABLES) else []
            if len(beside) >= LEAST_ROWS and beside[0].start_byte not in done:
                done.add(beside[0].start_byte)
                yield from added_beside(change, beside)
                break
            # One line may hold a whole row of a list.
            inner = [one for one in row.named_children if one.type in ROWS] if row.type in LISTS else []
            if len(inner) >= LEAST_ROWS and inner[0].start_byte not in done:
                done.add(inner[0].start_byte)
                yield from added_beside(change, inner)
                break


def leading_blanks(change: FileChange, start: int) -> int:
    text = change.new.text
    return len(text[start:]) - len(text[start:].lstrip()) if start < len(text) else 0


def added_beside(change: FileChange, rows: Sequence[tree_sitter.Node]) -> Iterator[Replacement]:
    found = [(row, one) for row in rows for one in added_keys(change, row)]
    for added in {one for _, one in found}:
        changed = [row for row, one in found if one == added]
        last = max(row.start_byte for row in changed)
        left = [
            (row, keys[added.behind])
            for row in rows
            if added.behind in (keys := keys_of(change.new, row)) and added.key not in keys
        ]
        if len(changed) < LEAST_ADDED or any(row.start_byte < last for row, _ in left):
            continue
        reason = f"the key `{added.key}` was put into {len(changed)} rows beside it"
        for _, pair in left:
            start = change.new.span(pair)[1]
            yield Replacement(start, start, added.text, reason, AGAIN, f"row has {added.key}")


def added_keys(change: FileChange, row: tree_sitter.Node) -> Iterator[AddedKey]:
    """The new keys of a row, each behind one that it had."""
    was = change.to_old(change.new.span(row)[0])
    path = [] if was is None else change.old.path_to(was)
    before = next((one for one in reversed(path) if one.type == row.type), None)
    if before is None:
        return
    old, new, previous = keys_of(change.old, before), keys_of(change.new, row), None
    # A key in the place of an old one was renamed, not added.
    for key, pair in new.items() if old.keys() <= new.keys() else ():
        if key not in old and previous is not None and previous[0] in old:
            start, stop = change.new.span(previous[1])[1], change.new.span(pair)[1]
            yield AddedKey(key, previous[0], change.new.text[start:stop])
        previous = key, pair
