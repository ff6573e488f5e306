"""Special tokens of models ("signs"), which some servers leave in a text, are removed.

    total = sum(|)     «prices<|endoftext|>»     only `prices` is the text
                       «<fim_middle>prices»

All text behind such a token is dropped. In a string or a comment a token is ordinary text.
"""

from __future__ import annotations

import re
from itertools import chain

from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.fitting.nearest import ReadText
from fim_lsp.recognizers import NO_CODE
from quotient import Recognizer

# No programmer writes these outside of strings; `<EOT>` and `</s>` may be tags, and are no tokens here.
TOKENS = sorted(
    {
        token
        for family in FIM_FORMATS
        for token in (*family.tokens, *family.ends, *family.files.tokens)
        if token.startswith("<") and re.search(r"[|\uff5c]|\bfim\b|fim_|file_sep|repo_name", token)
    },
    key=len,
    reverse=True,
)
SIGN = re.compile("|".join(re.escape(token) for token in TOKENS))
# Tokens that count at the end of a text only. HTML has an element `s`, but none of the other names.
LAST_BESIDE_TAGS = re.compile("(?:\u2581?<EOT>|<eos>)\\s*\\Z")
LAST = re.compile(f"</s>\\s*\\Z|{LAST_BESIDE_TAGS.pattern}")
BYTE_ORDER_MARK = "\ufeff"
LEADING = re.compile(rf"{BYTE_ORDER_MARK}?(?:\s*(?:{SIGN.pattern}))*")


def without_signs(recognizer: Recognizer, text: str, *, has_tags: bool) -> str | None:
    """A text without its leading signs, up to the next one; None if it has none."""
    content = behind_leading_signs(recognizer, text)
    said = text if content is None else content
    reading: ReadText | None = None
    last = (LAST_BESIDE_TAGS if has_tags else LAST).search(said)
    for sign in chain(SIGN.finditer(said), () if last is None else (last,)):
        reading = reading or ReadText(recognizer, said)
        if sign.start() > reading.length or not is_text(reading.at(sign.start())):
            return said[: sign.start()]
    begun = said.rfind("<")
    if 0 <= begun < len(said) - 1 and any(token.startswith(said[begun:]) for token in TOKENS):
        # A stream ends inside of a sign, where no more of it can be kept.
        reading = reading or ReadText(recognizer, said)
        if reading.length < len(said) and (begun > reading.length or not is_text(reading.at(begun))):
            return said[:begun]
    return content


def behind_leading_signs(recognizer: Recognizer, text: str) -> str | None:
    """A text without its leading signs; None if it has none."""
    found = LEADING.match(text)
    return text[found.end() :] if found and found[0] and not is_text(recognizer) else None


def is_sign_begun(recognizer: Recognizer, text: str) -> bool:
    """Whether the end of a text may become another leading sign."""
    content = behind_leading_signs(recognizer, text)
    begun = (text if content is None else content).lstrip()
    return any(token.startswith(begun) for token in TOKENS) and not is_text(recognizer)


def is_text(stand: Recognizer) -> bool:
    """Whether a sign at this place would be inside a string or a comment."""
    return any(stand.fork().advance(b"<" + no_code) for no_code in NO_CODE)
