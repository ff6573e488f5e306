"""Contexts as bytes have the meaning that `ast.parse` gives the bytes, or are refused."""

from __future__ import annotations

import ast
import sys
import warnings
from pathlib import Path
from random import Random

import pytest

from fim_lsp.cli import main
from quotient import EncodingError, Language, NoCompletion
from tests.thoroughness import n_tries

PYTHON = Language.load("python", "3.11")
MARK = b"\xef\xbb\xbf"
# Files whose encoding Python learns from their own declaration, and some that it cannot read.
FILES = (
    b"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
    b"#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\nx = '\xa4'\n",
    b"# coding: cp1252\r\nx = '\x80'\r\n",
    b"# coding: ascii\nx = 1\n",
    b"# coding: ascii\nx = '\xe9'\n",
    b"# coding: nobody-knows\nx = 1\n",
    b"# coding: hex\n7820\n",
    b"# coding: utf-8\nx = '\xc3\xa9'\n",
    b"# coding: utf-8\nx = '\xe9'\n",
    b"# coding: UTF_8-unix\nx = 1\n",
    b"x = '\xe9'\n",
    b"x = '\xf0\x9f\x98\x80'\n",
    b"x = 1\n# coding: latin-1\ny = '\xc3\xa9'\n",
    MARK + b"x = 1\n",
    MARK + b"# coding: utf-8\nx = 1\n",
    MARK + b"# coding: latin-1\nx = 1\n",
    MARK + MARK + b"x = 1\n",
    b"x = '" + MARK + b"'\n",
    b"x\n" + MARK + b"y\n",
    "# coding: utf-16\nx\n".encode("utf-16"),
)


def parses(content: bytes) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            ast.parse(content)
        except (SyntaxError, ValueError, LookupError):
            return False
    return True


def verdict(left: bytes, right: bytes) -> bool | None:
    """Whether the engine accepts the whole as a file; None if it refuses to read such bytes."""
    try:
        return PYTHON.recognizer(left, right).is_member()
    except EncodingError:
        return None
    except NoCompletion:
        return False


@pytest.mark.parametrize("content", FILES, ids=repr)
def test_bytes_are_a_file_or_refused_wherever_they_are_cut(content: bytes) -> None:
    expected = parses(content)
    for at in range(len(content) + 1):
        assert verdict(content[:at], content[at:]) in (None, expected), at
    declares_another = b"coding" in content and b"utf" not in content.lower()
    if expected and (not declares_another or content.startswith(b"x")):
        assert verdict(content, b"") is True


@pytest.mark.parametrize(
    ("left", "right", "message"),
    [
        (b"# coding: latin-1\nx = '", b"\xe9'\n", "declares the encoding latin-1"),
        (b"# coding: latin-1\nx = '\xe9", b"'\n", "declares the encoding latin-1"),
        (b"# coding: utf-8\nx = '", b"\xe9'\n", "not UTF-8"),
        (b"# coding: latin-1\nx = '", b"'\n", "declares the encoding latin-1"),
        (b"# cod", b"ing: koi8-r\n", "declares the encoding koi8-r"),
        (b"", b"#!python\n# coding: ascii\n", "declares the encoding ascii"),
        ("", b"# coding: ascii\n", "declares the encoding ascii"),
        (b"#\xe9\n", b"", "the left context is not UTF-8 at offset 1"),
        ("x", b"\n#\xe9\n", "the right context is not UTF-8 at offset 2"),
        (b"", MARK + b"x\n", "byte order mark"),
        (MARK[:1], MARK[1:] + b"x\n", "byte order mark"),
        (MARK[:2], b"", "byte order mark"),
    ],
)
def test_what_is_refused_is_said(left: bytes | str, right: bytes, message: str) -> None:
    with pytest.raises(EncodingError, match=message) as error:
        PYTHON.recognizer(left, right)
    assert isinstance(error.value, ValueError)


def test_utf_8_is_read_in_any_pieces() -> None:
    content = MARK + "# coding: utf-8\ndef é(): return '\U0001f600'\n".encode()
    for at in range(len(MARK), len(content) + 1):
        recognizer = PYTHON.recognizer(content[:at], content[at:])
        assert recognizer.is_member(), at
    for start in range(content.index(b"\n") + 1, len(content)):
        recognizer = PYTHON.recognizer(content[:start], content[start + 3 :])
        assert recognizer.advance(content[start : start + 3]), start
        assert recognizer.is_member(), start


def test_a_declaration_means_nothing_in_str_and_in_other_languages() -> None:
    assert PYTHON.recognizer("# coding: latin-1\nx = 'é'\n", "").is_member()
    go = Language.load("go")
    assert go.recognizer(b"// # coding: latin-1\npackage a\n", b"").is_member()
    with pytest.raises(EncodingError, match="not UTF-8"):
        go.recognizer(b"// \xe9\npackage a\n", b"")


@pytest.mark.parametrize("content", FILES, ids=repr)
def test_check_reads_files_as_python_does(
    content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "source.py"
    path.write_bytes(content)
    status = main(["check", "--python-version", "3.11", str(path)])
    assert (status == 0) == parses(content), capsys.readouterr()


PIECES = (
    *(bytes([one]) for one in b"#:= \t\n\r\x0c\\'\xe9\xef\xbb\x00a"),
    *(
        MARK,
        b" coding",
        b"# coding: utf-8\n",
        b"#coding=utf-8-sig\n",
        b"# coding: latin-1",
        b"x = 'a'\n",
        b"\r\n",
    ),
    *(b"\xc3\xa9", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\x80", b'""" \n', b"(\n", b"\n)"),
)


def is_text(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def may_be_refused(content: bytes, at: int) -> bool:
    """Whether docs/python-versions.md lists these bytes as refused, although CPython reads them."""
    is_mark_cut = content.startswith(MARK) and at < len(MARK)
    return is_mark_cut or not is_text(content) or b"latin" in content


def test_any_bytes_are_a_file_in_utf_8_or_refused() -> None:
    random = Random(15)
    n_refused = 0
    n_files = n_tries(1_500, 4_000)
    for _ in range(n_files):
        content = b"".join(random.choices(PIECES, k=random.randint(1, 7)))
        at = random.randint(0, len(content))
        found, is_file = verdict(content[:at], content[at:]), parses(content)
        if found is None:
            n_refused += is_file
            assert not is_file or may_be_refused(content, at), (content, at)
        else:
            assert found == (is_text(content) and is_file), (content, at)
    assert n_refused > n_files // 400


@pytest.mark.parametrize(
    "content", [b"#\xe9", b"#\xe9\nx\n", b"x #\xe9\ny\n", b"x\n#\xc0\x80", b"(#\xed\xa0\x80\n)\n"], ids=repr
)
def test_comments_that_are_no_text_are_refused(content: bytes) -> None:
    """`ast.parse` accepts these up to 3.13."""
    assert parses(content) == (sys.version_info < (3, 14))
    for at in range(len(content) + 1):
        # A character that the hole cuts may still become valid, but is not a character yet.
        assert verdict(content[:at], content[at:]) in (None, False), at


def test_random_declarations_are_understood_as_python_does() -> None:
    random = Random(15)
    pieces = (
        b"#",
        b"coding",
        b":",
        b"=",
        b" ",
        b"\t",
        b"utf-8",
        b"ascii",
        b"latin-1",
        b"\n",
        b"\r",
        b"x",
        b"-",
    )
    for _ in range(400):
        content = b"".join(random.choices(pieces, k=random.randint(1, 12))) + b"\n#\xc3\xa9\n"
        found = verdict(content, b"")
        # Bytes are refused unread only if they declare another encoding.
        assert found in (None, parses(content)), content
        if found is None:
            assert b"ascii" in content or b"latin" in content or b"-" in content or b"x" in content, content
