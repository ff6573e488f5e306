"""Where the quotient paper cuts files (section VII-A): STACK-BOUNDARY and STACK-RANDSPAN.

    STACK-BOUNDARY   def area(r):\n    return r * r          two symbols of one indentation level; the text
                                  ^^^^^^^^                   between them goes, and some of the first symbol
    STACK-RANDSPAN   anywhere in the first 90 % of the file, 100 characters or a fifth of the file

What a symbol is, Python's own tokenizer says. The paper leaves two things open. "A pair of symbols" is drawn
here so that all pairs are equally likely; and a span is always as long as it may be ("up to 100 characters,
20% of the file, or until the end of the file, whichever comes first").
"""

from __future__ import annotations

import io
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

# What the tokenizer reports but nobody sees: layout, and the marks of the file's ends.
UNSEEN = {
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}
LONGEST_SPAN = 100


@dataclass(frozen=True, slots=True)
class Cut:
    """The characters from `start` to `stop` are taken out."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A visible symbol, of which kind (a number of `token`), and in how many indented blocks it stands."""

    start: int
    stop: int
    kind: int
    depth: int


def span_cuts(text: str, n_cuts: int, random: Random) -> list[Cut]:
    """STACK-RANDSPAN."""
    starts = [random.randint(0, len(text) * 9 // 10) for _ in range(n_cuts)]
    return [Cut(start, start + longest_span(len(text), start)) for start in starts]


def longest_span(n_characters: int, start: int) -> int:
    return min(LONGEST_SPAN, n_characters // 5, n_characters - start)


def boundary_cuts(text: str, n_cuts: int, random: Random) -> list[Cut]:
    """STACK-BOUNDARY; none for a text without two symbols of one level."""
    return cuts_between(levels(text), n_cuts, random)


def levels(text: str) -> list[list[Symbol]]:
    """The symbols of each indentation level, where there are two of them."""
    found: dict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols(text):
        found[symbol.depth].append(symbol)
    return [level for level in found.values() if len(level) > 1]


def cuts_between(levels: list[list[Symbol]], n_cuts: int, random: Random) -> list[Cut]:
    if not levels:
        return []
    n_pairs = [len(level) * (len(level) - 1) // 2 for level in levels]
    return [boundary_cut(level, random) for level in random.choices(levels, weights=n_pairs, k=n_cuts)]


def boundary_cut(level: list[Symbol], random: Random) -> Cut:
    first, second = sorted(random.sample(range(len(level)), 2))
    symbol = level[first]
    kept = random.randint(0, symbol.stop - symbol.start)
    return Cut(symbol.start + kept, level[second].start)


def symbols(text: str) -> list[Symbol]:
    """The visible symbols; none where the `tokenize` module, unlike the parser, gives up."""
    try:
        return list(_symbols(text))
    except (tokenize.TokenError, SyntaxError):
        return []


def _symbols(text: str) -> Iterator[Symbol]:
    # `newline=""` keeps CR and CR LF, so that the columns that `tokenize` reports are those of the text.
    starts = [0]
    for line in io.StringIO(text, newline=""):
        starts.append(starts[-1] + len(line))
    depth = 0
    for token in tokenize.generate_tokens(io.StringIO(text, newline="").readline):
        depth += (token.type == tokenize.INDENT) - (token.type == tokenize.DEDENT)
        if token.type not in UNSEEN:
            start = starts[token.start[0] - 1] + token.start[1]
            stop = starts[token.end[0] - 1] + token.end[1]
            yield Symbol(start, stop, token.type, depth)
