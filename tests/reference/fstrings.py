"""f-strings as CPython 3.11 splits them: first a string, then literal text and fields.

The symbols are those that the layout `python` declares. The caller reads a field's expression, as a text of
its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.reference.lexing import LexicalError

FSTRING_START = re.compile(r"(f|fr|rf)(\"\"\"|'''|\"|')", re.IGNORECASE)
CLOSERS = {"(": ")", "[": "]", "{": "}"}
MOST_NESTED_FIELDS = 2
# Characters that may follow a backslash outside raw strings; a backslash right in front of a field stands
# alone.
ESCAPED_TEXT = re.compile(
    r"(?s:[^\\]|\\[^xuUN]|\\x[0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}"
    r"|\\U(?:000[0-9a-fA-F]|0010)[0-9a-fA-F]{4}|\\N\{[A-Za-z0-9 \-]+\})*\\?"
)


def fstring_end(text: str, start: int) -> int:
    """The end of the string that starts here, whatever it contains."""
    match = FSTRING_START.match(text, start)
    assert match
    quotes = match[2]
    position = match.end()
    while not text.startswith(quotes, position):
        if position >= len(text) or (len(quotes) == 1 and text[position] == "\n"):
            raise LexicalError("an unterminated string")
        position += 2 if text[position] == "\\" else 1
    return position + len(quotes)


def fstring_symbols(source: str, field_symbols: Callable[[str], list[str]]) -> Iterator[str]:
    """The symbols of a whole f-string."""
    match = FSTRING_START.match(source)
    assert match
    body = source[match.end() : len(source) - len(match[2])]
    yield "FSTRING_START"
    yield from _Body(body, "r" in match[1].lower(), field_symbols).symbols()
    yield "FSTRING_END"


class _Body:
    def __init__(self, text: str, is_raw: bool, field_symbols: Callable[[str], list[str]]) -> None:
        self.text = text
        self.is_raw = is_raw
        self.field_symbols = field_symbols
        self.position = 0

    def symbols(self) -> Iterator[str]:
        yield from self.parts(depth=0)
        if self.position < len(self.text):
            raise LexicalError("a single '}' in an f-string")

    def next_is(self, *characters: str) -> bool:
        return self.text.startswith(characters, self.position)

    def parts(self, depth: int) -> Iterator[str]:
        """Literal text and fields, up to the end or to the `}` that ends a specification."""
        while True:
            yield from self.literal(depth)
            if not self.next_is("{"):
                return
            if depth >= MOST_NESTED_FIELDS:
                raise LexicalError("fields nested too deeply")
            yield from self.field(depth)

    def literal(self, depth: int) -> Iterator[str]:
        start = self.position
        while self.position < len(self.text):
            if not self.is_raw and self.next_is("\\"):
                self.position += 1
                if self.next_is("N{"):
                    end = self.text.find("}", self.position)
                    self.position = end + 1 if end >= 0 else len(self.text)
                    continue
                if not self.next_is("{", "}"):
                    self.position += 1
                    continue
            if depth == 0 and self.next_is("{{", "}}"):
                yield from self.literal_symbol(start, self.position + 1)
                self.position += 2
                start = self.position
                continue
            if self.next_is("{", "}"):
                break
            self.position += 1
        self.position = min(self.position, len(self.text))
        yield from self.literal_symbol(start, self.position)

    def literal_symbol(self, start: int, end: int) -> Iterator[str]:
        if start == end:
            return
        if not self.is_raw and not ESCAPED_TEXT.fullmatch(self.text, start, end):
            raise LexicalError("a wrong escape")
        yield "FSTRING_MIDDLE"

    def field(self, depth: int) -> Iterator[str]:
        self.position += 1
        start = self.position
        self.skip_expression()
        expression = self.text[start : self.position]
        if not expression.strip(" \t\n\f"):
            raise LexicalError("an empty field")
        yield "FIELD_OPEN"
        yield from self.field_symbols(expression)
        if self.next_is("="):
            self.position += 1
            while self.next_is(*" \t\n\v\f\r"):
                self.position += 1
            yield "FIELD_EQUAL"
        if self.next_is("!"):
            if not self.next_is("!r", "!s", "!a"):
                raise LexicalError("a wrong conversion")
            self.position += 2
            yield "FIELD_CONVERSION"
        if self.next_is(":"):
            self.position += 1
            yield "FIELD_COLON"
            yield from self.parts(depth + 1)
        if not self.next_is("}"):
            raise LexicalError("a field without '}'")
        self.position += 1
        yield "FIELD_CLOSE"

    def skip_expression(self) -> None:
        """Skips the field's expression, up to `!`, `:`, `=` or `}` outside brackets."""
        closers: list[str] = []
        while self.position < len(self.text):
            if self.next_is("#"):
                raise LexicalError("a comment in a field")
            if self.next_is("'", '"'):
                self.skip_string()
                continue
            character = self.text[self.position]
            self.refuse_backslash(character)
            if not closers and self.next_is("!=", "==", "<=", ">="):
                self.position += 2
                continue
            if not closers and character in "!:=}":
                return
            if character in CLOSERS:
                closers.append(CLOSERS[character])
            elif character in CLOSERS.values() and (not closers or closers.pop() != character):
                raise LexicalError("brackets that do not match in a field")
            self.position += 1
        raise LexicalError("a field without an end")

    def skip_string(self) -> None:
        character = self.text[self.position]
        quotes = character * 3 if self.next_is(character * 3) else character
        self.position += len(quotes)
        while not self.next_is(quotes):
            if self.position >= len(self.text):
                raise LexicalError("an unterminated string in a field")
            self.refuse_backslash(self.text[self.position])
            self.position += 1
        self.position += len(quotes)

    def refuse_backslash(self, character: str) -> None:
        if character == "\\":
            raise LexicalError("a backslash in a field")
