"""Frames: directives for strings with fields in them, as Python's f-strings.

    // @frames fields bounded               fields have no quotes of strings around; `free`: they have
    // @frames quotes "'" "\\"" "'''"        up to four kinds of quotes: a sign, or the same three times
    // @frames lines "'''"                  the quotes of strings that may span lines
    // @frames rare "'''"                   quotes for which nothing is prepared ahead
    // @frames begin F_START _PREFIX        a declared terminal: this prefix and quotes
    // @frames raw begin F_START _RAW       the same for strings with other escapes
    // @frames end F_END                    the closing quotes
    // @frames text F_TEXT _ESCAPE          text between quotes and fields, with these escapes or none
    // @frames raw text F_TEXT _ESCAPE      the same for raw strings; of several lines the first counts
    // @frames escape "\\\\" alone            the beginning of escapes; `alone`: text in front of a field
    // @frames doubled                      openers and closers of fields are text if doubled, and only then
    // @frames open F_OPEN "{"              opens a field
    // @frames close F_CLOSE "}"            closes a field
    // @frames equal F_EQUAL "="            asks for a field's source
    // @frames conversion F_CONVERSION _C   says how a value becomes text
    // @frames colon F_COLON ":"            begins a specification, which is text with fields in it
    // @frames split ":="                   texts that are no single symbols where a field may end
    // @frames error "lambda"               texts that are errors there
    // @frames brackets "(" ")" "{" "}"     pairs inside which no field ends; Python's layout has its own

and three for CPython from 3.12 on:

    // @frames later "{{"                   further text in a specification behind a field
    // @frames break F_BREAK _LINE_BREAK    ends a specification in one line; fields behind it are code
    // @frames raw specification F_TEXT _E  escapes in specifications of raw strings; `error`: wrong ones

The nesting limits are CPython's: 200 open brackets, fields and strings, and 149 strings with free fields.

Terminals are `%declare`d and used in the rules; patterns are names of terminals or texts. Each kind of quotes
has its own terminals for beginnings and ends, so that a string ends as it began, wherever it is cut.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NotRequired, TypedDict

MOST_QUOTES = 4
WORD = re.compile(r'\s*(\w+|"(?:[^"\\]|\\.)*")')
RAW = ("begin", "text", "specification")
NEEDED = ("quotes", "begin", "end", "text", "open", "close")
# The least and the greatest number of words behind each role.
WORDS = {
    "fields": (1, 1),
    "quotes": (1, MOST_QUOTES),
    "lines": (1, MOST_QUOTES),
    "rare": (1, MOST_QUOTES),
    "begin": (2, 2),
    "end": (1, 1),
    "text": (1, 2),
    "escape": (1, 2),
    "doubled": (0, 0),
    "open": (2, 2),
    "close": (2, 2),
    "equal": (2, 2),
    "conversion": (2, 2),
    "colon": (2, 2),
    "split": (1, 99),
    "error": (1, 99),
    "brackets": (2, 98),
    "later": (1, 1),
    "break": (2, 2),
    "specification": (2, 2),
}
# The roles that may be repeated.
SEVERAL = ("begin", "text", "specification", "split", "error")


class FramesError(ValueError):
    """An invalid line."""


class QuoteDescription(TypedDict):
    text: str
    has_lines: bool
    is_rare: bool


class Prefix(TypedDict):
    terminal: str
    pattern: str
    is_raw: bool


class FrameText(TypedDict):
    terminal: str | None
    escape: str | None


class FramePart(TypedDict):
    terminal: str
    pattern: str


class FramesDescription(TypedDict):
    """The frames of a compiled grammar."""

    fields: str
    quotes: list[QuoteDescription]
    begin: list[Prefix]
    end: str
    text: list[FrameText]
    raw_text: list[FrameText]
    escape: str | None
    has_lone_escapes: bool
    is_doubled: bool
    open: FramePart
    close: FramePart
    equal: FramePart | None
    conversion: FramePart | None
    colon: FramePart | None
    split: list[str]
    errors: list[str]
    brackets: list[tuple[str, str]]
    later_text: NotRequired[str]
    line_break: NotRequired[FramePart]
    raw_specification: NotRequired[list[FrameText]]


@dataclass(frozen=True, slots=True)
class FrameLine:
    """A line: its role, perhaps with `raw` in front, and the words behind it."""

    role: str
    words: tuple[str, ...]
    number: int


@dataclass(slots=True)
class Frames:
    """The `@frames` lines of one grammar."""

    lines: list[FrameLine] = field(default_factory=list)

    def follow(self, rest: str, number: int) -> None:
        """Adds a line."""
        words = WORD.findall(rest)
        if WORD.sub("", rest).strip() or not words:
            raise FramesError(f"`@frames {rest}` is no list of names and texts")
        is_raw = words[0] == "raw"
        role, *behind = words[is_raw:] or [""]
        if role not in WORDS or (is_raw and role not in RAW) or (role == "specification" and not is_raw):
            raise FramesError(f"`@frames` knows no `{' '.join(words[: 1 + is_raw])}`")
        least, most = WORDS[role]
        if not least <= len(behind) <= most:
            wanted = str(least) if least == most else f"{least} to {most}"
            raise FramesError(f"`@frames {role}` wants {wanted} names or texts, and has {len(behind)}")
        _check(role, behind)
        name = f"raw {role}" if is_raw else role
        if role not in SEVERAL and self._all(name):
            raise FramesError(f"`@frames {role}` stands twice")
        self.lines.append(FrameLine(name, tuple(behind), number))

    def _all(self, role: str) -> list[FrameLine]:
        return [line for line in self.lines if line.role == role]

    def texts(self, role: str) -> list[str]:
        """The texts behind a role."""
        return [text_of(word) for line in self._all(role) for word in line.words]

    def terminals(self) -> list[tuple[str, int]]:
        """The named terminals, with their lines."""
        roles = (
            "begin",
            "end",
            "text",
            "open",
            "close",
            "equal",
            "conversion",
            "colon",
            "break",
            "specification",
        )
        named = [line for line in self.lines if line.role.removeprefix("raw ") in roles]
        return [(line.words[0], line.number) for line in named if line.words[0] != "error"]

    def faults(self) -> list[tuple[str, int]]:
        """The faults between lines, with line numbers."""
        if not self.lines:
            return []
        first = self.lines[0].number
        roles = {line.role for line in self.lines}
        missing = [role for role in NEEDED if not {role, f"raw {role}"} & roles]
        found = [(f"strings with fields need `@frames {role}`", first) for role in missing]
        for prefix, text in (("begin", "text"), ("raw begin", "raw text")):
            lines = self._all(prefix)
            if lines and "text" not in missing and text not in roles:
                found.append((f"`@frames {prefix}` needs `@frames {text}`", lines[0].number))
        for line in (line for line in self.lines if line.role in ("lines", "rare")):
            unknown = [word for word in line.words if text_of(word) not in self.texts("quotes")]
            found.extend(
                (f"`@frames {line.role}` names {word}, which is no quotes", line.number) for word in unknown
            )
        opened = [text_of(line.words[1]) for line in self._all("open")]
        if any(len(one) > 1 for one in opened):
            doubled = self._all("doubled")
            found.extend(
                ("`@frames doubled` wants fields that one character opens", line.number) for line in doubled
            )
        bounded = self._fields() == "bounded"
        found.extend(
            (f"`@frames {line.role}` wants `@frames fields free`", line.number)
            for line in self.lines
            if bounded and line.role in ("later", "break")
        )
        return found

    def _fields(self) -> str:
        return next((line.words[0] for line in self._all("fields")), "free")

    def description(self, pattern_of: Callable[[str, int], str]) -> FramesDescription | None:
        """The description for the engine; `pattern_of` gives the expressions of names and texts."""
        if not self.lines:
            return None

        def text_lines(role: str) -> list[FrameText]:
            return [
                {
                    "terminal": None if line.words[0] == "error" else line.words[0],
                    "escape": pattern_of(line.words[1], line.number) if len(line.words) > 1 else None,
                }
                for line in self._all(role)
            ]

        def spelt(role: str) -> FramePart | None:
            lines = self._all(role)
            return {"terminal": lines[0].words[0], "pattern": text_of(lines[0].words[1])} if lines else None

        def matched(role: str) -> FramePart | None:
            lines = self._all(role)
            if not lines:
                return None
            terminal, pattern = lines[0].words
            return {"terminal": terminal, "pattern": pattern_of(pattern, lines[0].number)}

        opening, closing = spelt("open"), spelt("close")
        assert opening is not None
        assert closing is not None
        escapes = self._all("escape")
        brackets = self.texts("brackets")
        quotes = self.texts("quotes")
        lines, rare = self.texts("lines"), self.texts("rare")
        found: FramesDescription = {
            "fields": self._fields(),
            "quotes": [{"text": one, "has_lines": one in lines, "is_rare": one in rare} for one in quotes],
            "begin": [
                {
                    "terminal": line.words[0],
                    "pattern": pattern_of(line.words[1], line.number),
                    "is_raw": line.role == "raw begin",
                }
                for line in self.lines
                if line.role in ("begin", "raw begin")
            ],
            "end": self._all("end")[0].words[0],
            "text": text_lines("text"),
            "raw_text": text_lines("raw text"),
            "escape": text_of(escapes[0].words[0]) if escapes else None,
            "has_lone_escapes": bool(escapes) and "alone" in escapes[0].words,
            "is_doubled": bool(self._all("doubled")),
            "open": opening,
            "close": closing,
            "equal": spelt("equal"),
            "conversion": matched("conversion"),
            "colon": spelt("colon"),
            "split": self.texts("split"),
            "errors": self.texts("error"),
            "brackets": list(zip(brackets[::2], brackets[1::2], strict=True)),
        }
        if later := self.texts("later"):
            found["later_text"] = later[0]
        if line_break := matched("break"):
            found["line_break"] = line_break
        if specification := text_lines("raw specification"):
            found["raw_specification"] = specification
        return found


# Roles of which all words are texts, and those of which the last one is.
TEXTS = ("quotes", "lines", "rare", "split", "error", "brackets", "later")
SPELT = ("open", "close", "equal", "colon")


def _check(role: str, words: list[str]) -> None:
    """Checks a line against its role."""
    texts = words if role in TEXTS else words[:1] if role == "escape" else words[1:] if role in SPELT else []
    for word in texts:
        if not word.startswith('"') or not text_of(word):
            raise FramesError(f"`@frames {role}` wants a text, not `{word}`")
    plain = [text_of(word) for word in texts]
    match role:
        case "fields" if words[0] not in ("bounded", "free"):
            raise FramesError("`@frames fields` wants `bounded` or `free`")
        case "quotes":
            for one in plain:
                if len(one) not in (1, 3) or len(set(one)) > 1 or not _is_sign(one[0]):
                    raise FramesError(f'quotes are one sign or the same three times, not "{one}"')
            if len(set(plain)) < len(plain):
                raise FramesError("the same quotes stand twice")
        case "escape" if not _is_sign(plain[0]) or words[1:] not in ([], ["alone"]):
            raise FramesError("`@frames escape` wants one sign as a text, and perhaps `alone`")
        case "close" if not (len(plain[0]) == 1 and plain[0].isascii()):
            raise FramesError("fields are closed by one ASCII character")
        case "open" | "colon" if not plain[0].isascii():
            raise FramesError(f"`@frames {role}` wants ASCII characters")
        case "brackets" if len(plain) % 2 or not all(map(_is_sign, plain)):
            raise FramesError("`@frames brackets` wants pairs of signs")


def _is_sign(text: str) -> bool:
    return len(text) == 1 and text.isascii() and text.isprintable() and not text.isalnum() and text != " "


ESCAPE = re.compile(r"\\(.)")
CONTROL = {"n": "\n", "t": "\t", "r": "\r"}


def text_of(word: str) -> str:
    """The text in quotes."""
    return ESCAPE.sub(lambda match: CONTROL.get(match[1], match[1]), word[1:-1])
