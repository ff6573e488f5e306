"""The messages to the process for next edits, and its answers."""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.edits.texts.edit import NextEdit, Replacement


@dataclass(frozen=True, slots=True)
class Changed:
    """A document before the user's change, and now."""

    path: str
    # The language, by its name in `known_languages.KNOWN`.
    language: str
    version: str | None
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class ProjectFolder:
    """A document's folder, and the rules for which of its files may be read."""

    root: str
    own: str
    exclude: tuple[str, ...]
    roots: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FindNextEdits:
    """A question for the next edits. `refused` are (path, old, new); `earlier` are other changed documents,
    the latest at the end."""

    job: int
    changed: Changed
    bar: float
    most: int
    refused: tuple[tuple[str, str, str], ...] = ()
    earlier: tuple[Changed, ...] = ()
    project: ProjectFolder | None = None
    # Whether a model is asked for what the rules do not know, and what it has written.
    has_model: bool = False
    written: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True)
class FindCompatibleEdits:
    """A question: which of some edits of the present text hold together?"""

    job: int
    changed: Changed
    edits: tuple[NextEdit, ...]


@dataclass(frozen=True, slots=True)
class FindEditsElsewhere:
    """A question for the edits in files of the folder that are not open."""

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
    """The edits found. `is_another`: the text differs by more than typing, so nothing was searched."""

    job: int
    edits: tuple[NextEdit, ...] = ()
    is_another: bool = False
    elsewhere: tuple[FileEdits, ...] = ()
    # What the rules are not sure of, if nothing was found and a model is there to be asked.
    unsure: tuple[Replacement, ...] = ()


@dataclass(frozen=True, slots=True)
class FailedJob:
    """An internal error: its place, without any source text."""

    job: int
    where: str
