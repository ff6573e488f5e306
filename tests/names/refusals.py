"""What a hole refuses, for tests: a file with `$0` where the hole is, and a text for it."""

from quotient import Language


def refusal(hole: str, text: str, version: str = "3.12") -> str | None:
    """Why a text does not fit at the `$0` of a file; None if it does. Each prefix of it is read, too."""
    left, right = hole.split("$0")
    recognizer = Language.load("python", version).recognizer(left, right, names=())
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
