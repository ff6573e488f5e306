"""Which files of tests run on Windows, and why others do not.

Chosen are those of the engine, the server, the memory, the context, the checkers and the command line, what
they stand on, and what holds of the sources. The rest is about what is not Windows': other editors as Linux
has them, how packages are built here, PyTorch.
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
# The packages that are not there for Windows, or were not laid there.
PACKAGES = re.compile(
    r"^(?:import|from) (torch|transformers|onnx|matplotlib|pyarrow|tokenizers|pytest_xdist)\b", re.MULTILINE
)
OWN = re.compile(r"^from tests\.([\w.]+) import", re.MULTILINE)


def name_of(path: Path, tests: Path) -> str:
    """The name of a file of tests: its place below their folder, as `server/test_life.py`."""
    return path.relative_to(tests).as_posix()


def files(tests: Path) -> list[Path]:
    """All that are chosen, in the order of their names."""
    return [
        path
        for path in sorted(tests.rglob("test_*.py"))
        if any(fnmatch(name_of(path, tests), name) for name in CHOSEN)
    ]


def needs(path: Path, tests: Path) -> str | None:
    """The package without which a file, or one of the tests' own that it begins with, cannot even be read."""
    text = path.read_text(encoding="utf-8")
    if found := PACKAGES.search(text):
        return found[1]
    own = [tests / f"{name.replace('.', '/')}.py" for name in OWN.findall(text)]
    return next((package for other in own if other.exists() and (package := needs(other, tests))), None)
