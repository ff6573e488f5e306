"""The two models in the box: their names, their folders, and which of them writes in a language.

One was trained on Python, the other on the languages with braces, with tokens of its own. Neither has seen
data formats. To users both are `bundled`, and one of them writes where no model is named.
"""

from __future__ import annotations

from pathlib import Path

from fim_lsp.known_languages import GO, PYTHON, KnownLanguage

BOX = Path(__file__).parent / "bundled"
BUNDLED, BUNDLED_OF_BRACES = BOX / "model", BOX / "braces"
# The name of the bundled models, in settings and in messages.
BUNDLED_NAME = "bundled"
# The name that stands for no model at all: the engine writes alone.
NO_MODEL = "none"


def is_bundled(name: str | None) -> bool:
    """Whether a name stands for the models in the box; None does, and so does an empty one."""
    return name in (None, "", BUNDLED_NAME)


def bundled_folder(known_language: KnownLanguage) -> Path:
    """The folder of the model for a language."""
    return BUNDLED_OF_BRACES if known_language.blocks == "braces" else BUNDLED


def is_model_of_braces(name: str | None, known_language: KnownLanguage) -> bool:
    """Whether a name stands, in a language, for the model in the box that was not trained on Python."""
    return is_bundled(name) and known_language.blocks == "braces"


def language_of_model(name: str | None, known_language: KnownLanguage) -> KnownLanguage:
    """One language for all those in which a name stands for the same model, so that it is loaded once."""
    return GO if is_model_of_braces(name, known_language) else PYTHON


def model_knows(name: str | None, known_language: KnownLanguage) -> bool:
    """Whether a model can write in a language. Every model but ours is assumed to know all languages."""
    return known_language.blocks != "data" or not is_bundled(name)


def not_known_by_model(known_language: KnownLanguage) -> str:
    """A sentence on the offers in a language that the bundled models do not know."""
    return (
        f"The bundled model does not know {known_language.title}: offers come from your files alone."
        " The setting `model` selects another one."
    )
