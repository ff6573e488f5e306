"""Loop variables of comprehensions that were renamed where they are used: the loop and its other uses follow.

[u.name for u in users if u.ok]      [user.name for u in users if u.ok]
                                                    ^ `user` now, and so is each use
"""

from __future__ import annotations

import builtins
from collections.abc import Iterator

from fim_lsp.edits.renaming.renames import LIKELY, pairs
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import JOINT, Replacement
from fim_lsp.edits.texts.names import LOOPED


def renamed_loop_names(change: FileChange) -> Iterator[Replacement]:
    """The other places of a comprehension's variable, if a use of it has a name now that nothing binds."""
    for replaced in change.replaced:
        for old, new in pairs(replaced):
            before, after = change.old_names.at(*old), change.new_names.at(*new)
            owner = change.old_names.owner(before) if before.role == after.role == "use" else None
            name, now = change.old.text[slice(*old)], change.new.text[slice(*new)]
            if owner is None or owner[1] not in LOOPED or hasattr(builtins, now):
                continue
            if change.new_names.owner(after) is not None:
                continue
            reason, group = (
                f"the variable `{name}` is called `{now}` now",
                f"{JOINT}loop {name} {now} {owner}",
            )
            for one in change.old_names.variable(name, owner):
                at = change.to_new(one.start)
                if at is not None and change.new.text[at : at + len(name)] == name:
                    yield Replacement(at, at + len(name), now, reason, LIKELY, group)
