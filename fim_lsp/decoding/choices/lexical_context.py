"""The lexical context of one hole's texts: code, a string or a comment."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fim_lsp.recognizers import NO_CODE, is_code
from quotient import Recognizer

COMMENT = re.compile(rb"#|//")
BLOCK = re.compile(rb"/\*")
LAST_LINE = re.compile(rb"[^\n\r]*\Z")


@dataclass(slots=True)
class LexicalContext:
    """The lexical context of places in the texts of one hole. `start` is the recognizer at its beginning."""

    start: Recognizer
    _known: dict[bytes, bool] = field(default_factory=dict)

    def behind(self, text: bytes) -> Recognizer | None:
        """The recognizer behind a text; None if the text cannot begin the hole."""
        reading = self.start.fork()
        return reading if reading.advance(text) else None

    def fits(self, text: bytes) -> bool:
        reading = self.behind(text)
        return reading is not None and reading.is_member()

    def is_code(self, text: bytes) -> bool:
        """Whether the place behind a text is code."""
        if text not in self._known:
            reading = self.behind(text)
            self._known[text] = reading is not None and is_code(reading)
        return self._known[text]

    def comment(self, text: bytes) -> int | None:
        """The start of the comment in which a text ends; None without one, or if it began in front of the
        text."""
        found = LAST_LINE.search(text)
        assert found is not None
        open_block = [sign for sign in BLOCK.finditer(text) if b"*/" not in text[sign.end() :]]
        signs = (*open_block, *COMMENT.finditer(text, found.start()))
        return next((sign.start() for sign in signs if self._begins_comment(text, sign)), None)

    def _begins_comment(self, text: bytes, sign: re.Match[bytes]) -> bool:
        """Whether a sign begins a comment: in Python `//` divides, and in JavaScript `#` begins a name."""
        return self.is_code(text[: sign.start()]) and self.behind(text[: sign.end()] + NO_CODE[0]) is not None
