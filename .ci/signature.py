"""Whether a library for macOS is signed, and unchanged since: a Mac with an ARM processor loads no other.

The linker signs, with no name. What strips a library afterwards leaves a signature of what it was.
Apple's format: a table of parts, of which one lists a checksum for each page of the file in front of it.
"""

from __future__ import annotations

import hashlib
import struct

TABLE, DIRECTORY = 0xFADE0CC0, 0xFADE0C02
HASHES = {1: hashlib.sha1, 2: hashlib.sha256}


def has_true_signature(library: bytes, start: int, size: int) -> bool:
    """Does the signature at `start` fit the library, which begins with its header?"""
    blob = library[start : start + size]
    if len(blob) < 12 or struct.unpack_from(">I", blob)[0] != TABLE:
        return False
    [count] = struct.unpack_from(">I", blob, 8)
    offsets = [struct.unpack_from(">II", blob, 12 + 8 * index)[1] for index in range(count)]
    directories = [at for at in offsets if struct.unpack_from(">I", blob, at)[0] == DIRECTORY]
    return bool(directories) and all(_is_true(library, blob[at:]) for at in directories)


def _is_true(library: bytes, directory: bytes) -> bool:
    hashes, _, _, n_pages, limit = struct.unpack_from(">5I", directory, 16)
    width, kind, _, page_bits = struct.unpack_from("4B", directory, 36)
    page = 1 << page_bits
    if kind not in HASHES or n_pages != -(-limit // page):
        return False
    return all(
        directory[hashes + index * width : hashes + (index + 1) * width]
        == HASHES[kind](library[index * page : min((index + 1) * page, limit)]).digest()[:width]
        for index in range(n_pages)
    )
