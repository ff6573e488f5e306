"""Offer filters: texts that fit but are offered only on request, not while the user types.

    docstring    any text inside a docstring, as inside a comment
    comment      a new comment; the text in front of it is offered
    dead code    `return`, `raise`, `break` or `continue` in front of a line of the same block; with braces
                 also a bare `return` at a function's end
    twice        a name that is compared with itself, assigned to itself or handed over twice in a row
    repetition   the line above or below again; of several lines those in front of it are offered
    closers      only brackets, quotes, colons and commas
    made up      an end that the engine wrote, if it is more than closers: `sub => {` behind a call
    backslash    a line that is joined to the next one
    short        one or two characters, which save nothing
    one line     several lines, except at the beginning of a block, and a block of more than one line

docs/worth.md has the effect of each on the typist's figures.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Literal, get_args

from fim_lsp.declared.idle import says_name_twice
from fim_lsp.declared.returns import FUNCTIONS, says_nothing
from fim_lsp.document.code_lines import CodeLine
from fim_lsp.document.hole import Hole
from fim_lsp.document.syntax import encode_text
from fim_lsp.document.texts import WorkerText
from fim_lsp.known_languages import Blocks, KnownLanguage
from fim_lsp.positions import LINE_END, first_line
from fim_lsp.recognizers import fits, is_code
from fim_lsp.server.worker.ladder import Footing
from fim_lsp.server.worker.messages import Wishes
from fim_lsp.server.worker.site import CursorLines
from quotient import Recognizer

OfferFilter = Literal[
    "docstring",
    "comment",
    "dead code",
    "twice",
    "repetition",
    "closers",
    "made up",
    "backslash",
    "short",
    "one line",
]
OFFER_FILTERS: tuple[OfferFilter, ...] = get_args(OfferFilter)
CLOSING = frozenset(")]}\"':, \t\r\n\f")
SHORTEST = 3
# Lines of so few characters may stand twice in a row.
SHORTEST_LINE = 5
# The ends of a line that begin a block or a similar part.
OPENERS: dict[Blocks, tuple[str, ...]] = {"suites": (":",), "braces": ("{",), "data": ("{", "[")}
# Declarations of variables in JavaScript and Go; in Java the law knows them.
DECLARES = re.compile(r"(?:const|let|var)\b|[\w, ]+:=")
MOST_ABOVE = 200
# A name that stands twice with a sign between.
TWICE = re.compile(
    r"(?<![\w.])([\w.]+)\s*(?:,|[=!]==|[=!<>]=|[=<>]|&&|\|\||\bis\b|\band\b|\bor\b)\s*\1(?![\w.])"
)
LEAVING = re.compile(r"(return|raise|break|continue)\b")


def restrained_wishes(
    wishes: Wishes, lines: CursorLines, recognizer: Recognizer, filters: Collection[OfferFilter]
) -> Wishes:
    """The wishes, restricted for a place."""
    if "one line" in filters and not begins_block(lines, recognizer):
        wishes = replace(wishes, multi_line=False)
    if not wishes.scope and lines.before.strip():
        # Inside a statement, a user's request wants its end, and not another statement.
        wishes = replace(wishes, scope="statement")
    return wishes


def begins_block(lines: CursorLines, recognizer: Recognizer) -> bool:
    """Whether the cursor is at the beginning of a block, on a line of its own."""
    if lines.before.strip() or lines.behind.strip():
        return False
    above = CodeLine(lines.above, lines.known_language).without_comment.rstrip()
    openers = OPENERS[lines.known_language.blocks]
    return recognizer.nesting().n_brackets == 0 and above.endswith(openers)


def restrained_offer(offer: str, footing: Footing, filters: Collection[OfferFilter]) -> str | None:
    """An offer after the filters; None if it is not offered. A changed offer must fit again."""
    recognizer, lines = footing.recognizer, footing.site.lines
    if "repetition" in filters:
        shorter = without_lines_below(offer, lines)
        if shorter != offer and shorter.strip() and fits(recognizer, shorter):
            offer = shorter
    if "comment" in filters:
        shorter = without_comment(offer, recognizer, lines.known_language)
        if shorter != offer and not (shorter.strip() and fits(recognizer, shorter)):
            return None
        offer = shorter
    if "backslash" in filters and offer.rstrip(" \t\r\n").endswith("\\"):
        return None
    if "closers" in filters and CLOSING.issuperset(
        offer.replace(lines.known_language.terminator or ":", ":")
    ):
        return None
    if "short" in filters and len(offer.strip()) < SHORTEST:
        return None
    if "repetition" in filters and (
        is_repetition(offer, lines) or is_declared_above(offer, footing.site.left, lines.known_language)
    ):
        return None
    if "dead code" in filters and (
        kills_next_line(offer, lines)
        or is_needless_return(offer, lines, footing.site.text, footing.site.hole)
    ):
        return None
    if "twice" in filters and is_said_twice(offer, lines, footing.site.text, footing.site.hole):
        return None
    return offer


def is_said_twice(offer: str, lines: CursorLines, text: WorkerText, hole: Hole) -> bool:
    """Whether an offer does nothing because it says a name twice. Only one that looks so is read.

    A value that is a statement of its own is offered: it may be the beginning of one that goes on."""
    if lines.known_language.blocks == "data" or not TWICE.search(lines.before + offer):
        return False
    root, _ = text.tree.with_text(text.text, hole.start, hole.stop, hole.begun + offer)
    first = len(encode_text(text.text[: hole.start] + hole.begun))
    return says_name_twice(root, first, first + len(encode_text(offer)))


def without_comment(offer: str, recognizer: Recognizer, known_language: KnownLanguage) -> str:
    """An offer up to its first new comment. A comment inside a line may stay."""
    for place in begun_comments(offer, known_language):
        fork = recognizer.fork()
        if fork.advance(offer[:place]) and is_code(fork):
            return offer[:place].rstrip()
    return offer


def begun_comments(offer: str, known_language: KnownLanguage) -> Iterator[int]:
    """The places at which a line or block comment begins if they are in code."""
    signs = [re.escape(known_language.line_comment)] if known_language.line_comment else []
    if known_language.block_comment is not None:
        signs.append(re.escape(known_language.block_comment[0]))
    for found in re.finditer("|".join(signs), offer) if signs else ():
        place = found.start()
        if known_language.block_comment is None or found[0] == known_language.line_comment:
            yield place
            continue
        end = known_language.block_comment[1]
        rest = first_line(offer[found.end() :])
        is_first = not LINE_END.split(offer[:place])[-1].strip()
        if end not in rest or (is_first and not rest.partition(end)[2].strip()):
            yield place


def without_lines_below(offer: str, lines: CursorLines) -> str:
    """An offer without the line that stands below the cursor already, and those that it has behind it.

    items.forEach(|             (item) => {
      total += item.price;        total += item.price;
    });
    """
    made, below = LINE_END.split(offer), lines.below.strip()
    if len(below) <= SHORTEST_LINE or lines.behind.strip():
        return offer
    again = next((number for number, line in enumerate(made) if number and line.strip() == below), None)
    return offer if again is None else "\n".join(made[:again])


def is_repetition(offer: str, lines: CursorLines) -> bool:
    """Whether the offer would repeat the line directly above or below."""
    made = [line.strip() for line in LINE_END.split(lines.before + offer)]
    if len(made) == 1:
        made[0] = (made[0] + lines.behind).strip()
    # Brackets, `else:` and `pass` may come twice.
    long_lines = [line for line in made if len(line) > SHORTEST_LINE]
    above = lines.above.strip()
    # An offer may end in front of the sign that ends a statement.
    above_unended = above.removesuffix(";") if lines.known_language.blocks == "braces" else above
    is_again = bool(long_lines) and (
        long_lines[0] in (above, above_unended) or long_lines[-1] == lines.below.strip()
    )
    return is_again or is_block_again(long_lines, lines)


def is_block_again(long_lines: list[str], lines: CursorLines) -> bool:
    """Whether an offer repeats the block header of the line above, `if (a) {}` in `if (a) {`, or the part in
    front of its brace: `constructor(a)`."""
    above = lines.above.strip()
    is_block = not lines.known_language.has_suites and above.endswith("{")
    return bool(long_lines) and is_block and long_lines[0].rstrip("{};, ") == above.rstrip("{ ")


def is_declared_above(offer: str, left: str, known_language: KnownLanguage) -> bool:
    """Whether an offer declares a variable in the same words as an enclosing block.

    const res = await fetch(url);
    if (!res.ok) {
      |                               const res = await fetch(url);
    """
    if known_language.blocks != "braces":
        return False
    *above, before = LINE_END.split(left)
    made = first_line(before + offer)
    if not DECLARES.match(made.strip()):
        return False
    depth = indentation(made)
    for line in above[: -MOST_ABOVE - 1 : -1]:
        if line.strip() and indentation(line) <= depth:
            depth = indentation(line)
            if line.strip() == made.strip():
                return True
    return False


def kills_next_line(offer: str, lines: CursorLines) -> bool:
    """Whether an offer's last statement leaves the block, although the next line belongs to the block.

    total += price
    |                   return total
    count += 1
    """
    made = LINE_END.split(lines.before + offer)
    last = next((line for line in reversed(made) if line.strip()), "")
    below = lines.below
    if lines.behind.strip() or not below or not LEAVING.match(last.strip()):
        return False
    return indentation(last) == indentation(below) and not below.lstrip().startswith(("#", ")", "]", "}"))


def is_needless_return(offer: str, lines: CursorLines, text: WorkerText, hole: Hole) -> bool:
    """Whether an offer is a bare `return` at the end of a function."""
    family, made = lines.known_language.family, (lines.before + offer).strip()
    if family not in FUNCTIONS or made.rstrip("; \t") != "return" or lines.behind.strip():
        return False
    root, _ = text.tree.with_text(text.text, hole.start, hole.stop, hole.begun + offer)
    end = encode_text((text.text[: hole.start] + hole.begun + offer).rstrip("; \t\r\n"))
    return says_nothing(family, root, len(end) - 1)


def indentation(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())
