"""The first minute in a real VS Code, from the packaged file alone: one notice, one click, and a better model completes.

The hub is played on this machine, with the bundled model's network as the better one's file.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from fim_lsp.decoding.models.model import BUNDLED
from tests import fake_hub
from tests.e2e.first_run import bare_path
from tests.e2e.llama import has_library
from tests.e2e.packaged import packaged
from tests.e2e.record import until
from tests.e2e.workbench import MILLISECONDS, Workbench, workbench
from tests.fake_hub import CHUNK, Hub, checksum
from training.gguf_file import write_gguf

pytestmark = [
    pytest.mark.timeout(900),
    pytest.mark.skipif(not has_library(), reason="llama.cpp does not run on this machine"),
]
NAME, FILE = "some/better-GGUF", "better-q8_0.gguf"
WELCOME = {"workbench.startupEditor": "welcomePageInEmptyWorkbench"}
LEFT, RIGHT = "rows = [1, 2, 3]\nprint(max(rows", "\n"


@pytest.fixture(scope="module")
def vsix() -> Path:
    return packaged()


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[Hub]:
    """A slow hub, and everything that the extension will find in its environment."""
    write_gguf(BUNDLED, tmp_path / FILE)
    body = (tmp_path / FILE).read_bytes()
    described = {
        "name": "better",
        "title": "Better 0.01B",
        "repository": NAME,
        "file": FILE,
        "revision": "main",
        "n_bytes": len(body),
        "sha256": checksum(body),
        "licence": "Apache-2.0",
        "n_parameters": 5_600_000,
        "context": 1024,
        "family": "santacoder",
    }
    (tmp_path / "models.json").write_text(json.dumps([described]))
    hub = Hub(NAME, {FILE: body}, cuts=[len(body) // 2])
    hub.held.set()
    with fake_hub.serving(hub) as address:
        environment = {
            "PATH": bare_path(),
            "HF_ENDPOINT": address,
            "HF_HUB_CACHE": str(tmp_path / "hub"),
            "HF_HUB_OFFLINE": "0",
            "FIM_LSP_MODELS": str(tmp_path / "models.json"),
            "LLAMA_CACHE": str(tmp_path / "none"),
            "OLLAMA_MODELS": str(tmp_path / "none"),
            "NO_PROXY": "127.0.0.1",
        }
        with patch.dict("os.environ", environment):
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
        until(lambda: "check" in vscode.status(), lambda: f"the server, not {vscode.status()!r}", 240)
        notice = vscode.page.locator(".notification-toast", has_text="Better 0.01B is better")
        notice.wait_for(timeout=MILLISECONDS)
        # One notice, one sentence, three answers.
        assert vscode.page.locator(".notification-toast").count() == 1
        said = notice.inner_text()
        assert "Apache-2.0" in said
        assert "s an offer here" in said
        assert [name in said for name in ("Fetch it", "Not now", "Never")] == [True] * 3
        vscode.photograph("better-model")
        # The bundled model answers meanwhile, and while the other one comes.
        completes(vscode, "before.py")
        notice.get_by_role("button", name="Fetch it").click(timeout=MILLISECONDS)
        vscode.page.locator(".notification-toast", has_text="fetching Better 0.01B").wait_for(
            timeout=MILLISECONDS
        )
        completes(vscode, "meanwhile.py")
        assert chosen(vscode) is None
        hub.pause = 0.0
        path = until(lambda: chosen(vscode), "the setting", 120)
        assert (
            Path(path)
            == tmp_path / "hub" / "models--some--better-GGUF" / "snapshots" / fake_hub.COMMIT / FILE
        )
        # It was cut off once, and went on there.
        first, second = hub.asked_from
        assert first == 0
        assert 0 < second <= len(hub.files[FILE]) // 2 + CHUNK
        # It takes over without a restart.
        vscode.wait_for_status(FILE)
        completes(vscode, "after.py")
        vscode.photograph("better-model-in-use")


def test_never_is_never(vsix: Path, hub: Hub, tmp_path: Path) -> None:
    with workbench(tmp_path / "run", vsix, machine={}, user=WELCOME) as vscode:
        notice = vscode.page.locator(".notification-toast", has_text="Better 0.01B is better")
        notice.wait_for(timeout=MILLISECONDS)
        notice.get_by_role("button", name="Never").click(timeout=MILLISECONDS)
        notice.wait_for(state="detached", timeout=MILLISECONDS)
        vscode.run_command("Developer: Reload Window")
        # The other notice, which comes where this one does not.
        vscode.page.locator(".notification-toast", has_text="Grey text appears as you type").wait_for(
            timeout=MILLISECONDS
        )
        assert notice.count() == 0
        assert not hub.asked_from
