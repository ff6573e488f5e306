"""The item in the status bar, its menu, and the server's start and stop."""

from __future__ import annotations

import pytest

from tests.e2e.forced import LEFT, RIGHT
from tests.e2e.record import until
from tests.e2e.workbench import ATTEMPT_MILLISECONDS, Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


def test_a_broken_file_says_so(vscode: Workbench) -> None:
    editor = vscode.open("broken.py", "x = )$0\n")
    editor.ask()
    status = until(
        lambda: next(
            (report for report in vscode.record.statuses("broken.py") if report["kind"] == "Warning"), None
        ),
        "the server's report",
    )
    assert status["message"] != ""
    assert vscode.wait_for_status(status["message"]) == f"fim-lsp: {status['message']}"
    vscode.status_item.locator(".codicon-info").wait_for()
    explanation = vscode.page.locator(".monaco-hover", has_text=status["message"])

    def hover() -> None:
        # A pointer that is already there causes no event.
        vscode.page.mouse.move(400, 300)
        vscode.status_item.hover()
        explanation.wait_for(timeout=ATTEMPT_MILLISECONDS)

    vscode.attempt(hover)
    vscode.photograph("broken")
    assert editor.ghost() == ""
    assert editor.saved() == "x = )\n"


def test_another_language_says_that_there_is_no_grammar(vscode: Workbench) -> None:
    path = vscode.folder / "notes.md"
    path.write_text("# Notes\n")
    tab = vscode.page.locator('.tab.active[data-resource-name="notes.md"]')
    vscode.find_file(path, lambda: tab.wait_for(timeout=ATTEMPT_MILLISECONDS))
    vscode.wait_for_status("No completions in markdown files")


def test_an_excluded_file_says_that_it_is(configured: Workbench) -> None:
    configured.configure(exclude=["secret*.py"])
    editor = configured.open("secret.py", "password = $0\n")
    editor.ask()
    configured.wait_for_status("secret.py is excluded by the setting exclude")
    assert editor.ghost() == ""


def test_the_menu_gives_the_reason_and_pauses(vscode: Workbench) -> None:
    vscode.open("menu.py", "x = 1\n$0")
    entry = vscode.menu_entry("Pause completions")
    vscode.photograph("menu")
    entry.click()
    vscode.wait_for_status("paused")
    vscode.menu_entry("Resume completions").click()
    until(lambda: "paused" not in vscode.status(), "the pause to end")


def test_the_server_is_started_again_on_demand(vscode: Workbench) -> None:
    n_starts, n_reports = len(initializations(vscode)), len(vscode.record.reports())
    vscode.run_command("fim-lsp: Restart the server")
    until(lambda: len(initializations(vscode)) > n_starts or None, "another start")
    until(vscode.is_ready, "the server to work")
    until(lambda: "bundled" in vscode.record.models()[n_reports:], "the model")
    before, after = LEFT, RIGHT
    editor = vscode.open("restarted.py", f"{before}$0{after}")
    editor.ask()
    assert editor.wait_for_ghost().startswith("for ")


def initializations(vscode: Workbench) -> list[object]:
    return [message for message in vscode.record.messages() if message.method == "initialize"]
