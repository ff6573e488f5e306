"""A real VS Code: its server, the extension installed into it, and the workbench in a headless browser."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from playwright.sync_api import sync_playwright

from tests.e2e.code_server import INSTALLATION, serving
from tests.e2e.record import Record
from tests.e2e.workbench import HELD_KEY, MILLISECONDS, Workbench, named

QUIET = {
    "workbench.startupEditor": "none",
    "window.title": "workspace",
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.colorTheme": "Default Light Modern",
    "security.workspace.trust.enabled": False,
    "telemetry.telemetryLevel": "off",
    "extensions.autoUpdate": False,
    "extensions.autoCheckUpdates": False,
    "chat.disableAIFeatures": True,
    "git.enabled": False,
    "files.autoSave": "off",
    # The popup of completions belongs to other extensions, and would cover the pictures.
    "editor.quickSuggestions": {"other": "off", "comments": "off", "strings": "off"},
    "editor.suggestOnTriggerCharacters": False,
    "editor.minimap.enabled": False,
    "editor.fontSize": 16,
}


@contextmanager
def workbench(
    folder: Path,
    vsix: Path,
    machine: dict[str, Any] | None = None,
    program: Sequence[str] = (sys.executable, "-m", "fim_lsp"),
    user: dict[str, Any] | None = None,
    workspace: dict[str, Any] | None = None,
    folders: Sequence[str] = (),
    **settings: Any,
) -> Iterator[Workbench]:
    """A workbench with the extension installed, and an open Python file, which starts the extension.

    `program` is `fim-lsp`, or a program in its place. `machine` are settings that say which program runs; by
    default it is the server with its witness. `user` are VS Code's own settings beside the quiet ones,
    `workspace` the folder's own. `folders` are opened instead of the folder, as one workspace.
    """
    record = Record(folder / "record.jsonl")
    files = folder / "workspace"
    files.mkdir(parents=True, exist_ok=True)
    if workspace is not None:
        (files / ".vscode").mkdir()
        (files / ".vscode" / "settings.json").write_text(json.dumps(workspace), encoding="utf-8")
    witness = [sys.executable, "-m", "tests.e2e.recorded_server", str(record.path)]
    server = [*program, "serve", "--log-level", "info"]
    # For the browser this is a remote machine, whose own settings say which programs are started.
    command = [*witness, *server, "--log-file", str(folder / "server.log")]
    programs = {"command": command} if machine is None else machine
    for kind, standing in (("User", QUIET | (user or {}) | named(settings)), ("Machine", named(programs))):
        settings_file = folder / "data" / kind / "settings.json"
        settings_file.parent.mkdir(parents=True)
        settings_file.write_text(json.dumps(standing), encoding="utf-8")
    bound = {"key": HELD_KEY.lower(), "command": "fim-lsp.showWhileHeld", "when": "editorTextFocus"}
    closing = {"key": "ctrl+alt+f9", "command": "workbench.action.revertAndCloseActiveEditor"}
    (folder / "data" / "User" / "keybindings.json").write_text(json.dumps([bound, closing]), encoding="utf-8")
    code = [
        INSTALLATION.joinpath("node").read_text().strip(),
        str(INSTALLATION / "vscode" / "out" / "server-main.js"),
        "--accept-server-license-terms",
        f"--user-data-dir={folder / 'data'}",
        f"--extensions-dir={folder / 'extensions'}",
    ]
    subprocess.run([*code, "--install-extension", vsix, "--force"], check=True, capture_output=True)
    with serving(code, folder) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=INSTALLATION.joinpath("chromium").read_text().strip(),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
        )
        page = browser.new_page(viewport={"width": 1100, "height": 640})
        page.set_default_timeout(MILLISECONDS)
        opened = Workbench(page, files, record, settings)
        (files / "first.py").write_text("")
        first = f"vscode-remote://{address.removeprefix('http://')}{files / 'first.py'}"
        payload = quote(json.dumps([["openFile", first]]))
        place = f"folder={quote(str(files))}"
        if folders:
            list_file = files / "all.code-workspace"
            list_file.write_text(json.dumps({"folders": [{"path": name} for name in folders]}))
            place = f"workspace={quote(str(list_file))}"
        page.goto(f"{address}/?{place}&payload={payload}", timeout=MILLISECONDS)
        try:
            opened.status_item.wait_for(timeout=MILLISECONDS)
            yield opened
        finally:
            opened.photograph("last")
            browser.close()
