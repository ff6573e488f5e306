"""Flags that mean the opposite now: their other places do not only change the name.

-self.enabled = True          if self.enabled:
+self.disabled = False           `if self.disabled:` would be wrong
"""

from __future__ import annotations

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.opposites import is_turned


def is_turned_flag(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution would rename a flag whose truth value was turned round where it was renamed."""
    pair = change.new.text[found.start : found.stop], found.new
    made = [one for one in change.replaced if (one.old, one.new) == pair]
    return bool(made) and all(is_turned(change, one) for one in made)
