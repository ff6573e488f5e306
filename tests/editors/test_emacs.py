"""Completions in a real Emacs: by eglot's completion-at-point, configured as in docs/editors.md."""

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
EMACS = ROOT / "target" / "e2e" / "trixie" / "emacs-nox"


def test_emacs_completes_at_point(tmp_path: Path) -> None:
    if not EMACS.exists():
        pytest.skip(
            "Emacs is not there; `tests/e2e/newer .venv/bin/python trixie emacs-nox emacs-nox` gets it where "
            "it can be had"
        )
    record = Record(tmp_path / "record.jsonl")
    command = [sys.executable, "-m", "tests.e2e.recorded_server", str(record.path)]
    command += [*PROGRAM, "serve"]
    configuration = changed(
        block(ROOT / "docs" / "editors.md", "elisp", "(with-eval-after-load 'eglot"),
        {
            '("fim-lsp" "serve")': "(" + " ".join(json.dumps(word) for word in command) + ")",
            '(:scope "block")': f"(:model {json.dumps(MODEL)} :timeBudget 20000)",
        },
    )
    init = tmp_path / "init.el"
    init.write_text(configuration, encoding="utf-8")
    file = tmp_path / "edited.py"
    file.write_text(LEFT + RIGHT, encoding="utf-8")
    column = len(LEFT) - LEFT.rfind("\n")
    arguments: list[str | Path] = [EMACS, "-Q", "-nw", "-l", init, f"+2:{column}", file]
    with terminal(arguments, tmp_path, PYTHONPATH=str(ROOT)) as emacs:
        until(lambda: record.sent("textDocument/didOpen", file.name) or None, lambda: f"the server:\n{emacs}")
        # Emacs requests the settings under the section's name.
        until(lambda: MODEL in told_models(record) or None, lambda: f"the settings:\n{emacs}")
        emacs.type("\x1b\t")  # Ctrl+Alt+i, as a terminal sends it.
        emacs.wait_for(f"return [row async {FORCED} table]")
        emacs.type("\x18\x13")  # Ctrl+x Ctrl+s
        until(lambda: on_disk(file) == LEFT + FORCED + RIGHT, lambda: f"the file to be written:\n{emacs}")
    text = file.read_text(encoding="utf-8")
    assert text == LEFT + FORCED + RIGHT
    ast.parse(text)


def told_models(record: Record) -> list[str]:
    answers = [message.content.get("result") for message in record.messages()]
    told = [answer[0] for answer in answers if isinstance(answer, list) and answer]
    return [entry["model"] for entry in told if isinstance(entry, dict) and "model" in entry]
