"""Models are chosen in the interface: each one's requirements, testing a server, downloading a model."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Error as BrowserError
from playwright.sync_api import Locator

from fim_lsp.bundled_models import BUNDLED
from tests import served_models
from tests.e2e.llama import has_library
from tests.e2e.record import until
from tests.e2e.workbench import ATTEMPT_MILLISECONDS, MILLISECONDS, Workbench
from tests.models import tiny_model
from tests.served_models import ServedModel
from tests.vscode.fetched import HUB
from training.gguf_file import write_gguf

# The first one also waits for VS Code to start and for the model to be loaded.
pytestmark = [pytest.mark.editors, pytest.mark.timeout(900)]


def chosen_model(vscode: Workbench) -> str | None:
    """The model in the user's settings."""
    file = vscode.folder.parent / "data" / "User" / "settings.json"

    def settings() -> dict[str, Any] | None:
        # The file is empty while VS Code writes it.
        with suppress(ValueError):
            known: dict[str, Any] = json.loads(file.read_text())
            return known
        return None

    model: str | None = until(settings, "settings that are whole").get("fim-lsp.model")
    return model


@pytest.fixture
def choosing(vscode: Workbench) -> Iterator[Workbench]:
    """A workbench in which the bundled model is chosen again afterwards."""
    yield vscode
    vscode.keys("Escape", "Escape")
    if chosen_model(vscode) in (None, ""):
        return
    n_reports = len(vscode.record.reports())
    vscode.choose_model("The bundled model")
    vscode.entry("In all folders").click(timeout=MILLISECONDS)
    until(lambda: "bundled" in vscode.record.models()[n_reports:], "the bundled model")


def test_a_server_is_tried_and_chosen_as_the_model(choosing: Workbench) -> None:
    vscode = choosing
    said = vscode.page.locator(".quick-input-message")
    with served_models.serving(ServedModel(tiny_model(), name="santacoder")) as address:
        vscode.run_command("fim-lsp: Choose a model")
        vscode.entry("ONNX Runtime, Apache-2.0").wait_for(timeout=MILLISECONDS)
        vscode.entry("Qwen2.5-Coder 1.5B").wait_for(timeout=MILLISECONDS)
        vscode.photograph("models")
        vscode.keys("Escape")
        vscode.choose_model("The address of a server")
        said.filter(has_text="Put #name behind it").wait_for(timeout=MILLISECONDS)
        vscode.quick_input.fill("http://127.0.0.1:9")
        vscode.keys("Enter")
        said.filter(has_text="cannot be reached").wait_for(timeout=MILLISECONDS)
        vscode.quick_input.fill(address)
        vscode.page.locator('.quick-input-widget .action-label[aria-label^="Try this server"]').click()
        said.filter(has_text="It answers: llama-server with santacoder").wait_for(timeout=MILLISECONDS)
        vscode.photograph("server")
        vscode.quick_input.press("Enter")
        vscode.entry("In all folders").click(timeout=MILLISECONDS)
        until(lambda: chosen_model(vscode) == address, "the address in the settings")
        until(lambda: address in vscode.record.models(), "the server to be used")


def test_the_key_of_a_server_is_kept_for_that_server_alone(choosing: Workbench) -> None:
    """A server that requires a key refuses requests until it is set, and again when it is deleted. No setting
    contains it."""
    vscode = choosing
    said = vscode.page.locator(".quick-input-message")
    served = ServedModel(tiny_model(), name="santacoder", key="hunter2")
    with served_models.serving(served) as address:
        vscode.choose_model("The address of a server")
        vscode.quick_input.fill(address)
        vscode.keys("Enter")
        said.filter(has_text="401 no key").wait_for(timeout=MILLISECONDS)
        vscode.keys("Enter")
        vscode.entry("In all folders").click(timeout=MILLISECONDS)
        until(lambda: chosen_model(vscode) == address, "the address in the settings")
        for key in ("hunter2", ""):
            n_reports = len(vscode.record.reports())
            vscode.run_command("fim-lsp: Set the API key of the model's server")
            said.filter(has_text=f"sent to {address} alone").wait_for(timeout=MILLISECONDS)
            vscode.photograph("key")
            vscode.quick_input.fill(key)
            vscode.keys("Enter")
            said_so = partial(is_used if key else is_refused, vscode, n_reports)
            until(said_so, "the server to be used" if key else "the server to refuse")
    recorded = vscode.record.path.read_text(encoding="utf-8", errors="replace")
    settings = (vscode.folder.parent / "data" / "User" / "settings.json").read_text()
    assert "hunter2" not in recorded + settings


def is_used(vscode: Workbench, n_reports: int) -> bool:
    return any(
        report["kind"] == "Normal" and report["model"] == chosen_model(vscode)
        for report in vscode.record.reports()[n_reports:]
    )


def is_refused(vscode: Workbench, n_reports: int) -> bool:
    return any("401 no key" in str(report) for report in vscode.record.reports()[n_reports:])


def test_a_model_is_fetched_and_fetching_can_be_cancelled(choosing: Workbench) -> None:
    vscode = choosing
    for is_held in (True, False):
        vscode.choose_model("Another name on the hub")
        vscode.page.locator(".quick-input-message", has_text="The name of a file on the hub").wait_for()
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


def test_a_file_on_disk_is_tried_and_chosen_as_the_model(choosing: Workbench) -> None:
    """The model is also used. Without llama.cpp nothing is chosen, and the reason is shown."""
    vscode = choosing
    broken, bundled = vscode.folder / "broken.gguf", vscode.folder / "bundled.gguf"
    broken.write_text("no such file")
    write_gguf(BUNDLED, bundled)
    is_usable, said = trial(bundled)
    assert is_usable == has_library(), said
    for file, is_chosen, reason in ((broken, False, "is no GGUF file"), (bundled, is_usable, said)):
        vscode.choose_model("A GGUF file")

        dialog = vscode.page.locator(".quick-input-title", has_text="The GGUF file of a model")
        dialog.wait_for(timeout=MILLISECONDS)

        def is_taken(file: Path = file, dialog: Locator = dialog) -> bool:
            # While the dialog is still reading the folder, it ignores Enter.
            vscode.quick_input.fill(str(file), timeout=ATTEMPT_MILLISECONDS)
            vscode.quick_input.press("Enter")
            try:
                dialog.wait_for(state="hidden", timeout=5_000)
            except BrowserError:
                return False
            return True

        until(is_taken, f"{file.name} to be taken")
        if not is_chosen:
            vscode.page.locator(".notification-toast", has_text=reason[:60]).wait_for(timeout=MILLISECONDS)
            vscode.run_command("Notifications: Clear All Notifications")
    assert chosen_model(vscode) in (None, "")
    if is_usable:
        vscode.entry("In all folders").click(timeout=MILLISECONDS)
        until(lambda: chosen_model(vscode) == str(bundled), "the file in the settings")
        until(lambda: str(bundled) in vscode.record.models(), "the file to be used")
        vscode.photograph("gguf")


def trial(file: Path) -> tuple[bool, str]:
    command = [sys.executable, "-m", "fim_lsp", "models", "--json", "--try", str(file)]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, check=False).stdout)
    return answer["is_usable"], answer["message"]
