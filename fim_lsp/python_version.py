"""The Python that a file is written in, as the name of a grammar: `3.8` to the newest that the engine knows.

A grammar may begin at a release in the middle of a version (`3.12.10`): it is taken where the release is
known.

Asked in this order, and the first that answers decides:

1. the user's setting, if the engine has a grammar for it;
2. `requires-python` in the nearest pyproject.toml that has it, from the file's folder upward. The *lowest*
   version that it admits counts: code for newer versions breaks the project for some users;
3. the interpreter in use: the virtual environment of the project (`.venv` or `venv` in the nearest folder
   that has one), else the one that `python3` or `python` means on PATH, else the one that runs this.

A version older or newer than every grammar gets the oldest or the newest one. Nothing is executed and nothing
but pyproject.toml and pyvenv.cfg is read: asking is cheap, and safe in a folder that is not trusted yet.
"""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from fim_lsp.bounded_files import OverLimit, bounded_text
from fim_lsp.system.kind import is_windows
from quotient import available_languages

Release = tuple[int, ...]

# A clause of a version specifier (PEP 440): `>=3.10`, `!= 3.9.*`, `~=3.11.2`, `<3.15.0rc1`.
CLAUSE = re.compile(
    r"(?P<comparison>~=|===?|!=|<=|>=|<|>)\s*v?(?P<release>\d{1,9}(?:\.\d{1,9})*)(?P<any>\.\*)?[^\s,]*"
)
# A longer specifier is not looked at: it would be tried release by release.
MAX_SPECIFIER = 200
# The number of releases that each minor version is taken to have; no Python came near it.
N_MICRO_VERSIONS = 100
# The folders in which Python's own installers put it on Windows.
OF_ONE_VERSION = re.compile(r"(?i)^python(\d)(\d{1,2})(?:-(?:32|64|arm64))?$")


def python_version(path: Path | None, setting: str | None) -> str:
    """The grammar's version for a file (or for what is in a folder); None is text that is in no file."""
    return (
        known_version(setting or "")
        or (path and required_version(path))
        or nearest_known(environment_version(path) or version_on_path() or tuple(sys.version_info[:3]))
    )


def known_version(setting: str) -> str | None:
    """`3.12` for `3.12` or `3.12.4`, `3.12.10` for `3.12.11`; None if there is no grammar for the version."""
    found = re.fullmatch(r"\s*(3\.\d{1,9})(\.\d{1,9})?\s*", setting)
    return nearest_known(release(found[0])) if found and found[1] in known_versions() else None


@cache
def known_versions() -> tuple[str, ...]:
    """The versions that the engine has grammars for, oldest first."""
    return tuple(available_languages()["python"])


def nearest_known(version: Release) -> str:
    """The last grammar that begins with this release or an earlier one, else the oldest."""
    older = [known for known in known_versions() if release(known) <= version]
    return older[-1] if older else known_versions()[0]


def release(text: str) -> Release:
    return tuple(int(part) for part in text.split("."))


def upward(path: Path) -> Iterator[Path]:
    """The folders that a file is in, innermost first; a folder is in itself."""
    try:
        path = path.absolute()
    except FileNotFoundError:
        # A relative path, from a folder that was deleted.
        return
    if path.is_dir():
        yield path
    yield from path.parents


# --- requires-python -------------------------------------------------------------------------------------


def required_version(path: Path) -> str | None:
    """The version that the nearest pyproject.toml with a legible `requires-python` asks for."""
    for folder in upward(path):
        specifier = requires_python(text_of(folder / "pyproject.toml"))
        if specifier and (lowest := lowest_admitted(specifier)):
            return lowest
    return None


def text_of(path: Path) -> str:
    """A file's text, or none: a file that cannot be read says nothing."""
    try:
        return bounded_text(path) or ""
    except OverLimit:
        return ""


def requires_python(pyproject: str) -> str | None:
    """The specifier in a pyproject.toml.

    Line by line, not as TOML: Python 3.10 has no parser for it, and a file that is being edited is often not
    well-formed somewhere else.
    """
    table = ""
    for line in pyproject.splitlines():
        # No text here may be read in two ways, or a line that was made for it takes hours.
        if header := re.fullmatch(r"\s*\[([^\[\]]+)\]\s*(?:#.*)?", line):
            table = header[1].strip().strip("\"'")
        elif entry := re.match(r"""\s*([\w."'-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""", line):
            name = re.sub(r"[\"']", "", entry[1])
            if (f"{table}.{name}" if table else name) == "project.requires-python":
                return entry[2] or entry[3]
    return None


def lowest_admitted(specifier: str) -> str | None:
    """The lowest known version that has a release which a specifier admits; None if it is not a specifier.

    One that admits none of them gets the newest where it asks for newer ones, else the oldest.
    """
    if len(specifier) > MAX_SPECIFIER:
        return None
    clauses = [clause(part) for part in specifier.split(",") if part.strip()]
    tests = [test for test in clauses if test is not None]
    if not tests or len(tests) < len(clauses):
        return None

    def admitted(minor: Release) -> Release | None:
        """The first release of a minor version that is admitted."""
        releases = ((*minor, micro) for micro in range(N_MICRO_VERSIONS))
        return next((one for one in releases if all(test(one) for test in tests)), None)

    for minor in dict.fromkeys(release(version)[:2] for version in known_versions()):
        if lowest := admitted(minor):
            return nearest_known(lowest)
    _, newest = release(known_versions()[-1])
    wants_newer = any(admitted((3, minor)) for minor in range(newest + 1, newest + 100))
    return known_versions()[-1 if wants_newer or admitted((4, 0)) else 0]


def clause(text: str) -> Callable[[Release], bool] | None:
    """Whether a release of three numbers is admitted by one clause; None if it is not a clause."""
    found = CLAUSE.fullmatch(text.strip())
    if found is None:
        return None
    named = release(found["release"])
    # Missing numbers are zeros: `>3.10` admits 3.10.1.
    bound = (*named, 0, 0, 0)[:3]
    # `~=3.10` admits what begins with 3, `~=3.10.2` what begins with 3.10.
    series = named if found["any"] else named[:-1]

    def begins_alike(version: Release) -> bool:
        return version[: len(series)] == series[:3]

    match found["comparison"]:
        case "~=":
            return lambda version: version >= bound and begins_alike(version)
        case "==" | "===":
            return begins_alike if found["any"] else lambda version: version == bound
        case "!=":
            return (
                (lambda version: not begins_alike(version))
                if found["any"]
                else lambda version: version != bound
            )
        case "<=":
            return lambda version: version <= bound
        case ">=":
            return lambda version: version >= bound
        case "<":
            return lambda version: version < bound
        case _:
            return lambda version: version > bound


# --- the interpreter in use ------------------------------------------------------------------------------


def environment_version(path: Path | None) -> Release | None:
    """The Python of the nearest virtual environment upward, or of the one that the file itself is in."""
    for folder in upward(path or Path()):
        for environment in (folder, folder / ".venv", folder / "venv"):
            if version := configured_version(environment):
                return version
    return None


def configured_version(environment: Path) -> Release | None:
    """The version in a virtual environment's pyvenv.cfg; `virtualenv` and `uv` call it `version_info`."""
    found = re.search(
        r"(?m)^version(?:_info)?\s*=\s*(\d{1,9}\.\d{1,9}(?:\.\d{1,9})?)", text_of(environment / "pyvenv.cfg")
    )
    return release(found[1]) if found else None


def version_on_path() -> Release | None:
    """The Python that a shell would start, as far as its place or its name tells.

    It is not asked itself: starting an interpreter takes longer than everything else here together.
    """
    for name in ("python3", "python"):
        if command := shutil.which(name):
            if version := configured_version(Path(command).parent.parent):
                return version
            if found := re.search(r"python(\d{1,9}\.\d{1,9})(?:\.exe)?$", Path(command).resolve().name):
                return release(found[1])
            if is_windows() and (found := OF_ONE_VERSION.search(Path(command).parent.name)):
                return release(f"{found[1]}.{found[2]}")
    return None
