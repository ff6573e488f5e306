"""`fim-lsp check` reports a key of TOML that stands twice, which the grammar alone allows."""

from __future__ import annotations

from pathlib import Path

import pytest
import tomllib

from fim_lsp.cli import main


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a = 1\na = 2\n", "2:1: `a` is defined already"),
        ("[a]\nb = 1\n\n[a]\nc = 2\n", "4:2: `a` is defined already"),
        ("x = { b = 1, b = 2 }\n", "1:14: `b` is defined already"),
        ("[a]\r\nb.c = 1\r\nb.d = 2\r\nb.c = 3\r\n", "4:1: `b.c` is defined already"),
        ("b . c = 1\nb . c = 2\n", "2:1: `b.c` is defined already"),
        ("a = 1\n[b]\na = 2\n[[c]]\n[[c]]\n", ""),
    ],
)
def test_a_key_that_stands_twice(
    text: str, fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "a.toml"
    path.write_bytes(text.encode())
    assert main(["check", str(path), "--quiet"]) == bool(fault)
    assert capsys.readouterr().out == (f"{path}:{fault}\n" if fault else "")
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        assert fault
    else:
        assert not fault
