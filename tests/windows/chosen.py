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
    "test_checkers.py",
    "test_context*.py",
    "test_decoding_*.py",
    "test_edits_*.py",
    "test_endpoint*.py",
    "test_engine_*.py",
    "test_fitting*.py",
    "test_grammar_*.py",
    "test_house_check.py",
    "test_house_cli.py",
    "test_house_fetching.py",
    "test_house_complete.py",
    "test_house_demo.py",
    "test_house_doctor.py",
    "test_house_fit.py",
    "test_house_gguf_files.py",
    "test_house_llama_wheel.py",
    "test_house_names.py",
    "test_house_platforms.py",
    "test_house_positions.py",
    "test_house_prose.py",
    "test_house_replay.py",
    "test_house_repository.py",
    "test_house_rooms.py",
    "test_house_settings.py",
    "test_house_shown.py",
    "test_house_signature.py",
    "test_house_system.py",
    "test_imports_*.py",
    "test_languages_*.py",
    "test_laws_*.py",
    "test_masks_*.py",
    "test_memory.py",
    "test_names_*.py",
    "test_python_version.py",
    "test_reference_*.py",
    "test_replay_*.py",
    "test_runtimes_llama.py",
    "test_schemas*.py",
    "test_server_*.py",
    "test_system_*.py",
    "test_together.py",
    "test_typing_*.py",
    "test_worth_judge.py",
)
# What no package for Windows brings, or none that was laid there.
PACKAGES = re.compile(
    r"^(?:import|from) (torch|transformers|onnx|matplotlib|pyarrow|tokenizers|pytest_xdist)\b", re.MULTILINE
)
OWN = re.compile(r"^from tests\.(\w+) import", re.MULTILINE)


def files(folder: Path) -> list[Path]:
    """All that are chosen, in the order of their names."""
    return [
        path for path in sorted(folder.glob("test_*.py")) if any(fnmatch(path.name, name) for name in CHOSEN)
    ]


def needs(path: Path) -> str | None:
    """The package without which a file, or one of the tests' own that it begins with, cannot even be read."""
    text = path.read_text(encoding="utf-8")
    if found := PACKAGES.search(text):
        return found[1]
    own = [path.parent / f"{name}.py" for name in OWN.findall(text)]
    return next((package for other in own if other.exists() and (package := needs(other))), None)
