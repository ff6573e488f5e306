"""Cases for the laws, drawn at random: holes in files, spoilt contexts, pieces of code, noise."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random

from quotient import Language, NoCompletion, Recognizer
from tests.laws.cases import Case, Tally
from tests.laws.corrupt import corrupted
from tests.laws.cuts import cut
from tests.laws.domains import DOMAINS, Domain
from tests.laws.search import tiny_hole
from tests.laws.sources import Source, Sources
from tests.laws.words import PYTHON, Words


@dataclass(slots=True)
class Setting:
    """The setting of a round: the parts that it works with, and its counts."""

    language: Language
    random: Random
    sources: Sources
    tally: Tally = field(default_factory=Tally)
    domain: Domain = DOMAINS["python"]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A hole cut into a real file, and its recognizer, unless the engine wrongly saw no completion."""

    source: Source
    origin: str
    case: Case
    recognizer: Recognizer | None


def drawn(setting: Setting, n: int, longest: int) -> Iterator[Drawn]:
    """Cuts one real file `n` times. Every other recognizer comes from a document that reuses its charts."""
    source = setting.sources.next()
    found = setting.domain.levels(source.text)
    document = setting.language.document(source.text)
    for index in range(n):
        rule, case = cut(setting.random, source.text, found, longest)
        start, stop = len(case.left), len(case.left) + len(case.middle)
        recognizer = None
        with suppress(NoCompletion):
            if index % 2:
                recognizer = document.recognizer(start, stop)
            else:
                recognizer = setting.language.recognizer(case.left, case.right)
        yield Drawn(source, f"{source.name}[{start}:{stop}] ({rule})", case, recognizer)


def spoiling(setting: Setting) -> Callable[[str, str], str]:
    """A function that damages a text with pieces of another one."""
    return lambda text, donor: corrupted(setting.random, text, donor, setting.domain.words)


def spoilt_context(random: Random, case: Case, donor: str, words: Words = PYTHON) -> Case:
    """Damages the context beside the hole, within a few lines."""
    window = random.choice((10, 100, 400))
    left, right = case.left, case.right
    if random.random() < 0.5:
        cut_at = max(0, len(left) - window)
        left = left[:cut_at] + corrupted(random, left[cut_at:], donor, words)
    else:
        right = corrupted(random, right[:window], donor, words) + right[window:]
    return Case(left, case.middle, right)


def next_piece(random: Random, rest: str, donor: str, words: Words) -> tuple[str, str]:
    """A piece to type, and the rest of the true middle."""
    length = random.randint(1, 40)
    match random.randrange(4):
        case 0 if rest:
            return rest[:length], rest[length:]
        case 1 if rest:
            return corrupted(random, rest[:length], donor, words), rest[length:]
        case 2:
            start = random.randint(0, len(donor))
            return donor[start : start + random.randint(1, 12)], rest
        case _:
            return random.choice(words.all), rest


def noise(random: Random, words: Words) -> str:
    """A short text without meaning."""
    match random.randrange(5):
        case 0:
            return ""
        case 1:
            return "".join(chr(random.randrange(0x110000)) for _ in range(random.randint(0, 8)))
        case 2:
            return "".join(chr(random.randrange(128)) for _ in range(random.randint(0, 20)))
        case _:
            return "".join(random.choices(words.all, k=random.randint(0, 8)))


def tiny_cases(setting: Setting, count: int) -> Iterator[Case]:
    """Holes in tiny files, with their true middles."""
    for _ in range(count):
        text = setting.random.choice(setting.domain.programs)
        hole = tiny_hole(setting.random, text, 1)
        yield Case(hole.left, text[len(hole.left) : len(text) - len(hole.right)], hole.right)
