"""The history of replacements in a project's files, in the order of the changes: where the user made each,
and where the user passed it over."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from fim_lsp.edits.projects.imported_elsewhere import ImportIndex
from fim_lsp.edits.repeating.candidates import is_forgotten, standing
from fim_lsp.edits.repeating.conversions import conversions_made
from fim_lsp.edits.repeating.substitutions import Substitution, merged_substitutions, substitutions
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.places import SubstitutionSites
from fim_lsp.known_languages import PYTHON

# The most places of a file that count.
MOST_PASSED_IN_A_FILE = 20


@dataclass(slots=True)
class History:
    """The substitutions of several files, the latest at the end."""

    made: list[Substitution] = field(default_factory=list)
    # The number of conversions of each kind (`conversions.py`).
    converted: Counter[str] = field(default_factory=Counter)
    # The imports of the files.
    imports: ImportIndex = field(default_factory=ImportIndex)

    def add(self, change: FileChange) -> None:
        """Adds the change of another file."""
        self.made = merged_substitutions(self.made, substitutions([change]))
        if change.new.known_language is PYTHON:
            self.imports.add(PurePosixPath(change.path), change.new)
            self.converted += conversions_made(change)
        text, places = change.new.text, SubstitutionSites(change.new)
        for one in self.made:
            if one.old == one.new or one.old not in text or is_forgotten(one):
                continue
            shapes = {made.place.shape for made in one.made}
            for number, spot in enumerate(standing(change, one)):
                if number >= MOST_PASSED_IN_A_FILE:
                    break
                if (place := places.at(*spot)).shape in shapes:
                    one.passed.append(place)

    def of(self, text: str) -> list[Substitution]:
        """The substitutions that could be made in a text."""
        return [one for one in self.made if one.old in text]
