"""Which of the two models in the box writes in a language.

One was taught Python, the other one the languages with braces, with tokens of its own. To users both are
`bundled`.
"""

from __future__ import annotations

from pathlib import Path

from fim_lsp.known_languages import GO, PYTHON, KnownLanguage

BOX = Path(__file__).parents[2] / "bundled"
BUNDLED, BUNDLED_OF_BRACES = BOX / "model", BOX / "braces"
# What it is called where it is told which model completes, and so where one is asked for.
BUNDLED_NAME = "bundled"


def bundled_folder(known_language: KnownLanguage) -> Path:
    """The folder of the model for a language."""
    return BUNDLED_OF_BRACES if known_language.blocks == "braces" else BUNDLED


def depends_on_language(name: str | None) -> bool:
    """Whether a name stands for another model in another language."""
    return name in (None, BUNDLED_NAME)


def is_other_model(name: str | None, known_language: KnownLanguage) -> bool:
    """Whether a name stands for another model in a language than in Python."""
    return loaded_for(name, known_language) is not PYTHON


def loaded_for(name: str | None, known_language: KnownLanguage) -> KnownLanguage:
    """One language for all that a model writes in: what a model is kept by that was loaded once."""
    return GO if depends_on_language(name) and known_language.blocks == "braces" else PYTHON
