"""Invented f-strings: fields in fields, strings in those, and syntax in them that versions read differently.

Most are right except for one thing, and often for none: any two versions differ in what a field may contain,
and random text never reaches those differences. The pieces consist of characters that matter to tokenizers:
backslashes and what they escape, quotes of each kind, `#`, `!=`, `:`, `=`, braces, line breaks and comments.
"""

from __future__ import annotations

from random import Random

QUOTES = ("'", '"', "'''", '"""')
NAMES = ("a", "b", "x", "é", "match", "_")
ESCAPES = (
    *(r"\n", r"\\", r"\d", r"\x41", r"\x", r"\x4", r"\u0041", r"\u1", r"\U0010ffff", r"\U00110000"),
    *(r"\N", r"\N{x}", r"\N{LF}", r"\N{EM DASH}", "\\\n", "\\\r\n", r"\'", r"\"", r"\#", "\\é", r"\0", r"\8"),
)
ODD = ("#", "!", "=", ":", "{", "}", "{{", "}}", "\n", "\\", "é", "\t", " ", "'", '"')


class Fields:
    """Statements with f-strings in them."""

    def __init__(self, seed: int, prefixes: tuple[str, ...] = ("f", "f", "f", "rf", "Fr")) -> None:
        self.random = Random(seed)
        self.prefixes = prefixes

    def statement(self) -> str:
        """A statement, with its line break."""
        choose = self.random.random()
        text = self.strings(0)
        if choose < 0.6:
            return f"{text}\n"
        if choose < 0.75:
            return f"x = [{text},\n{self.strings(1)}]\n"
        if choose < 0.9:
            return f"if {self.fstring(0)}:\n\tx = {text}\n"
        return f"def f(a={text}): return {self.strings(1)}\n"

    def strings(self, depth: int) -> str:
        """An f-string, or several adjacent strings."""
        texts = [self.fstring(depth)]
        if self.chance(0.15):
            texts.insert(self.random.randrange(2), self.fstring(depth) if self.chance(0.5) else self.string())
        return " ".join(texts)

    def fstring(self, depth: int) -> str:
        prefix = self.random.choice(self.prefixes)
        quotes = self.random.choice(QUOTES if self.chance(0.4) else QUOTES[:2])
        pieces = [self.field(depth, 0)]
        while self.chance(0.35):
            pieces.insert(self.random.randrange(len(pieces) + 1), self.literal(depth))
        return prefix + quotes + "".join(pieces) + quotes

    def string(self) -> str:
        """A string that is not an f-string."""
        prefix = self.random.choice(("", "r", "b", "rb", "Br", "u"))
        quotes = self.random.choice(QUOTES)
        pieces = [
            self.random.choice(("a", "é", *ESCAPES, *ESCAPES, *ODD)) for _ in range(self.random.randrange(4))
        ]
        return prefix + quotes + "".join(pieces) + quotes

    def literal(self, depth: int) -> str:
        choose = self.random.random()
        if choose < 0.3:
            return self.random.choice(ESCAPES)
        if choose < 0.5:
            return self.random.choice(ODD)
        return self.random.choice(("a", "{{", "}}", " ")) if choose < 0.8 else self.field(depth, 0)

    def field(self, depth: int, nested: int) -> str:
        equal = self.random.choice(("=", " = ", "= ")) if self.chance(0.45) else ""
        conversion = self.random.choice(("!r", "!s", "!a", "!r ", "! r", "!x")) if self.chance(0.15) else ""
        specification = self.specification(depth, nested) if self.chance(0.25) else ""
        return (
            "{"
            + self.space()
            + self.expression(depth)
            + self.space()
            + equal
            + conversion
            + specification
            + "}"
        )

    def specification(self, depth: int, nested: int) -> str:
        pieces = [":"]
        while self.chance(0.6):
            choose = self.random.random()
            if choose < 0.35 and nested < 3:
                pieces.append(self.field(depth + 1, nested + 1))
            else:
                pieces.append(self.random.choice((">", "1", "a", *ESCAPES) if choose < 0.85 else ODD))
        return "".join(pieces)

    def space(self) -> str:
        if self.chance(0.85):
            return ""
        return self.random.choice((" ", "\n", "\t", "\\\n", "#\n", "#'\n", "# \\x\n", "\r\n", "\f"))

    def expression(self, depth: int) -> str:
        parts = [self.operand(depth)]
        while self.chance(0.3):
            operator = self.random.choice(
                ("!=", "!=", "==", "+", ",", " if a else ", " and ", "|", "<", ":=")
            )
            parts += [operator, self.operand(depth)]
        if self.chance(0.07):
            parts.insert(
                0, self.random.choice(("*", "-", "not ", "await ", "yield ", "lambda x: ", "lambda: ", "**"))
            )
        return self.space().join(parts)

    def operand(self, depth: int) -> str:
        """An operand of a field; mostly a string, or brackets with more inside."""
        choose = self.random.random()
        if choose < 0.4 or depth > 3:
            return self.string() if self.chance(0.8) else self.random.choice(NAMES)
        if choose < 0.6:
            return self.fstring(depth + 1)
        if choose < 0.75:
            return self.random.choice((*NAMES, "1", "0x1f", "1.", "...", "None", "1if a else 2"))
        return self.brackets(depth + 1)

    def brackets(self, depth: int) -> str:
        inner = self.expression(depth)
        other = self.operand(depth)
        return self.random.choice(
            (
                *(
                    f"({inner})",
                    f"[{inner}, {other}]",
                    f"{{{inner}}}",
                    f"{{{inner}: {other}}}",
                    f"a[{inner}:{other}]",
                ),
                *(f"a[{inner}]", f"f(a={inner})", f"f({inner}, *{other})", f"(lambda x={other}: {inner})"),
                *(
                    f"[{inner} for a in {other}]",
                    f"(a := {inner})",
                    f"{{**{inner}}}",
                    f"a({inner})[{other}].b",
                    "{}",
                ),
            )
        )

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability
