"""The worker gives memory back that it does not use."""

from __future__ import annotations

import platform

import pytest

from fim_lsp.server.worker.memory import give_back, resident_memory

MEGABYTE = 1 << 20


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries have no such call")
def test_what_is_free_is_given_back() -> None:
    pieces = [bytearray(b"x" * 50_000) for _ in range(2_000)]
    # One piece stays behind all others, so that the C library keeps what is in front of it.
    last = pieces[-1]
    del pieces
    before = resident_memory()
    assert give_back()
    after = resident_memory()
    assert before is not None
    assert after is not None
    assert after < before - 30 * MEGABYTE
    assert len(last) == 50_000
