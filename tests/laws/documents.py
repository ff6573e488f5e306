"""Law f: a document's recognizers depend on its text alone, and not on the edits that led to it."""

from collections.abc import Callable, Iterator
from functools import partial
from random import Random

from quotient import Document, Language, NoCompletion, Recognizer
from tests.laws.cases import Case, Failure, Tally
from tests.laws.corrupt import corrupted
from tests.laws.pieces import PIECES
from tests.laws.small import PIECES as SMALL_PIECES
from tests.laws.sources import Source
from tests.laws.verdicts import witness_of


def editing_session(random: Random, language: Language, source: Source, tally: Tally) -> Iterator[Failure]:
    """Edit a document many times, moving the cursor, and compare it with a fresh start after each edit."""
    text = source.text
    document = language.document(text)
    edits: list[tuple[int, int, str]] = []
    for step in range(12):
        # A broken file has few holes to ask about, so every third edit repairs it.
        start, stop, new = mending(text, source.text) if step % 3 == 2 else edit(random, text, source.text)
        document.edit(start, stop, new)
        edits.append((start, stop, new))
        text = text[:start] + new + text[stop:]
        tally["edits"] += 1
        if document.text != text:
            yield Failure(
                "f", "the document's text is not the edited text", Case(text, "", ""), origin=source.name
            )
            return
        for _ in range(2):
            left, right = hole_near(random, text, start, start + len(new))
            tally["holes"] += 1
            problem = difference(random, language, document, text, left, right, tally)
            if problem is not None:
                case = Case(text[:left], text[left:right], text[right:])
                kind, _, detail = problem.partition(": ")
                yield Failure("f", kind, case, f"{detail} edits {edits}", source.name)
                return
    yield from bad_offsets(random, document, text, tally)


def edit(random: Random, text: str, donor: str) -> tuple[int, int, str]:
    """Return a random edit: one typed character, one deletion, or a corrupted stretch."""
    start = random.randint(0, len(text))
    match random.randrange(3):
        case 0:
            return start, start, random.choice(SMALL_PIECES)
        case 1:
            return start, min(len(text), start + random.randint(1, 5)), ""
        case _:
            stop = min(len(text), start + random.randint(0, 300))
            return start, stop, corrupted(random, text[start:stop], donor)


def mending(text: str, wanted: str) -> tuple[int, int, str]:
    """Return the smallest edit that leads back to the wanted text."""
    prefix = common_length(text, wanted)
    suffix = common_length(text[prefix:][::-1], wanted[prefix:][::-1])
    return prefix, len(text) - suffix, wanted[prefix : len(wanted) - suffix]


def common_length(one: str, other: str) -> int:
    """Return how many characters two texts begin with in common."""
    pairs = zip(one, other, strict=False)
    return next((index for index, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def hole_near(random: Random, text: str, start: int, stop: int) -> tuple[int, int]:
    """Return a hole: over the last edit, at the cursor behind it, or anywhere."""
    match random.randrange(3):
        case 0:
            return max(0, start - random.randint(0, 10)), min(len(text), stop + random.randint(0, 10))
        case 1:
            return stop, stop
        case _:
            left = random.randint(0, len(text))
            return left, min(len(text), left + random.randint(0, 60))


def difference(
    random: Random, language: Language, document: Document, text: str, left: int, right: int, tally: Tally
) -> str | None:
    """Return how the document's recognizer differs from a fresh one, if it does."""
    kept = recognizer_or_reason(lambda: document.recognizer(left, right))
    fresh = recognizer_or_reason(lambda: language.recognizer(text[:left], text[right:]))
    if isinstance(kept, tuple) or isinstance(fresh, tuple):
        tally["holes without completion"] += 1
        return None if kept == fresh else f"another NoCompletion: {kept}, but {fresh} from a fresh start"
    typed = ""
    for _ in range(6):
        if kept.is_member() != fresh.is_member():
            return f"is_member differs: after {typed!r}"
        case = Case(text[:left], typed, text[right:])
        problem = witness_of(kept, case)
        if problem is not None:
            where = "anywhere" if witness_of(fresh, case) == problem else "in the document only"
            return f"{problem}, {where}: after {typed!r}"
        if len(kept.witness() or "") != len(fresh.witness() or ""):
            return f"witnesses differ in length: after {typed!r}"
        piece = random.choice((random.choice(PIECES), text[left + len(typed) : right][:10]))
        answers = kept.advance(piece), fresh.advance(piece)
        if answers[0] != answers[1]:
            return f"advance differs: {piece!r} after {typed!r}"
        typed += piece if answers[0] else ""
    return None


def recognizer_or_reason(make: Callable[[], Recognizer]) -> Recognizer | tuple[str, int]:
    """Return the recognizer, or side and offset of the NoCompletion."""
    try:
        return make()
    except NoCompletion as reason:
        return reason.side, reason.offset


def bad_offsets(random: Random, document: Document, text: str, tally: Tally) -> Iterator[Failure]:
    """Offsets outside of the text, or in the wrong order, are ValueErrors and change nothing."""
    n = len(text)
    far = random.randint(1, 2**40)
    for start, stop in ((-1, 0), (0, n + far), (n + far, n + far), (n + 1, n), (-far, -far)):
        tally["bad offsets"] += 2
        acts = (partial(document.recognizer, start, stop), partial(document.edit, start, stop, "x"))
        if not all(is_refused(act) for act in acts):
            case = Case(text, "", "")
            yield Failure("f", "no ValueError for offsets out of range", case, f"{start}, {stop} of {n}")
    if document.text != text:
        yield Failure("f", "a refused edit changed the text", Case(text, "", ""))


def is_refused(act: Callable[[], object]) -> bool:
    """Return whether the act is a ValueError."""
    try:
        act()
    except ValueError:
        return True
    except NoCompletion:
        return False
    return False
