"""Broken files: the erroneous statements that the cursor is not in are set aside, so that the rest counts.

This is the package's door: what others use is named here, and they ask for nothing behind it. In the order in
which a hole comes through:

repair.py      a document's own repair: the statements set aside in it for a hole
kept_lines.py  which lines are never set aside for a hole
search.py      which lines are to blame for an error, until the file parses without them
stand_ins.py   the replacement of a broken statement: nothing, or what its block needs
braces.py      ... in languages that have braces: the braces
bindings.py    the names that a broken statement binds and needs, said again by its replacement
unfinished_try.py  the clauses that a `try` around a hole still lacks
substitute.py  the text with other lines in their place, and the engine's charts of it, which follow the edits
"""

from fim_lsp.document.repair.bindings import may_bind
from fim_lsp.document.repair.repair import REPAIR_SECONDS, Repair
from fim_lsp.document.repair.stand_ins import patches
from fim_lsp.document.repair.substitute import Repaired, patched_text

__all__ = ["REPAIR_SECONDS", "Repair", "Repaired", "may_bind", "patched_text", "patches"]
