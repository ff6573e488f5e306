"""The kind of this system. It is asked when it matters and never kept, so that tests can play another one."""

from __future__ import annotations

import platform
import sys


def is_windows() -> bool:
    return sys.platform == "win32"


def is_mac() -> bool:
    return sys.platform == "darwin"


def is_linux() -> bool:
    return sys.platform.startswith("linux")


def has_apple_processor() -> bool:
    return is_mac() and platform.machine() == "arm64"
