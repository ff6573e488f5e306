"""Source files for `fim-lsp check`, and its output."""

from __future__ import annotations

from pathlib import Path

import pytest

from fim_lsp.cli import main


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["check", *arguments])
    output = capsys.readouterr()
    return code, output.out, output.err


def source(folder: Path, content: str | bytes, name: str = "a.py") -> str:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(path)
