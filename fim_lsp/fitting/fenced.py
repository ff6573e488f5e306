"""Fences of Markdown, which chat models put around their code, are removed.

    ```python
    return total      only «return total» is the text
    ```

Some models write a sentence first. In a string or a comment a fence is ordinary text, if its line end may
stand there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from fim_lsp.fitting.nearest import FittingContext, ReadText
from fim_lsp.recognizers import is_code
from quotient import Recognizer

FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n\r`]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
# The beginning of a text that may still become a fence.
BEGUN = re.compile(r"\s*(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n\r`]*)")


# A sentence or a word ("Sure!") in front of a fence, and a beginning that may still become one.
SENTENCE = re.compile(r"\s*[A-Z][\w'\u2019]*(?:[,!.]? [a-zA-Z][^=;{}]*[:.!]|[:!])\s*")
SENTENCE_BEGUN = re.compile(
    r"\s*[A-Z][\w'\u2019]*[,!.]?(?: (?:[a-zA-Z][\w\s'\u2019,.!:`\"()-]*(?:`{2,}[^\n\r`]*)?)?)?"
    r"|\s*[A-Z][\w'\u2019]*[:!]\s*(?:`{1,2}|`{3,}[^\n\r`]*)?"
)
MAX_SENTENCE = 300


def without_fences(recognizer: Recognizer, text: str, place: FittingContext) -> Iterator[str]:
    """The possible contents of a text that begins or ends with fences."""
    fence = first_fence(recognizer, text, place)
    if fence is None:
        return
    start, stop = fence
    before = text[:start]
    if before.strip() and not is_sentence(before):
        # A fence behind the text begins an explanation of it.
        yield before
    else:
        end = first_fence(recognizer, text[stop:], place)
        yield text[stop:] if end is None else text[stop : stop + end[0]]


def length_of_sentence(recognizer: Recognizer, text: str, place: FittingContext) -> int:
    """The length of the sentence in front of a text's fence; 0 if there is none."""
    fence = first_fence(recognizer, text, place)
    before = "" if fence is None else text[: fence[0]]
    return len(before) if is_sentence(before) else 0


def is_answer_in_fence(recognizer: Recognizer, text: str, place: FittingContext) -> bool:
    """Whether a text, where code stands, is a chat model's answer: a fence, perhaps behind a sentence."""
    fence = FENCE.search(text)
    if fence is None or place.known_language is None or not is_code(recognizer):
        return False
    before = text[: fence.start()]
    return not before.strip() or is_sentence(before)


def is_sentence(text: str) -> bool:
    return len(text) <= MAX_SENTENCE and SENTENCE.fullmatch(text) is not None


def first_fence(recognizer: Recognizer, text: str, place: FittingContext) -> tuple[int, int] | None:
    """The span of the first line that is a fence and no part of a string or a comment."""
    reading: ReadText | None = None
    for fence in FENCE.finditer(text):
        reading = reading or ReadText(recognizer, text)
        if fence.end() > reading.length or place.known_language is None:
            return fence.span()
        if is_code(reading.at(fence.start())):
            return fence.span()
    return None


def is_fence_begun(recognizer: Recognizer, text: str, place: FittingContext) -> bool:
    """Whether a text begins with a fence, perhaps behind a sentence, or may still do so."""
    if place.known_language is not None and not is_code(recognizer) and recognizer.fork().advance(text):
        return False
    is_sentence_begun = len(text) <= MAX_SENTENCE and SENTENCE_BEGUN.fullmatch(text) is not None
    return is_sentence_begun or BEGUN.fullmatch(text) is not None


def open_content(recognizer: Recognizer, text: str, place: FittingContext) -> str | None:
    """The content so far of the open fence at the beginning of a text; None if there is no open one."""
    fence = first_fence(recognizer, text, place)
    if fence is None or (text[: fence[0]].strip() and not is_sentence(text[: fence[0]])):
        return None
    content = text[fence[1] :]
    return None if first_fence(recognizer, content, place) else content
