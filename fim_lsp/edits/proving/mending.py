"""Mends: the smallest repairs of a file that stopped parsing when the user changed it.

    -total = sum(values)          +total = sum(abs(value) for value in values)
    +total = sum(abs(value) for value in values
                                               ^ `)` is missing

Each place between two symbols of the changed lines is a hole, for which the engine gives the shortest text
that repairs the file; or a leftover symbol is removed. The typed text stays.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fim_lsp.edits.proving.indenting import dedented_lines, indentation, indented_lines
from fim_lsp.edits.proving.proof import Proof
from fim_lsp.edits.texts.change import FileChange
from fim_lsp.edits.texts.edit import Replacement
from fim_lsp.edits.texts.symbols import SYMBOL, is_word, symbols
from fim_lsp.known_languages import PYTHON, KnownLanguage
from quotient import NoCompletion

# The most places that are tried, and the longest text that may be inserted.
MOST_PLACES, LONGEST = 160, 3
# The probability of the only mend, of the first of several as short, and of the others.
ONLY, FIRST, OTHER = 0.93, 0.75, 0.3
# What closes an element of JSX.
CLOSING_TAG = re.compile(r"</[\w.:-]*>")
# The beginning of a line that has a block.
HEADER = re.compile(r"[ \t]*(?:async[ \t]+)?(?:if|elif|while|for|with|match|case|except|def|class)\b")
# The end of a text that goes on behind a blank in its line.
BLANK_BEHIND, MOST_BLANKS = re.compile(r"\S[ \t]+\Z"), 100
# The signs behind which a member or a value must stand.
MEMBER_SIGNS = (".", "->")
AWAITING = (*MEMBER_SIGNS, ":", "=", ":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=")
OPENING, CLOSING = ("(", "[", "{"), (")", "]", "}")


@dataclass(frozen=True, slots=True)
class Mend:
    start: int
    stop: int
    new: str

    @property
    def size(self) -> int:
        return self.stop - self.start + len(self.new.strip())


def mending_replacements(change: FileChange, proof: Proof) -> list[Replacement]:
    """The replacements that repair a file that parsed before, the likeliest first."""
    if proof.parses or not proof.did_parse:
        return []
    if change.new.known_language is PYTHON and (
        moved := dedented_lines(change, proof) or indented_lines(change, proof)
    ):
        return moved
    back = [*lost_signs(change, proof)]
    if back and not typed_signs(change) and not any(mend.new in OPENING for mend in back):
        return [
            Replacement(one.start, one.stop, one.new, reason_of(change, one), ONLY, f"mend {number}")
            for number, one in enumerate(back)
        ]
    spots = mendable_places(change, proof)
    found = [*closers(change, proof, spots), *leftovers(change, proof, spots)]
    whole = [mend for mend in found if is_forward(change, mend)] or [
        mend for mend in found if not typed_signs(change)
    ]
    if not whole:
        return []
    least = min(mend.size for mend in whole)
    best = sorted(
        unique(change, [one for one in whole if one.size == least]), key=lambda one: rank(change, one)
    )
    sure = ONLY if len(best) == 1 else FIRST
    return [
        Replacement(
            mend.start,
            mend.stop,
            mend.new,
            reason_of(change, mend),
            sure if number == 0 else OTHER,
            f"mend {number}",
        )
        for number, mend in enumerate(best[:4])
    ]


def reason_of(change: FileChange, mend: Mend) -> str:
    if mend.new:
        return f"the file does not parse since, for want of `{mend.new.strip()}`"
    left = change.new.text[mend.start : mend.stop].strip()
    return f"the file does not parse since, for a `{left}` that is left over"


def unique(change: FileChange, mends: list[Mend]) -> list[Mend]:
    """The mends that give different texts."""
    text = change.new.text
    return [*{text[: one.start] + one.new + text[one.stop :]: one for one in mends}.values()]


def rank(change: FileChange, mend: Mend) -> tuple[int, int, int]:
    """The rank of a mend: a closer goes as far back as possible in the first changed line, an opener to the
    front."""
    line = change.new.lines.line_at(mend.start)
    is_opening = mend.new[:1] in OPENING
    is_removal = not mend.new and typed_signs(change)
    # A block's end in its own line comes first.
    order = -1 if "\n" in mend.new or "\r" in mend.new else int(is_removal)
    return order, line, mend.start if is_opening else -mend.start


def places(change: FileChange) -> list[tuple[int, int]]:
    """The symbols of changed lines and of the rest of their statements."""
    found: list[tuple[int, int]] = []
    lines = change.new.lines
    for hunk in change.hunks:
        first = max(hunk.new_first - 1, 0) if hunk.new_first == hunk.new_last else hunk.new_first
        last = min(max(hunk.new_last, first + 1) + 3, len(lines))
        stop = lines.starts[last] if last < len(lines) else len(lines.text)
        found += symbols(change.new.text, lines.starts[first], stop)
    return sorted(set(found))[:MOST_PLACES]


def mendable_places(change: FileChange, proof: Proof) -> list[tuple[int, int]]:
    """The symbols beside which the file can be repaired: neither behind what no text can follow, nor in front
    of what no text can stand in front of. Both are looked for by bisection, since each place behind the one,
    or in front of the other, is as hopeless. In a long statement few of the symbols are left."""
    found = places(change)
    spots = sorted({spot for place in found for spot in place})
    n_begun = bisect_left(spots, True, key=lambda spot: not proof.is_possible(spot, len(change.new.text)))
    n_hopeless = bisect_left(spots, True, key=lambda spot: proof.is_possible(0, spot))
    if n_hopeless >= n_begun:
        return []
    first, last = spots[n_hopeless], spots[n_begun - 1]
    return [(start, stop) for start, stop in found if start <= last and stop >= first]


def closers(change: FileChange, proof: Proof, spots: Sequence[tuple[int, int]]) -> Iterator[Mend]:
    """The shortest texts between two symbols that repair the file."""
    text = change.new.text
    tried: set[int] = set()
    for start, stop in spots:
        for place in (start, stop):
            if place in tried:
                continue
            tried.add(place)
            try:
                found = proof.document.recognizer(place, place).witness()
            except NoCompletion:
                continue
            is_before_blank = found[:1] in OPENING and text[place : place + 1].isspace()
            if not found.strip() or len(found) > LONGEST or "\n" in found or is_before_blank:
                continue
            # A colon or a comma stands behind a word, and not in front of the next one: `if ready :return`.
            is_apart = found.strip() in (":", ",") and BLANK_BEHIND.search(text[:place][-MOST_BLANKS:])
            if is_apart or cuts_header(change, place, found):
                continue
            if not is_filler(found, change.new.known_language):
                yield block_end(change, proof, place, found) or Mend(place, place, found)


def cuts_header(change: FileChange, place: int, found: str) -> bool:
    """Whether a colon would end a header of Python in front of a bracket or an operator: `with open:()`."""
    if change.new.known_language is not PYTHON or found.strip() != ":":
        return False
    lines = change.new.lines
    number = lines.line_at(place)
    line, column = lines.content(number), place - lines.starts[number]
    behind = line[column:].lstrip()
    return bool(HEADER.match(line) and behind and not is_word(behind[0]) and behind[0] != "#")


def lost_signs(change: FileChange, proof: Proof) -> Iterator[Mend]:
    """Removed signs (a bracket, a quote, a colon, a closing tag) with which the file parses again."""
    for one in change.replaced:
        is_sign = one.old.strip() and not any(is_word(character) for character in one.old)
        if (
            ((is_sign and len(one.old) <= LONGEST) or CLOSING_TAG.fullmatch(one.old))
            and not one.new
            and proof.fits(one.new_start, one.new_stop, one.old)
        ):
            yield Mend(one.new_start, one.new_stop, one.old)
    for number, hunk in enumerate(change.hunks):
        if any(one.hunk == number for one in change.replaced):
            continue
        old = change.old.text[hunk.old_start : hunk.old_stop]
        new = change.new.text[hunk.new_start : hunk.new_stop]
        is_sign = old.strip() and not any(is_word(character) for character in old)
        is_short = is_sign and not new.strip() and len(old.strip()) <= LONGEST
        if is_short and proof.fits(hunk.new_start, hunk.new_stop, old):
            yield Mend(hunk.new_start, hunk.new_stop, old)


def is_filler(found: str, known_language: KnownLanguage) -> bool:
    """Whether a text is no repair that the user could mean: a placeholder name or number, a line join, a
    reversed pair of brackets, the star of an import that is not written to its end, or a comment that
    swallows the rest."""
    is_comment = bool(known_language.line_comment) and known_language.line_comment in found
    is_turned = any(sign in OPENING for sign in found) and any(sign in CLOSING for sign in found)
    is_written = any(character.isalnum() or character in "_\\" for character in found)
    return is_comment or is_turned or is_written or found.strip() == "*"


def block_end(change: FileChange, proof: Proof, place: int, found: str) -> Mend | None:
    """The end of a block in braces in its own line, in front of the first line that is not indented deeper
    than the opening line."""
    lines = change.new.lines
    if found != "}" or not change.new.text[:place].rstrip().endswith("{"):
        return None
    number = lines.line_at(place)
    if lines.content(number)[place - lines.starts[number] :].strip():
        return None
    outer = indentation(lines.content(number))
    row = number + 1
    while row < len(lines) and (
        not lines.content(row).strip() or len(indentation(lines.content(row))) > len(outer)
    ):
        row += 1
    if row in (number + 1, len(lines)):
        return None
    end = lines[number][len(lines.content(number)) :]
    at = lines.starts[row]
    return Mend(at, at, f"{outer}}}{end}") if proof.fits(at, at, f"{outer}}}{end}") else None


def leftovers(change: FileChange, proof: Proof, spots: Sequence[tuple[int, int]]) -> Iterator[Mend]:
    """Old symbols without which the file parses. Where nothing was removed, nothing is left over: what was
    typed is not complete yet."""
    is_ended = has_removed(change) and not any(awaits_another(change, *spot) for spot in spots)
    for start, stop in spots if is_ended else ():
        sign = change.new.text[start:stop]
        if sign[0].isalnum() or sign[0] == "_" or change.to_old(start) is None:
            continue
        for end in {stop, stop + (change.new.text[stop : stop + 1] == " ")}:
            joins = is_word(change.new.text[start - 1 : start]) and is_word(change.new.text[end : end + 1])
            if not joins and proof.fits(start, end, ""):
                yield Mend(start, end, "")
                break


def awaits_another(change: FileChange, start: int, stop: int) -> bool:
    """Whether what stood behind a dot or an assignment was removed, so that another member or value is about
    to be typed: `order.(1)`, `total = `."""
    sign, before = change.new.text[start:stop], change.to_old(start)
    if before is None or sign not in AWAITING:
        return False
    behind = SYMBOL.search(change.old.text, before + len(sign))
    rest = change.new.text[stop : stop + MOST_BLANKS].lstrip(" \t")
    is_open = not is_word(rest[:1]) if sign in MEMBER_SIGNS else rest[:1] in ("", *"\r\n;,)]}")
    return is_open and behind is not None and change.to_new(behind.start()) is None


def is_forward(change: FileChange, mend: Mend) -> bool:
    """Whether a mend keeps the typed text and does not just undo the change."""
    text = change.new.text
    result = text[: mend.start] + mend.new + text[mend.stop :]
    return result.split() != change.old.text.split()


def has_removed(change: FileChange) -> bool:
    """Whether the change removed or replaced any text."""
    replaced = {one.hunk for one in change.replaced}
    return any(one.old.strip() for one in change.replaced) or any(
        change.old.text[hunk.old_start : hunk.old_stop].strip() and number not in replaced
        for number, hunk in enumerate(change.hunks)
    )


def typed_signs(change: FileChange) -> bool:
    """Whether the change wrote anything, and did not only remove text."""
    return any(one.new for one in change.replaced) or any(
        change.new.text[hunk.new_start : hunk.new_stop].strip()
        and not any(one.hunk == number for one in change.replaced)
        for number, hunk in enumerate(change.hunks)
    )
