"""The shortest end that may be put behind a text.

The engine's shortest text may be one that no programmer would type: a comment that takes in the rest of the
line, a quote that takes in the lines below, a backslash that joins them, a letter that makes another word of
the one in front. Then the shortest of the others is looked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from fim_lsp.known_languages import TOML, KnownLanguage
from fim_lsp.recognizers import is_code, is_comment
from quotient import Recognizer

# What closes something that was said; all else in an end is invented.
CLOSERS = frozenset(")]}>'\"`;:, \t\r\n")
# What strings and comments begin with.
BEGINS_TEXT = frozenset("'\"`#/")
# What ends are tried of where the engine's own takes in what stands right of the cursor.
TRIED = ")]}>'\"`;:,({[<+-*/=.!?&|@ \na0"


def is_word(character: str) -> bool:
    return character.isalnum() or character in "_$"


def is_inside_word(text: str, place: int) -> bool:
    """Whether a word stands on both sides of a place."""
    return 0 < place < len(text) and is_word(text[place - 1]) and is_word(text[place])


def n_invented(end: str) -> int:
    """How many characters of an end close nothing."""
    return sum(character not in CLOSERS for character in end)


def end_of(
    reading: Recognizer, known_language: KnownLanguage | None, longest: int | None, behind_word: bool
) -> str | None:
    """The shortest end that is wanted; None where none is known of at most so many characters.

    `reading` has read the text. Behind a word whose rest was left off, none begins with a letter.
    """
    witness = reading.witness()
    # Where no text is found that keeps a law, the engine's is the grammar's.
    if reading.has_names and not ends(reading, witness):
        return None
    shortest = len(witness)
    if longest is not None and shortest > longest:
        return None
    if behind_word and is_word(witness[0]):
        # White space may stand in front of whatever may come there.
        apart = reading.fork()
        if not apart.advance(" "):
            return None
        rest = apart.witness()
        witness = " " + rest if is_word(rest[:1] or "a") or not ends(reading, rest) else rest
    if not is_wanted(reading, witness, known_language):
        lengths = range(shortest, len(witness) + 2 if longest is None else longest + 1)
        return other_end(reading, witness, known_language, lengths, behind_word)
    return witness if longest is None or len(witness) <= longest else None


def ends(reading: Recognizer, end: str) -> bool:
    ended = reading.fork()
    return ended.advance(end) and ended.is_member()


def other_end(
    reading: Recognizer,
    unwanted: str,
    known_language: KnownLanguage | None,
    lengths: range,
    behind_word: bool,
) -> str | None:
    """An end that takes in nothing: of one or two characters, or with these in place of the last.

    Of lengths that are wanted and can be: none is shorter than the engine's own.
    """
    stem = unwanted[:-1]
    behind_stem = reading.fork()
    behind_stem.advance(stem)
    behind = range(1, lengths.stop - len(stem))
    tried = chain(
        short_ends(reading, lengths),
        (stem + end for end in short_ends(behind_stem, behind)) if stem else (),
    )
    for end in tried:
        if not (behind_word and is_word(end[0])) and is_wanted(reading, end, known_language):
            return end
    return None


def short_ends(reading: Recognizer, lengths: range) -> Iterator[str]:
    """Ends of one or two characters, as far as such lengths are asked for, those first that are shorter."""
    if 1 not in lengths and 2 not in lengths:
        return
    behind = []
    for character in TRIED:
        ended = reading.fork()
        if ended.advance(character):
            behind.append((character, ended))
            if ended.is_member():
                yield character
    if 2 not in lengths:
        return
    for character, stand in behind:
        for other in TRIED:
            if ends(stand, other):
                yield character + other


def is_wanted(reading: Recognizer, end: str, known_language: KnownLanguage | None) -> bool:
    """Whether an end takes in nothing that stands right of the cursor, as text or as the same line."""
    if known_language is None:
        return True
    # Nor does a table of TOML take in the keys that stand there.
    if end.endswith("\\") or (known_language is TOML and "[" in end.splitlines()[-1] and end.endswith("\n")):
        return False
    if not BEGINS_TEXT.intersection(end):
        # It may end a field, and so go back to a text that was begun in front of it.
        return True
    ended = reading.fork()
    ended.advance(end)
    if is_code(ended):
        return True
    return not is_code(reading) and (is_comment(reading) or not is_comment(ended))
