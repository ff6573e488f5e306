"""The languages that files are read in, and which of them a file's name says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class KnownLanguage:
    """A language that the engine has a grammar for."""

    # As `Language.load` calls it.
    name: str
    title: str
    extensions: tuple[str, ...]
    # Whether the server and the bundled model complete it; the others are checked only.
    is_served: bool = False


PYTHON = KnownLanguage("python", "Python", (".py", ".pyi", ".pyw"), is_served=True)
KNOWN = (
    PYTHON,
    KnownLanguage("go", "Go", (".go",)),
    KnownLanguage("java", "Java", (".java",)),
    KnownLanguage("json", "JSON", (".json",)),
)
# What is looked for in folders: sources. JSON is data, and often not meant to be strict.
IN_FOLDERS = tuple(language for language in KNOWN if language.name != "json")


class UnknownLanguage(Exception):
    """Nothing says what language a file is in, or there is no grammar for it; the message is for people."""


def named(name: str) -> KnownLanguage:
    found = next((language for language in KNOWN if language.name == name.lower()), None)
    if found is None:
        raise UnknownLanguage(
            f"there is no language {name!r}; `fim-lsp languages` lists those that there are"
        )
    return found


def of_file(name: str) -> KnownLanguage:
    """By the extension, or by the first line of a script that has none."""
    path = Path(name)
    # A file's own name may look like a place in a file: `a.py:1:1`.
    extension = path.suffix.partition(":")[0].lower()
    found = next((language for language in KNOWN if extension in language.extensions), None)
    if found is not None:
        return found
    if not extension and is_python_script(path):
        return PYTHON
    what = f"{extension} files" if extension else "files without an extension"
    raise UnknownLanguage(f"{name}: no language is known for {what}; --language names one")


def is_python_script(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            first = file.readline(200)
    except OSError:
        return False
    return first.startswith(b"#!") and b"python" in first
