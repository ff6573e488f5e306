"""The law that a witness is a shortest text: no known completion is shorter, and none that a search finds.

The only exception is a joined line break in the white space at the beginning of a line: behind a tab, three
bytes can stand for eight spaces there, while the engine writes the spaces.
"""

import re
from collections.abc import Iterator
from random import Random

from quotient import Language, NoCompletion, Recognizer
from tests.laws.cases import Case, Failure, Tally
from tests.laws.oracle import parses

SHORTER = "a shorter text than the witness makes the file parse"

# The characters of texts of up to three: all punctuation, a few letters and digits, and layout.
SIGNS = "#'\"()[]{}=:,.;\\*@-!+<"
OTHERS = "aefilnorst_01jxN \n\t\r"

_JOINED_WHITE_SPACE = re.compile(r"(?:^|[\n\r])(?:[ \t\f]*\\[\n\r]|[ \f]*\t[ \t\f]*\\)")


def joins_white_space(left: str, text: str) -> bool:
    """Whether a text joins lines in the white space at the beginning of a line, or behind a tab there."""
    line = left[max(left.rfind("\n"), left.rfind("\r")) + 1 :]
    return _JOINED_WHITE_SPACE.search((line if not line.strip(" \t\f\\") else "-") + text) is not None


def no_known_text_is_shorter(recognizer: Recognizer, case: Case, tally: Tally) -> Iterator[Failure]:
    """The true middle of a damaged file, if it still fits, is not shorter than the witness."""
    if not case.middle or not parses(case.whole) or joins_white_space(case.left, case.middle):
        return
    tally["known completions"] += 1
    witness = recognizer.witness()
    if len(witness.encode()) > len(case.middle.encode()):
        yield Failure("j", SHORTER, case, f"witness {witness!r}, shorter {case.middle!r}")


def no_short_text_is_shorter(
    random: Random, language: Language, case: Case, tally: Tally
) -> Iterator[Failure]:
    """No fitting text of at most three characters is shorter than the witness."""
    try:
        recognizer = language.recognizer(case.left, case.right)
    except NoCompletion:
        return
    witness = recognizer.witness()
    tally["witnesses"] += 1
    longest = min(len(witness.encode()) - 1, 3)
    own = dict.fromkeys((case.left[-12:] + case.right[:12] + case.middle[:6]).replace("\f", ""))
    alphabet = "".join(dict.fromkeys((*SIGNS, *OTHERS, *(sign for sign in own if sign.isascii()))))
    if longest == 3:
        alphabet = "".join(random.sample(alphabet, 16))
    found = shorter_text(recognizer, case.left, longest, alphabet, tally)
    if found is not None and parses(case.left + found + case.right):
        reached = Case(case.left, found, case.right)
        yield Failure("j", SHORTER, reached, f"witness {witness!r}, shorter {found!r}")


def shorter_text(
    recognizer: Recognizer, left: str, longest: int, alphabet: str, tally: Tally, text: str = ""
) -> str | None:
    """A fitting text of at most `longest` characters, if there is one."""
    if len(text) >= longest:
        return None
    behind = []
    for character in alphabet:
        tally["texts"] += 1
        fork = recognizer.fork()
        if not fork.advance(character) or joins_white_space(left, text + character):
            continue
        if fork.is_member():
            return text + character
        behind.append((character, fork))
    for character, fork in behind:
        found = shorter_text(fork, left, longest, alphabet, tally, text + character)
        if found is not None:
            return found
    return None
