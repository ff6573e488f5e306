"""The edits of `fim-lsp edits` in a project, each taken where it is, until there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from fim_lsp.cli import main

MOST_STEPS = 12


def take_edits(new: Path, old: Path, project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Takes the likeliest edit that follows from a file's change, again and again."""
    for _ in range(MOST_STEPS):
        assert main(["edits", str(new), "--since", str(old), "--project", str(project), "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        if not found:
            return
        path = Path(found[0]["path"])
        text = path.read_bytes().decode()
        path.write_bytes((text[: found[0]["start"]] + found[0]["new"] + text[found[0]["end"] :]).encode())
