"""Completions in a real Helix: in its popup, because it has no grey text, configured as in
docs/editors.md."""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path

import pytest

from tests.e2e.documented import block, changed
from tests.e2e.forced import FORCED, LEFT, MODEL, PROGRAM, RIGHT
from tests.e2e.record import Record, on_disk, until
from tests.e2e.terminal import terminal

ROOT = Path(__file__).parents[2]
HELIX = ROOT / "target" / "e2e" / "forky" / "hx"


def test_helix_completes_in_its_popup(tmp_path: Path) -> None:
    if not HELIX.exists():
        pytest.skip(
            "Helix is not there; `tests/e2e/newer .venv/bin/python forky hx hx` gets it where it can be had"
        )
    record = Record(tmp_path / "record.jsonl")
    command = ["-m", "tests.e2e.recorded_server", str(record.path), *PROGRAM, "serve"]
    configuration = changed(
        block(ROOT / "docs" / "editors.md", "toml", "[language-server.fim-lsp]"),
        {
            'command = "fim-lsp"': f"command = {json.dumps(sys.executable)}",
            'args = ["serve"]': f"args = {json.dumps(command)}\n"
            f"config = {{ model = '{MODEL}', timeBudget = 20000 }}",
        },
    )
    folder = tmp_path / ".config" / "helix"
    folder.mkdir(parents=True)
    (folder / "languages.toml").write_text(configuration, encoding="utf-8")
    file = tmp_path / "edited.py"
    file.write_text(LEFT + RIGHT, encoding="utf-8")
    column = len(LEFT) - LEFT.rfind("\n")
    with terminal([HELIX, f"{file}:2:{column}"], tmp_path, PYTHONPATH=str(ROOT)) as helix:
        until(lambda: record.sent("textDocument/didOpen", file.name) or None, lambda: f"the server:\n{helix}")
        helix.type("i")
        helix.wait_for(" INS ")
        helix.type("\x18")  # Ctrl+x asks for completions.
        # Tab takes the entry, but not before it is shown.
        until(lambda: str(helix).count(FORCED) == 1 or None, lambda: f"the popup:\n{helix}")
        helix.type("\t")
        helix.wait_for(f"return [row async {FORCED} table]")
        helix.type("\x1b")
        helix.wait_for(" NOR ")
        helix.type(":write\r")
        until(lambda: on_disk(file) == LEFT + FORCED + RIGHT, lambda: f"the file to be written:\n{helix}")
    text = file.read_text(encoding="utf-8")
    assert text == LEFT + FORCED + RIGHT
    ast.parse(text)
