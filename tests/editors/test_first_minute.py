"""The first minute in a real VS Code, from the packaged file alone: after one click, a better model
completes.

The hub is simulated on this machine. The better model's file has the bundled model's network.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.better import FILE, TITLE, better_model, fetched
from tests.e2e.first_run import bare_path
from tests.e2e.llama import has_library
from tests.e2e.packaged import packaged
from tests.e2e.record import until
from tests.e2e.starting_vscode import workbench
from tests.e2e.workbench import MILLISECONDS, Workbench
from tests.fake_hub import CHUNK, Hub

pytestmark = [
    pytest.mark.editors,
    pytest.mark.timeout(900),
    pytest.mark.skipif(not has_library(), reason="llama.cpp does not run on this machine"),
]
WELCOME = {"workbench.startupEditor": "welcomePageInEmptyWorkbench"}
LEFT, RIGHT = "rows = [1, 2, 3]\nprint(max(rows", "\n"


@pytest.fixture(scope="module")
def vsix() -> Path:
    return packaged()


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    with better_model(tmp_path, PATH=bare_path()) as hub:
        yield hub


def chosen(vscode: Workbench) -> str | None:
    settings = json.loads((vscode.folder.parent / "data" / "User" / "settings.json").read_text() or "{}")
    model: str | None = settings.get("fim-lsp.model")
    return model


def completes(vscode: Workbench, name: str) -> None:
    editor = vscode.open(name, f"{LEFT}$0{RIGHT}")
    editor.ask()
    assert editor.wait_for_ghost()
    vscode.keys("Escape")


def test_one_click_from_the_notice_to_a_better_model(vsix: Path, hub: Hub, tmp_path: Path) -> None:
    hub.pause = 0.05
    with workbench(tmp_path / "run", vsix, machine={}, user=WELCOME) as vscode:
        until(vscode.is_ready, lambda: f"the server, not {vscode.status()!r}", 240)
        notice = vscode.page.locator(".notification-toast", has_text=f"{TITLE} is better")
        notice.wait_for(timeout=MILLISECONDS)
        # One notice with one sentence and three answers.
        assert vscode.page.locator(".notification-toast").count() == 1
        said = notice.inner_text()
        assert "Apache-2.0" in said
        assert "s per offer here" in said
        assert [name in said for name in ("Fetch it", "Not now", "Never")] == [True] * 3
        vscode.photograph("better-model")
        # The bundled model answers meanwhile, and during the download.
        completes(vscode, "before.py")
        notice.get_by_role("button", name="Fetch it").click(timeout=MILLISECONDS)
        vscode.page.locator(".notification-toast", has_text=f"fetching {TITLE}").wait_for(
            timeout=MILLISECONDS
        )
        completes(vscode, "meanwhile.py")
        assert chosen(vscode) is None
        hub.pause = 0.0
        path = until(lambda: chosen(vscode), "the setting", 120)
        assert Path(path) == fetched(tmp_path)
        # The download was cut off once, and continued there.
        first, second = hub.asked_from
        assert first == 0
        assert 0 < second <= len(hub.files[FILE]) // 2 + CHUNK
        # The better model takes over without a restart.
        vscode.wait_for_status(FILE)
        completes(vscode, "after.py")
        vscode.photograph("better-model-in-use")


def test_never_is_never(vsix: Path, hub: Hub, tmp_path: Path) -> None:
    with workbench(tmp_path / "run", vsix, machine={}, user=WELCOME) as vscode:
        notice = vscode.page.locator(".notification-toast", has_text=f"{TITLE} is better")
        notice.wait_for(timeout=MILLISECONDS)
        notice.get_by_role("button", name="Never").click(timeout=MILLISECONDS)
        notice.wait_for(state="detached", timeout=MILLISECONDS)
        vscode.run_command("Developer: Reload Window")
        # The other notice, which appears if this one does not.
        vscode.page.locator(".notification-toast", has_text="Grey text appears as you type").wait_for(
            timeout=MILLISECONDS
        )
        assert notice.count() == 0
        assert not hub.asked_from
