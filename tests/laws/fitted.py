"""The laws of fitting: a text that fits is unchanged, every result parses, and no other text is nearer.

Brute force searches for the nearest text: every beginning of the text with every short end behind it.
"""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from random import Random

from fim_lsp import Fit, Fitting, fit
from fim_lsp.document.syntax import parser
from fim_lsp.fitting.fit import place_of
from fim_lsp.fitting.nearest import FittingContext
from fim_lsp.fitting.tags import has_right_tags, has_tags
from fim_lsp.recognizers import is_code, is_comment
from quotient import Language, NoCompletion, Recognizer
from tests.laws.cases import Case
from tests.laws.corrupt import corrupted
from tests.laws.oracle import Verdict
from tests.laws.verdicts import judge_of
from tests.laws.words import Words

TOUCHED = "a text that fits is touched"
BROKEN = "what was made to fit does not parse"
LAWLESS = "what was made to fit defines a key twice"
UNTOUCHED = "a text that does not parse is not touched"
IN_PIECES = "a text that comes in pieces is fitted otherwise"
HOPELESS = "a text that fits was called hopeless"
FARTHER = "a nearer text fits"

# The characters of possible ends, and those of ends with three characters.
SIGNS = ")]}'\"`;:,({[=a0 \n"
CLOSERS = ")]};\n"
BEGINS_TEXT = "'\"`#/"


def texts(random: Random, case: Case, donor: str, words: Words) -> Iterator[str]:
    """Texts that a writer might produce: the middle, whole, damaged, cut off, running over, or begun too
    early."""
    middle, right = case.middle, case.right
    yield middle
    cut_off = middle[: random.randint(0, len(middle))]
    yield cut_off
    over = right[: random.choice((random.randint(0, 20), right.find("\n", 1) + 1, random.randint(0, 200)))]
    yield middle + over
    yield cut_off + over
    for text in (middle, middle + over, cut_off):
        yield corrupted(random, text, donor, words)
    before = case.left[-random.randint(0, 80) :]
    yield before + middle


def fitted(language: Language, case: Case) -> str | None:
    """What is wrong with the fitted middle, if anything is."""
    judge = judge_of(language)
    found = fit(case.left, case.middle, case.right, language=language)
    judgement = judge(case.whole)
    if judgement is Verdict.VALID and found.is_changed:
        return TOUCHED
    if judgement is Verdict.INVALID and not found.is_changed:
        return UNTOUCHED
    text = found.text if found.is_changed else None
    if text is not None and judge(case.left + text + case.right) is Verdict.INVALID:
        return BROKEN
    if text is not None and breaks_law(language, case, text):
        return LAWLESS
    return in_pieces(language, case, found)


def breaks_law(language: Language, case: Case, text: str) -> bool:
    """Whether a text defines a key of TOML twice. Its parser cannot say so, since a file may do so without
    the text."""
    if language.name != "toml":
        return False
    reading = language.recognizer(case.left, case.right, ())
    return not (reading.advance(text) and reading.is_member())


def in_pieces(language: Language, case: Case, found: Fit) -> str | None:
    """Compares the text of a case with the same text as a stream, in pieces that depend on the case alone."""
    random = Random(case.middle)
    fitting = Fitting(case.left, case.right, language=language)
    place, is_alive = 0, True
    while place < len(case.middle):
        stop = place + random.randint(1, 12)
        is_alive = fitting.feed(case.middle[place:stop]) and is_alive
        place = stop
    if not is_alive and not found.is_changed:
        return HOPELESS
    return None if fitting.fit() == found else IN_PIECES


def nearest(language: Language, case: Case) -> str | None:
    """Reports a text that is nearer to the middle than the fitted one."""
    try:
        # TOML's parsers refuse a key twice.
        names = () if language.name == "toml" else None
        recognizer = language.recognizer(case.left, case.right, names)
    except NoCompletion:
        return None
    found = fit(case.left, case.middle, case.right, language=language)
    if not found.is_changed:
        return None
    place = place_of(language, case.left, case.right, None)
    best = least_distance(recognizer, case, partial(is_known_to_be_right, place))
    return FARTHER if best is not None and best < distance(found, case.right) else None


def is_known_to_be_right(place: FittingContext, text: str) -> bool:
    """Whether the tags in a text that the grammar accepts have matching names."""
    if not has_tags(place.left + text + place.right, place):
        return True
    assert place.known_language is not None
    whole = (place.left + text + place.right).encode()
    return has_right_tags(text, place) and not parser(place.known_language).parse(whole).root_node.has_error


def distance(found: Fit, right: str) -> float:
    """The distance of a result from the original text."""
    if found.text is None:
        return float("inf")
    is_head_again = found.is_moved and any(
        line.rstrip().endswith(":") for line in found.said_before.splitlines()
    )
    is_head_in_fence = found.is_unfenced and found.said_before.rstrip().endswith(("{", ":"))
    n_changes = 1 if is_head_again else found.is_moved + (bool(found.said_before) and not is_head_in_fence)
    return n_lost(found.dropped, right) + len(found.added.strip()) + n_changes


def least_distance(recognizer: Recognizer, case: Case, is_taken: Callable[[str], bool]) -> int | None:
    """The distance of the nearest accepted text among those with an end of at most three characters."""
    text = case.middle
    # Only TOML's law holds in all holes.
    key = case.right if recognizer.has_law else ""
    distances: list[int] = []
    for length in range(len(text) + 1):
        if 0 < length < len(text) and is_word(text[length - 1]) and is_word(text[length]):
            continue
        stand = recognizer.fork()
        if not stand.advance(text[:length]):
            break
        is_said = bool(text[:length].strip())
        behind_word = 0 < length < len(text) and is_word(text[length - 1])
        lost = n_lost(text[length:], case.right)
        if stand.is_member() and is_taken(text[:length]):
            distances.append(lost)
        elif is_said and not stand.is_member():
            found = shortest_end(stand, behind_word, partial(is_taken_behind, is_taken, text[:length], key))
            distances += [] if found is None else [lost + found]
    return min(distances, default=None)


def is_taken_behind(is_taken: Callable[[str], bool], beginning: str, key: str, end: str) -> bool:
    """Whether the text with an end is taken, which may not rename the key of TOML behind it."""
    return is_taken(beginning + end) and not (is_word(end[-1]) and is_word(key[:1] or " "))


def shortest_end(stand: Recognizer, behind_word: bool, is_taken: Callable[[str], bool]) -> int | None:
    """The length of the shortest end that swallows nothing of the right side and creates no other word."""
    was_text, was_comment = not is_code(stand), is_comment(stand)
    for signs in (*product(SIGNS), *product(SIGNS, SIGNS), *product(CLOSERS, repeat=3)):
        end, ended = "".join(signs), stand.fork()
        if (behind_word and is_word(end[0])) or not ended.advance(end) or not ended.is_member():
            continue
        takes_in = any(sign in BEGINS_TEXT for sign in end) and not is_code(ended)
        if takes_in and not (was_text and (was_comment or not is_comment(ended))):
            continue
        if is_taken(end):
            return len(end)
    return None


def n_lost(rest: str, right: str) -> int:
    """The number of characters of a rest, without white space, that the right side does not begin with."""
    ours = [index for index, character in enumerate(rest) if not character.isspace()]
    theirs = [index for index, character in enumerate(right) if not character.isspace()]
    count = 0
    for one, other in zip(ours, theirs, strict=False):
        if rest[one] != right[other]:
            break
        count += 1
    while count and (splits_word(rest, ours[count - 1]) or splits_word(right, theirs[count - 1])):
        count -= 1
    return len(ours) - count


def splits_word(text: str, last: int) -> bool:
    return is_word(text[last]) and is_word(text[last + 1 : last + 2] or " ")


def is_word(character: str) -> bool:
    return character.isalnum() or character in "_$"
