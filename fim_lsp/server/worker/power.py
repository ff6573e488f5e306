"""Whether this machine runs on a battery: then nothing is computed ahead."""

from __future__ import annotations

import time

from fim_lsp.system.power import is_on_battery

# The least seconds between two checks.
SECONDS = 30.0


class Power:
    """The machine's power source, checked now and then."""

    def __init__(self) -> None:
        self._asked: float | None = None
        self._is_on_battery = False

    @property
    def is_on_battery(self) -> bool:
        now = time.monotonic()
        if self._asked is None or now - self._asked > SECONDS:
            self._asked, self._is_on_battery = now, is_on_battery()
        return self._is_on_battery
