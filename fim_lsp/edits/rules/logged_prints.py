"""Prints of several values that became calls of a logger: the other prints follow in the same way.

print("reading", path)        -> logger.info("reading %s", path)
print("parsed", len(rows))    -> logger.info("parsed %s", len(rows))
print("writing", path)           `logger.info("writing %s", path)`
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

import tree_sitter

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

LOGGED = re.compile(r"[\w.]+\.(?:debug|info|warning|warn|error|critical|exception)")
SURE = 0.8
LEAST_MADE = 2
# How a logger gets values: as arguments behind the text, or in its fields.
WAYS = ("given", "fields")


def repeated_logging(change: FileChange) -> Iterator[Replacement]:
    made: dict[tuple[str, str], list[int]] = defaultdict(list)
    # A print of one text alone does not show how values are logged.
    telling: set[tuple[str, str]] = set()
    for hunk in change.hunks:
        if "print(" not in change.old.text[hunk.old_start : hunk.old_stop]:
            continue
        old = statements_of(change.old, hunk.old_start, hunk.old_stop)
        new = statements_of(change.new, hunk.new_start, hunk.new_stop)
        for before, after in zip(old, new, strict=False):
            called = change.new.text_of(after.child_by_field_name("function"))
            for way in WAYS if is_print(change.old, before) and LOGGED.fullmatch(called) else ():
                if logged_text(change.old, before, called, way) == change.new.text_of(after):
                    made[called, way].append(after.start_byte)
                    telling |= {(called, way)} if n_values(before) > 1 else set()
                    break
    n_made = sum(len(places) for places in made.values())
    if n_made < LEAST_MADE or len(telling) != 1:
        return
    called, way = next(iter(telling))
    places = [place for several in made.values() for place in several]
    prints = [one for one in prints_of(change.new) if logged_text(change.new, one, called, way)]
    if any(one.start_byte < max(places) for one in prints):
        return
    reason = f"`print(...)` became `{called}(...)` {n_made} times"
    for one in prints:
        start, stop = change.new.span(one)
        written = logged_text(change.new, one, called, way)
        if not change.is_typed(start, stop):
            yield Replacement(start, stop, written, reason, SURE, f"logged {called}")


def statements_of(source: SourceText, start: int, stop: int) -> list[tree_sitter.Node]:
    """The calls that are statements of their own between two places, line by line."""
    lines, found = source.lines, []
    for number in range(lines.line_at(start), lines.line_at(max(stop - 1, start)) + 1):
        content = lines.content(number)
        begin = lines.starts[number] + len(content) - len(content.lstrip())
        call = next((one for one in source.path_to(begin) if is_statement(one) and one.type == "call"), None)
        if call is not None:
            found.append(call)
    return found


def is_statement(node: tree_sitter.Node) -> bool:
    return node.parent is not None and node.parent.type == "expression_statement"


def prints_of(source: SourceText) -> list[tree_sitter.Node]:
    found = []
    for start in source.places("print"):
        path = source.path_to(start)
        call = path[-2] if len(path) > 1 else path[-1]
        if call.type == "call" and is_statement(call) and is_print(source, call):
            found.append(call)
    return found


def is_print(source: SourceText, call: tree_sitter.Node) -> bool:
    return source.text_of(call.child_by_field_name("function")) == "print"


def n_values(call: tree_sitter.Node) -> int:
    listed = call.child_by_field_name("arguments")
    return 0 if listed is None else len(listed.named_children)


def logged_text(source: SourceText, call: tree_sitter.Node, called: str, way: str) -> str:
    """A print as a call of the logger; None for one with options, or one that begins with no plain string."""
    listed = call.child_by_field_name("arguments")
    given = [] if listed is None else listed.named_children
    if not given or "\n" in source.text_of(call) or any(one.type in NO_VALUES for one in given):
        return ""
    text, values = source.text_of(given[0]), [source.text_of(one) for one in given[1:]]
    is_plain = given[0].type == "string" and text[0] in "'\"" and not text.startswith(('"""', "'''"))
    if not values:
        return f"{called}({text})" if given[0].type == "string" else ""
    if not is_plain or "%" in text or "{" in text:
        return ""
    if way == "given":
        return f"{called}({text[:-1]}{' %s' * len(values)}{text[-1]}, {', '.join(values)})"
    return fields_text(called, text, values)


def fields_text(called: str, text: str, values: Sequence[str]) -> str:
    if any(sign in value for value in values for sign in (text[0], "\\", "{", "}", "!", ":")):
        return ""
    return f"{called}(f{text[:-1]}{''.join(f' {{{value}}}' for value in values)}{text[-1]})"


NO_VALUES = ("keyword_argument", "list_splat", "dictionary_splat", "comment")
