"""Holes for tests of names: a file with `$0` in place of the hole."""

from quotient import Language, Recognizer


def named(hole: str, version: str | None = None) -> Recognizer:
    """A recognizer at the `$0` of a file, in which only builtins and the file's own names exist."""
    left, right = hole.split("$0")
    return Language.load("python", version).recognizer(left, right, names=())


def refusal(hole: str, text: str, version: str = "3.12") -> str | None:
    """The reason why a text does not fit at the `$0` of a file; None if it fits. Each prefix of it is read,
    too."""
    recognizer = named(hole, version)
    for character in text:
        if not recognizer.advance(character):
            found = recognizer.refusal(character)
            assert found is not None, f"the grammar refuses {text!r} at {character!r}"
            return found[2]
    if not recognizer.is_member():
        found = recognizer.refusal("")
        assert found is not None or recognizer.without_names().is_member()
        return found[2] if found else "the text may not end there"
    return None
