"""Messages to the process for next edits, and its answers."""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.edits.edit import NextEdit


@dataclass(frozen=True, slots=True)
class Changed:
    """A document as it was before the user changed it, and as it is."""

    path: str
    # The language, by its name in `known_languages.KNOWN`.
    language: str
    version: str | None
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ProjectFolder:
    """The folder that a document is in, and which of its files may be read."""

    root: str
    own: str
    exclude: tuple[str, ...]
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindNextEdits:
    """Say what comes next. `refused` are (path, old, new); `earlier` other documents that the user has
    changed, the last at the end."""

    job: int
    changed: Changed
    bar: float
    most: int
    refused: tuple[tuple[str, str, str], ...] = ()
    earlier: tuple[Changed, ...] = ()
    project: ProjectFolder | None = None


@dataclass(frozen=True, slots=True)
class FindCompatibleEdits:
    """Say which of some edits of the text as it is hold all at once."""

    job: int
    changed: Changed
    edits: tuple[NextEdit, ...]


@dataclass(frozen=True, slots=True)
class FindEditsElsewhere:
    """Say what follows in the files of the folder that are not open."""

    job: int
    changed: Changed
    bar: float
    most: int
    project: ProjectFolder
    open_files: frozenset[str]


@dataclass(frozen=True, slots=True)
class ForgetDocument:
    """A document was closed."""

    path: str


Question = FindNextEdits | FindCompatibleEdits | FindEditsElsewhere


@dataclass(frozen=True, slots=True)
class FileEdits:
    """The edits of another file, which hold all at once, and its text as it was read."""

    path: str
    text: str
    edits: tuple[NextEdit, ...]


@dataclass(frozen=True, slots=True)
class FoundEdits:
    """The edits. `is_another`: the text differs in more than typing changes, and nothing was looked for."""

    job: int
    edits: tuple[NextEdit, ...] = ()
    is_another: bool = False
    elsewhere: tuple[FileEdits, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedJob:
    """An error of ours: where, without what a text says."""

    job: int
    where: str
