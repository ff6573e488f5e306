"""A reader of Python's regular expressions, as far as automata understand them.

It is one recursive descent over the text: choices, sequences, quantified parts. What depends on
anything but the characters themselves (anchors, look-around, back-references, possessive parts)
is refused by name, so that the message can say what to change.

Two things go beyond Python's `re`: `\\p{...}` classes, and `&&` for intersection inside a set,
where `[` opens a nested set right behind `&&` only. Both mean what they mean in Rust.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass, field

from quotient.regexes import (
    ANY,
    ANY_BUT_NEWLINE,
    CharacterSet,
    Choice,
    IgnoreCase,
    Regex,
    RegexError,
    Repeat,
    Sequence,
    Text,
    Unescaped,
    rust_character,
)

UNESCAPED = r"(?<!\\)(\\\\)*?"
CLASS_LETTERS = "dDwWsS"
CONTROL_LETTERS = {"n": "\n", "r": "\r", "t": "\t", "f": "\f", "v": "\v", "a": "\a"}
HEXADECIMAL_LENGTHS = {"x": 2, "u": 4, "U": 8}


def parsed_regex(source: str, flags: str = "") -> Regex:
    """The tree of a Python regular expression with the flags behind a Lark literal."""
    unknown = set(flags) - set("imsux")
    if unknown:
        raise RegexError(f"the flag `{min(unknown)}`")
    reader = _Reader(source, is_dot_all="s" in flags, is_verbose="x" in flags)
    regex = reader.choice()
    if reader.position < len(source):
        raise RegexError(f"an unbalanced `{source[reader.position]}`")
    return IgnoreCase(regex) if "i" in flags or reader.is_case_ignored else regex


def is_class(member: str) -> bool:
    """Whether a set's member stands for several characters."""
    return member[0] == "\\" and member[1] in CLASS_LETTERS + "pP"


@dataclass(slots=True)
class _Reader:
    source: str
    is_dot_all: bool
    is_verbose: bool
    is_case_ignored: bool = field(default=False)
    position: int = 0

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
        while self.position < len(self.source) and self.source[self.position].isspace():
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
            return None
        if most and not most.isdigit():
            return None
        self.position = end + 1
        if not comma:
            return int(least), int(least)
        return int(least or 0), int(most) if most else None

    def unit(self) -> Regex | None:
        """One unquantified part; None for what only sets flags or comments."""
        if self.skip(UNESCAPED):
            return Unescaped()
        character = self.next_character()
        match character:
            case "(":
                return self.group()
            case "[":
                return CharacterSet(self.set())
            case ".":
                return ANY if self.is_dot_all else ANY_BUT_NEWLINE
            case "^" | "$":
                raise RegexError(f"the anchor `{character}`")
            case "*" | "+" | "?":
                raise RegexError(f"nothing to repeat before `{character}`")
            case "\\":
                escape = self.escape()
                return escape if isinstance(escape, CharacterSet) else Text(escape)
            case _:
                return Text(character)

    def group(self) -> Regex | None:
        is_case_ignored, is_dot_all, is_verbose = False, self.is_dot_all, self.is_verbose
        if self.skip("?"):
            if self.skip("#"):
                while self.next_character() != ")":
                    pass
                return None
            if self.has("P<"):
                while self.next_character() != ">":
                    pass
            elif not self.skip(":"):
                self.refuse_group()
                flags = ""
                while not self.has(":") and not self.has(")"):
                    flags += self.next_character()
                if set(flags) - set("imsux"):
                    raise RegexError(f"the group `(?{flags}`")
                self.is_dot_all |= "s" in flags
                self.is_verbose |= "x" in flags
                is_case_ignored = "i" in flags
                if self.skip(")"):
                    self.is_case_ignored |= is_case_ignored
                    return None
                self.skip(":")
        inner = self.choice()
        if not self.skip(")"):
            raise RegexError("an unclosed group")
        self.is_dot_all, self.is_verbose = is_dot_all, is_verbose
        return IgnoreCase(inner) if is_case_ignored else inner

    def refuse_group(self) -> None:
        refused = {
            "=": "look-ahead",
            "!": "look-ahead",
            "<=": "look-behind",
            "<!": "look-behind",
            "P=": "a back-reference",
            "(": "a conditional group",
            ">": "an atomic group",
        }
        for mark, name in refused.items():
            if self.has(mark):
                raise RegexError(name)

    def escape(self) -> str | CharacterSet:
        """What stands behind a backslash: one character, or a class of them."""
        letter = self.next_character()
        if letter in CLASS_LETTERS:
            return CharacterSet("\\" + letter)
        if letter in "pP":
            end = self.source.find("}", self.position)
            if not self.has("{") or end < 0:
                raise RegexError(f"`\\{letter}` without a class in braces")
            name = self.source[self.position : end + 1]
            self.position = end + 1
            return CharacterSet(f"\\{letter}{name}")
        if letter in CONTROL_LETTERS:
            return CONTROL_LETTERS[letter]
        if letter in HEXADECIMAL_LENGTHS:
            digits = "".join(self.next_character() for _ in range(HEXADECIMAL_LENGTHS[letter]))
            return chr(int(digits, 16))
        if letter == "N":
            end = self.source.find("}", self.position)
            name = self.source[self.position + 1 : end]
            self.position = end + 1
            return unicodedata.lookup(name)
        if letter == "0":
            digits = ""
            while len(digits) < 2 and any(self.has(digit) for digit in "01234567"):
                digits += self.next_character()
            return chr(int(digits or "0", 8))
        if letter.isdigit():
            raise RegexError(f"the back-reference `\\{letter}`")
        if letter.isalpha():
            what = "anchor" if letter in "bBAZ" else "escape"
            raise RegexError(f"the {what} `\\{letter}`")
        return letter

    def set(self) -> str:
        """The rest of a set behind its `[`, in Rust's syntax.

        Characters that only Rust takes for operators (`[`, `--`, `~~`) come out escaped.
        """
        rust = "[^" if self.skip("^") else "["
        is_first = True
        while is_first or not self.has("]"):
            is_first = False
            if self.skip("&&"):
                rust += "&&" + (self.set() if self.skip("[") else "")
                continue
            low = self.set_member()
            rust += low
            if self.has("-") and not self.has("-]"):
                self.skip("-")
                high = self.set_member()
                if is_class(low) or is_class(high):
                    raise RegexError(f"the range `{low}-{high}`")
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
        return "\b" if self.skip("b") else self.escape()
