"""A notebook in the real VS Code: its cells on screen and on disk."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator

from tests.e2e.record import until
from tests.e2e.workbench import ATTEMPT_MILLISECONDS, GHOST_TEXT, Workbench


@dataclass(frozen=True, slots=True)
class Notebook:
    workbench: Workbench
    path: Path

    def cell(self, number: int) -> Locator:
        """A cell by its number, which begins at 0."""
        return self.workbench.page.locator(".notebookOverlay .cell-list-container .code-cell-row").nth(number)

    def type_at_the_end(self, number: int, text: str) -> None:
        """Enters a cell at its end, and types."""
        self.cell(number).locator(".view-lines").first.click()
        self.workbench.keys("Control+End")
        self.workbench.page.keyboard.type(text, delay=20)

    def wait_for_ghost(self, number: int) -> str:
        editor = self.cell(number).locator(".monaco-editor").first

        def shown() -> str | None:
            text = str(editor.evaluate(GHOST_TEXT)).replace("\u00a0", " ").replace("\u200b", "")
            return text or None

        return until(shown, f"grey text in cell {number}")

    def saved(self) -> list[str]:
        """Saves, and reads the cells from disk."""
        self.workbench.keys("Control+s")
        tab = self.workbench.page.locator(f'.tab[data-resource-name="{self.path.name}"]').first
        until(lambda: "dirty" not in (tab.get_attribute("class") or ""), f"{self.path.name} to be saved")
        document = json.loads(self.path.read_text(encoding="utf-8"))
        return ["".join(cell["source"]) for cell in document["cells"]]


def open_notebook(workbench: Workbench, name: str, *cells: str) -> Notebook:
    path = workbench.folder / name
    path.write_text(json.dumps(document(cells)), encoding="utf-8")
    notebook = Notebook(workbench, path)
    last = notebook.cell(len(cells) - 1).locator(".view-lines").first
    workbench.find_file(path, lambda: last.wait_for(timeout=ATTEMPT_MILLISECONDS))
    return notebook


def document(cells: tuple[str, ...]) -> dict[str, Any]:
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "metadata": {}, "outputs": []}
    return {
        "cells": [code | {"source": cell.splitlines(keepends=True)} for cell in cells],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 2,
    }
