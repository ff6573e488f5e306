"""The shortest texts for several holes of one file, each exact given what stands in the others.

    x = |       with both holes empty nothing parses, so neither has a usable right context: texts for the
    y = |       first are tried, short ones first, as long as the text behind it can follow; the engine gives
                the shortest for the last; then each is searched again, given the others

A failed search for first texts proves nothing. The returned texts always parse, and none of them begins a
string or a comment that the file's text up to the next hole vanishes in.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from itertools import product

from fim_lsp.positions import LINE_END
from fim_lsp.recognizers import is_code, is_comment
from quotient import Language, NoCompletion, Recognizer, TooCostly

# Likely beginnings of holes, short and harmless ones first.
SIGNS = ("", "0", '""', ")", "]", "}", "(", "[", "{", ",", ":", "=", ".", "+", '"', "'", ";", "{}", "\n")
PYTHON_S = ("pass", "0:", "if 0:", "for _ in ", " in ", "None", "def _", "import ", " as _", "\n    ", "_")
OTHERS = ('"":', '"",', "x", " x ", "x ", "var x = ", "()", ") {", "} {", "x:", "=>", "/", "`", "`${")
# Halves of words at the edges of holes; words that a file may lack; beginnings of comments and long strings.
HALF_AT_END, HALF_AT_BEGIN, WORD = re.compile(r"\w+\Z"), re.compile(r"\w+"), re.compile(r"[^\W\d]\w+")
ALWAYS = ("true", "false", "null", "return", "import", "None", "True", "False", "def", "class", "func")
COMMENTS = ("# ", "\n# ", "// ", "\n// ", "/* ", '"""', '\n    """')
MOST_WORDS = 6
# The pieces of a text behind which a string or a comment may have ended.
PIECE = re.compile(r"[^'\"`/\r\n]*(?:['\"`/\r\n]|\Z)")
# The seconds of the search for first texts, if no time is given.
SECONDS = 10.0


def never() -> bool:
    return False


def shortest_together(
    language: Language,
    text: str,
    places: Sequence[int],
    names: bool = False,
    seconds: float = SECONDS,
    is_cancelled: Callable[[], bool] = never,
) -> list[str]:
    """Short texts for places in order, with which the file parses. Raises `NoCompletion` if none were
    found."""
    parts = parts_between(text, places)
    until = time.monotonic() + seconds

    def is_over() -> bool:
        return time.monotonic() > until or is_cancelled()

    begun = cache(partial(language.recognizer, left=parts[0]))
    for texts in tried_texts(language, parts, begun, is_over):
        found = shortened_texts(language, parts, texts, names)
        # None of the tried texts hides anything.
        if found is not None and (found == texts or not hides_any(begun().fork(), parts, found)):
            return found
    refusal = NoCompletion("no texts were found with which the file parses")
    refusal.side, refusal.offset = "both", 0
    raise refusal


def parts_between(text: str, places: Sequence[int]) -> list[str]:
    return [text[start:stop] for start, stop in zip([0, *places], [*places, len(text)], strict=True)]


def tried_texts(
    language: Language, parts: Sequence[str], begun: Callable[[], Recognizer], is_over: Callable[[], bool]
) -> Iterator[list[str]]:
    """Texts for all holes with which the file parses: first nothing, then signs alone, then also rests of
    words that the edges need, then pairs of both. `begun` gives what has read up to the first hole."""
    nothing = [""] * (len(parts) - 2)
    # Nothing in all holes but the last is mostly enough, and takes no recognizer of its own.
    yield from with_last(language, parts, nothing)
    tried = {tuple(nothing)}
    for stage in stages_of(parts, (*SIGNS, *(PYTHON_S if language.name == "python" else OTHERS))):
        for texts in behind(parts, [], begun(), stage, is_over):
            if tuple(texts) not in tried:
                tried.add(tuple(texts))
                yield from with_last(language, parts, texts)


def with_last(language: Language, parts: Sequence[str], texts: list[str]) -> Iterator[list[str]]:
    """The texts, and the shortest one for the last hole."""
    left = "".join(part + text for part, text in zip(parts, [*texts, ""], strict=False))
    try:
        yield [*texts, language.recognizer(left, parts[-1]).witness()]
    except (NoCompletion, TooCostly):
        return


def stages_of(parts: Sequence[str], signs: tuple[str, ...]) -> Iterator[list[tuple[str, ...]]]:
    """The texts to try for each hole, stage by stage. Each is made only when it is needed, because the first
    one is mostly enough and the last one takes longer to make than that to try."""
    yield [signs] * (len(parts) - 1)
    halves = [between(parts, number) for number in range(len(parts) - 1)]
    yield [(*signs, *own) for own in halves]
    pairs = tuple("".join(pair) for pair in product(signs[1:], repeat=2))
    yield [(*signs, *own, *beside(signs, own), *pairs) for own in halves]


def between(parts: Sequence[str], number: int) -> tuple[str, ...]:
    """Texts between two halves of words, `ru` in `t|e`, if the file has the whole word elsewhere; and the
    beginning of a comment or a long string, if the right side is the rest of one."""
    left, right = HALF_AT_END.search(parts[number]), HALF_AT_BEGIN.match(parts[number + 1])
    begin, end = left[0] if left else "", right[0] if right else ""
    words = sorted({*WORD.findall("".join(parts)), *ALWAYS}, key=len)
    ends = [word[len(begin) :] for word in words if begin and word.startswith(begin) and word != begin]
    begins = [word[: -len(end)] for word in words if end and word.endswith(end) and word != end]
    n_known = len(begin) + len(end)
    whole = [
        word[len(begin) : len(word) - len(end)]
        for word in words
        if begin and end and len(word) >= n_known and word.startswith(begin) and word.endswith(end)
    ]
    return tuple(dict.fromkeys([*whole[:MOST_WORDS], *ends[:MOST_WORDS], *begins[:MOST_WORDS], *COMMENTS]))


def beside(signs: Sequence[str], halves: Sequence[str]) -> Iterator[str]:
    """Halves of words with signs beside them: `": t`, `rn `."""
    for half, gap, sign in product(halves, ("", " "), (*signs[1:], '": ')):
        yield f"{half}{gap}{sign}"
        yield f"{sign}{gap}{half}"


def behind(
    parts: Sequence[str],
    texts: list[str],
    begun: Recognizer,
    stage: Sequence[Sequence[str]],
    is_over: Callable[[], bool],
) -> Iterator[list[str]]:
    """Texts for the holes from a number on, but for the last, given those in front; `begun` has read up to
    that hole."""
    number = len(texts)
    if number == len(parts) - 2:
        yield texts
        return
    for text in stage[number]:
        if is_over():
            return
        one = begun.fork()
        if one.advance(text) and one.advance(parts[number + 1]) and not hides(begun, text, parts[number + 1]):
            yield from behind(parts, [*texts, text], one, stage, is_over)


def hides(begun: Recognizer, text: str, part: str) -> bool:
    """Whether a text begins a comment, or a string of several lines, in which all of the part behind it
    vanishes. Everything parses then, whatever is wrong in that part.

        x = |             x = \"""
        def f(:           def f(:
        y = |             y = \"""
    """
    if not text or not part.strip():
        return False
    behind = begun.fork()
    if not behind.advance(text) or is_code(behind):
        return False
    if not (LINE_END.search(part) or is_comment(behind)):
        return False
    beginnings = (begun.fork() for _ in range(len(text)))
    if not any(one.advance(text[:length]) and is_code(one) for length, one in enumerate(beginnings)):
        # What stands there has begun it.
        return False
    return not any(behind.advance(piece) and is_code(behind) for piece in PIECE.findall(part))


def hides_any(begun: Recognizer, parts: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether one of the texts hides what stands between its hole and the next one; `begun` has read up to
    the first hole."""
    if not any(texts[:-1]):
        return False
    for text, part in zip(texts[:-1], parts[1:-1], strict=True):
        if hides(begun, text, part):
            return True
        begun.advance(text + part)
    return False


def shortened_texts(
    language: Language, parts: Sequence[str], texts: Sequence[str], names: bool
) -> list[str] | None:
    """The shortest text for each hole, given the others; None if names in them do not exist."""
    found = [*texts]
    # The last one is the shortest already, where no names count. The file parses with all of them, so that
    # nothing has to be asked about an empty one either.
    for number in reversed(range(len(found) if names else len(found) - 1)):
        if not names and not found[number]:
            continue
        recognizer = recognizer_given(language, parts, found, number, names)
        if recognizer is None:
            return None
        shortest = recognizer.witness()
        is_known = recognizer.advance(found[number]) and recognizer.is_member()
        if len(shortest) < len(found[number]) or not is_known:
            found[number] = shortest
    return found


def recognizer_given(
    language: Language, parts: Sequence[str], texts: Sequence[str], number: int, names: bool
) -> Recognizer | None:
    left, right = sides(parts, texts, number)
    try:
        return language.recognizer(left, right, () if names else None)
    except (NoCompletion, TooCostly):
        return None


def sides(parts: Sequence[str], texts: Sequence[str], number: int) -> tuple[str, str]:
    """The texts on the left and on the right of a hole, with the others filled."""
    left = "".join(part + text for part, text in zip(parts, texts[:number], strict=False)) + parts[number]
    others = zip(texts[number + 1 :], parts[number + 2 :], strict=True)
    return left, parts[number + 1] + "".join(text + part for text, part in others)
