"""Whether this machine runs on a battery: then nothing is computed that nobody has asked for."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from fim_lsp.other_programs import environment_without_keys

SUPPLIES = Path("/sys/class/power_supply")
# A plug is not looked for more often.
SECONDS = 30.0
# What Windows says of a machine without mains, of which it knows.
OFFLINE = 0


class Power:
    """What the system says, asked now and then."""

    def __init__(self) -> None:
        self._asked: float | None = None
        self._is_on_battery = False

    @property
    def is_on_battery(self) -> bool:
        now = time.monotonic()
        if self._asked is None or now - self._asked > SECONDS:
            self._asked, self._is_on_battery = now, is_on_battery()
        return self._is_on_battery


def is_on_battery() -> bool:
    """What cannot be found out counts as plugged in."""
    try:
        if sys.platform == "win32":
            return on_windows()
        if sys.platform == "darwin":
            command = ["/usr/bin/pmset", "-g", "batt"]
            said = subprocess.run(
                command, env=environment_without_keys(), capture_output=True, text=True, timeout=2
            )
            return "'Battery Power'" in said.stdout
        return on_linux(SUPPLIES)
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


def on_windows() -> bool:
    import ctypes

    class Status(ctypes.Structure):
        _fields_ = (
            ("line", ctypes.c_ubyte),
            ("battery", ctypes.c_ubyte),
            ("percent", ctypes.c_ubyte),
            ("system", ctypes.c_ubyte),
            ("seconds", ctypes.c_uint32),
            ("seconds_full", ctypes.c_uint32),
        )

    status = Status()
    kernel = ctypes.windll.kernel32  # type: ignore[attr-defined]
    return bool(kernel.GetSystemPowerStatus(ctypes.byref(status))) and status.line == OFFLINE
