"""A project's copy on disk, which an editor opens as its workspace. What is typed again is taken out of it,
so that nothing that reads the folder can know it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from fim_lsp.known_languages import PYTHON
from fim_lsp.replay.corpus import File
from fim_lsp.replay.typing.drawing import TypedProject


@dataclass(frozen=True, slots=True)
class ProjectCopy:
    """The Python files of a project, in a folder of their own."""

    folder: Path
    project: TypedProject

    @classmethod
    def write_copy(cls, below: Path, project: TypedProject) -> ProjectCopy:
        """Writes it into a new folder. Names of projects differ, and may be no names of folders."""
        place = below / str(len([*below.iterdir()])) / Path(project.name).name
        copy = cls(place, project)
        for file in project.files:
            write(copy.path(file.name), file.text)
        return copy

    def path(self, file: str) -> Path:
        """The path of a file; problems of data sets are named by no file."""
        path = self.folder / file
        return path if path.suffix in PYTHON.extensions else path.with_name(path.name + ".py")

    @contextmanager
    def with_text(self, file: str, text: str) -> Iterator[Path]:
        """The file with another text, until it has its own again."""
        path = self.path(file)
        write(path, text)
        try:
            yield path
        finally:
            write(path, self._own(file).text)

    def _own(self, name: str) -> File:
        return next(file for file in self.project.files if file.name == name)


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8", errors="surrogatepass", newline="")
