"""A short, fixed run of the protocol's fuzzer; `make verify` runs 100,000 messages."""

from __future__ import annotations

import json

import pytest

from tests.protocol_fuzz.oracle import answered
from tests.protocol_fuzz.session import fuzz


def test_each_request_has_one_answer_and_nothing_is_left_behind() -> None:
    assert sum(n_messages for n_messages, _ in fuzz(1200, seed=3, per_session=300)) >= 1200


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (b"{", "null"),
        (b"5", "null"),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "a"}', "1"),
        (b'{"jsonrpc": "2.0", "id": "1", "method": "a"}', '"1"'),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "a"}', "null"),
        (b'{"jsonrpc": "2.0", "method": "a"}', None),
        (b'{"jsonrpc": "2.0", "id": 1, "result": 5}', None),
        (b'{"id": 1, "method": "a"}', "1"),
    ],
)
def test_the_oracle_knows_json_rpc(body: bytes, expected: str | None) -> None:
    assert answered(body) == expected
    if expected is not None:
        json.loads(expected)
