"""A document on its way from process to process: its text, or the edits since it was last sent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SentEdit:
    """The text between two offsets is replaced."""

    start: int
    stop: int
    new: str


@dataclass(frozen=True, slots=True)
class SentText:
    """The present document: the edits since it was last sent, or the whole text."""

    uri: str
    serial: int
    python_version: str
    whole: str | None
    edits: tuple[SentEdit, ...] = ()
    # The text that the model is shown in front: a notebook's cells above. It need not parse.
    above: str = ""
    # Names that exist although the text does not say so: those of a notebook's other cells. None: they
    # are not known.
    elsewhere: tuple[str, ...] | None = ()
    # The language, by its name in `known_languages.KNOWN`.
    language: str = "python"
    toml_version: str = "1.0"

    @property
    def versions(self) -> dict[str, str]:
        """The version of each language that has several."""
        return {"python": self.python_version, "toml": self.toml_version}


@dataclass(frozen=True, slots=True)
class Indentation:
    """The indentation that an editor states for a document."""

    tab_size: int
    uses_spaces: bool

    @property
    def unit(self) -> str:
        return " " * self.tab_size if self.uses_spaces else "\t"
