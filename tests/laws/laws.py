"""The laws as a table: a letter, a statement, the counted unit, and one round of checks.

A round draws a file, checks some cases and yields failures; `__main__` repeats rounds until the count is
reached. All randomness comes from the setting's generator, so a seed and a letter identify a run.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from fim_lsp.replay.cuts import levels
from quotient import NoCompletion, Recognizer
from tests.laws import cost, fitted, names_again, verdicts
from tests.laws.cases import Case, Failure
from tests.laws.cuts import cut
from tests.laws.documents import editing_session
from tests.laws.drawing import Drawn, Setting, drawn, next_piece, noise, spoiling, spoilt_context, tiny_cases
from tests.laws.search import every_short_text, nothing_fits, tiny_hole
from tests.laws.shortness import no_known_text_is_shorter, no_short_text_is_shorter
from tests.laws.small import PROGRAMS
from tests.laws.sources import Source


@dataclass(frozen=True, slots=True)
class Law:
    """A law: its statement, its unit and full count, a round of checks, and the check of one case."""

    statement: str
    quota: tuple[str, int]
    round: Callable[[Setting], Iterator[Failure]]
    question: verdicts.Question | None

    @property
    def unit(self) -> str:
        """The unit that is counted."""
        return self.quota[0]


def true_middles(setting: Setting) -> Iterator[Failure]:
    """Law a on ten cuts of a file, the paper's number."""
    for cut_out in drawn(setting, 10, longest=6000):
        setting.tally["cuts"] += 1
        setting.tally["prefixes"] += len(cut_out.case.middle)
        problem: str | None = verdicts.NO_COMPLETION
        if cut_out.recognizer is not None:
            problem = verdicts.prefixes_advance(cut_out.recognizer, cut_out.case.middle)
        if problem is not None:
            yield Failure("a", problem, cut_out.case, origin=cut_out.origin)


def spoilt_middles(setting: Setting) -> Iterator[Failure]:
    """Law b: twelve corrupted middles for each of four holes, and a corrupted context for each."""
    for cut_out in drawn(setting, 4, longest=600):
        case, donor = cut_out.case, cut_out.source.text
        if cut_out.recognizer is None:
            yield Failure("b", verdicts.NO_COMPLETION, case, origin=cut_out.origin)
            continue
        for _ in range(12):
            spoilt = Case(case.left, spoiling(setting)(case.middle, donor), case.right)
            setting.tally["corrupted middles"] += 1
            recognizer = cut_out.recognizer.fork()
            problem = verdicts.membership_of(recognizer, spoilt, setting.domain.judge)
            setting.tally["members"] += recognizer.is_member()
            if problem is not None:
                yield Failure("b", problem, spoilt, origin=cut_out.origin)
        spoilt = spoilt_context(setting.random, case, donor, setting.domain.words)
        setting.tally["corrupted contexts"] += 1
        problem = verdicts.membership(setting.language, spoilt)
        if problem is not None:
            yield Failure("b", problem, spoilt, origin=cut_out.origin)
    if setting.domain.said is not None:
        for text in (donor, "".join(setting.random.choices(setting.domain.programs, k=2))):
            yield from names_said_again(setting, text, setting.domain.said)


def names_said_again(setting: Setting, text: str, said: re.Pattern[str]) -> Iterator[Failure]:
    """Laws b and c for names that must be repeated exactly, with equal and with other names."""
    for hole in names_again.holes(setting.random, text, said, 3):
        for middle in names_again.middles(setting.random, hole, said):
            case = Case(hole.left, middle, hole.right)
            setting.tally["names said again"] += 1
            for letter, question in (("b", verdicts.membership), ("c", verdicts.witnessed)):
                problem = question(setting.language, case)
                if problem is not None:
                    yield Failure(letter, problem, case, origin="a name said again")


def wanderings(setting: Setting) -> Iterator[Failure]:
    """Law c: types pieces of the true middle and others, and asks for the witness after each that
    advances."""
    for cut_out in drawn(setting, 3, longest=2000):
        if cut_out.recognizer is not None:
            for _ in range(2):
                yield from wander(setting, cut_out, cut_out.recognizer.fork())
    for _ in range(8):
        yield from tiny_wandering(setting)


def tiny_wandering(setting: Setting) -> Iterator[Failure]:
    """Law c in two joined tiny files, with damage beside the hole."""
    random, programs = setting.random, setting.domain.programs
    text = random.choice(programs) + random.choice(programs)
    hole = tiny_hole(random, text, 1)
    spoilt = spoilt_context(random, hole.case(""), random.choice(programs), setting.domain.words)
    source = Source("tiny", text)
    try:
        recognizer = setting.language.recognizer(spoilt.left, spoilt.right)
    except NoCompletion:
        return
    yield from wander(setting, Drawn(source, "tiny", spoilt, recognizer), recognizer)


def wander(setting: Setting, cut_out: Drawn, recognizer: Recognizer) -> Iterator[Failure]:
    """One walk of up to twelve pieces, a third of them typed by the character."""
    case, donor = cut_out.case, cut_out.source.text
    typed, rest = "", case.middle
    for _ in range(12):
        piece, rest = next_piece(setting.random, rest, donor, setting.domain.words)
        for text in piece[:30] if setting.random.random() < 0.3 else (piece,):
            if not recognizer.advance(text):
                setting.tally["refusals"] += 1
                break
            typed += text
            setting.tally["witness states"] += 1
            reached = Case(case.left, typed, case.right)
            problem = verdicts.witness_of(recognizer, reached, setting.domain.judge)
            if problem is not None:
                yield Failure("c", problem, reached, f"witness {recognizer.witness()!r}", cut_out.origin)
                return


def short_texts(setting: Setting) -> Iterator[Failure]:
    """Law d on one hole of a tiny file: many pieces to depth two, or few to depth four."""
    size, depth = setting.random.choice(((4, 4), (6, 3), (9, 3), (30, 2)))
    hole = tiny_hole(setting.random, setting.random.choice(PROGRAMS), size)
    yield from every_short_text(setting.random, setting.language, hole, depth, setting.tally)


def any_chunks(setting: Setting) -> Iterator[Failure]:
    """Law e on true and corrupted middles of real files, and on random pieces in tiny ones."""
    random, words = setting.random, setting.domain.words
    source = setting.sources.next()
    found = setting.domain.levels(source.text)
    for _ in range(3):
        _, case = cut(random, source.text, found, 200)
        middle = case.middle if random.random() < 0.4 else spoiling(setting)(case.middle, source.text)
        yield from asked(setting, "e", verdicts.chunking, Case(case.left, middle, case.right), source.name)
    for _ in range(5):
        text = random.choice(setting.domain.programs)
        hole = tiny_hole(random, text, 4)
        middle = "".join(random.choices((*hole.alphabet, *words.all), k=random.randint(1, 4)))
        yield from asked(setting, "e", verdicts.chunking, hole.case(middle), "tiny")


def asked(
    setting: Setting, letter: str, question: verdicts.Question, case: Case, origin: str
) -> Iterator[Failure]:
    """Put one question about one case."""
    setting.tally["cases"] += 1
    problem = question(setting.language, case)
    if problem is not None:
        yield Failure(letter, problem, case, origin=origin)


def documents(setting: Setting) -> Iterator[Failure]:
    """Law f on editing sessions: one of a real file, many of tiny ones."""
    yield from editing_session(setting.random, setting.language, setting.sources.next(), setting.tally)
    for _ in range(15):
        tiny = Source("tiny", setting.random.choice(PROGRAMS) + setting.random.choice(PROGRAMS))
        yield from editing_session(setting.random, setting.language, tiny, setting.tally)


def hopeless_contexts(setting: Setting) -> Iterator[Failure]:
    """Law g on tiny files with a damaged side, and on one real file."""
    random = setting.random
    for _ in range(6):
        text = random.choice(PROGRAMS)
        hole = tiny_hole(random, text, 1)
        case = Case(hole.left, text[len(hole.left) : len(text) - len(hole.right)], hole.right)
        yield from nothing_fits(random, setting.language, spoilt_context(random, case, text), setting.tally)
    source = setting.sources.next()
    _, case = cut(random, source.text, levels(source.text), 600)
    yield from nothing_fits(
        random, setting.language, spoilt_context(random, case, source.text), setting.tally
    )


def arbitrary_texts(setting: Setting) -> Iterator[Failure]:
    """Law h on noise: characters of all planes, bytes, and pieces of code in any order."""
    random = setting.random
    for _ in range(20):
        case = Case(*(noise(random, setting.domain.words) for _ in range(3)))
        yield from asked(setting, "h", verdicts.survival, case, "noise")
    data = bytes(random.choices(range(256), k=random.randint(0, 30)))
    words = setting.domain.words
    yield from asked_bytes(setting, Case(noise(random, words), "", noise(random, words)), data)


def asked_bytes(setting: Setting, case: Case, data: bytes) -> Iterator[Failure]:
    """Type arbitrary bytes, one at a time, into a hole that has a completion or into an empty file."""
    try:
        recognizer = setting.language.recognizer(case.left, case.right)
    except (NoCompletion, UnicodeEncodeError):
        recognizer = setting.language.recognizer()
    setting.tally["byte strings"] += 1
    try:
        for byte in data:
            recognizer.advance(bytes([byte]))
            recognizer.is_member()
            recognizer.witness()
        recognizer.advance(data)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            raise
        yield Failure("h", f"{type(error).__name__} on bytes", case, repr(data))


def costs(setting: Setting) -> Iterator[Failure]:
    """Law i on one family of long files."""
    yield from cost.growth(setting.random, setting.language, setting.tally)


def shortest_texts(setting: Setting) -> Iterator[Failure]:
    """Law j on tiny files with damage beside the hole, and on the true middles of a real file."""
    random = setting.random
    for _ in range(6):
        text = random.choice(PROGRAMS) + random.choice(PROGRAMS)
        hole = tiny_hole(random, text, 1)
        middle = text[len(hole.left) : len(text) - len(hole.right)]
        case = spoilt_context(random, Case(hole.left, middle, hole.right), random.choice(PROGRAMS))
        yield from no_short_text_is_shorter(random, setting.language, case, setting.tally)
    for cut_out in drawn(setting, 3, longest=60):
        case = spoilt_context(random, cut_out.case, cut_out.source.text)
        with suppress(NoCompletion):
            recognizer = setting.language.recognizer(case.left, case.right)
            yield from no_known_text_is_shorter(recognizer, case, setting.tally)


def fitted_texts(setting: Setting) -> Iterator[Failure]:
    """Law k on a writer's possible texts in four holes of a real file, and in tiny ones."""
    random, words = setting.random, setting.domain.words
    for cut_out in drawn(setting, 4, longest=400):
        donor = cut_out.source.text
        for text in fitted.texts(random, cut_out.case, donor, words):
            said = Case(cut_out.case.left, text, cut_out.case.right)
            yield from fitted_text(setting, "k", fitted.fitted, said, cut_out.origin)
    for case in tiny_cases(setting, 3):
        for text in fitted.texts(random, case, random.choice(setting.domain.programs), words):
            said = Case(case.left, text, case.right)
            yield from fitted_text(setting, "k", fitted.fitted, said, "tiny")


def nearest_texts(setting: Setting) -> Iterator[Failure]:
    """Law l on short texts in tiny files."""
    random = setting.random
    for case in tiny_cases(setting, 3):
        donor = random.choice(setting.domain.programs)
        for text in fitted.texts(random, case, donor, setting.domain.words):
            said = Case(case.left, text[:24], case.right)
            yield from fitted_text(setting, "l", fitted.nearest, said, "tiny")


def fitted_text(
    setting: Setting, letter: str, question: verdicts.Question, case: Case, origin: str
) -> Iterator[Failure]:
    """Put one question about one text that is to fit."""
    setting.tally["fitted texts"] += 1
    problem = question(setting.language, case)
    if problem is not None:
        yield Failure(letter, problem, case, origin=origin)


# Laws whose judge is the domain's or none; the others depend on Python's layout.
OF_EVERY_LANGUAGE = ("a", "b", "c", "e", "h", "k", "l")
LAWS = {
    "a": Law(
        "every prefix of the true middle advances, the whole is a member",
        ("cuts", 20_000),
        true_middles,
        verdicts.true_prefixes,
    ),
    "b": Law(
        "member exactly when CPython parses the file",
        ("corrupted middles", 100_000),
        spoilt_middles,
        verdicts.membership,
    ),
    "c": Law(
        "the witness parses after every text that advances",
        ("witness states", 100_000),
        wanderings,
        verdicts.witnessed,
    ),
    "d": Law(
        "every short text in tiny files, against CPython",
        ("texts", 1_000_000),
        short_texts,
        verdicts.membership,
    ),
    "e": Law(
        "chunks, bytes, forks and failures change nothing",
        ("cases", 10_000),
        any_chunks,
        verdicts.chunking,
    ),
    "f": Law("a document's recognizer equals a fresh one", ("holes", 10_000), documents, None),
    "g": Law("NoCompletion exactly when nothing fits", ("contexts", 10_000), hopeless_contexts, None),
    "h": Law("no text and no bytes bring a panic", ("cases", 50_000), arbitrary_texts, verdicts.survival),
    "i": Law("the cost does not grow with the file", ("families", 120), costs, None),
    "j": Law("no text is shorter than the witness", ("witnesses", 20_000), shortest_texts, None),
    "k": Law(
        "what is made to fit parses, and what fits is not touched",
        ("fitted texts", 400_000),
        fitted_texts,
        fitted.fitted,
    ),
    "l": Law(
        "of a beginning and an end, none is nearer to what was said",
        ("fitted texts", 8_000),
        nearest_texts,
        fitted.nearest,
    ),
}
