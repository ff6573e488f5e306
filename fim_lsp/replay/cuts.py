"""The cuts of the quotient paper (section VII-A): STACK-BOUNDARY and STACK-RANDSPAN.

    STACK-BOUNDARY   def area(r):\n    return r * r          two symbols of one indentation level; the text
                                  ^^^^^^^^                   between them goes, and some of the first symbol
    STACK-RANDSPAN   anywhere in the first 90 % of the file, 100 characters or a fifth of the file

What a symbol is, Python's own tokenizer says, and for other languages the leaves of tree-sitter's tree; a
level is one of indented blocks there, and of open braces here. The paper leaves two things open. "A pair of
symbols" is drawn here so that all pairs are equally likely; and a span is always as long as it may be ("up to
100 characters, 20% of the file, or until the end of the file, whichever comes first").
"""

from __future__ import annotations

import io
import tokenize
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from fim_lsp.known_languages import PYTHON, Blocks, KnownLanguage

# Tokens that the tokenizer reports but the file does not show: layout, and the marks of the file's ends.
UNSEEN = {
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.ENDMARKER,
    tokenize.ENCODING,
}
LONGEST_SPAN = 100
BRACKETS = frozenset("()[]{}")
# The brackets that levels are counted by where there is no indentation.
BLOCK_BRACKETS: dict[Blocks, tuple[frozenset[str], frozenset[str]]] = {
    "suites": (frozenset(), frozenset()),
    "braces": (frozenset("{"), frozenset("}")),
    "data": (frozenset("{["), frozenset("}]")),
}


@dataclass(frozen=True, slots=True)
class Cut:
    """The characters from `start` to `stop` are taken out."""

    start: int
    stop: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A visible symbol, of which kind (a number of `token`), and in how many blocks it stands."""

    start: int
    stop: int
    kind: int
    depth: int


def span_cuts(text: str, n_cuts: int, random: Random, known_language: KnownLanguage = PYTHON) -> list[Cut]:  # noqa: ARG001
    """STACK-RANDSPAN, the same for all languages."""
    starts = [random.randint(0, len(text) * 9 // 10) for _ in range(n_cuts)]
    return [Cut(start, start + longest_span(len(text), start)) for start in starts]


def longest_span(n_characters: int, start: int) -> int:
    return min(LONGEST_SPAN, n_characters // 5, n_characters - start)


def boundary_cuts(
    text: str, n_cuts: int, random: Random, known_language: KnownLanguage = PYTHON
) -> list[Cut]:
    """STACK-BOUNDARY; none for a text without two symbols of one level."""
    return cuts_between(levels(text, known_language), n_cuts, random)


def levels(text: str, known_language: KnownLanguage = PYTHON) -> list[list[Symbol]]:
    """The symbols of each level, where there are two of them."""
    found: dict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols(text, known_language):
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


def symbols(text: str, known_language: KnownLanguage = PYTHON) -> list[Symbol]:
    """The visible symbols; none where the `tokenize` module, unlike the parser, gives up."""
    if known_language is not PYTHON:
        return list(leaves(text, known_language))
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


def leaves(text: str, known_language: KnownLanguage) -> Iterator[Symbol]:
    """The symbols of a language that Python has no tokenizer for. A block's brackets are outside of it."""
    from fim_lsp.document.syntax import leaf_spans

    openers, closers = BLOCK_BRACKETS[known_language.blocks]
    depth = 0
    for start, stop in leaf_spans(text, known_language):
        word = text[start:stop]
        depth -= word in closers
        yield Symbol(start, stop, tokenize.OP if word in BRACKETS else tokenize.NAME, max(depth, 0))
        depth += word in openers
