"""Pages of the client: the reason of an offer, statistics, the walkthrough."""

from __future__ import annotations

import pytest

from tests.e2e.forced import LEFT, RIGHT
from tests.e2e.record import until
from tests.e2e.workbench import MILLISECONDS, Workbench

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


def test_why_this_is_said_in_a_sentence_and_on_a_page(vscode: Workbench) -> None:
    editor = vscode.open("why.py", f"{LEFT}$0{RIGHT}")
    editor.ask()
    editor.wait_for_ghost()
    vscode.run_command("fim-lsp: Explain what is offered")
    notification = vscode.page.locator(".notification-toast", has_text="The model want")
    notification.wait_for(timeout=MILLISECONDS)
    notification.get_by_role("button", name="More", exact=True).click()
    said = vscode.wait_for_page("What the model writes alone")
    assert "What fits" in said
    vscode.photograph("why")
    vscode.run_command("View: Close All Editors")


def test_what_is_shown_and_accepted_is_counted_where_that_is_wanted(configured: Workbench) -> None:
    configured.configure(statistics=True)
    editor = configured.open("counted.py", f"{LEFT}$0{RIGHT}")
    editor.ask()
    offered = editor.wait_for_ghost()
    editor.accept(LEFT, offered, RIGHT)
    configured.run_command("fim-lsp: Show statistics")
    said = configured.wait_for_page("Characters saved, by day")
    assert f"Characters saved\n{len(offered)}\n" in said
    assert "Accepted whole\n1\n" in said
    assert "counted.py" in said
    configured.photograph("statistics")
    configured.run_command("View: Close All Editors")


def test_the_walkthrough_opens_an_example_with_a_hole(vscode: Workbench) -> None:
    vscode.run_command("fim-lsp: Show the walkthrough")
    # The server is ready.
    installed = vscode.page.locator(".getting-started-step", has_text="Install the server")
    installed.locator(".codicon-getting-started-step-checked").wait_for(timeout=MILLISECONDS)
    vscode.page.locator(".getting-started-step", has_text="Fill a hole").click()
    vscode.photograph("walkthrough")
    vscode.page.get_by_role("button", name="Open an example").click()
    shown = vscode.page.locator(".ghost-text-decoration")
    # The usual words at that place.
    until(lambda: "words" in "".join(shown.all_inner_texts()), "the example to be completed")
    vscode.photograph("example")
