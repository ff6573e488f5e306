"""Elements of JSX whose two tags have different names, which no grammar compares.

<ul><li>a</ul></ul>             the first `</ul>` ends `<li>`, as it seems
"""

from __future__ import annotations

from collections.abc import Iterator

import tree_sitter

from fim_lsp.declared.tree import nodes_between, text
from fim_lsp.document.syntax import COMMENTS


def wrong_tags(root: tree_sitter.Node, first: int, last: int) -> Iterator[tree_sitter.Node]:
    """The tags that stand, at least partly, between two bytes of a file and differ from their partners."""
    for node in nodes_between(root, first, last):
        opened, closed = (node.child_by_field_name(one) for one in ("open_tag", "close_tag"))
        if opened is not None and closed is not None and name_of(opened) != name_of(closed):
            new = [one for one in (closed, opened) if one.start_byte < last and one.end_byte > first]
            yield from new[:1]


def name_of(tag: tree_sitter.Node) -> str:
    name = tag.child_by_field_name("name")
    return "" if name is None else "".join(words(name))


def words(node: tree_sitter.Node) -> Iterator[str]:
    """The words of a name, without the signs between."""
    if not node.children:
        yield text(node)
    for child in node.children:
        if child.type not in COMMENTS:
            yield from words(child)
