"""llama.vscode in a real VS Code, in a headless browser, packaged as its authors package it."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.e2e.code_server import INSTALLATION, serving
from tests.e2e.record import Record, until
from tests.e2e.starting_vscode import QUIET
from tests.e2e.workbench import MILLISECONDS, Editor, Workbench
from tests.plugins.servers import TOKEN

VSCE = Path(__file__).parents[2] / "vscode-client" / "node_modules" / ".bin" / "vsce"
READY = INSTALLATION / "chromium"
# A user's settings, with which nothing is installed or asked, and keys have VS Code's usual meaning.
SETTINGS = {
    "llama-vscode.api_key": TOKEN,
    "llama-vscode.ask_install_llamacpp": False,
    "llama-vscode.ask_upgrade_llamacpp_hours": 0,
    "llama-vscode.ring_n_chunks": 0,
    "llama-vscode.n_predict": 24,
    "editor.autoIndent": "none",
    "editor.autoClosingBrackets": "never",
    "editor.autoClosingQuotes": "never",
    "editor.formatOnType": False,
    "editor.inlineSuggest.enabled": True,
    # Hundreds of open files would slow everything down.
    "workbench.editor.limit.enabled": True,
    "workbench.editor.limit.value": 2,
}


@dataclass(slots=True)
class Typist:
    """A workbench with the extension."""

    workbench: Workbench
    editor: Editor | None = None
    asks_later: bool = True

    def open(self, name: str, left: str, right: str) -> None:
        self.editor = self.workbench.open_at(name, left, right)

    def type(self, keys: str) -> None:
        assert self.editor is not None
        self.editor.type(keys, delay=60)

    def text(self) -> str:
        assert self.editor is not None
        return self.editor.saved()

    def accepted(self) -> str | None:
        assert self.editor is not None
        if not self.editor.ghost():
            return None
        before = self.text()
        self.workbench.keys("Tab")
        after = self.text()
        return None if after == before else after


def package(source: Path, folder: Path) -> Path:
    found = folder / "llama.vsix"
    command = [str(VSCE), "package", "--no-dependencies", "--allow-missing-repository", "--out", str(found)]
    subprocess.run(command, cwd=source, check=True, capture_output=True)
    return found


@contextmanager
def typist(source: Path, folder: Path, address: str) -> Iterator[Typist]:
    """A VS Code with llama.vscode, which uses an address."""
    files = folder / "workspace"
    files.mkdir()
    settings = folder / "data" / "User" / "settings.json"
    settings.parent.mkdir(parents=True)
    settings.write_text(json.dumps(QUIET | SETTINGS | {"llama-vscode.endpoint": address}), encoding="utf-8")
    code = [
        INSTALLATION.joinpath("node").read_text().strip(),
        str(INSTALLATION / "vscode" / "out" / "server-main.js"),
        "--accept-server-license-terms",
        f"--user-data-dir={folder / 'data'}",
        f"--extensions-dir={folder / 'extensions'}",
    ]
    vsix = package(source, folder)
    subprocess.run([*code, "--install-extension", str(vsix), "--force"], check=True, capture_output=True)
    with serving(code, folder) as server, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=READY.read_text().strip(),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
        )
        page = browser.new_page(viewport={"width": 1100, "height": 640})
        page.set_default_timeout(MILLISECONDS)
        workbench = Workbench(page, files, Record(folder / "none.jsonl"), {})
        # Only files of some languages start it.
        (files / "first.js").write_text("")
        begun = json.dumps(
            [["openFile", f"vscode-remote://{server.removeprefix('http://')}{files / 'first.js'}"]]
        )
        page.goto(f"{server}/?folder={files}&payload={begun}", timeout=MILLISECONDS)
        try:
            status = page.locator(".statusbar-item", has_text="llama")
            until(lambda: status.count() or None, "llama.vscode to start")
            yield Typist(workbench)
        finally:
            workbench.photograph("llama-vscode")
            browser.close()
