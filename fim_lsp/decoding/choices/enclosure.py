"""The enclosure of the cursor in languages with braces: a completion does not close it and open another one.

    f(|);                   `a); g(b` fits here, too, and is refused
    return items.|;         so is `size();`
    total = qua|ntity;      so is `ntity;` and a line break, which would make the rest a line of its own
    void f() {
        |                   so is `}  void g() {`
    }

In these languages the engine does not count brackets, so they are counted here while a text is written,
except in strings and comments. The shortest text that fits shows how many brackets a text must close.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from fim_lsp.known_languages import KnownLanguage
from fim_lsp.positions import last_line
from fim_lsp.recognizers import is_code
from quotient import Recognizer

OPENERS, CLOSERS, END, BREAK = b"([{", b")]}", b";", b"\n"
SIGN = re.compile(rb"[()\[\]{};\n]")
CAN_LEAVE = re.compile(rb"[)\]};\n]")
REST = re.compile(rb"[^\n\r]*")
JOINED = re.compile(r"[{};][ \t]*\Z")
INDENTED = re.compile(rb"(?: {2}|\t)[ \t]*[^\s/}]")


@dataclass(slots=True)
class Enclosure:
    """The brackets around the texts of one hole.

    `start` is the recognizer at the hole's beginning. `least` is the least depth of a text, relative to it:
    negative if the text must close brackets. `kept`: the signs that would separate the two sides of the
    cursor's line. `has_blocks`: braces count, too.
    """

    start: Recognizer
    least: int = 0
    kept: bytes = b""
    has_blocks: bool = True
    _known: dict[bytes, int] = field(default_factory=dict)

    @classmethod
    def around(cls, recognizer: Recognizer, left: str, right: bytes, has_blocks: bool = True) -> Enclosure:
        whole = cls(recognizer.fork(), has_blocks=has_blocks)
        places = list(whole.places(b"", recognizer.witness_bytes()))
        whole.least = min([0, *(depth for depth, _ in places)])
        needed = {sign for depth, sign in places if depth <= 0}
        begun = last_line(left)
        has_begun = bool(begun.strip()) and not is_joined(begun, right)
        whole.kept = b"".join(sign for sign in tearing(has_begun, right) if sign not in needed)
        return whole

    def allows(self, written: bytes, text: bytes) -> bool:
        """Whether `text` behind `written` keeps the cursor's enclosure."""
        if not CAN_LEAVE.search(text):
            return True
        return not any(
            depth < self.least or (depth <= 0 and sign in self.kept)
            for depth, sign in self.places(written, text)
        )

    def places(self, written: bytes, text: bytes) -> Iterator[tuple[int, bytes]]:
        """The brackets and ends of statements in a text, with the depth behind each."""
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
            # The opener of a string's field lies in the string, and its closer in code.
            if not (is_code(reading) if sign in OPENERS else was_code):
                continue
            if sign not in (END, BREAK) and (self.has_blocks or sign not in b"{}"):
                depth += 1 if sign in OPENERS else -1
            yield depth, sign

    def depth(self, written: bytes) -> int:
        """The depth of a text behind what was written."""
        if written not in self._known:
            self._known[written] = 0
            for depth, _ in self.places(b"", written):
                self._known[written] = depth
        return self._known[written]


def is_joined(begun: str, right: bytes) -> bool:
    """Whether the rest of the cursor's line is the next line, which lacks its line break: its blanks are
    those of a line, and it stands behind a brace or a statement."""
    return JOINED.search(begun) is not None and INDENTED.match(right) is not None


def tearing(has_begun: bool, right: bytes) -> tuple[bytes, ...]:
    """The signs that would separate the rest of the cursor's line from its beginning."""
    found = REST.match(right)
    first = b"" if found is None else found[0].strip()[:1]
    if first == END:
        # An expression may take several lines.
        return (END,)
    return (END, BREAK) if has_begun and first and first not in CLOSERS else ()


def staying(
    recognizer: Recognizer, left: str, right: str, known_language: KnownLanguage
) -> Callable[[str, str], bool]:
    """A function that says whether a piece behind a text keeps the cursor's enclosure."""
    if known_language.has_suites:
        return lambda _text, _piece: True
    enclosure = Enclosure.around(recognizer, left, right.encode(errors="surrogateescape"))
    return lambda text, piece: enclosure.allows(text.encode(), piece.encode())
