"""The exact language of texts that fit a hole.

A hole is a place in a file where a text is missing; its language is the set of all texts with which
the file parses.

    >>> from quotient import Language
    >>> python = Language.load("python")
    >>> recognizer = python.recognizer("print(", ")")
    >>> recognizer.advance("x, ")
    True
    >>> recognizer.advance("]")
    False
    >>> recognizer.is_member()
    True
"""

from quotient._native import Document, EncodingError, GrammarError, NoCompletion, Recognizer, TooCostly
from quotient.language import GrammarWarning, Language, available_languages
from quotient.vocabulary import Vocabulary

__all__ = [
    "Document",
    "EncodingError",
    "GrammarError",
    "GrammarWarning",
    "Language",
    "NoCompletion",
    "Recognizer",
    "TooCostly",
    "Vocabulary",
    "available_languages",
]
