"""How a body is to be answered: once with the id that it has, once with null, or not at all."""

from __future__ import annotations

import json
from typing import Any, Literal

# Which id the one answer has, as JSON; `None` where there must not be one.
Answered = str | None
NULL: Literal["null"] = "null"
# These end the conversation; sessions send them when it is time.
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
