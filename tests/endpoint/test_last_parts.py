"""The last part of a stream: after it the endpoint waits for nothing more."""

from __future__ import annotations

import json

import pytest

from fim_lsp.endpoint.writers import piece_of


@pytest.mark.parametrize(
    ("part", "text", "is_last"),
    [
        ({"content": "a", "stop": False}, "a", False),
        ({"content": "", "stop": True, "stop_type": "limit"}, "", True),
        ({"response": "a", "done": False}, "a", False),
        ({"response": "", "done": True, "done_reason": "stop"}, "", True),
        ({"choices": [{"text": "a", "finish_reason": None}]}, "a", False),
        ({"choices": [{"text": "a", "finish_reason": ""}]}, "a", False),
        ({"choices": [{"text": "b", "finish_reason": "length"}]}, "b", True),
        ({"choices": [], "usage": {}}, "", False),
    ],
)
def test_the_last_part_of_each_api(part: object, text: str, is_last: bool) -> None:
    for line in (json.dumps(part).encode(), b"data: " + json.dumps(part).encode()):
        found, is_end = piece_of(line)
        assert (found.text, is_end) == (text, is_last)


def test_the_end_of_events_is_the_last_part() -> None:
    assert piece_of(b"data: [DONE]") == (piece_of(b": alive")[0], True)
    assert not piece_of(b": alive")[1]
