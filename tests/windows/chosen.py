"""The files of tests that run on Windows, and the reasons why others do not.

The chosen ones are those of the engine, the server, the memory, the context, the checkers and the command
line, with everything that these use, and the tests of the sources. The others concern things other than
Windows: editors on Linux, building packages here, PyTorch.
"""

from __future__ import annotations

import re
from fnmatch import fnmatch
from pathlib import Path

CHOSEN = (
    "checkers/*",
    "commands/test_check.py",
    "commands/test_check_faults.py",
    "commands/test_cli.py",
    "commands/test_complete.py",
    "commands/test_demo.py",
    "commands/test_doctor.py",
    "commands/test_fetching.py",
    "commands/test_fit.py",
    "commands/test_gguf_files.py",
    "commands/test_replay.py",
    "commands/test_shown.py",
    "context/*",
    "decoding/*",
    "edits/*",
    "endpoint/*",
    "engine/*",
    "fitting/*",
    "grammar/*",
    "house/test_names.py",
    "house/test_prose.py",
    "house/test_repository.py",
    "house/test_rooms.py",
    "house/test_settings.py",
    "house/test_system.py",
    "imports/*",
    "languages/*",
    "laws/*",
    "masks/*",
    "memory/*",
    "names/*",
    "packages/test_llama_wheel.py",
    "packages/test_platforms.py",
    "packages/test_signature.py",
    "reference/*",
    "replay/*",
    "runtimes/test_llama.py",
    "runtimes/test_llama_library.py",
    "schemas/*",
    "server/*",
    "system/*",
    "typing/*",
    "worth/*",
)
# The packages that do not exist for Windows, or were not installed there.
PACKAGES = re.compile(
    r"^(?:import|from) (torch|transformers|onnx|matplotlib|pyarrow|tokenizers|pytest_xdist)\b", re.MULTILINE
)
OWN = re.compile(r"^from tests\.([\w.]+) import", re.MULTILINE)


def name_of(path: Path, tests: Path) -> str:
    """The name of a file of tests: its place below their folder, such as `server/test_life.py`."""
    return path.relative_to(tests).as_posix()


def files(tests: Path) -> list[Path]:
    """All chosen files, in the order of their names."""
    return [
        path
        for path in sorted(tests.rglob("test_*.py"))
        if any(fnmatch(name_of(path, tests), name) for name in CHOSEN)
    ]


def needs(path: Path, tests: Path) -> str | None:
    """The package without which a file, or a module of the tests that it imports, cannot even be read."""
    text = path.read_text(encoding="utf-8")
    if found := PACKAGES.search(text):
        return found[1]
    own = [tests / f"{name.replace('.', '/')}.py" for name in OWN.findall(text)]
    return next((package for other in own if other.exists() and (package := needs(other, tests))), None)
