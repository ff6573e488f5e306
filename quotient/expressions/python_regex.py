"""A parser of Python's regular expressions, as far as automata support them.

It is a recursive descent over the text: choices, sequences, quantified parts. Features without an automaton
(most anchors, conditional groups, atomic and possessive ones) are refused by name, so that the message can
say what to change.

Our own grammars have two features beyond Python's `re`, with Rust's meaning: `\\p{...}` classes, and `&&` for
intersection inside a set, where `[` opens a nested set only directly behind `&&`. For the package `regex`,
that package decides on classes and sets (`expressions/regex_dialects.py`).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from quotient.expressions.back_references import without_back_references
from quotient.expressions.character_sets import WORD
from quotient.expressions.regex_dialects import RegexDialect, regex_class
from quotient.expressions.regexes import (
    ANY,
    ANY_BUT_NEWLINE,
    BackReference,
    Boundary,
    CharacterSet,
    Choice,
    Group,
    IgnoreCase,
    LiteralText,
    Look,
    Regex,
    RegexError,
    Repeat,
    Sequence,
    rust_character,
)

CLASS_LETTERS = "dDwWsS"
# Python's digits, word characters and white space, as members of a set in Rust's syntax.
CLASSES = {"d": r"\d", "w": WORD, "s": r"\s\x{1C}-\x{1F}"}
POSIX_CLASS = re.compile(r"\[:\^?\w+:\]")
OCTAL_DIGITS = frozenset("01234567")
WHITE_SPACE = frozenset(" \t\n\r\v\f")
CONTROL_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
HEXADECIMAL_LENGTHS = {"x": 2, "u": 4, "U": 8}
LOOKS = {"=": (False, False), "!": (False, True), "<=": (True, False), "<!": (True, True)}
REFUSED_GROUPS = {"(": "a conditional group", ">": "an atomic group"}
# The place of `$` with the flag `m`: in front of each line feed, and at the end of the text.
LINE_END = Look(CharacterSet(r"[^\n]"), is_behind=False, is_negative=True)


def parsed_regex(source: str, flags: str = "", dialect: RegexDialect = RegexDialect.OURS) -> Regex:
    """The tree of a regular expression with the flags behind a Lark literal."""
    unknown = set(flags) - set("imsux")
    if unknown:
        raise RegexError(f"the flag `{min(unknown)}`")
    reader = _Reader(source, dialect, "s" in flags, "x" in flags, "m" in flags)
    try:
        regex = reader.choice()
    except RecursionError:
        raise RegexError("groups that are too deep in each other") from None
    if reader.position < len(source):
        raise RegexError(f"an unbalanced `{source[reader.position]}`")
    regex = without_back_references(regex)
    return IgnoreCase(regex) if "i" in flags or reader.is_case_ignored else regex


def is_class(member: str) -> bool:
    """Whether a set's member stands for several characters."""
    return member[0] == "\\" and member[1] in CLASS_LETTERS + "pP"


@dataclass(slots=True)
class _Reader:
    source: str
    dialect: RegexDialect
    is_dot_all: bool
    is_verbose: bool
    is_multiline: bool
    is_case_ignored: bool = False
    position: int = 0
    n_groups: int = 0
    numbers: dict[str, int] = field(default_factory=dict)

    def has(self, text: str) -> bool:
        return self.source.startswith(text, self.position)

    def skip(self, text: str) -> bool:
        found = self.has(text)
        if found:
            self.position += len(text)
        return found

    def next_character(self) -> str:
        if self.position == len(self.source):
            raise RegexError("an expression that ends too early")
        self.position += 1
        return self.source[self.position - 1]

    def choice(self) -> Regex:
        options = [self.sequence()]
        while self.skip("|"):
            options.append(self.sequence())
        return options[0] if len(options) == 1 else Choice(tuple(options))

    def sequence(self) -> Regex:
        parts: list[Regex] = []
        while self.position < len(self.source) and not self.has("|") and not self.has(")"):
            if self.is_verbose and self.skip_blank():
                continue
            part = self.unit()
            if part is not None:
                parts.append(self.quantified(part))
        return parts[0] if len(parts) == 1 else Sequence(tuple(parts))

    def skip_blank(self) -> bool:
        start = self.position
        while self.position < len(self.source) and self.source[self.position] in WHITE_SPACE:
            self.position += 1
        if self.has("#"):
            end = self.source.find("\n", self.position)
            self.position = len(self.source) if end < 0 else end + 1
        return self.position > start

    def quantified(self, part: Regex) -> Regex:
        while True:
            if self.is_verbose:
                self.skip_blank()
            bounds = self.bounds()
            if bounds is None:
                return part
            if self.skip("+"):
                raise RegexError("a possessive quantifier")
            part = Repeat(part, *bounds, lazy=self.skip("?"))

    def bounds(self) -> tuple[int, int | None] | None:
        for mark, bounds in {"*": (0, None), "+": (1, None), "?": (0, 1)}.items():
            if self.skip(mark):
                return bounds
        if not self.has("{"):
            return None
        end = self.source.find("}", self.position)
        least, comma, most = self.source[self.position + 1 : max(end, 0)].partition(",")
        if end < 0 or not (least.isdigit() or (comma and not least)):
            if self.dialect is RegexDialect.REGEX:
                raise RegexError("a brace that is no count, which may stand for what is like it")
            return None
        if most and not most.isdigit():
            return None
        self.position = end + 1
        if not comma:
            return int(least), int(least)
        return int(least or 0), int(most) if most else None

    def unit(self) -> Regex | None:
        """An unquantified part; None for bare flags and comments."""
        character = self.next_character()
        match character:
            case "(":
                return self.group()
            case "[" if self.dialect is RegexDialect.REGEX:
                return self.set_of_regex()
            case "[":
                return CharacterSet(self.set())
            case ".":
                return ANY if self.is_dot_all else ANY_BUT_NEWLINE
            case "$" if self.is_multiline:
                return LINE_END
            case "^" | "$":
                raise RegexError(f"the anchor `{character}`")
            case "*" | "+" | "?":
                raise RegexError(f"nothing to repeat before `{character}`")
            case "\\":
                return self.escaped_unit()
            case _:
                return LiteralText(character)

    def escaped_unit(self) -> Regex:
        for mark, is_negative in {"b": False, "B": True}.items():
            if self.skip(mark):
                is_of_regex = self.dialect is RegexDialect.REGEX
                return Boundary(is_negative, CharacterSet(regex_class(r"\w") if is_of_regex else r"\w"))
        octal = self.source[self.position : self.position + 3]
        if len(octal) == 3 and OCTAL_DIGITS.issuperset(octal):
            self.position += 3
            return LiteralText(_octal(octal))
        if self.position < len(self.source) and self.source[self.position] in "123456789":
            return self.back_reference(self.number())
        escape = self.escape()
        return escape if isinstance(escape, CharacterSet) else LiteralText(escape)

    def number(self) -> int:
        digits = self.next_character()
        if self.position < len(self.source) and self.source[self.position].isdigit():
            digits += self.next_character()
        return int(digits)

    def back_reference(self, number: int | None) -> BackReference:
        if number is None or number > self.n_groups:
            raise RegexError("a back-reference to a group that is not there")
        return BackReference(number)

    def group(self) -> Regex | None:
        if not self.skip("?"):
            return self.numbered("")
        if self.skip("#"):
            self.up_to(")")
            return None
        if self.skip("P<"):
            return self.numbered(self.up_to(">"))
        if self.skip("P="):
            return self.back_reference(self.numbers.get(self.up_to(")")))
        for mark, (is_behind, is_negative) in LOOKS.items():
            if self.skip(mark):
                return Look(self.inner(), is_behind, is_negative)
        for mark, what in REFUSED_GROUPS.items():
            if self.has(mark):
                raise RegexError(what)
        return self.flagged()

    def numbered(self, name: str) -> Regex:
        self.n_groups += 1
        number = self.n_groups
        part = self.inner()
        if name:
            self.numbers[name] = number
        return Group(number, part)

    def up_to(self, end: str) -> str:
        characters = iter(self.next_character, end)
        return "".join(characters)

    def inner(self) -> Regex:
        """The expression in a group, up to its end; flags set in it end with it."""
        flags = self.is_dot_all, self.is_verbose, self.is_multiline
        inner = self.choice()
        if not self.skip(")"):
            raise RegexError("an unclosed group")
        self.is_dot_all, self.is_verbose, self.is_multiline = flags
        return inner

    def flagged(self) -> Regex | None:
        """A group with flags, or flags for all that follows."""
        flags = ""
        while not self.has(":") and not self.has(")"):
            flags += self.next_character()
        if set(flags) - set("imsux"):
            raise RegexError(f"the group `(?{flags}`")
        before = self.is_dot_all, self.is_verbose, self.is_multiline
        self.is_dot_all |= "s" in flags
        self.is_verbose |= "x" in flags
        self.is_multiline |= "m" in flags
        if self.skip(")"):
            self.is_case_ignored |= "i" in flags
            return None
        self.skip(":")
        inner = self.inner()
        self.is_dot_all, self.is_verbose, self.is_multiline = before
        return IgnoreCase(inner) if "i" in flags else inner

    def escape(self, *, is_in_set: bool = False) -> str | CharacterSet:
        """The character behind a backslash, or a class of them."""
        letter = self.next_character()
        if letter in CLASS_LETTERS + "pP" and self.dialect is RegexDialect.REGEX:
            return CharacterSet(regex_class(f"\\{letter}{self.property() if letter in 'pP' else ''}"))
        if letter in CLASSES:
            return CharacterSet(CLASSES[letter] if is_in_set else f"[{CLASSES[letter]}]")
        if letter in CLASS_LETTERS:
            return CharacterSet("\\" + letter if is_in_set else f"[^{CLASSES[letter.lower()]}]")
        if letter in "pP":
            if self.dialect is RegexDialect.RE:
                known = "which Python's `re` does not know; with `regex=True` it is read as Lark then does"
                raise RegexError(f"`\\{letter}{self.property()}`, {known}")
            return CharacterSet(f"\\{letter}{self.property()}")
        if letter in CONTROL_LETTERS:
            return CONTROL_LETTERS[letter]
        if letter in HEXADECIMAL_LENGTHS:
            digits = "".join(self.next_character() for _ in range(HEXADECIMAL_LENGTHS[letter]))
            try:
                return chr(int(digits, 16))
            except (ValueError, OverflowError):
                raise RegexError(f"the escape `\\{letter}{digits}`") from None
        if letter == "N":
            end = self.source.find("}", self.position)
            name = self.source[self.position + 1 : end]
            self.position = end + 1
            try:
                return unicodedata.lookup(name)
            except KeyError:
                raise RegexError(f"the unknown character `{name}`") from None
        if letter == "0" or (is_in_set and letter in OCTAL_DIGITS):
            digits = letter
            while len(digits) < 3 and any(map(self.has, OCTAL_DIGITS)):
                digits += self.next_character()
            return _octal(digits)
        if letter.isalpha():
            what = "anchor" if letter in "AZ" else "escape"
            raise RegexError(f"the {what} `\\{letter}`")
        return letter

    def property(self) -> str:
        """The class in braces behind `\\p`."""
        end = self.source.find("}", self.position)
        if not self.has("{") or end < 0:
            raise RegexError("`\\p` without a class in braces")
        name = self.source[self.position : end + 1]
        self.position = end + 1
        return name

    def set_of_regex(self) -> Regex:
        """The rest of a set behind its `[`, evaluated by the package `regex`."""
        start = self.position - 1
        self.skip("^")
        is_first = True
        while is_first or not self.has("]"):
            is_first = False
            if posix := POSIX_CLASS.match(self.source, self.position):
                self.position = posix.end()
            elif self.next_character() == "\\":
                self.next_character()
        self.skip("]")
        return CharacterSet(regex_class(self.source[start : self.position]))

    def set(self) -> str:
        """The rest of a set behind its `[`, in Rust's syntax.

        Characters that are operators only in Rust (`[`, `--`, `~~`) are escaped.
        """
        rust = "[^" if self.skip("^") else "["
        is_first = True
        while is_first or not self.has("]"):
            is_first = False
            if self.dialect is RegexDialect.OURS and self.skip("&&"):
                rust += "&&" + (self.set() if self.skip("[") else "")
                continue
            start = self.position
            low = self.set_member()
            rust += low
            if self.has("-") and not self.has("-]"):
                self.skip("-")
                high = self.set_member()
                if is_class(low) or is_class(high):
                    raise RegexError(f"the range `{self.source[start : self.position]}`")
                rust += "-" + high
        self.skip("]")
        return rust + "]"

    def set_member(self) -> str:
        character = self.next_character()
        if character != "\\":
            return rust_character(character)
        member = self.backspace_or_escape()
        return member.rust if isinstance(member, CharacterSet) else rust_character(member)

    def backspace_or_escape(self) -> str | CharacterSet:
        return "\b" if self.skip("b") else self.escape(is_in_set=True)


def _octal(digits: str) -> str:
    number = int(digits, 8)
    if number > 0o377:
        raise RegexError(f"the escape `\\{digits}`")
    return chr(number)
