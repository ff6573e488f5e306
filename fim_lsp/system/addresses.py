"""The address of a file, one for each, whatever program names it.

Editors code other signs than Python does, and write a drive's letter as they like: `file:///c%3A/my(1).py`
and `file:///C:/my%281%29.py` are the same file. The editor's own address of a document is kept for the
editor; the worker knows files by this one.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote, unquote_to_bytes, urlsplit

from fim_lsp.system.kind import is_windows

DRIVE = re.compile(rb"/([A-Za-z])[:|](?=/|$)")


def own_address(uri: str) -> str:
    """The address as `Path.as_uri` writes it; an address of no file stays as it is."""
    return written_address(uri, is_windows())


@lru_cache(maxsize=1024)
def written_address(uri: str, has_drives: bool) -> str:
    try:
        parts = urlsplit(uri)
    except ValueError:
        return uri
    if parts.scheme != "file" or parts.query or parts.fragment:
        return uri
    path = unquote_to_bytes(parts.path)
    drive = DRIVE.match(path) if has_drives else None
    begun = "" if drive is None else f"/{drive[1].decode().upper()}:"
    rest = path if drive is None else path[drive.end() :]
    return f"file://{parts.netloc}{begun}{quote_from_bytes(rest)}"


def path_at(path: str) -> Path:
    """The file at the path of an address, whose signs are no longer coded."""
    if not is_windows():
        return Path(unquote(path))
    # With it come HTTP and TLS, which take four megabytes.
    from urllib.request import url2pathname

    return Path(url2pathname(path))


def address_of(path: Path) -> str:
    """A file's own address."""
    return own_address(path.as_uri())
