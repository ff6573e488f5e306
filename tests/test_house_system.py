"""Which system this is, is asked in one place."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# What tells one system from another, and what only some have.
ASKED = re.compile(
    r"sys\.platform|os\.name\b|platform\.system\(|[\"'](?:win32|darwin|nt|posix)[\"']"
    r"|\bimport (?:fcntl|msvcrt|winreg|ctypes)\b|\bkillpg\(|start_new_session|creationflags|\.windll\b"
)
PLACE = "fim_lsp/system/"
# The engine's faces know nothing of what is behind them, and have one question: where their cache lies.
ENGINE = "quotient/user_cache.py"


def sources() -> list[str]:
    command = ["git", "ls-files", "fim_lsp/*.py", "quotient/*.py"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()


def asked(name: str) -> list[str]:
    return [found.group() for found in ASKED.finditer((ROOT / name).read_text(encoding="utf-8"))]


def test_what_is_looked_for_is_there() -> None:
    assert {word for name in sources() if name.startswith(PLACE) for word in asked(name)} >= {
        "sys.platform",
        "import ctypes",
        "killpg(",
        "start_new_session",
        "creationflags",
    }
    assert asked(ENGINE)


@pytest.mark.parametrize(
    "name", [name for name in sources() if not name.startswith(PLACE) and name != ENGINE]
)
def test_no_other_module_asks_which_system_this_is(name: str) -> None:
    assert asked(name) == []
