"""The scope of a completion where none is named."""

from __future__ import annotations

from pathlib import Path

import pytest

import fim_lsp
from fim_lsp.cli import main
from fim_lsp.decoding.options import Options, usual_scope

IMPORTS = "from collections import \n"


@pytest.mark.parametrize(
    ("left", "scope"),
    [
        ("", "block"),
        ("def f():\n    ", "block"),
        ("def f():\r\n\t", "block"),
        ("x = ", "statement"),
        ("x = [\n    a, ", "statement"),
    ],
)
def test_in_a_line_that_has_begun_it_is_the_statement(left: str, scope: str) -> None:
    assert usual_scope(left) == scope


def test_scripts_and_the_command_line_get_the_end_of_a_statement(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    offset = len(IMPORTS) - 1
    [found] = fim_lsp.complete(IMPORTS, offset)
    assert "\n" not in found.text
    [more] = fim_lsp.complete(IMPORTS, offset, options=Options())
    assert more.text.startswith(found.text)
    path = tmp_path / "a.py"
    path.write_text(IMPORTS)
    assert main(["complete", f"{path}:1:{offset + 1}"]) == 0
    assert found.text in capsys.readouterr().out
