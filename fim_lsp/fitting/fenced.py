"""What stands in a fence of Markdown: models that were taught to chat put one around what they say.

    ```python
    return total      «return total» was said, and the fence is no part of it
    ```

Within a string or a comment a fence is text like all else.
"""

from __future__ import annotations

import re

from fim_lsp.fitting.nearest import FittingContext, ReadText
from fim_lsp.recognizers import is_code
from quotient import Recognizer

FENCE = re.compile(r"^[ \t]*(?:`{3,}|~{3,})[^\n\r`]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
# A text that may still come to begin with one.
BEGUN = re.compile(r"\s*(?:`{0,2}|~{0,2}|(?:`{3,}|~{3,})[^\n\r`]*)")


def without_fences(recognizer: Recognizer, text: str, place: FittingContext) -> str | None:
    """The content of the fence that a text begins or ends with; None where it does neither."""
    fence = first_fence(recognizer, text, place)
    if fence is None:
        return None
    start, stop = fence
    if text[:start].strip():
        # What is behind the end says something about the text.
        return text[:start]
    end = first_fence(recognizer, text[stop:], place)
    return text[stop:] if end is None else text[stop : stop + end[0]]


def first_fence(recognizer: Recognizer, text: str, place: FittingContext) -> tuple[int, int] | None:
    """Where the first line of a text begins and ends that is a fence, and not in a string or a comment."""
    reading: ReadText | None = None
    for fence in FENCE.finditer(text):
        reading = reading or ReadText(recognizer, text)
        if fence.start() > reading.length or place.known_language is None:
            return fence.span()
        if is_code(reading.at(fence.start())):
            return fence.span()
    return None


def is_fence_begun(recognizer: Recognizer, text: str, place: FittingContext) -> bool:
    """Whether a text begins with a fence, or may still come to."""
    if place.known_language is not None and not is_code(recognizer):
        return False
    return BEGUN.fullmatch(text) is not None


def open_content(recognizer: Recognizer, text: str, place: FittingContext) -> str | None:
    """The content so far of a fence that a text begins with; None where there is none that is open."""
    fence = first_fence(recognizer, text, place)
    if fence is None or text[: fence[0]].strip():
        return None
    content = text[fence[1] :]
    return None if first_fence(recognizer, content, place) else content
