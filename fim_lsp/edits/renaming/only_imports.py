"""Imports in which one name has changed, and nothing else in the file: the same thing under another name."""

from __future__ import annotations

import sys

from fim_lsp.edits.texts.change import FileChange


def is_only_import(change: FileChange, old: str, new: str, module: str) -> bool:
    """Whether only one imported name has changed. Python's own modules are left out: there it is another
    thing of the module."""
    is_own = module.partition(".")[0] in sys.stdlib_module_names
    is_alone = len(change.hunks) == 1 and len({(one.old, one.new) for one in change.replaced}) == 1
    return bool(module) and not is_own and is_alone and name_style(old) == name_style(new)


def name_style(name: str) -> tuple[bool, bool]:
    """Whether a name is written as a constant's, and whether as a class's."""
    return name.isupper(), name[:1].isupper()
