"""Whether the engine accepts a whole text, which is what parsers judge."""

from quotient import Language, NoCompletion


def is_member(language: str, left: str, right: str = "", version: str | None = None) -> bool:
    """Whether nothing is missing between two texts, or behind one, in a built-in language."""
    try:
        return Language.load(language, version).recognizer(left, right).is_member()
    except NoCompletion:
        return False
