"""The end of a process that psutil kills, and its description: Windows reports an exit code, and no
signal."""

from __future__ import annotations

import signal

from fim_lsp.system.kind import is_windows

RETURNED = int(signal.SIGTERM) if is_windows() else -9
SAID = f"exit code {RETURNED}" if is_windows() else "signal 9"
