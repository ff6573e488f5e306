"""The shortest story in a real VS Code: grey text is shown, dismissed, shown again and accepted.

`make e2e` runs the longer stories, which are in tests/vscode.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.e2e.forced import FORCED, LEFT, MODEL, PROGRAM, RIGHT
from tests.e2e.packaged import packaged_client
from tests.e2e.record import until
from tests.e2e.starting_vscode import workbench

pytestmark = pytest.mark.timeout(900)


def test_an_offer_is_shown_sent_away_and_taken(tmp_path: Path) -> None:
    settings: dict[str, Any] = {"timeBudget": 20000, "memory": False, "model": MODEL}
    with workbench(tmp_path / "run", packaged_client(), program=PROGRAM, **settings) as vscode:
        until(lambda: "scripted" in vscode.record.models(), "the model", 240)
        editor = vscode.open("story.py", f"{LEFT}$0{RIGHT}")
        editor.ask()
        assert editor.wait_for_ghost() == FORCED
        vscode.photograph("story")
        vscode.keys("Escape")
        editor.wait_for_no_ghost()
        assert editor.saved() == LEFT + RIGHT
        editor.ask()
        editor.accept(LEFT, editor.wait_for_ghost(), RIGHT)
