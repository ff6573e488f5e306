"""The engine's disagreements with a suite, and the reason of each: the message of the language's judge."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fim_lsp.replay import judges
from quotient import EncodingError, Language, NoCompletion
from tests.laws.domains import BEYOND_GRAMMARS
from tests.suites.cases import Case, Suite

# A text that the suite counts as a fault, although it has our goal symbol: docs/languages.md defines a valid
# text.
OTHER_GOAL = "valid as a module or as what Node wraps into a function, the goals of our grammar"
MARK = "a byte order mark, which the engine passes over in files and RFC 8259 lets it pass over"
UNEXPLAINED = "unexplained"
# The names and expressions in a message about an early error.
SUBJECTS = re.compile(r"(?<=: )(Identifier|Label|Export|Duplicate export) '.*?'|(?<=expression: )/.*/: ")


@dataclass(frozen=True, slots=True)
class Difference:
    """A text on which the engine and the suite disagree."""

    name: str
    is_member: bool
    reason: str
    # Whether the language's law, beside the grammar, accepts it, too.
    is_lawful: bool


@dataclass(frozen=True, slots=True)
class Reading:
    """A suite as the engine reads it."""

    suite: Suite
    n_valid: int
    n_invalid: int
    # Texts without a verdict, by the reason.
    n_open: int
    differences: tuple[Difference, ...]
    # Valid texts that only the law refuses.
    refused_by_law: tuple[str, ...]


def read(suite: Suite) -> Reading:
    """Asks the engine about each text. Raises `NotFetched` and `NoJudge`."""
    language = Language.load(suite.language, suite.version)
    counts = {True: 0, False: 0, None: 0}
    found: list[Difference] = []
    refused: list[str] = []
    for case in suite.cases():
        wanted = verdict(suite, case)
        counts[wanted] += 1
        is_member = takes(language, case.content)
        is_lawful = is_member and keeps_the_law(language, case.content)
        if wanted is not None and is_member != wanted:
            found.append(Difference(case.name, is_member, reason(suite, case), is_lawful))
        elif wanted and not is_lawful:
            refused.append(case.name)
    return Reading(suite, counts[True], counts[False], counts[None], tuple(found), tuple(refused))


def takes(language: Language, content: bytes) -> bool:
    """Whether a text belongs to a language; bytes that are not text do not."""
    try:
        return language.recognizer(content, b"").is_member()
    except (NoCompletion, EncodingError):
        return False


def keeps_the_law(language: Language, content: bytes) -> bool:
    """Whether a text that the grammar accepts keeps the language's law, if it has one."""
    recognizer = language.recognizer(names=())
    text = content.decode().removeprefix("\ufeff")
    return not recognizer.has_law or (recognizer.advance(text) and recognizer.is_member())


def verdict(suite: Suite, case: Case) -> bool | None:
    """The suite's verdict, or the judge's if the suite leaves it open; None if both do."""
    if case.is_valid is not None:
        return case.is_valid
    try:
        said = judges.fault(suite.language, case.content.decode())
    except UnicodeDecodeError:
        return False
    return None if said is not None and kind(suite, said[1]) is not None else said is None


def reason(suite: Suite, case: Case) -> str:
    """The judge's message about a text that no grammar can decide."""
    try:
        text = case.content.decode()
    except UnicodeDecodeError:
        return UNEXPLAINED
    said = judges.fault(suite.language, text)
    if suite.language == "json" and text.startswith("\ufeff"):
        return MARK
    if suite.language == "javascript" and said is None:
        return UNEXPLAINED if case.is_valid else OTHER_GOAL
    return UNEXPLAINED if said is None else kind(suite, said[1]) or UNEXPLAINED


def kind(suite: Suite, said: str) -> str | None:
    """The kind of a judge's message about a text that no grammar can decide; each early error is a kind."""
    kinds = BEYOND_GRAMMARS.get(suite.language, {})
    found = next((told for begin, told in kinds.items() if said.startswith(begin)), None)
    return SUBJECTS.sub(lambda about: about[1] or "", said) if found == "early errors" else found
