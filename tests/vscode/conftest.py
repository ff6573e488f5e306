"""One VS Code for all tests of this folder, reset after each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from tests import fake_hub
from tests.e2e.forced import MODEL, PROGRAM
from tests.e2e.packaged import packaged_client
from tests.e2e.record import until
from tests.e2e.starting_vscode import workbench
from tests.e2e.workbench import Workbench
from tests.vscode.fetched import HUB

# Two busy cores need longer than a user would wait. One test's text must not be offered in the next.
SETTINGS: dict[str, Any] = {"timeBudget": 20000, "memory": False}


@pytest.fixture(scope="package")
def vsix() -> Path:
    return packaged_client()


@pytest.fixture(scope="package")
def opened(vsix: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("vscode")
    with fake_hub.serving(HUB) as address:
        elsewhere = {"HF_ENDPOINT": address, "HF_HOME": str(folder / "hub"), "HF_HUB_OFFLINE": "0"}
        with (
            patch.dict(os.environ, elsewhere),
            workbench(folder, vsix, program=PROGRAM, **SETTINGS) as running,
        ):
            running.wait_for_model()
            yield running


@pytest.fixture
def vscode(opened: Workbench) -> Workbench:
    opened.keys("Escape")
    return opened


@pytest.fixture
def configured(vscode: Workbench) -> Iterator[Workbench]:
    """A workbench whose settings are reset afterwards."""
    yield vscode
    vscode.configure()


@pytest.fixture
def scripted(configured: Workbench) -> Iterator[Workbench]:
    """A workbench with a scripted model."""
    configured.configure(model=MODEL)
    until(lambda: "scripted" in configured.record.models()[-1:], "the scripted model")
    yield configured
    configured.configure()
    until(lambda: "bundled" in configured.record.models()[-1:], "the bundled model")
