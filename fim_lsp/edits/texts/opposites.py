"""Names that were replaced together with their truth value: `enabled = True` became `disabled = False`.

The new name means the opposite, so it is no other name of the same thing.
"""

from __future__ import annotations

import re
from functools import lru_cache

from fim_lsp.edits.texts.change import FileChange, Replaced

OPPOSITES = frozenset({("True", "False"), ("False", "True"), ("true", "false"), ("false", "true")})
# The name in front of a value, and its type.
GIVEN = re.compile(r"([^\W\d]\w*)\s*(?::\s*[\w\[\]., |]+?)?\s*:?=\s*\Z")
# A name and its type are shorter.
MOST_CHARACTERS = 200


@lru_cache(maxsize=4)
def turned_names(change: FileChange) -> frozenset[int]:
    """The places in the old text of names whose truth value was turned round where they were replaced."""
    found = set()
    for one in change.replaced:
        if (one.old, one.new) in OPPOSITES:
            begin = max(one.old_start - MOST_CHARACTERS, 0)
            given = GIVEN.search(change.old.text[begin : one.old_start])
            if given is not None:
                found.add(begin + given.start(1))
    return frozenset(found)


def is_turned(change: FileChange, one: Replaced) -> bool:
    """Whether a replaced name means the opposite now."""
    return any(
        one.old_start <= start < max(one.old_stop, one.old_start + 1) for start in turned_names(change)
    )
