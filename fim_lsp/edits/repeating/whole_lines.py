"""Whole lines that the user removed or inserted at two places: the same is proposed at similar places.

     def test_load():              +@slow
     def test_save():              +@slow
     def test_ask():                ^ the same in front of a similar name

Inserted lines go in front of a line, or behind one, that both examples share.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from fim_lsp.edits.proving.indenting import indentation
from fim_lsp.edits.repeating.substitutions import shortened_text
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.hunks import Hunk
from fim_lsp.edits.texts.symbols import WORD
from fim_lsp.known_languages import PYTHON
from fim_lsp.positions import Lines

# The probability that a user who did it at two places or more, and skipped none, does it at the next one.
SURE = 0.8
LEAST_MADE = 2
# A longer block is new code.
MOST_LINES = 3
# With more places than this, the match is too general.
MOST_PLACES = 60
HEADER = re.compile(r"(?:async )?(?:def|class) ([^\W\d]\w*)")
# A method or a function of a language with braces.
BRACED = re.compile(
    r"(?:(?:[\w$]+(?:<[^()]*>)?(?:\[\])?\s+)*?)(?!(?:if|for|while|switch|catch|with)\b)([^\W\d][\w$]*)\s*\([^;]*\{$"
)
DECORATOR = re.compile(r"@([^\W\d][\w.]*)")
PREFIX = re.compile(r"_*[^\W\d_]+_?")
# The first word of a name in camel case.
HUMP = re.compile(r"_*[^\W\d_][a-z]*(?![a-z])_?")

Block = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PutInLines:
    """Inserted lines without their indentation, the lines around them, and their place."""

    block: Block
    before: str
    behind: str
    line: int


def repeated_lines(change: FileChange) -> Iterator[Replacement]:
    """The other places at which lines that the user removed or inserted repeatedly go or come."""
    lines = change.new.lines
    gone: dict[Block, list[int]] = defaultdict(list)
    come: dict[Block, list[PutInLines]] = defaultdict(list)
    for hunk in change.hunks:
        if hunk.new_first == hunk.new_last:
            gone[block_of(change.old.lines, hunk.old_first, hunk.old_last)].append(hunk.new_first)
        elif hunk.old_first == hunk.old_last:
            one = example_of(lines, hunk)
            come[one.block].append(one)
    for block, places in gone.items():
        if len(places) >= LEAST_MADE and is_told(block):
            yield from places_to_take_out(change, block, places)
    for block, examples in come.items():
        if len(examples) >= LEAST_MADE and is_told(block):
            yield from places_to_put_in(change, block, examples)


def block_of(lines: Lines, first: int, last: int) -> Block:
    return tuple(lines.content(number).strip() for number in range(first, last))


def is_told(block: Block) -> bool:
    """Whether lines are specific enough to be recognized."""
    return len(block) <= MOST_LINES and any(len(WORD.findall(line)) > 1 or "@" in line for line in block)


def example_of(lines: Lines, hunk: Hunk) -> PutInLines:
    first, last = hunk.new_first, hunk.new_last
    before = lines.content(first - 1).strip() if first else ""
    behind = lines.content(last).strip() if last < len(lines) else ""
    return PutInLines(block_of(lines, first, last), before, behind, first)


# --- removed lines ------------------------------------------------------------------------------------------


def places_to_take_out(change: FileChange, block: Block, places: Sequence[int]) -> Iterator[Replacement]:
    lines = change.new.lines
    found = [
        number
        for number in range(len(lines) - len(block) + 1)
        if lines.content(number).strip() == block[0] and block_of(lines, number, number + len(block)) == block
    ]
    if len(found) > MOST_PLACES or any(number < max(places) for number in found):
        return
    reason = f"`{shortened_text(block[0])}` was taken out {len(places)} times"
    for number in found:
        start, stop = start_of(lines, number), start_of(lines, number + len(block))
        if not change.is_typed(start, stop):
            yield Replacement(start, stop, "", reason, SURE, f"lines {block}")


# --- inserted lines -----------------------------------------------------------------------------------------


def places_to_put_in(
    change: FileChange, block: Block, examples: Sequence[PutInLines]
) -> Iterator[Replacement]:
    lines = change.new.lines
    found = [*places_alike(change, block, examples)]
    last = max(one.line for one in examples)
    if not found or len(found) > MOST_PLACES or any(number < last for number in found):
        return
    reason = f"`{shortened_text(block[0])}` was put in {len(examples)} times"
    blanks = indentation(lines.content(examples[-1].line))
    for number in found:
        own = indentation(lines.content(number))
        new = "".join(
            own
            + lines.content(examples[-1].line + row).removeprefix(blanks)
            + end_of(lines, examples[-1].line)
            for row in range(len(block))
        )
        start = start_of(lines, number)
        yield Replacement(start, start, new, reason, SURE, f"lines {block}")


def places_alike(change: FileChange, block: Block, examples: Sequence[PutInLines]) -> Iterator[int]:
    """The lines in front of which the block is missing: lines behind the same line, the same following line,
    and headers with similar names."""
    lines, rows = change.new.lines, bare_lines(change.new.text)
    before, behind = {one.before for one in examples}, {one.behind for one in examples}
    is_python = change.new.known_language is PYTHON
    header, word = (HEADER, PREFIX) if is_python else (BRACED, HUMP)
    names = [found[1] for one in examples if (found := header.match(one.behind))]
    is_header = block[-1].startswith("@") and len(names) == len(examples)
    prefix = shared_prefix(names, word) if is_header else ""
    above_it, below_it = shared_decorators(examples)
    for number in range(1, len(lines)):
        here, above = rows[number], rows[number - 1]
        if not here:
            continue
        if block[-1].startswith("@") and (above_it or below_it):
            is_alike = decorator_of(above) in (above_it or {""}) and decorator_of(here) in (below_it or {""})
            is_alike = is_alike and (bool(below_it) or header.match(here) is not None)
        elif is_header:
            found = header.match(here)
            is_alike = found is not None and bool(prefix) and begins_with(found[1], prefix, word)
            is_alike = is_alike and not above.startswith("@")
        elif len(before) == 1 and is_told((above,)):
            is_alike = above in before
        else:
            is_alike = len(behind) == 1 and is_told((here,)) and here in behind
        if (
            is_alike
            and block_of(lines, max(number - len(block), 0), number) != block
            and not is_there(lines, block, number)
            and not change.is_typed(start_of(lines, number), start_of(lines, number) + 1)
        ):
            yield number


def shared_decorators(examples: Sequence[PutInLines]) -> tuple[set[str], set[str]]:
    """The decorators that lines were put in behind, and those in front of which, if these are the same."""
    above = {decorator_of(one.before) for one in examples}
    below = {decorator_of(one.behind) for one in examples}
    return (above - {""} if len(above) == 1 else set()), (below - {""} if len(below) == 1 else set())


def decorator_of(line: str) -> str:
    found = DECORATOR.match(line)
    return found[1] if found else ""


@lru_cache(maxsize=2)
def bare_lines(text: str) -> list[str]:
    """The lines of a text without their indentation."""
    lines = Lines(text)
    return [lines.content(number).strip() for number in range(len(lines))]


def is_there(lines: Lines, block: Block, number: int) -> bool:
    return number + len(block) <= len(lines) and block_of(lines, number, number + len(block)) == block


def shared_prefix(names: Sequence[str], word: re.Pattern[str]) -> str:
    """The first word of all names, if all begin with the same one."""
    found = {one[0] for name in names if (one := word.match(name))}
    return found.pop() if len(found) == 1 else ""


def begins_with(name: str, prefix: str, word: re.Pattern[str]) -> bool:
    """Whether a name begins with a word; in camel case with a whole one: `get` of `getAll`."""
    found = word.match(name)
    return name.startswith(prefix) and (word is PREFIX or (found is not None and found[0] == prefix))


def start_of(lines: Lines, number: int) -> int:
    return lines.starts[number] if number < len(lines) else len(lines.text)


def end_of(lines: Lines, number: int) -> str:
    """The characters that end a line."""
    return lines[number][len(lines.content(number)) :] or "\n"
