"""The operating system is determined in one place."""

from __future__ import annotations

import re

from tests.house.own_files import text_of, tracked

# The names that identify a system, and those that exist only on some systems.
ASKED = re.compile(
    r"sys\.platform|os\.name\b|platform\.system\(|[\"'](?:win32|darwin|nt|posix)[\"']"
    r"|\bimport (?:fcntl|msvcrt|winreg|ctypes)\b|\bkillpg\(|start_new_session|creationflags|\.windll\b"
)
PLACE = "fim_lsp/system/"


def sources() -> list[str]:
    return tracked("fim_lsp/*.py", "quotient/*.py")


def asked(name: str) -> list[str]:
    return [found.group() for found in ASKED.finditer(text_of(name))]


def test_what_is_looked_for_is_there() -> None:
    assert {word for name in sources() if name.startswith(PLACE) for word in asked(name)} >= {
        "sys.platform",
        "import ctypes",
        "killpg(",
        "start_new_session",
        "creationflags",
    }


def test_no_other_module_asks_which_system_this_is() -> None:
    others = [name for name in sources() if not name.startswith(PLACE)]
    assert len(others) > 500
    assert {name: found for name in others if (found := asked(name))} == {}


def test_the_engine_reads_no_environment() -> None:
    names = tracked("quotient/*.py", "quotient/src", "lexer/src")
    assert len(names) > 200
    found = re.compile(r"\bos\.(?:environ|getenv)|\benv::|\bPath\.home\(")
    assert [name for name in names if found.search(text_of(name))] == []
