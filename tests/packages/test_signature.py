"""A library for macOS is signed, and refused after a change."""

from __future__ import annotations

import hashlib
import runpy
import struct
from pathlib import Path

import pytest

signature = runpy.run_path(str(Path(__file__).parents[2] / ".ci" / "signature.py"))
PAGE = 4096
CODE = bytes(range(256)) * 40


def signed(code: bytes) -> bytes:
    """A signature with a checksum for each page, as linkers make it."""
    pages = [code[start : start + PAGE] for start in range(0, len(code), PAGE)]
    header = struct.pack(">9I4B", 0xFADE0C02, 0, 0x20400, 2, 40, 0, 0, len(pages), len(code), 32, 2, 0, 12)
    directory = header + b"".join(hashlib.sha256(page).digest() for page in pages)
    return struct.pack(">3I2I", 0xFADE0CC0, 20 + len(directory), 1, 0, 20) + directory


@pytest.mark.parametrize("size", [1, PAGE, PAGE + 1, len(CODE)])
def test_a_signature_is_of_each_page(size: int) -> None:
    code = CODE[:size]
    blob = signed(code)
    assert signature["has_true_signature"](code + blob, size, len(blob))
    changed = code[:-1] + bytes([code[-1] ^ 1])
    assert not signature["has_true_signature"](changed + blob, size, len(blob))


def test_what_is_not_signed_or_grew_since_is_refused() -> None:
    blob = signed(CODE)
    for wrong in (b"", bytes(len(blob)), signed(CODE[: PAGE * 2])[:-32]):
        assert not signature["has_true_signature"](CODE + wrong, len(CODE), len(wrong))
