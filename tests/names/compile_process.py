"""Runs inside a CPython, and reports why its compiler refuses texts.

It reads a JSON list of texts per line and answers with a list: an empty string for a text that `compile`
accepts, the message for a refused one, null if it gave up for lack of stack. Every version from 3.8 on must
be able to read this file.
"""

from __future__ import annotations

import ast
import json
import sys
import warnings

warnings.simplefilter("ignore")


def refusal(text: str) -> str | None:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError) as error:
        # 3.8 refuses repeated keywords while it parses.
        return str(error) if str(error).startswith("keyword argument repeated") else f"parser: {error}"
    except (MemoryError, RecursionError):
        return None
    try:
        compile(text, "text", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        return str(error) or "refused"
    except (MemoryError, RecursionError, SystemError):
        return None
    return ""


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps([refusal(text) for text in json.loads(line)]), flush=True)
