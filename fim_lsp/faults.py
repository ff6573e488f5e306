"""All faults of a file, as far as the engine can read on behind each.

The engine knows exactly where the first fault is. To read on, it sets aside the statement with the fault, as
the server does in broken files (`fim_lsp/document/repair/`). If a bracket was left open, its lines are
uncertain: of the candidates, the one counts behind which reading gets furthest.

    rows = [1, 2            the fault is here:  def f():
                            what was meant:     rows = [1, 2]
    def f():
        pass
"""

from __future__ import annotations

from collections.abc import Iterator

from fim_lsp.document.code_lines import CodeLines
from fim_lsp.document.repair import patched_text, patches
from fim_lsp.holes import FirstFault, first_fault
from fim_lsp.known_languages import PYTHON, KnownLanguage
from fim_lsp.open_brackets import CLOSERS, opener, unclosed_offsets
from fim_lsp.positions import Lines, last_line
from quotient import Language

# The most faults: a file with more is not what it was taken for.
MAX_FAULTS = 10
# A statement is hardly longer; looking further back costs a reading of each line.
MAX_STATEMENT_LINES = 200


def faults(language: Language, text: str, known_language: KnownLanguage = PYTHON) -> list[FirstFault]:
    """The faults in the order of the text; the first one is exact, each later one is exact once those before
    it are mended."""
    found: list[FirstFault] = []
    broken: set[int] = set()
    lines = Lines(text)
    here = first_fault(language, text)
    # Brackets that nothing closes, less those that a fault was told to come from.
    still_open = [] if here is None else unclosed_offsets(text, known_language)
    while here is not None and len(found) < MAX_FAULTS:
        standing_in = Lines(without(lines, broken, known_language))
        position = standing_in.position(here.offset)
        if position.line in broken:
            # None of the repairs helps; faults behind it would be made up.
            break
        offset = min(lines.starts[position.line] + position.column, len(text))
        cause = next((place for place in reversed(still_open) if place < offset), None)
        if found and cause is None and only_follows(text, offset, known_language):
            break
        if cause is not None and (not found or only_follows(text, offset, known_language)):
            still_open.remove(cause)
            found.append(FirstFault(offset, here.message + opened_where(lines, cause, offset, here.message)))
        else:
            found.append(FirstFault(offset, here.message))
        broken |= blamed_lines(language, lines, standing_in, broken, position.line, known_language)
        here = first_fault(language, without(lines, broken, known_language))
    return found


def key_said_twice(language: Language, text: str) -> FirstFault | None:
    """The first key that stands twice in a file of TOML that has no other fault: the grammar accepts it, and
    no parser of TOML does."""
    start = language.recognizer("", "", ())
    refusal = start.refusal(text)
    if refusal is None:
        return None
    name, _, why = refusal
    # The shortest beginning that is refused ends behind the key.
    least, most = 0, len(text)
    while least + 1 < most:
        middle = (least + most) // 2
        least, most = (middle, most) if start.fork().advance(text[:middle]) else (least, middle)
    line = most - len(last_line(text[:most]))
    # It may be written otherwise: in quotes, or with blanks around its dots.
    return FirstFault(max(text.rfind(name, line, most), line), why)


def only_follows(text: str, offset: int, known_language: KnownLanguage) -> bool:
    """Whether a fault behind another one may well be one only because of what was set aside for that: the
    file ends, or a line begins with a closer, unless columns say what belongs together."""
    if not text[offset:].strip():
        return True
    begins = not text[text.rfind("\n", 0, offset) + 1 : offset].strip()
    return begins and not known_language.has_suites and text[offset] in CLOSERS.values()


def opened_where(lines: Lines, cause: int, offset: int, message: str) -> str:
    """The end of a message, which names the opener that a fault comes from: if it is in a line above, or if
    the fault is that its line ends."""
    place = lines.position(cause)
    if place.line == lines.position(offset).line and lines.text[offset : offset + 1] not in ("\r", "\n"):
        return ""
    sign = opener(lines.text, cause)
    quoted = sign if sign == "`" else f"`{sign}`"
    where = f"othing closes the {quoted} at {place.line + 1}:{place.column + 1}"
    return f" N{where}." if message.endswith(".") else f"; n{where}"


def without(lines: Lines, broken: set[int], known_language: KnownLanguage) -> str:
    return (
        patched_text(lines.text, patches(CodeLines(lines, known_language), broken, broken))
        if broken
        else lines.text
    )


def blamed_lines(
    language: Language,
    lines: Lines,
    standing_in: Lines,
    broken: set[int],
    line: int,
    known_language: KnownLanguage,
) -> set[int]:
    """The lines to set aside for a fault in a line: those behind which reading gets furthest."""
    start = statement_start if known_language.has_suites else line_in_front
    first = start(language, standing_in, line)

    def reach(candidate: set[int]) -> float:
        text = without(lines, broken | candidate, known_language)
        fault = first_fault(language, text)
        return float("inf") if fault is None else Lines(text).position(fault.offset).line

    # The first of several that are as good.
    return max(candidates(first, line), key=reach)


def candidates(first: int, line: int) -> Iterator[set[int]]:
    yield {line}
    if first < line:
        yield {first}
        yield set(range(first, line))
        yield set(range(first, line + 1))


def line_in_front(_language: Language, lines: Lines, line: int) -> int:
    """The last line in front of one that says something. Where columns mean nothing, the engine does not tell
    where a statement began, and mostly the line in front of a fault is as far as it goes."""
    for number in range(line - 1, max(line - MAX_STATEMENT_LINES, -1), -1):
        if lines[number].strip():
            return number
    return line


def statement_start(language: Language, lines: Lines, line: int) -> int:
    """The first line of the statement that a line belongs to."""
    for number in range(line, max(line - MAX_STATEMENT_LINES, 0), -1):
        reading = language.recognizer(lines.text[: lines.starts[number]])
        nesting = reading.nesting()
        if not nesting.n_brackets and nesting.indentation is not None:
            return number
    return max(line - MAX_STATEMENT_LINES, 0)
