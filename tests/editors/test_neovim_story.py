"""The shortest story in a real Neovim with our plugin: an offer is drawn, dismissed, and finally accepted."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.e2e.forced import FORCED, LEFT, RIGHT
from tests.e2e.neovim import neovim
from tests.editors.test_neovim import DISMISS, NEOVIM_0_11, SOURCES, configuration, offered, wait_for_ghost


@pytest.mark.skipif(not NEOVIM_0_11.exists(), reason=f"Neovim 0.11 is not there; {SOURCES['0.11']}")
def test_an_offer_is_drawn_sent_away_and_taken(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()
    with neovim(NEOVIM_0_11, tmp_path, configuration(tmp_path)) as editor:
        file = offered(editor, "story.py")
        editor.screen.wait_for(f"return [row async {FORCED} table]")
        editor.type(DISMISS)
        wait_for_ghost(editor, None)
        assert file.text() == LEFT + RIGHT
        assert editor.lua("require('fim_lsp.ghost').request('invoked')")
        wait_for_ghost(editor, FORCED)
        editor.type("\t")
        wait_for_ghost(editor, None)
        text = file.saved()
    assert text == LEFT + FORCED + RIGHT
    ast.parse(text)
