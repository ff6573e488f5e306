"""Whether this machine runs on a battery."""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

from fim_lsp.other_programs import environment_without_keys
from fim_lsp.system.kernel32 import PowerStatus, kernel32
from fim_lsp.system.kind import is_mac, is_windows

SUPPLIES = Path("/sys/class/power_supply")
# The status that Windows has for a machine without mains, of which it knows.
OFFLINE = 0


def is_on_battery() -> bool:
    """Whether the machine runs on its battery; one that cannot be asked counts as plugged in."""
    try:
        if is_windows():
            return on_windows()
        return on_mac() if is_mac() else on_linux(SUPPLIES)
    except (OSError, ValueError, subprocess.SubprocessError):
        return False


def on_linux(supplies: Path) -> bool:
    """A battery is emptied, and no mains or USB supply is online."""
    kinds = {folder: read(folder / "type") for folder in supplies.iterdir()}
    if any(kind != "Battery" and read(folder / "online") == "1" for folder, kind in kinds.items()):
        return False
    # A mouse has a battery, too; the system's own say so, or say nothing.
    batteries = (
        folder for folder, kind in kinds.items() if kind == "Battery" and read(folder / "scope") != "Device"
    )
    return any(read(folder / "status") == "Discharging" for folder in batteries)


def read(file: Path) -> str:
    try:
        return file.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def on_mac() -> bool:
    said = subprocess.run(
        ["/usr/bin/pmset", "-g", "batt"],
        env=environment_without_keys(),
        capture_output=True,
        text=True,
        timeout=2,
    )
    return "'Battery Power'" in said.stdout


def on_windows() -> bool:
    status = PowerStatus()
    return bool(kernel32().GetSystemPowerStatus(ctypes.byref(status))) and status.line == OFFLINE
