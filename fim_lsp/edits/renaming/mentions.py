"""Mentions of a renamed function, class or constant in docstrings, comments, and strings of other files.

def price_of(gross):      '''The inverse of `net_price`.   >>> net_price(10)'''
                          patch("shop.prices.net_price"), setattr(prices, "net_price", fake)
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from fim_lsp.edits.renaming.renames import LIKELY, Rename
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.names import MODULE, Occurrence

MENTIONED = ("function", "class", "bind")
QUOTES = "'\""


def renamed_mentions(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places where docstrings and comments of the file mention a renamed thing as code."""
    if rename.role in MENTIONED and rename.owner == MODULE:
        yield from mentions(change, rename)


def mentions(change: FileChange, rename: Rename) -> Iterator[Replacement]:
    for one in change.old_names.of(rename.old):
        is_said = one.role == "comment" or (one.role == "text" and is_in_docstring(one))
        if is_said and is_code(change.old.text, one):
            yield from replacement(change, one, rename)


def replacement(change: FileChange, one: Occurrence, rename: Rename) -> Iterator[Replacement]:
    start = change.to_new(one.start)
    if start is not None and change.new.text[start : start + len(rename.old)] == rename.old:
        yield Replacement(start, start + len(rename.old), rename.new, rename.reason, LIKELY, rename.group)


def is_in_docstring(one: Occurrence) -> bool:
    """Whether a string is a whole statement."""
    for inner, around in zip(reversed(one.path), reversed(one.path[:-1]), strict=False):
        if inner.type == "string":
            return around.type == "expression_statement"
    return False


def is_code(text: str, one: Occurrence) -> bool:
    """Whether a word in prose is a name: in backticks, called, or in an example."""
    before, behind = text[max(one.start - 2, 0) : one.start], text[one.stop : one.stop + 1]
    if before.endswith((".", "-")) or behind == "-":
        return False
    if before.endswith("`") and behind in ("`", "("):
        return True
    line = text[text.rfind("\n", 0, one.start) + 1 : one.start].lstrip()
    return behind == "(" or line.startswith((">>> ", "... "))


def mentioned_there(
    other: FileChange, dotted: Collection[tuple[str, ...]], rename: Rename, modules: Collection[str]
) -> Iterator[Replacement]:
    """The places at which another file names it in a string: behind its module's name, or beside one of the
    module's names there."""
    for one in other.old_names.of(rename.old):
        if one.role == "text" and (is_dotted(other, dotted, one) or is_asked(other, one, modules)):
            yield from replacement(other, one, rename)


def mentioned_where_imported(other: FileChange, rename: Rename) -> Iterator[Replacement]:
    """The places where docstrings and comments of a file that imports a renamed thing mention it as code."""
    if rename.role in MENTIONED:
        yield from mentions(other, rename)


def is_dotted(other: FileChange, modules: Collection[tuple[str, ...]], one: Occurrence) -> bool:
    """Whether a whole string is the name behind its module's name."""
    text = other.old.text
    found = re.search(r"['\"]([\w.]+)\.\Z", text[max(one.start - 200, 0) : one.start])
    if found is None or text[one.stop : one.stop + 1] not in QUOTES:
        return False
    return tuple(found[1].split(".")) in modules


def is_asked(other: FileChange, one: Occurrence, modules: Collection[str]) -> bool:
    """Whether a whole string is a name that a call looks up in the module: `getattr(prices, "net_price")`."""
    text = other.old.text
    if text[one.start - 1 : one.start] not in QUOTES or text[one.stop : one.stop + 1] not in QUOTES:
        return False
    listed = next((node for node in reversed(one.path) if node.type == "argument_list"), None)
    if listed is None or len(listed.named_children) < 2:
        return False
    first, second = listed.named_children[:2]
    return other.old.text_of(first) in modules and other.old.span(second) == (one.start - 1, one.stop + 1)
