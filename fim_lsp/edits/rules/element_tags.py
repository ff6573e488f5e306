"""Tags of JSX elements: if the opening tag or the closing one has another name now, the other one follows.

<div>      <section>
</div>     </div>
             ^ `section` now
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import tree_sitter

from fim_lsp.edits.renaming.renames import SURE
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.source import SourceText

TAGS = ("jsx_opening_element", "jsx_closing_element")
SCRIPTS = ("javascript", "javascriptreact", "typescriptreact")


def renamed_tags(change: FileChange) -> Iterator[Replacement]:
    """The other tags of elements one of whose tags was changed."""
    for replaced in change.replaced if change.old.known_language.name in SCRIPTS else ():
        was, now = tag_at(change.old, replaced.old_start), tag_at(change.new, replaced.new_start)
        other = None if was is None else other_name(was)
        if was is None or now is None or other is None or was.type != now.type:
            continue
        old, new = (name_of(of.text_of, node) for of, node in ((change.old, was), (change.new, now)))
        start = change.to_new(change.old.span(other)[0])
        if old == new or not old or not new or change.old.text_of(other) != old or start is None:
            continue
        if change.new.text[start : start + len(old)] == old:
            reason = f"the other tag of the element is `{new}` now"
            yield Replacement(start, start + len(old), new, reason, SURE, f"tag {old} {new} {start}")


def name_of(text_of: Callable[[tree_sitter.Node | None], str], tag: tree_sitter.Node) -> str:
    return text_of(tag.child_by_field_name("name"))


def tag_at(source: SourceText, offset: int) -> tree_sitter.Node | None:
    """The tag whose name stands at a place."""
    path = source.path_to(offset)
    found = next((node for node in reversed(path) if node.type in TAGS), None)
    name = None if found is None else found.child_by_field_name("name")
    return found if name is not None and name in path else None


def other_name(tag: tree_sitter.Node) -> tree_sitter.Node | None:
    """The name in the other tag of an element."""
    around = tag.parent
    if around is None or around.type != "jsx_element":
        return None
    other = around.child_by_field_name("close_tag" if tag.type == TAGS[0] else "open_tag")
    return None if other is None else other.child_by_field_name("name")
