"""Models are chosen from the interface: what each needs, a server that is tried, one that is fetched."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from tests import served_models
from tests.e2e.record import until
from tests.e2e.workbench import ATTEMPT_MILLISECONDS, MILLISECONDS, Workbench
from tests.models import tiny_model
from tests.served_models import ServedModel
from tests.vscode.fetched import HUB

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = pytest.mark.timeout(900)


def chosen_model(vscode: Workbench) -> str | None:
    """The model that the user's settings name."""
    settings = json.loads((vscode.folder.parent / "data" / "User" / "settings.json").read_text())
    model: str | None = settings.get("fim-lsp.model")
    return model


def choose_model(vscode: Workbench, entry: str) -> None:
    """Opens the list of models and takes an entry."""

    def choose() -> None:
        vscode.run_command("fim-lsp: Choose a model")
        vscode.entry("closes brackets and quotes").wait_for(timeout=ATTEMPT_MILLISECONDS)
        vscode.quick_input.fill(entry)
        vscode.entry(entry).click(timeout=ATTEMPT_MILLISECONDS)

    vscode.attempt(choose)


@pytest.fixture
def choosing(vscode: Workbench) -> Iterator[Workbench]:
    """A workbench in which the bundled model is chosen afterwards."""
    yield vscode
    vscode.keys("Escape", "Escape")
    n_reports = len(vscode.record.reports())
    choose_model(vscode, "The bundled model")
    vscode.entry("In all folders").click(timeout=MILLISECONDS)
    until(lambda: "bundled" in vscode.record.models()[n_reports:], "the bundled model")


def test_a_server_is_tried_and_chosen_as_the_model(choosing: Workbench) -> None:
    vscode = choosing
    said = vscode.page.locator(".quick-input-message")
    with served_models.serving(ServedModel(tiny_model(), name="santacoder")) as address:
        vscode.run_command("fim-lsp: Choose a model")
        vscode.entry("ONNX Runtime, Apache-2.0").wait_for(timeout=MILLISECONDS)
        vscode.entry("Qwen/Qwen2.5-Coder-1.5B").wait_for(timeout=MILLISECONDS)
        vscode.photograph("models")
        vscode.keys("Escape")
        choose_model(vscode, "The address of a server")
        said.filter(has_text="Put #name behind it").wait_for(timeout=MILLISECONDS)
        vscode.quick_input.fill("http://127.0.0.1:9")
        vscode.keys("Enter")
        said.filter(has_text="cannot be reached").wait_for(timeout=MILLISECONDS)
        vscode.quick_input.fill(address)
        vscode.page.locator('.quick-input-widget .action-label[aria-label^="Try this server"]').click()
        said.filter(has_text="llama-server with santacoder").wait_for(timeout=MILLISECONDS)
        vscode.photograph("server")
        vscode.quick_input.press("Enter")
        vscode.entry("In all folders").click(timeout=MILLISECONDS)
        until(lambda: chosen_model(vscode) == address, "the address in the settings")
        until(lambda: address in vscode.record.models(), "the server to be used")


def test_a_model_is_fetched_and_fetching_can_be_cancelled(choosing: Workbench) -> None:
    vscode = choosing
    for is_held in (True, False):
        choose_model(vscode, "Another name on the hub")
        vscode.page.locator(".quick-input-message", has_text="The name of a model").wait_for()
        vscode.quick_input.fill(HUB.name)
        vscode.keys("Enter")
        if is_held:
            notification = vscode.page.locator(".notification-toast", has_text=f"fetching {HUB.name}")
            notification.wait_for(timeout=MILLISECONDS)
            until(HUB.has_begun.is_set, "the download")
            vscode.photograph("download")
            notification.get_by_role("button", name="Cancel").click()
            notification.wait_for(state="detached", timeout=MILLISECONDS)
            assert chosen_model(vscode) in (None, "")
            HUB.held.set()
    vscode.entry("In all folders").click(timeout=MILLISECONDS)
    until(lambda: chosen_model(vscode) == HUB.name, "the model in the settings")
