"""Words that a change has moved within its lines: places without such a word are left alone.

-    if os.path.exists(path):        if os.path.isdir(folder):
+    if Path(path).exists():            `os.path` to `Path(path)` would be wrong: no `path` is here
"""

from __future__ import annotations

from collections import Counter
from keyword import iskeyword

from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.hunks import Hunk
from fim_lsp.edits.texts.symbols import WORD


def lacks_moved_word(change: FileChange, found: Replacement) -> bool:
    """Whether a substitution brings a word that its examples had before the change, and this place has
    not."""
    old = change.new.text[found.start : found.stop]
    came = {word for word in WORD.findall(found.new) if not iskeyword(word)} - {*WORD.findall(old)}
    if not came:
        return False
    lines = change.new.lines
    here = {*WORD.findall(lines.content(lines.line_at(found.start)))}
    made = [hunk for hunk in change.hunks if found.new in change.new.text[hunk.new_start : hunk.new_stop]]
    return bool(made) and all(is_moved(change, hunk, came, here) for hunk in made)


def is_moved(change: FileChange, hunk: Hunk, came: set[str], here: set[str]) -> bool:
    """Whether one of some words was in the examples' lines before, and is not at a place, or was not
    repeated."""
    old = Counter(WORD.findall(change.old.text[hunk.old_start : hunk.old_stop]))
    new = Counter(WORD.findall(change.new.text[hunk.new_start : hunk.new_stop]))
    return any(old[word] and (word not in here or new[word] <= old[word]) for word in came)
