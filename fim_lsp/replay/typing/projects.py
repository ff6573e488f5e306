"""The sources of the typist's projects: any folders, shipped data, the standard library, or pinned packages
on which nothing was trained or tuned.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.other_programs import environment_without_keys
from fim_lsp.replay import benchmarks
from fim_lsp.replay.case import Case, Excluded
from fim_lsp.replay.corpus import File, NoData, folder_files, standard_library
from fim_lsp.replay.judge import ParserJudge
from fim_lsp.replay.typing.drawing import TypedProject
from fim_lsp.replay.typing.new_lines import OldLines
from fim_lsp.replay.typing.packages import folder_of, of_language, whole_folder
from fim_lsp.sources import files_below, python_files
from fim_lsp.system.user_cache import user_cache

# The lists of requirements, one a line. The first is for the tables of docs/worth.md; the judge and the
# memory are tuned on the second one, and on nothing else.
LISTS = {"packages": "held_out.txt", "tuning": "tuning.txt"}
# The lists for other languages: a language, and a package as its tool calls it.
OTHER_LISTS = {"packages": "held_out_languages.txt", "tuning": "tuning_languages.txt"}
# Two requirements a line, with a word between them: a release, and an older one.
PAIRS = {"recent": "recent.txt"}
SINCE = " since "
SETS = ("standard-library", "human-eval", *LISTS, *PAIRS)


def of_folders(
    folders: Sequence[str], known_language: KnownLanguage = PYTHON
) -> tuple[list[TypedProject], list[Excluded]]:
    """The projects of some folders, one for each."""
    projects, excluded = [], []
    for name in folders:
        folder = Path(name)
        if not folder.is_dir():
            raise NoData(f"{name}: {'that is no folder' if Path(name).exists() else 'no such folder'}")
        own = folder.resolve()
        files = (
            python_files(name) if known_language is PYTHON else files_below(name, known_language.extensions)
        )
        project, without = of_files(
            own.name or str(own), folder_files(folder, files, known_language), own, known_language
        )
        projects.append(project)
        excluded += without
    return unique(projects), excluded


def of_set(name: str, known_language: KnownLanguage = PYTHON) -> tuple[list[TypedProject], list[Excluded]]:
    if known_language is not PYTHON:
        packages = of_language(requirements(OTHER_LISTS[name]), known_language) if name in OTHER_LISTS else []
        if not packages:
            raise NoData(f"which files of {known_language.title}? --on names folders that have some")
        return of_folders(
            [str(folder_of(one, known_language, fetched_packages())) for one in packages], known_language
        )
    if name == "standard-library":
        project, excluded = of_files(name, standard_library(), None)
        return [project], excluded
    if name == "human-eval":
        problems = benchmarks.cases(benchmarks.data_files(name, None), ParserJudge.of(None))
        texts = [File(case.id, case.with_middle(case.middle)) for case in problems if isinstance(case, Case)]
        return [TypedProject(name, tuple(texts))], []
    if name in PAIRS:
        pairs = [line.split(SINCE) for line in requirements(PAIRS[name])]
        new, old = ([str(folder) for folder in fetch_packages(column)] for column in zip(*pairs, strict=True))
        return since(of_folders(new), old)
    return of_folders([str(folder) for folder in fetch_packages(requirements(LISTS[name]))])


def since(
    found: tuple[list[TypedProject], list[Excluded]], old: Sequence[str]
) -> tuple[list[TypedProject], list[Excluded]]:
    """The projects, each with the lines of an older release from a folder of its own."""
    projects, excluded = found
    if len(old) != len(projects):
        raise NoData(f"{len(projects)} folders are typed in, and {len(old)} older ones named")
    pairs = zip(projects, of_folders(old)[0], strict=True)
    return [replace(new, old=OldLines.of(before.files)) for new, before in pairs], excluded


def of_files(
    name: str, files: Iterable[File | Excluded], folder: Path | None, known_language: KnownLanguage = PYTHON
) -> tuple[TypedProject, list[Excluded]]:
    found = list(files)
    texts = tuple(file for file in found if isinstance(file, File) and file.text.strip())
    return TypedProject(name, texts, folder, language=known_language.name), [
        file for file in found if isinstance(file, Excluded)
    ]


def unique(projects: list[TypedProject]) -> list[TypedProject]:
    """Projects whose names differ: two folders may be called the same."""
    seen: dict[str, int] = {}
    named = []
    for project in projects:
        number = seen[project.name] = seen.get(project.name, 0) + 1
        name = project.name if number == 1 else f"{project.name}~{number}"
        named.append(replace(project, name=name))
    return named


def requirements(name: str) -> list[str]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.startswith("#")]


def fetch_packages(wanted: Iterable[str]) -> list[Path]:
    """Packages as folders, fetched from PyPI if they are not here yet. None of their code is run."""
    folders = []
    for requirement in wanted:
        folder = fetched_packages() / requirement
        if not folder.is_dir():
            fetch(requirement, folder)
        folders.append(folder)
    return folders


def fetched_packages() -> Path:
    """The folder where fetched packages stay."""
    return user_cache() / "replays" / "packages"


def fetch(requirement: str, folder: Path) -> None:
    wheels = fetched_packages() / "wheels"
    wheels.mkdir(parents=True, exist_ok=True)
    print(f"fetching {requirement}", file=sys.stderr)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
    said = subprocess.run(
        [*command, "--dest", str(wheels), requirement],
        env=environment_without_keys(),
        capture_output=True,
        text=True,
        check=False,
    )
    if said.returncode:
        raise NoData(f"{requirement} cannot be fetched: {said.stderr.strip() or 'pip failed'}")
    project, _, version = requirement.partition("==")
    stem = project.replace("-", "_").lower()
    found = [
        wheel
        for wheel in wheels.glob("*.whl")
        if wheel.name.lower().replace("-", "_").startswith(f"{stem}_{version.replace('-', '_')}")
    ]
    if not found:
        raise NoData(f"{requirement} was fetched, but its wheel is not in {wheels}")
    with whole_folder(folder) as beside, zipfile.ZipFile(found[0]) as wheel:
        wheel.extractall(beside, [name for name in wheel.namelist() if name.endswith((".py", ".pyi"))])


def digest(projects: Sequence[TypedProject]) -> str:
    """The beginning of a checksum of all texts."""
    found = hashlib.sha256()
    for project in projects:
        for file in project.files:
            found.update(f"{project.name}/{file.name}\0{len(file.text)}\0".encode("utf-8", "surrogatepass"))
            found.update(file.text.encode("utf-8", "surrogatepass"))
        if project.old is not None:
            found.update(project.old.digest.encode())
    return found.hexdigest()[:12]
