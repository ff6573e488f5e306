"""The workbench of a real VS Code in a headless browser, and its editors (`starting_vscode.py` starts one).

A test uses only keys and what is on screen. It waits for conditions and never for a time: two busy cores may
take seconds where an idle machine takes milliseconds.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Locator, Page

from tests.e2e.code_server import INSTALLATION
from tests.e2e.record import Record, until

# The most seconds for anything on a busy machine.
MILLISECONDS = 180_000
# The most seconds for one attempt at a step of several keys, and the number of attempts.
ATTEMPT_MILLISECONDS = 15_000
N_ATTEMPTS = 12
EXTENSION = "fim-lsp.fim-lsp"
# The user's key for the command that shows an offer while it is held; it has none by default.
HELD_KEY = "F9"
# Closes all editors, and drops what is not saved.
CLOSING_KEY = "Control+Alt+F9"

# The first line of grey text is drawn into the cursor's line, the others below it. The last line is followed
# by the text behind the cursor, which is not grey.
GHOST_TEXT = """
async (editor) => {
    const text = (element, selector) =>
        [...element.querySelectorAll(selector)].map((piece) => piece.textContent).join("");
    const shown = () => {
        const lines = [...editor.querySelectorAll(".suggest-preview-text .view-line")];
        const first = text(editor, ".ghost-text-decoration, .ghost-text-decoration-preview");
        return [first, ...lines.map((line) => text(line, ".ghost-text"))].join("\\n");
    };
    const drawn = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // The lines are not drawn at once: what counts is what stays.
    let before;
    let now = shown();
    do {
        before = now;
        await drawn();
        now = shown();
    } while (now !== before);
    return now;
}
"""


@dataclass(frozen=True, slots=True)
class Workbench:
    page: Page
    folder: Path
    record: Record
    # Settings of the extension for every test.
    standing: dict[str, Any]

    def configure(
        self, others: dict[str, Any] | None = None, language: dict[str, Any] | None = None, **settings: Any
    ) -> None:
        """Gives the extension these settings in the workspace, in addition to the standing ones.

        `language` are settings for Python only, `others` are VS Code's own.
        """
        # A title with one invisible difference: when the window shows it, all settings are in effect.
        title = self.page.title() + "\u200b"
        chosen = named(self.standing | settings) | (others or {}) | {"window.title": title}
        if language is not None:
            chosen["[python]"] = named(language)
        file = self.folder / ".vscode" / "settings.json"
        file.parent.mkdir(exist_ok=True)

        def write() -> None:
            file.write_text(json.dumps(chosen), encoding="utf-8")
            self.wait(lambda: self.page.title() == title, "the settings to be read")

        self.attempt(write)

    def open(self, name: str, marked: str) -> Editor:
        """Opens a new file with this text, where the server sees it, with the cursor at `$0`."""
        left, right = marked.split("$0")
        path = self.folder / name
        path.write_text(left + right, encoding="utf-8")
        element = self.page.locator(f'.editor-instance .monaco-editor[data-uri$="/{name}"]').first
        self.find_file(path, lambda: element.locator(".view-lines").wait_for(timeout=ATTEMPT_MILLISECONDS))
        editor = Editor(self, name, path, element)
        if self.record.path.exists():
            until(lambda: self.record.sent("textDocument/didOpen", name) or None, f"{name} to be opened")
        line = left.count("\n") + 1
        editor.go_to(line, len(left) - left.rfind("\n"))
        return editor

    def open_at(self, name: str, left: str, right: str) -> Editor:
        """As `open`, in one step: the list of files takes the place, too."""
        path = self.folder / name
        path.write_text(left + right, encoding="utf-8")
        row, column = left.count("\n") + 1, len(left) - left.rfind("\n")
        element = self.page.locator(f'.editor-instance .monaco-editor[data-uri$="/{name}"]').first
        found = self.focused_entry(name)
        position = self.page.locator(".statusbar-item", has_text=f"Ln {row}, Col {column}")

        def open_file() -> None:
            self.keys("Control+p")
            self.quick_input.fill(f"{path}:{row}:{column}", timeout=ATTEMPT_MILLISECONDS)
            found.wait_for(timeout=ATTEMPT_MILLISECONDS)
            self.keys("Enter")
            element.locator(".view-lines").wait_for(timeout=ATTEMPT_MILLISECONDS)
            position.wait_for(timeout=ATTEMPT_MILLISECONDS)

        self.attempt(open_file)
        return Editor(self, name, path, element)

    def close_editors(self) -> None:
        """Closes all editors, and drops what is not saved in them."""
        tabs = self.page.locator(".tabs-container .tab")

        def are_closed() -> bool:
            self.keys(CLOSING_KEY)
            return tabs.count() == 0

        until(are_closed, "all editors to close")

    def find_file(self, path: Path, is_open: Callable[[], object]) -> None:
        """Opens an existing file by its path. `is_open` waits for the editor that shows it."""
        # Enter takes the selected entry, which for a moment may still be another file with the same ending.
        found = self.focused_entry(path.name)

        def find() -> None:
            self.keys("Control+p")
            self.quick_input.fill(str(path), timeout=ATTEMPT_MILLISECONDS)
            found.wait_for(timeout=ATTEMPT_MILLISECONDS)
            self.keys("Enter")
            is_open()

        self.attempt(find)

    def focused_entry(self, name: str) -> Locator:
        """The selected entry of the list of files, if it is a file of this name."""
        row = ".quick-input-list .monaco-list-row.focused"
        # With several folders, the name of the folder follows the name of the file.
        return self.page.locator(", ".join(f'{row}[aria-label^="{name}{end}"]' for end in (", ", " ")))

    def attempt(self, step: Callable[[], None]) -> None:
        """Takes a repeatable step until it has succeeded.

        A busy workbench loses keys: a list that is still being filled ignores Enter, and an input that is
        still being opened drops its text.
        """
        for _ in range(N_ATTEMPTS - 1):
            try:
                step()
            except (AssertionError, BrowserError):
                self.keys("Escape")
            else:
                return
        step()

    def wait(self, condition: Callable[[], bool], what: str) -> None:
        """As `until`, for the duration of one attempt."""
        until(condition, what, ATTEMPT_MILLISECONDS / 1000)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def entry(self, text: str) -> Locator:
        """An entry of the list on screen: of a menu, or of search results."""
        return self.page.locator(".quick-input-list .monaco-list-row", has_text=text).first

    @property
    def quick_input(self) -> Locator:
        """The input for files, commands and lines."""
        return self.page.locator(".quick-input-widget input")

    def run_command(self, title: str) -> None:
        """Runs a command by its title, through the palette."""

        def run() -> None:
            self.keys("F1")
            self.quick_input.fill(f">{title}", timeout=ATTEMPT_MILLISECONDS)
            self.entry(title).click(timeout=ATTEMPT_MILLISECONDS)

        self.attempt(run)

    def choose_model(self, entry: str) -> None:
        """Opens the list of models and takes an entry."""

        def choose() -> None:
            self.run_command("fim-lsp: Choose a model")
            self.entry("closes brackets and quotes").wait_for(timeout=ATTEMPT_MILLISECONDS)
            self.quick_input.fill(entry)
            self.entry(entry).click(timeout=ATTEMPT_MILLISECONDS)

        self.attempt(choose)

    def wait_for_page(self, text: str) -> str:
        """The text of the page that contains this text, once it is drawn. Pages are drawn in frames of their
        own."""

        def shown() -> str | None:
            for frame in self.page.frames:
                # Frames come and go while a page is drawn.
                with suppress(BrowserError):
                    found = frame.get_by_text(text)
                    if found.count() and found.first.is_visible():
                        return frame.locator("body").inner_text()
            return None

        return until(shown, f"a page with {text!r}")

    def menu_entry(self, text: str) -> Locator:
        """An entry of the status bar item's menu, which this opens."""
        entry = self.entry(text)

        def open_menu() -> None:
            self.status_item.click(timeout=ATTEMPT_MILLISECONDS)
            entry.wait_for(timeout=ATTEMPT_MILLISECONDS)

        self.attempt(open_menu)
        return entry

    @property
    def status_item(self) -> Locator:
        return self.page.locator(f'.statusbar-item[id="{EXTENSION}.fim-lsp"]')

    def status(self) -> str:
        """The status bar item as a screen reader reads it: its owner, and the reason."""
        return self.status_item.locator("a").first.get_attribute("aria-label") or ""

    def is_ready(self) -> bool:
        """Whether the status bar item has the icon of a working server."""
        return self.status_item.locator(".codicon-check").count() > 0

    def wait_for_status(self, words: str) -> str:
        return until(
            lambda: status if words in (status := self.status()) else None,
            lambda: f"{words!r} in the status bar, which says {self.status()!r}",
        )

    def wait_for_model(self) -> None:
        """Waits for the model, without which the server already answers."""
        until(lambda: "bundled" in self.record.models(), "the model", 240)

    def photograph(self, name: str) -> None:
        folder = INSTALLATION / "screenshots"
        folder.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=folder / f"{name}.png")


def named(settings: dict[str, Any]) -> dict[str, Any]:
    return {f"fim-lsp.{name}": value for name, value in settings.items()}


@dataclass(frozen=True, slots=True)
class Editor:
    workbench: Workbench
    name: str
    path: Path
    element: Locator

    def go_to(self, line: int, column: int) -> None:
        """Moves the cursor. Columns begin at 1."""
        position = f"Ln {line}, Col {column}"
        status_bar = self.workbench.page.locator(".statusbar")

        def go() -> None:
            self.workbench.keys("Control+g")
            field = self.workbench.quick_input
            field.fill(f":{line}:{column}", timeout=ATTEMPT_MILLISECONDS)
            field.press("Enter", timeout=ATTEMPT_MILLISECONDS)
            self.workbench.wait(lambda: position in status_bar.inner_text(), f"the cursor at {position}")

        self.workbench.attempt(go)

    def ask(self) -> None:
        """Requests a completion with the key that the extension binds."""
        self.workbench.keys("Alt+\\")

    def type(self, text: str, delay: float = 0.0) -> None:
        self.workbench.page.keyboard.type(text, delay=delay)

    def ghost(self) -> str:
        """The grey text on screen; empty if there is none."""
        shown: str = self.element.evaluate(GHOST_TEXT)
        return shown.replace("\u00a0", " ").replace("\u200b", "")

    def wait_for_ghost(self, wanted: str | None = None) -> str:
        """The grey text, once there is some, or once it is the wanted one."""

        def shown() -> str | None:
            text = self.ghost()
            return text if text != "" and wanted in (None, text) else None

        return until(shown, f"grey text in {self.name}" if wanted is None else f"the grey text {wanted!r}")

    def wait_for_other_ghost(self, before: str) -> str:
        """The grey text, or none, once it differs from the previous one."""
        return until(lambda: (text,) if (text := self.ghost()) != before else None, "other grey text")[0]

    def wait_for_no_ghost(self) -> None:
        until(lambda: self.ghost() == "", f"the grey text in {self.name} to go")

    def saved(self) -> str:
        """Saves, and reads the file from disk."""
        # An unchanged document is not saved: while VS Code writes, the file may be read as empty.
        tab = self.workbench.page.locator(f'.tab[data-resource-name="{self.path.name}"]').first

        def is_saved() -> bool:
            return "dirty" not in (tab.get_attribute("class") or "")

        def save() -> None:
            self.workbench.keys("Control+s")
            self.workbench.wait(is_saved, f"{self.name} to be saved")

        if not is_saved():
            self.workbench.attempt(save)
        return self.path.read_text(encoding="utf-8")

    def accept(self, before: str, offered: str, after: str) -> None:
        """Accepts with Tab: exactly the shown text comes between both sides, and the file on disk parses."""
        self.workbench.keys("Tab")
        until(lambda: self.saved() == before + offered + after, f"{offered!r} to be accepted")
        ast.parse(self.saved())

    def requests(self) -> list[dict[str, Any]]:
        return self.workbench.record.sent("textDocument/inlineCompletion", self.name)
