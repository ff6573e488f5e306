"""The workbench of a real VS Code in a headless browser, and its editors (`starting_vscode.py` starts one).

Everything that a test does goes through keys and what is on screen. Waiting is always for a condition, never
for a time: two busy cores may take seconds where an idle machine takes milliseconds.
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

# How long anything may take on a machine that is busy with other things.
MILLISECONDS = 180_000
# How long one attempt at a step of several keys may take before it is begun anew, and how often it is begun.
ATTEMPT_MILLISECONDS = 15_000
N_ATTEMPTS = 12
EXTENSION = "fim-lsp.fim-lsp"
# The key that a user gives to the command that shows an offer while it is held; it has none by itself.
HELD_KEY = "F9"
# Closes what is open, and drops what is not saved there.
CLOSING_KEY = "Control+Alt+F9"

# The first line of grey text is drawn into the line of the cursor, the others below it. There the last one is
# followed by what stands behind the cursor, which is not grey.
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
    # Settings of the extension that every test has.
    standing: dict[str, Any]

    def configure(
        self, others: dict[str, Any] | None = None, language: dict[str, Any] | None = None, **settings: Any
    ) -> None:
        """Gives the extension these settings in the workspace, beside the standing ones.

        `language` are those that are given for Python only, `others` are VS Code's own.
        """
        # A title that looks like the one before and is not: when the window has it, all the settings hold.
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
        """Opens a new file with this text, where the server sees it; `$0` says where the cursor goes."""
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

    def close_editors(self) -> None:
        """Closes all editors, and drops what is not saved in them."""
        tabs = self.page.locator(".tabs-container .tab")

        def are_closed() -> bool:
            self.keys(CLOSING_KEY)
            return tabs.count() == 0

        until(are_closed, "all editors to close")

    def find_file(self, path: Path, is_open: Callable[[], object]) -> None:
        """Opens a file that is there by its path; `is_open` waits for what shows it."""
        # Enter takes what is marked, and for a moment that may still be a file whose name ends as this one's.
        row = ".quick-input-list .monaco-list-row.focused"
        # With several folders the name of a file's own one stands behind the file's.
        found = self.page.locator(", ".join(f'{row}[aria-label^="{path.name}{end}"]' for end in (", ", " ")))

        def find() -> None:
            self.keys("Control+p")
            self.quick_input.fill(str(path), timeout=ATTEMPT_MILLISECONDS)
            found.wait_for(timeout=ATTEMPT_MILLISECONDS)
            self.keys("Enter")
            is_open()

        self.attempt(find)

    def attempt(self, step: Callable[[], None]) -> None:
        """Takes a step that may be taken again, until it has succeeded.

        A busy workbench loses keys: a list that is still being filled takes Enter for nothing, and an input
        that is still being opened forgets what was put in.
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
        """As `until`, for as long as one attempt may take."""
        until(condition, what, ATTEMPT_MILLISECONDS / 1000)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def entry(self, text: str) -> Locator:
        """An entry of the list that is on screen: of a menu, or of what is found."""
        return self.page.locator(".quick-input-list .monaco-list-row", has_text=text).first

    @property
    def quick_input(self) -> Locator:
        """Where files, commands and lines are asked for."""
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
        """The text of the page that says this, once it is drawn. Pages are drawn in frames of their own."""

        def shown() -> str | None:
            for frame in self.page.frames:
                # Frames come and go while a page is made.
                with suppress(BrowserError):
                    found = frame.get_by_text(text)
                    if found.count() and found.first.is_visible():
                        return frame.locator("body").inner_text()
            return None

        return until(shown, f"a page with {text!r}")

    def menu_entry(self, text: str) -> Locator:
        """An entry of the status bar item's menu, which is opened for it."""
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
        """The status bar item as a screen reader reads it: whose it is, and the reason."""
        return self.status_item.locator("a").first.get_attribute("aria-label") or ""

    def is_ready(self) -> bool:
        """Whether the status bar item has the icon of a server that works."""
        return self.status_item.locator(".codicon-check").count() > 0

    def wait_for_status(self, words: str) -> str:
        return until(
            lambda: status if words in (status := self.status()) else None,
            lambda: f"{words!r} in the status bar, which says {self.status()!r}",
        )

    def wait_for_model(self) -> None:
        """The server answers without its model until that is loaded."""
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
        """Columns count from 1."""
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
        """Asks for a completion with the key that the extension binds."""
        self.workbench.keys("Alt+\\")

    def type(self, text: str, delay: float = 0.0) -> None:
        self.workbench.page.keyboard.type(text, delay=delay)

    def ghost(self) -> str:
        """The grey text on screen; empty when there is none."""
        shown: str = self.element.evaluate(GHOST_TEXT)
        return shown.replace("\u00a0", " ").replace("\u200b", "")

    def wait_for_ghost(self, wanted: str | None = None) -> str:
        """The grey text, once there is some, or once it is the one that is wanted."""

        def shown() -> str | None:
            text = self.ghost()
            return text if text != "" and wanted in (None, text) else None

        return until(shown, f"grey text in {self.name}" if wanted is None else f"the grey text {wanted!r}")

    def wait_for_other_ghost(self, before: str) -> str:
        """The grey text, or none, that has come in place of the one before."""
        return until(lambda: (text,) if (text := self.ghost()) != before else None, "other grey text")[0]

    def wait_for_no_ghost(self) -> None:
        until(lambda: self.ghost() == "", f"the grey text in {self.name} to go")

    def saved(self) -> str:
        """Saves, and reads the file from disk."""
        # A document without a change is not written: while VS Code writes, the file may be read as empty.
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
        """Tab puts exactly what was shown between the two texts, and the file on disk parses."""
        self.workbench.keys("Tab")
        until(lambda: self.saved() == before + offered + after, f"{offered!r} to be accepted")
        ast.parse(self.saved())

    def requests(self) -> list[dict[str, Any]]:
        return self.workbench.record.sent("textDocument/inlineCompletion", self.name)
