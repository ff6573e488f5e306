"""Battery operation: how it is detected, and that nothing is read ahead then."""

from __future__ import annotations

from pathlib import Path

import pytest

from fim_lsp.server.worker import power
from fim_lsp.server.worker.job_loop import JobLoop
from fim_lsp.server.worker.messages import Limits
from fim_lsp.system import power as system_power
from tests.scripted.worker import Scripted

MAINS = {"type": "Mains", "online": "1"}
UNPLUGGED = {"type": "Mains", "online": "0"}
BATTERY = {"type": "Battery", "status": "Discharging"}
CHARGING = {"type": "Battery", "status": "Charging"}
MOUSE = {"type": "Battery", "scope": "Device", "status": "Discharging"}
USB = {"type": "USB", "online": "1"}


@pytest.mark.parametrize(
    ("supplies", "is_on_battery"),
    [
        ([], False),
        ([MAINS, CHARGING], False),
        ([UNPLUGGED, BATTERY], True),
        ([BATTERY], True),
        # A weak charger: the battery loses charge in spite of it.
        ([USB, BATTERY], False),
        ([UNPLUGGED, MOUSE], False),
        ([{"type": "Battery"}], False),
    ],
)
def test_what_linux_says_of_supplies(
    supplies: list[dict[str, str]], is_on_battery: bool, tmp_path: Path
) -> None:
    for number, supply in enumerate(supplies):
        folder = tmp_path / f"supply{number}"
        folder.mkdir()
        for name, text in supply.items():
            (folder / name).write_text(text + "\n")
    assert system_power.on_linux(tmp_path) is is_on_battery


def test_what_cannot_be_found_out_counts_as_plugged_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(system_power, "SUPPLIES", tmp_path / "none")
    assert not system_power.is_on_battery()


@pytest.mark.parametrize(
    ("mode", "is_on_battery", "reads"),
    [
        ("plugged", False, True),
        ("plugged", True, False),
        ("always", True, True),
        ("never", False, False),
    ],
)
def test_when_something_is_read_ahead(
    mode: str, is_on_battery: bool, reads: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(power, "is_on_battery", lambda: is_on_battery)
    job_loop = JobLoop(lambda _message: None, lambda _ready: None)
    job_loop.serving.completer = Scripted("large", {"ahead": 3})
    job_loop.handle(Limits(read_ahead=mode))
    assert job_loop.read_ahead(lambda: False) is reads
