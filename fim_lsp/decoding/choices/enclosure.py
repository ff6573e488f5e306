"""What stands around the cursor in languages with braces, and is not closed to be opened again.

    f(|);                   `a); g(b` fits here, too, and says what stands right of the cursor
    return items.|;         as does `size();`
    void f() {
        |                   as does `}  void g() {`
    }

The engine counts brackets where columns matter, which here they do not; so those of a text are counted as it
is written, strings and comments aside. The shortest text that fits tells how many it has to close.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fim_lsp.known_languages import KnownLanguage
from fim_lsp.recognizers import is_code
from quotient import Recognizer

OPENERS, CLOSERS, END = b"([{", b")]}", b";"
SIGN = re.compile(rb"[()\[\]{};]")
CAN_LEAVE = re.compile(rb"[)\]};]")


@dataclass(slots=True)
class Enclosure:
    """The brackets around the places of the texts of one hole.

    `start` stands where the texts begin. `least` is how deep a text may stand, from there: below zero where
    it has to close brackets. `is_ended`: the end of the statement stands right of the cursor. `has_blocks`:
    braces count, too.
    """

    start: Recognizer
    least: int = 0
    is_ended: bool = False
    has_blocks: bool = True
    _known: dict[bytes, int] = field(default_factory=dict)

    @classmethod
    def around(cls, recognizer: Recognizer, right: bytes, has_blocks: bool = True) -> Enclosure:
        whole = cls(recognizer.fork(), has_blocks=has_blocks)
        places = list(whole.places(b"", recognizer.witness_bytes()))
        whole.least = min([0, *(depth for depth, _ in places)])
        has_end = any(sign == END and depth <= 0 for depth, sign in places)
        whole.is_ended = right.lstrip(b" \t\f")[:1] == END and not has_end
        return whole

    def allows(self, written: bytes, text: bytes) -> bool:
        """Whether a text behind what was written leaves standing what stands around the cursor."""
        if not CAN_LEAVE.search(text):
            return True
        return not any(
            depth < self.least or (self.is_ended and sign == END and depth <= 0)
            for depth, sign in self.places(written, text)
        )

    def places(self, written: bytes, text: bytes) -> Iterator[tuple[int, bytes]]:
        """The brackets and ends of statements in a text, and how deep it stands behind each."""
        reading, depth, begun = self.start.fork(), self.depth(written), 0
        if not reading.advance(written):
            return
        for found in SIGN.finditer(text):
            sign = found[0]
            if not reading.advance(text[begun : found.start()]):
                return
            was_code = is_code(reading)
            if not reading.advance(sign):
                return
            begun = found.end()
            # What begins a field of a string stands in the string, and what ends it in code.
            if not (is_code(reading) if sign in OPENERS else was_code):
                continue
            if sign != END and (self.has_blocks or sign not in b"{}"):
                depth += 1 if sign in OPENERS else -1
            yield depth, sign

    def depth(self, written: bytes) -> int:
        """How deep a text stands behind what was written."""
        if written not in self._known:
            self._known[written] = 0
            for depth, _ in self.places(b"", written):
                self._known[written] = depth
        return self._known[written]


def staying(recognizer: Recognizer, right: str, known_language: KnownLanguage) -> Callable[[str, str], bool]:
    """Whether a piece behind a text leaves standing what stands around the cursor."""
    if known_language.has_suites:
        return lambda _text, _piece: True
    enclosure = Enclosure.around(recognizer, right.encode(errors="surrogateescape"))
    return lambda text, piece: enclosure.allows(text.encode(), piece.encode())
