"""A project's copy on disk, which an editor opens as its workspace. The typed regions are cut out of it, so
that no reader of the folder can know them.
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
        """Writes a copy into a new folder. A project's name need not be a valid name of a folder."""
        place = below / str(len([*below.iterdir()])) / Path(project.name).name
        copy = cls(place, project)
        for file in project.files:
            write(copy.path(file.name), file.text)
        return copy

    def path(self, file: str) -> Path:
        """The path of a file; a problem of a data set, whose name is no file's, gets an extension."""
        path = self.folder / file
        return path if path.suffix in PYTHON.extensions else path.with_name(path.name + ".py")

    @contextmanager
    def with_text(self, file: str, text: str) -> Iterator[Path]:
        """Gives the file another text for a while."""
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
