"""The laws about one hole, as questions: the answer is None if the case keeps the law, and otherwise the
fault.

Each law is a pure function of the language and the case, so that `shrink` can run it again on smaller cases.
"""

from collections.abc import Callable
from random import Random
from typing import cast

from quotient import Language, NoCompletion, Recognizer
from tests.laws.cases import Case
from tests.laws.oracle import Verdict, verdict

Question = Callable[[Language, Case], str | None]
Judge = Callable[[str], Verdict]

NO_COMPLETION = "no completion, yet the file parses"
REJECTED_PREFIX = "a prefix of a valid middle does not advance"
NOT_MEMBER = "the file parses but is not a member"
WRONG_MEMBER = "a member that does not parse"
BAD_WITNESS = "the witness does not make a file that parses"
LONG_WITNESS = "a member whose witness is not empty"
NO_WITNESS = "no witness, though the text advanced"
EMPTY_WITNESS = "an empty witness, yet not a member"


def judge_of(language: Language) -> Judge:
    """The real parser of a language; CPython for a grammar that a test uses instead."""
    from tests.laws.domains import DOMAINS

    return DOMAINS.get(language.name, DOMAINS["python"]).judge


def true_prefixes(language: Language, case: Case) -> str | None:
    """Law a: every prefix of a middle that makes the file parse advances, and the whole middle is a
    member."""
    if judge_of(language)(case.whole) is not Verdict.VALID:
        return None
    try:
        recognizer = language.recognizer(case.left, case.right)
    except NoCompletion:
        return NO_COMPLETION
    return prefixes_advance(recognizer, case.middle)


def prefixes_advance(recognizer: Recognizer, middle: str) -> str | None:
    """Types the middle into the recognizer, character by character."""
    for character in middle:
        if not recognizer.advance(character):
            return REJECTED_PREFIX
    return None if recognizer.is_member() else NOT_MEMBER


def membership(language: Language, case: Case) -> str | None:
    """Law b: a text is a member exactly when CPython parses the whole file."""
    try:
        recognizer = language.recognizer(case.left, case.right)
    except NoCompletion:
        return NO_COMPLETION if judge_of(language)(case.whole) is Verdict.VALID else None
    return membership_of(recognizer, case, judge_of(language))


def membership_of(recognizer: Recognizer, case: Case, judge: Judge = verdict) -> str | None:
    """Types the middle at once and compares with the real parser."""
    advanced = recognizer.advance(case.middle)
    is_member = advanced and recognizer.is_member()
    judgement = judge(case.whole)
    if judgement is Verdict.BEYOND_LIMITS or is_member == (judgement is Verdict.VALID):
        return None
    if is_member:
        return WRONG_MEMBER
    return NOT_MEMBER if advanced else REJECTED_PREFIX


def witnessed(language: Language, case: Case) -> str | None:
    """Law c: after a text that advances, the witness makes the file parse; a member has an empty witness."""
    try:
        recognizer = language.recognizer(case.left, case.right)
    except NoCompletion:
        return None
    if not recognizer.advance(case.middle):
        return None
    return witness_of(recognizer, case, judge_of(language))


def witness_of(recognizer: Recognizer, case: Case, judge: Judge = verdict) -> str | None:
    """Asks a recognizer that has read the middle for its witness."""
    # The type promises a witness, and this checks it.
    witness = cast("str | None", recognizer.witness())
    is_member = recognizer.is_member()
    if witness is None:
        return NO_WITNESS
    if is_member and witness:
        return LONG_WITNESS
    if not is_member and not witness:
        return EMPTY_WITNESS
    judgement = judge(case.left + case.middle + witness + case.right)
    return BAD_WITNESS if judgement is Verdict.INVALID else None


def chunking(language: Language, case: Case) -> str | None:
    """Law e: chunks do not matter, forks are independent, and a failed advance changes nothing."""
    try:
        empty = language.recognizer(case.left, case.right)
    except NoCompletion:
        return None
    # The cuts depend on the case alone, so a shrunk case still fails in the same way.
    random = Random(case.middle)
    whole = empty.fork()
    advanced = whole.advance(case.middle)
    state = standing(whole) if advanced else standing(empty)
    if not advanced and standing(whole) != state:
        return "a failed advance changed the state"
    halves = random.sample(range(len(case.middle) + 1), min(3, len(case.middle) + 1))
    for cut in halves:
        if pieces_differ(empty, case.middle[:cut], case.middle[cut:], advanced, state):
            return "advance in two pieces differs from advance at once"
    data = case.middle.encode()
    for cut in random.sample(range(len(data) + 1), min(3, len(data) + 1)):
        if pieces_differ(empty, data[:cut], data[cut:], advanced, state):
            return "advance in two pieces of bytes differs from advance at once"
    bytewise = empty.fork()
    accepted = all(bytewise.advance(data[index : index + 1]) for index in range(len(data)))
    if accepted != advanced or (advanced and standing(bytewise) != state):
        return "advance byte by byte differs from advance at once"
    return None


def standing(recognizer: Recognizer) -> tuple[bool, str | None, str]:
    """The visible state of a recognizer."""
    return recognizer.is_member(), recognizer.witness(), str(recognizer.explain())


def pieces_differ(
    empty: Recognizer,
    one: str | bytes,
    other: str | bytes,
    advanced: bool,
    state: tuple[bool, str | None, str],
) -> bool:
    """Whether typing in two pieces differs, with a fork in between that reads other text."""
    recognizer = empty.fork()
    if not recognizer.advance(one):
        return advanced
    fork = recognizer.fork()
    before = standing(recognizer)
    fork.advance(")")
    fork.advance(b"\n")
    fork.advance("x")
    if standing(recognizer) != before:
        return True
    if not recognizer.advance(other):
        return advanced or standing(recognizer) != before
    return not advanced or standing(recognizer) != state


def survival(language: Language, case: Case) -> str | None:
    """Law h: for any texts, the engine answers or raises NoCompletion; anything else is our bug."""
    try:
        recognizer = language.recognizer(case.left, case.right)
        recognizer.advance(case.middle)
        recognizer.is_member()
        recognizer.witness()
        recognizer.explain()
    except (NoCompletion, UnicodeEncodeError):
        return None  # A lone surrogate is not text; PyO3 raises the same error as Python's own encoder.
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        return f"{type(error).__name__} instead of an answer"
    return None
