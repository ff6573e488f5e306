"""The settings that a folder may change in a real VS Code, before and after it is trusted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.e2e.forced import MODEL, PROGRAM
from tests.e2e.packaged import packaged_client
from tests.e2e.record import until
from tests.e2e.starting_vscode import workbench
from tests.e2e.workbench import MILLISECONDS, Workbench

pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]

ASKING = {"security.workspace.trust.enabled": True, "security.workspace.trust.startupPrompt": "never"}


def test_a_folder_chooses_its_model_once_it_is_trusted(tmp_path: Path) -> None:
    of_folder = {"fim-lsp.model": MODEL, "fim-lsp.maxTokens": 13, "fim-lsp.eagerness": "eager"}
    with workbench(
        tmp_path / "run", packaged_client(), program=PROGRAM, user=ASKING, workspace=of_folder
    ) as vscode:
        vscode.wait_for_model()
        assert "scripted" not in vscode.record.models()
        # A harmless setting has effect.
        until(lambda: "eager" in told(vscode, "eagerness"), "the folder's other setting")
        assert MODEL not in told(vscode, "model")
        # The folder may not decide how much is computed either.
        assert 13 not in told(vscode, "maxTokens")
        vscode.choose_model("None")
        until(lambda: settings(vscode.folder.parent / "data" / "User").get("fim-lsp.model") == "none", "it")
        vscode.photograph("untrusted")
        vscode.run_command("Workspaces: Manage Workspace Trust")
        trust = vscode.page.locator(".workspace-trust-editor").get_by_role("button", name="Trust", exact=True)
        trust.click(timeout=MILLISECONDS)
        until(lambda: "scripted" in vscode.record.models(), "the folder's model")
        vscode.choose_model("The bundled model")
        vscode.entry("In this workspace only").click(timeout=MILLISECONDS)
        until(lambda: settings(vscode.folder / ".vscode").get("fim-lsp.model") == "", "the folder's choice")
        until(lambda: vscode.record.models()[-1] == "bundled", "the bundled model")
        assert settings(vscode.folder.parent / "data" / "User")["fim-lsp.model"] == "none"


def told(vscode: Workbench, name: str) -> set[object]:
    """The values of a setting that the server received."""
    messages = [message.content for message in vscode.record.messages()]
    begun = [
        (one["params"].get("initializationOptions") or {})
        for one in messages
        if one.get("method") == "initialize"
    ]
    answered = [
        entry
        for one in messages
        if isinstance(answer := one.get("result"), list)
        for entry in answer
        if isinstance(entry, dict)
    ]
    return {entry[name] for entry in [*begun, *answered] if name in entry}


def settings(folder: Path) -> dict[str, object]:
    try:
        found: dict[str, object] = json.loads((folder / "settings.json").read_text(encoding="utf-8"))
    except ValueError:
        # The file may be incomplete for a moment.
        return {}
    return found
