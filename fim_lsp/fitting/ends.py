"""The shortest end that can be put behind a text so that the file parses.

No programmer would type some of the engine's shortest texts: a comment that swallows the rest of the line, a
quote that swallows the lines below, a backslash that joins them, a letter that changes the word in front.
Then the shortest other end is searched.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from fim_lsp.known_languages import TOML, WITH_TAGS, KnownLanguage
from fim_lsp.positions import lines_of
from fim_lsp.recognizers import fits, is_between_tags, is_code, is_comment
from quotient import Recognizer

# Characters that close something; all others in an end are invented.
CLOSERS = frozenset(")]}>'\"`;:, \t\r\n")
# What strings and comments begin with.
BEGINS_TEXT = frozenset("'\"`#/")
# The characters of the ends that are tried if the engine's own end swallows text right of the cursor.
TRIED = ")]}>'\"`;:,({[<+-*/=.!?&|@ \na0"


def is_word(character: str) -> bool:
    return character.isalnum() or (character != "" and character in "_$")


def extends_word(character: str, known_language: KnownLanguage | None) -> bool:
    """Whether a character makes the word in front of it a longer one: keys of TOML hold hyphens."""
    return is_word(character) or (known_language is TOML and character == "-")


def is_inside_word(text: str, place: int) -> bool:
    """Whether a place lies inside a word."""
    return 0 < place < len(text) and is_word(text[place - 1]) and is_word(text[place])


def n_invented(end: str) -> int:
    """How many characters of an end close nothing."""
    return sum(character not in CLOSERS for character in end)


def end_of(
    reading: Recognizer, known_language: KnownLanguage | None, longest: int | None, behind_word: bool
) -> str | None:
    """The shortest acceptable end, of at most `longest` characters; None if none is found.

    `reading` has read the text. `behind_word` says that the text was cut behind a word: then the end may not
    begin with a letter.
    """
    witness = reading.witness()
    # If the engine finds no witness that keeps the law, it gives one that only the grammar allows.
    if reading.has_law and not fits(reading, witness):
        return None
    shortest = len(witness)
    if longest is not None and shortest > longest:
        return None
    is_lawful = True
    if behind_word and extends_word(witness[0], known_language):
        # White space separates the end from the word.
        apart = reading.fork()
        if not apart.advance(" "):
            return None
        rest = apart.witness()
        is_lawful = not reading.has_law or fits(apart, rest)
        is_apart = extends_word(rest[:1] or "a", known_language) or not fits(reading, rest)
        witness = " " + rest if is_apart else rest
    if not is_lawful or not is_wanted(reading, witness, known_language):
        lengths = range(shortest, len(witness) + 2 if longest is None else longest + 1)
        return other_end(reading, witness, known_language, lengths, behind_word)
    return witness if longest is None or len(witness) <= longest else None


def other_end(
    reading: Recognizer,
    unwanted: str,
    known_language: KnownLanguage | None,
    lengths: range,
    behind_word: bool,
) -> str | None:
    """An end that swallows nothing: one or two characters, or the unwanted end with these for its last one.

    `lengths` begins at the length of the engine's own end, since none is shorter.
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
        is_longer_word = behind_word and extends_word(end[0], known_language)
        if not is_longer_word and is_wanted(reading, end, known_language):
            return end
    return None


def short_ends(reading: Recognizer, lengths: range) -> Iterator[str]:
    """Ends of one or two characters, the shorter first, if `lengths` holds these lengths."""
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
            if fits(stand, other):
                yield character + other


def is_wanted(reading: Recognizer, end: str, known_language: KnownLanguage | None) -> bool:
    """Whether an end swallows nothing right of the cursor, neither into a text nor into its own line."""
    if known_language is None:
        return True
    # A new table of TOML would swallow the keys below it.
    if end.endswith("\\") or (known_language is TOML and end.endswith("\n") and "[" in lines_of(end)[-1]):
        return False
    if not BEGINS_TEXT.intersection(end):
        # The end may close a field and so return to a string that began earlier.
        return True
    ended = reading.fork()
    ended.advance(end)
    # The end of an element may return to the text of the one around it.
    if is_code(ended) or (known_language in WITH_TAGS and is_between_tags(ended)):
        return True
    return not is_code(reading) and (is_comment(reading) or not is_comment(ended))
