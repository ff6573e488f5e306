"""Runs inside another CPython, and reports which texts its parser accepts.

It reads a JSON list of texts per line and answers with a list of true, false or null. Null means that CPython
gave up for lack of stack or by a fault of its own, or that 3.8 refuses a repeated keyword, which later
versions leave to the compiler. With a version as its argument it uses that version's `feature_version`. Every
version from 3.8 on must be able to read this file.
"""

from __future__ import annotations

import ast
import json
import sys
import warnings
from typing import Any

warnings.simplefilter("ignore")


REPEATED = "keyword argument repeated"


def options(version: str | None) -> dict[str, Any]:
    """The options of `ast.parse` for a version; none for the interpreter's own."""
    asked = tuple(map(int, version.split(".")[:2])) if version else sys.version_info[:2]
    return {} if asked == sys.version_info[:2] else {"feature_version": asked}


def verdict(text: str, given: dict[str, Any]) -> bool | None:
    try:
        ast.parse(text, **given)
    except (SyntaxError, ValueError) as error:
        return None if str(error).startswith(REPEATED) else False
    # On Windows 3.11.9 crashes at a negative size.
    except (MemoryError, RecursionError, SystemError):
        return None
    return True


def answer(line: str, version: str | None = None) -> str:
    given = options(version)
    return json.dumps([verdict(text, given) for text in json.loads(line)])


if __name__ == "__main__":
    for line in sys.stdin:
        print(answer(line, sys.argv[1] if len(sys.argv) > 1 else None), flush=True)
