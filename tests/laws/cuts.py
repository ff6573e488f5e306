"""Where real files are cut: the paper's two rules, and cuts between any two characters.

The rules are those of the STACK-BOUNDARY and STACK-RANDSPAN data sets in section VII of "Constrained
Decoding for Fill-in-the-Middle Code Language Models via Efficient Left and Right Quotienting of Context-
Sensitive Grammars".
"""

import io
import tokenize
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.laws.cases import Case

UNSEEN = {
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}


@dataclass(frozen=True, slots=True)
class Symbol:
    """A symbol of Python's own tokenizer: where it stands, and how deep in blocks."""

    start: int
    stop: int
    depth: int


def symbols(text: str) -> list[Symbol]:
    """Return the visible symbols of a text; none where the `tokenize` module, unlike the parser, gives up."""
    try:
        return list(_symbols(text))
    except (tokenize.TokenError, SyntaxError):
        return []


def _symbols(text: str) -> Iterator[Symbol]:
    # `newline=""` keeps CR and CRLF, so that the columns that `tokenize` reports are those of the text.
    starts = [0]
    for line in io.StringIO(text, newline=""):
        starts.append(starts[-1] + len(line))
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if token.type not in UNSEEN:
            start = starts[token.start[0] - 1] + token.start[1]
            stop = starts[token.end[0] - 1] + token.end[1]
            yield Symbol(start, stop, depth)


def hole(text: str, start: int, stop: int) -> Case:
    """Return the case of typing `text[start:stop]` again."""
    return Case(text[:start], text[start:stop], text[stop:])


def boundary_cut(random: Random, text: str, found: list[Symbol]) -> Case | None:
    """STACK-BOUNDARY: from a random place in one symbol to the start of a later one at the same depth."""
    if len(found) < 2:
        return None
    first = random.choice(found)
    begin = bisect_left(found, first.start, key=lambda symbol: symbol.start) + 1
    partners = [symbol for symbol in found[begin:] if symbol.depth == first.depth]
    if not partners:
        return None
    kept = random.randint(0, first.stop - first.start)
    return hole(text, first.start + kept, random.choice(partners).start)


def span_cut(random: Random, text: str) -> Case:
    """STACK-RANDSPAN: at a point in the first 90%, up to 100 characters, 20% of the file, or to its end."""
    start = random.randint(0, int(len(text) * 0.9))
    length = min(100, len(text) // 5, len(text) - start)
    return hole(text, start, start + length)


def anywhere_cut(random: Random, text: str, longest: int = 400) -> Case:
    """A hole between any two characters, half of the time a very short one."""
    start = random.randint(0, len(text))
    length = random.randint(0, 8) if random.random() < 0.5 else random.randint(0, longest)
    return hole(text, start, min(start + length, len(text)))


def cut(random: Random, text: str, found: list[Symbol], longest: int) -> tuple[str, Case]:
    """Return a cut by one of the three rules and the rule's name; middles above `longest` are drawn again."""
    for _ in range(20):
        rule = random.choice(("boundary", "span", "anywhere"))
        match rule:
            case "boundary":
                case = boundary_cut(random, text, found)
            case "span":
                case = span_cut(random, text)
            case _:
                case = anywhere_cut(random, text)
        if case is not None and len(case.middle) <= longest:
            return rule, case
    return "anywhere", anywhere_cut(random, text, min(400, longest))
