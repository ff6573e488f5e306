"""Signs that a console or a pipe cannot take: each is replaced by one that it can, and none is broken.

A console of Windows shows all that Unicode has. A pipe has no encoding there but what both ends believe in;
Python believes in the code page of the country, what reads it mostly in UTF-8, and so UTF-8 it is unless the
user has said something else. Where an encoding lacks a sign, something like it is written, or an escape.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import sys
from typing import TextIO

from fim_lsp.system.kind import is_windows

NAME = "fim-lsp.looks-like-it"
# The same, for a stream that writes the names of files as the bytes that they are.
NAME_FOR_BYTES = "fim-lsp.looks-like-it-or-is-a-byte"
# The signs that we print ourselves.
ALIKE = {"«": "<<", "»": ">>", "…": "...", "✓": "+", "✗": "-", "²": "2"}
# The variables by either of which the user has chosen an encoding.
CHOSEN = ("PYTHONIOENCODING", "PYTHONUTF8")


def alike(error: UnicodeError) -> tuple[str, int]:
    """The text that is written for the signs that an encoding lacks."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end]
    return "".join(ALIKE.get(sign) or escaped_sign(sign) for sign in signs), error.end


def alike_or_bytes(error: UnicodeError) -> tuple[str | bytes, int]:
    """The same, but a byte of a file's name that is no text is that byte."""
    if isinstance(error, UnicodeEncodeError):
        code = ord(error.object[error.start])
        if 0xDC80 <= code <= 0xDCFF:
            return bytes([code - 0xDC00]), error.start + 1
        return ALIKE.get(chr(code)) or escaped_sign(chr(code)), error.start + 1
    raise error


def escaped_sign(sign: str) -> str:
    return sign.encode("ascii", "backslashreplace").decode("ascii")


def take_all_signs() -> None:
    """Makes both streams for people take whatever is printed."""
    codecs.register_error(NAME, alike)
    codecs.register_error(NAME_FOR_BYTES, alike_or_bytes)
    for stream in (sys.stdout, sys.stderr):
        # A file's name that is no text is written, in a C locale, as the bytes that it is. On Windows all
        # names are text, and Python gives every stream this answer to errors.
        errors = getattr(stream, "errors", "")
        is_for_bytes = not is_windows() and errors in ("surrogateescape", NAME_FOR_BYTES)
        if isinstance(stream, io.TextIOWrapper):
            errors = NAME_FOR_BYTES if is_for_bytes else NAME
            stream.reconfigure(encoding=encoding_of(stream), errors=errors)


def encoding_of(stream: TextIO) -> str | None:
    """The encoding that it gets; None where it stays."""
    is_pipe = is_windows() and not stream.isatty()
    return "utf-8" if is_pipe and not any(os.environ.get(name) for name in CHOSEN) else None


def is_reader_gone(error: OSError) -> bool:
    """Whether no program reads any more what a pipe is given; Windows says that the argument is none."""
    is_said_otherwise = is_windows() and error.errno == errno.EINVAL and error.filename is None
    return isinstance(error, BrokenPipeError) or is_said_otherwise
