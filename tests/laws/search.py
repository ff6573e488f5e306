"""Laws checked by trying every short text: what the engine calls dead has no completion."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from random import Random

from quotient import Language, NoCompletion, Recognizer
from tests.laws.cases import Case, Failure, Tally
from tests.laws.oracle import Verdict, parses, verdict
from tests.laws.small import COMPLETIONS, PIECES
from tests.laws.verdicts import (
    NO_COMPLETION,
    NOT_MEMBER,
    REJECTED_PREFIX,
    WRONG_MEMBER,
    prefixes_advance,
    witness_of,
)


def completion(random: Random, left: str, right: str, tries: int = 300) -> str | None:
    """Look for a text that makes the file parse: all of one or two pieces, then some longer ones."""
    for first in ("", *COMPLETIONS):
        for second in ("", *COMPLETIONS):
            if parses(left + first + second + right):
                return first + second
    return random_completion(random, left, right, tries)


def random_completion(random: Random, left: str, right: str, tries: int) -> str | None:
    """Look for a text that makes the file parse among random sequences of pieces."""
    for _ in range(tries):
        text = "".join(random.choice(COMPLETIONS) for _ in range(random.randint(1, 6)))
        if parses(left + text + right):
            return text
    return None


@dataclass(frozen=True, slots=True)
class Hole:
    """A hole in a tiny file, and the alphabet from which texts for it are made."""

    left: str
    right: str
    alphabet: tuple[str, ...]

    def case(self, text: str) -> Case:
        """Return the case of typing the text into this hole."""
        return Case(self.left, text, self.right)


def tiny_hole(random: Random, text: str, size: int) -> Hole:
    """Cut a tiny file at two places; the alphabet holds pieces of what was between them, and others."""
    start = random.randint(0, len(text))
    stop = min(len(text), start + random.choice((0, 0, 1, 2, 5, 20)))
    own = random.sample(text[start:stop], min(2, stop - start))
    alphabet = dict.fromkeys((*own, "\n", "a", *random.sample(PIECES, size)))
    return Hole(text[:start], text[stop:], tuple(alphabet)[:size])


def every_short_text(
    random: Random, language: Language, hole: Hole, depth: int, tally: Tally
) -> Iterator[Failure]:
    """Law d: over all texts of up to `depth` pieces, compare every verdict of the engine with CPython's.

    A text is alive when some valid text begins with it. So each prefix of a valid text must advance. A text
    that the engine calls dead may have no valid extension, neither among these texts nor among some longer
    ones.
    """
    texts = dict.fromkeys(
        "".join(text) for n in range(depth + 1) for text in product(hole.alphabet, repeat=n)
    )
    judged = {text: verdict(hole.left + text + hole.right) for text in texts}
    valid = [text for text, judgement in judged.items() if judgement is Verdict.VALID]
    tally["contexts"] += 1
    tally["texts"] += len(judged)
    tally["valid texts"] += len(valid)
    try:
        empty = language.recognizer(hole.left, hole.right)
    except NoCompletion:
        tally["contexts without completion"] += 1
        found = valid[0] if valid else completion(random, hole.left, hole.right)
        if found is not None:
            yield Failure("d", NO_COMPLETION, hole.case(found))
        return
    for text in valid:
        problem = prefixes_advance(empty.fork(), text)
        if problem is not None:
            yield Failure("d", problem, hole.case(text))
            return
    yield from check_tree(random, empty, hole, judged, tally)


def check_tree(
    random: Random, empty: Recognizer, hole: Hole, judged: dict[str, Verdict], tally: Tally
) -> Iterator[Failure]:
    """Asks the engine about every text, and at a share of the states for witnesses and completions."""
    for text, judgement in judged.items():
        recognizer = empty.fork()
        if recognizer.advance(text):
            if recognizer.is_member() and judgement is Verdict.INVALID:
                yield Failure("d", WRONG_MEMBER, hole.case(text))
                return
            if random.random() < 0.1:
                tally["witnesses"] += 1
                problem = witness_of(recognizer, hole.case(text))
                if problem is not None:
                    yield Failure("d", problem, hole.case(text))
                    return
        else:
            tally["dead texts"] += 1
            if judgement is Verdict.VALID:
                yield Failure("d", NOT_MEMBER, hole.case(text))
                return
            if random.random() < 0.05:
                tally["dead texts searched"] += 1
                found = random_completion(random, hole.left + text, hole.right, 30)
                if found is not None:
                    yield Failure("d", REJECTED_PREFIX, hole.case(text + found))
                    return


def nothing_fits(random: Random, language: Language, case: Case, tally: Tally) -> Iterator[Failure]:
    """Law g: NoCompletion exactly if no text fits; the middle is now unknown.

    A wrong NoCompletion is revealed by a completion that a search finds, or by the true middle; a missing one
    by a witness that does not parse.
    """
    tally["contexts"] += 1
    try:
        recognizer = language.recognizer(case.left, case.right)
    except NoCompletion as reason:
        tally["without completion"] += 1
        tally[f"without completion: {reason.side}"] += 1
        problem = offset_problem(language, case, reason)
        if problem is not None:
            yield Failure(
                "g", problem, Case(case.left, "", case.right), f"side {reason.side}, offset {reason.offset}"
            )
        found = case.middle if parses(case.whole) else None
        if found is None and len(case.whole) < 200:
            found = completion(random, case.left, case.right)
        if found is not None:
            yield Failure("g", NO_COMPLETION, Case(case.left, found, case.right))
        return
    problem = witness_of(recognizer, Case(case.left, "", case.right))
    if problem is not None:
        yield Failure("g", problem, Case(case.left, "", case.right))


def fits(language: Language, left: str, right: str) -> bool:
    """Whether the engine knows a text between these two."""
    try:
        language.recognizer(left, right)
    except NoCompletion:
        return False
    return True


def offset_problem(language: Language, case: Case, reason: NoCompletion) -> str | None:
    """Checks the side and the offset in a NoCompletion: the first place that cannot be repaired.

    On the left that is the first character that no text in front of it allows.
    """
    side, offset = reason.side, reason.offset
    left, right = case.left, case.right
    match side:
        case "left":
            if not 0 <= offset < len(left):
                return "the offset lies outside of the left side"
            if not fits(language, left[:offset], ""):
                return "the left side ends before the offset and still has no completion"
            return (
                "the left side up to the offset has a completion"
                if fits(language, left[: offset + 1], "")
                else None
            )
        case "right":
            # Strings and comments that begin in the hole may hide any place, so what "first" means is the
            # engine's choice; the place lies in the context or at its end.
            return None if 0 <= offset <= len(right) else "the offset lies outside of the right side"
        case "both":
            if not (fits(language, left, "") and fits(language, "", right)):
                return "one side alone has no completion, yet both are blamed"
            return None
