"""Checks of names on real files and on invented programs, in shares that have a seed each.

middles    true middles are accepted, character by character, and witnesses on the way use existing names
           and compile; inserted wrong names are refused. A middle that uses a name that its file lacks, by
           pyflakes, is counted and left out
masks      a mask with names equals reading each token; the beginnings of an allowed token are allowed
invented   `is_member` with names equals `compile`'s verdict, on programs made of what compilers refuse
spoilt     the same on real files with a statement of another place in them
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache
from random import Random

from fim_lsp.replay.typing.undefined import FilledText
from quotient import Language, NoCompletion, Recognizer, Vocabulary
from tests.laws.cases import Case, Failure, Outcome
from tests.masks import vocabularies
from tests.masks.law import allowed, differences
from tests.names.compilers import PARSER, compiler
from tests.names.files import draw
from tests.names.middles import Middle, has_star_import, middles, planted
from tests.names.programs import KNOWN, programs
from tests.names.undefined import Finding, asked_of_pyflakes

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.15")
PER_FILE = 6
# The number of last pieces of a text in front of which masks are computed.
NEAR = 40
UNDEFINED = "is not defined here"


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a check, in one version."""

    check: str
    version: str
    count: int
    seed: str
    largest: int


@cache
def language_of(version: str) -> Language:
    return Language.load("python", version=version)


def check(share: Share) -> Outcome:
    """Runs one share."""
    return CHECKS[share.check](share)


def refusal(recognizer: Recognizer, text: str, on_prefix: Callable[[int], None] | None = None) -> str:
    """The reason at the first refused character of a text; empty for an accepted text."""
    for index, character in enumerate(text):
        if on_prefix is not None:
            on_prefix(index)
        if not recognizer.advance(character):
            found = recognizer.refusal(character)
            return "the grammar" if found is None else found[2]
    if recognizer.is_member():
        return ""
    found = recognizer.refusal("")
    return "the text may not end there" if found is None else found[2]


def holes(share: Share, random: Random, outcome: Outcome) -> "list[tuple[str, Middle, bool]]":
    """The holes of one file: the file's name, the hole, and whether any name may exist in it."""
    path, text = draw(random, share.version, share.largest)
    found = []
    for middle in middles(random, text, PER_FILE):
        try:
            plain = language_of(share.version).recognizer(middle.left, middle.right)
        except NoCompletion:
            outcome.tally["left out: the grammar does not read the file"] += 1
            continue
        if not plain.advance(middle.text) or not plain.is_member():
            outcome.tally["left out: the grammar does not read the file"] += 1
            continue
        found.append((f"{path}:{middle.left.count(chr(10)) + 1}", middle, has_star_import(text)))
    return found


def fail(outcome: Outcome, share: Share, kind: str, middle: Middle, detail: str, origin: str) -> None:
    outcome.tally["failures"] += 1
    outcome.tally[f"failure: {kind}"] += 1
    case = Case(middle.left, middle.text, middle.right)
    outcome.failures.append(Failure(share.check, f"{share.version} {kind}", case, detail, origin))


def true_middles(share: Share) -> Outcome:
    """True middles, witnesses on the way, and inserted names."""
    random, outcome, language = Random(share.seed), Outcome(), language_of(share.version)
    judge = compiler(share.version)
    while outcome.tally["middles"] < share.count:
        for origin, middle, is_open in holes(share, random, outcome):
            if lacks_name(middle):
                outcome.tally["left out: the file lacks a name that the middle uses"] += 1
                continue
            outcome.tally["middles"] += 1
            outcome.tally[f"middles: {middle.kind}"] += 1
            recognizer = language.recognizer(middle.left, middle.right, names=())
            stop = random.randint(0, len(middle.text))
            witnesses: list[str] = []

            def ask(index: int) -> None:
                if index == stop:  # noqa: B023
                    witnesses.append(middle.text[:index] + recognizer.witness())  # noqa: B023

            words = refusal(recognizer, middle.text, ask)
            if words:
                fail(outcome, share, "a true middle is refused", middle, words, origin)
                continue
            for text in witnesses:
                outcome.tally["witnesses"] += 1
                filled = Middle(middle.kind, middle.left, text, middle.right)
                words = refusal(language.recognizer(middle.left, middle.right, names=()), text)
                if words:
                    fail(outcome, share, "a witness does not fit", filled, words, origin)
                elif judge is not None and (why := judge.refusals([middle.left + text + middle.right])[0]):
                    fail(outcome, share, "a witness does not compile", filled, why, origin)
            wrong = None if is_open else planted(random, middle)
            if wrong is not None:
                outcome.tally["planted names"] += 1
                if not refusal(language.recognizer(wrong.left, wrong.right, names=()), wrong.text):
                    fail(outcome, share, "a planted name is let through", wrong, "", origin)
    return outcome


def lacks_name(middle: Middle) -> bool:
    """Whether a middle uses a name that its file nowhere binds, by pyflakes."""
    start, stop = len(middle.left), len(middle.left) + len(middle.text)
    found = undefined_names(middle.left + middle.text + middle.right)
    return any(one.offset < stop and one.offset + len(one.name) > start for one in found)


@lru_cache(maxsize=1)
def undefined_names(text: str) -> tuple[Finding, ...]:
    """The findings of pyflakes in a file, cached because several middles come from each file."""
    found = asked_of_pyflakes(FilledText(text, 0, 0), "a.py")
    return tuple(one for one in found if one.code == "UndefinedName")


def masks(share: Share) -> Outcome:
    """Masks compared with brute force."""
    random, outcome, language = Random(share.seed), Outcome(), language_of(share.version)
    vocabulary = vocabularies.load("made")
    while outcome.tally["masks"] < share.count:
        for origin, middle, _ in holes(share, random, outcome):
            recognizer = language.recognizer(middle.left, middle.right, names=())
            typed = middle.text[: random.randint(0, len(middle.text))]
            # The first mask computes the part that all masks share.
            pieces = re.findall(r"\w+|\s+|.", typed, re.DOTALL)
            if not recognizer.advance("".join(pieces[:-NEAR])):
                continue
            if not all(asked(recognizer, vocabulary, piece) for piece in pieces[-NEAR:]):
                continue
            outcome.tally["masks"] += 1
            place = Middle(middle.kind, middle.left, typed, middle.right)
            if different := differences(recognizer, vocabulary):
                fail(outcome, share, "a mask differs", place, str(different[:8]), origin)
            if broken := broken_beginnings(recognizer, vocabulary):
                fail(outcome, share, "a token's beginning is refused", place, str(broken[:8]), origin)
    return outcome


def asked(recognizer: Recognizer, vocabulary: Vocabulary, text: str) -> bool:
    """Asks for a mask, then for a text."""
    recognizer.mask(vocabulary)
    return recognizer.advance(text)


def broken_beginnings(recognizer: Recognizer, vocabulary: Vocabulary) -> list[bytes]:
    """The tokens that are allowed although one of their beginnings is not. Words beyond ASCII are not judged,
    but their beginnings are."""
    mask = recognizer.mask(vocabulary).tolist()
    found = []
    for index in allowed(mask, len(vocabulary)) - set(vocabulary.eos):
        token = vocabulary.token(index)
        fork = recognizer.fork()
        if token.isascii() and not all(fork.advance(token[at : at + 1]) for at in range(len(token))):
            found.append(token)
    return found


def invented(share: Share) -> Outcome:
    """Invented programs, all of whose names exist."""
    outcome = Outcome()
    random = Random(share.seed)
    while outcome.tally["texts"] < share.count:
        for program in programs(random, share.version, 1):
            judged(share, outcome, Middle("", program.left, "", program.right), program.texts, KNOWN, "")
    return outcome


def spoilt(share: Share) -> Outcome:
    """Real files with statements of other places."""
    random, outcome = Random(share.seed), Outcome()
    texts = list(RISKY)
    while outcome.tally["texts"] < share.count:
        for origin, middle, _ in holes(share, random, outcome):
            if middle.kind in ("line", "block"):
                texts = [*texts[-60:], middle.text]
                chosen = (middle.text, *random.sample(texts, min(4, len(texts))), *random.sample(RISKY, 3))
                judged(share, outcome, middle, chosen, (), origin)
    return outcome


# Texts that compilers often refuse.
RISKY = (
    *("return", "return 1", "yield", "yield 1", "x = yield", "await x", "break", "continue"),
    *("global x", "nonlocal x", "global self", "nonlocal self", "x = await y", "import *", "*x"),
    *("from os import *", "from __future__ import annotations", "[x async for x in y]", "x = *y"),
    *("async with x: pass", "async for x in y: pass", "def f(x, x): pass", "f(x=1, x=2)", "*x, *y = z"),
    *("pass\nclass A:\n    return", "def f():\n    pass", "for x in y: break", "lambda: (yield)", "*x = y"),
)


def judged(
    share: Share,
    outcome: Outcome,
    hole: Middle,
    texts: tuple[str, ...],
    known: tuple[str, ...],
    origin: str,
) -> None:
    """Compares verdicts on texts for a hole, if one of them compiles; otherwise the fault is outside the
    hole."""
    judge = compiler(share.version)
    assert judge is not None
    refusals = judge.refusals([hole.left + text + hole.right for text in texts])
    if "" not in refusals:
        outcome.tally["left out: nothing compiles"] += 1
        return
    language = language_of(share.version)
    try:
        plain = language.recognizer(hole.left, hole.right)
    except NoCompletion:
        return
    named = language.recognizer(hole.left, hole.right, names=list(known))
    for text, why in zip(texts, refusals, strict=True):
        own = plain.fork()
        if why is None or why.startswith(PARSER) or not own.advance(text) or not own.is_member():
            outcome.tally["left out: the grammar's business"] += 1
            continue
        words = refusal(named.fork(), text)
        if UNDEFINED in words:
            outcome.tally["left out: a name is not defined"] += 1
            continue
        outcome.tally["texts"] += 1
        outcome.tally["texts that compile"] += why == ""
        filled = Middle(hole.kind, hole.left, text, hole.right)
        if why and not words:
            general = re.sub(r"'.*?'", "'...'", why).split(" (")[0]
            fail(outcome, share, f"let through: {general}", filled, why, origin)
        elif words and not why:
            general = re.sub(r"`.*?`", "`...`", words)
            fail(outcome, share, f"refused: {general}", filled, words, origin)


CHECKS: dict[str, Callable[[Share], Outcome]] = {
    "middles": true_middles,
    "masks": masks,
    "invented": invented,
    "spoilt": spoilt,
}
# The unit of each check, and its full count.
QUOTAS = {
    "middles": ("middles", 20_000),
    "masks": ("masks", 1_000),
    "invented": ("texts", 40_000),
    "spoilt": ("texts", 10_000),
}


def versions(name: str) -> list[str]:
    """The versions in which a check can run: verdicts need a judge."""
    needs_judge = name in ("invented", "spoilt")
    return [version for version in VERSIONS if not needs_judge or compiler(version) is not None]
