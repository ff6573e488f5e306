"""The required answers to a body: one with its id, one with null, or none."""

from __future__ import annotations

import json
from typing import Any, Literal

# The id of the only answer, as JSON; `None` if there must be no answer.
Answered = str | None
NULL: Literal["null"] = "null"
# These messages end the conversation; sessions send them at the right time.
ENDS = ("exit", "shutdown")


def answered(body: bytes) -> Answered:
    try:
        data = json.loads(body.decode(errors="surrogateescape"))
    except (ValueError, RecursionError):
        return NULL
    if not isinstance(data, dict):
        return NULL
    own = json.dumps(data["id"]) if is_id(data.get("id")) else NULL
    is_answer = "method" not in data and ("result" in data or "error" in data)
    if is_answer:
        return None
    if data.get("jsonrpc") != "2.0" or not isinstance(data.get("method"), str):
        return own
    return own if "id" in data else None


def is_id(value: Any) -> bool:
    return type(value) in (int, str)


def ends_something(body: bytes) -> bool:
    return any(name.encode() in body for name in ENDS)
