"""What the process for next edits is asked, and what it answers."""

from __future__ import annotations

from dataclasses import dataclass

from fim_lsp.edits.edit import Edit


@dataclass(frozen=True, slots=True)
class Changed:
    """A document as it was before somebody changed it, and as it is."""

    path: str
    # One of `known_languages.KNOWN`, by name.
    language: str
    version: str | None
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Wanted:
    """Say what comes next. `refused` are (path, old, new)."""

    job: int
    changed: Changed
    bar: float
    most: int
    refused: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Together:
    """Say which of some edits of the text as it is hold all at once."""

    job: int
    changed: Changed
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Forget:
    """A document was closed."""

    path: str


Question = Wanted | Together


@dataclass(frozen=True, slots=True)
class Found:
    """The edits. `is_another`: so much differs that nobody has typed it, and nothing was looked for."""

    job: int
    edits: tuple[Edit, ...] = ()
    is_another: bool = False


@dataclass(frozen=True, slots=True)
class Failed:
    """An error of ours: where, without what a text says."""

    job: int
    where: str
