"""A hole that only `for`, a name and `in` can fill, and a model that writes exactly that: the offer is known
to the letter. All its names exist, because the setting `names` is on by default."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tests.server_editor import script

LEFT, RIGHT = "async def read(table):\n    return [row async ", " table]\n"
FORCED = "for row in"
# A `try` has to be followed by `except` or `finally`.
TRY = ("def load(path):\n    try:\n        return open(", "\n\n\nload('x')\n")
BEGUN_TRY = "file = open(path)"
CLAUSE = "\n    except OSError:\n        return None"
MODEL = script(
    ("row async ", [FORCED]),
    (BEGUN_TRY, [CLAUSE]),
    ("chosen = ", ["first", "second", "third"]),
    ("total = ", ["len(orders)"]),
    ("here = ", ["Path(name)"]),
)
# The program that has such models, in place of `fim-lsp`.
PROGRAM: Sequence[str] = (sys.executable, "-m", "tests.scripted.server")
