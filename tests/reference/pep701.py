"""f-strings from 3.12 on (PEP 701), and template strings from 3.14 on (PEP 750).

They are read from the left like everything else: text up to a brace, then code as in any brackets up to the
brace that closes the field, then text again. A field may contain anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from unicodedata import normalize

from tests.reference.fstrings import ESCAPED_TEXT
from tests.reference.lexing import LexicalError, Terminals
from tests.reference.python_layout import Lines

PREFIXES = {"FSTRING_START": "f|fr|rf", "TSTRING_START": "t|tr|rt"}
CONVERSION = re.compile(r"!(\w+)")
CONVERSIONS = ("r", "s", "a")
MOST_FSTRINGS = 149
"""How many f-strings CPython keeps open at once."""


class LinesWithFStrings(Lines):
    """A text whose f-strings are read symbol by symbol.

    3.12 also checks escapes in specifications of raw f-strings.
    """

    def __init__(
        self, terminals: Terminals, text: str, declared: list[str], checks_raw_specifications: bool
    ) -> None:
        super().__init__(terminals, text)
        self.checks_raw_specifications = checks_raw_specifications
        self.has_risks = "RISKY_MIDDLE" in declared
        self.tells_raw_apart = "RAW_FSTRING_START" in declared
        self.beginnings = {
            name: re.compile(rf"({prefixes})(\"\"\"|'''|\"|')", re.IGNORECASE)
            for name, prefixes in PREFIXES.items()
            if name in declared
        }
        self.n_open = 0

    def symbols_here(self) -> Iterator[str]:
        for name, beginning in self.beginnings.items():
            match = beginning.match(self.text, self.position)
            if match:
                self.position = match.end()
                is_raw = "r" in match[1].lower()
                yield "RAW_FSTRING_START" if is_raw and self.tells_raw_apart else name
                yield from self.fstring(match[2], is_raw)
                return
        yield from super().symbols_here()

    def fstring(self, quotes: str, is_raw: bool) -> Iterator[str]:
        self.n_open += 1
        if self.n_open > MOST_FSTRINGS:
            raise LexicalError("too many f-strings in each other")
        while True:
            yield from self.literal(quotes, is_raw, not is_raw, ("{{", "}}"))
            if self.skip(quotes):
                break
            if not self.text.startswith("{", self.position):
                raise LexicalError("a single '}' or a line break in an f-string")
            yield from self.field(quotes, is_raw)
        self.n_open -= 1
        yield "FSTRING_END"

    def skip(self, text: str) -> bool:
        is_there = self.text.startswith(text, self.position)
        self.position += len(text) * is_there
        return is_there

    def literal(self, quotes: str, is_raw: bool, is_checked: bool, doubled: tuple[str, ...]) -> Iterator[str]:
        """Text up to the quotes, a field, or a brace or line break that does not belong to it.

        `doubled` are the braces that stand for themselves when they are doubled.
        """
        start = self.position
        while self.position < len(self.text):
            if self.text.startswith((quotes, "\n"), self.position) and not (
                len(quotes) == 3 and self.text[self.position] == "\n"
            ):
                break
            if self.skip("\\"):
                if not is_raw and self.skip("N{"):
                    end = self.text.find("}", self.position)
                    self.position = end + 1 if end >= 0 else len(self.text)
                elif not self.text.startswith(("{", "}"), self.position):
                    self.position += 1
            elif self.text.startswith(doubled, self.position):
                yield from self.piece(start, self.position + 1, is_checked)
                self.position += 2
                start = self.position
            elif self.text[self.position] in "{}":
                break
            else:
                self.position += 1
        if self.position >= len(self.text):
            raise LexicalError("an f-string without an end")
        yield from self.piece(start, self.position, is_checked)

    def piece(self, start: int, end: int, is_checked: bool) -> Iterator[str]:
        is_escaped = ESCAPED_TEXT.fullmatch(self.text, start, end)
        if is_checked and not is_escaped:
            raise LexicalError("a wrong escape")
        if start < end:
            yield "FSTRING_MIDDLE" if is_escaped or not self.has_risks else "RISKY_MIDDLE"

    def field(self, quotes: str, is_raw: bool) -> Iterator[str]:
        self.position += 1
        self.match_brackets("{")
        level = len(self.brackets)
        yield "FIELD_OPEN"
        while True:
            self.skip_blank()
            is_at_its_level = len(self.brackets) == level
            if is_at_its_level and self.skip(":"):
                yield "FIELD_COLON"
                yield from self.specification(quotes, is_raw)
                is_done = True
            else:
                is_done = is_at_its_level and self.text.startswith("}", self.position)
            if is_done:
                if not self.skip("}"):
                    raise LexicalError("a field without '}'")
                self.match_brackets("}")
                yield "FIELD_CLOSE"
                return
            yield from self.field_symbols_here() if is_at_its_level else self.symbols_here()

    def field_symbols_here(self) -> Iterator[str]:
        """Symbols at a field's own level, where `=` and `!` belong to the f-string."""
        conversion = CONVERSION.match(self.text, self.position)
        # A conversion is a name, and names are compared after normalization: `!ª` is `!a`.
        if conversion and normalize("NFKC", conversion[1]) in CONVERSIONS:
            self.position = conversion.end()
            yield "FIELD_CONVERSION"
            return
        # f'{f"{f(a=b)}"}'
        #          ^ is among the symbols of the f-string that begins here, and no field's.
        is_own = self.text[self.position] == "="
        for symbol in self.symbols_here():
            yield "FIELD_EQUAL" if symbol == "=" and is_own else symbol

    def specification(self, quotes: str, is_raw: bool) -> Iterator[str]:
        doubled: tuple[str, ...] = ()
        is_checked = not is_raw or self.checks_raw_specifications
        while True:
            yield from self.literal(quotes, is_raw, is_checked, doubled)
            if not self.text.startswith("{", self.position):
                return
            yield from self.field(quotes, is_raw)
            # CPython forgets that it is in a specification when a field in it ends.
            doubled = ("{{",)

    def skip_blank(self) -> None:
        """Skips white space, comments, line breaks and joined lines, as in any brackets."""
        while True:
            self.skip_spaces()
            if self.position == len(self.text):
                raise LexicalError("a field without an end")
            character = self.text[self.position]
            if character == "#":
                self.position = self.text.index("\n", self.position)
            elif character == "\n":
                self.position += 1
            elif character == "\\":
                self.skip_continuation()
            else:
                return
