"""Names that a broken statement binds and needs, as far as its text tells, and statements that do the same.

The replacement of a broken line keeps what other lines need from it: the parameters of a function, the target
of an assignment, that a `return` was in a function. So the engine knows where each name is visible.

    def area(self, side:        def area(self, side):
        total = side * (            total = 0
        return total                return total
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Iterator

# A word that may be bound: none directly behind a dot.
WORD = re.compile(r"(?<![\w.])[^\W\d]\w*")
# Words that bind names anywhere in a statement, so that all of them count.
BINDS_ANYWHERE = re.compile(r"\b(?:import|def|class|global|nonlocal|except|case|type|del)\b|@")
# Else the names in front of `=` or `:=`, between `for` and `in` of a loop, behind `as`, or in front of an
# annotation.
TARGETS = re.compile(
    r"""(?m:
        ^.*(?<![=!<>])=(?!=) | ^[^\S\n]*(?:async[^\S\n]+)?for\b.*?\bin\b | \bas\b[^:]* | ^[^\S\n]*\w+[^\S\n]*:
    )""",
    re.VERBOSE,
)
OPEN_ENDS = "(", "[", "{", ",", "\\"
# A name that is called, asked for a member, or looked up is not bound.
TARGET = re.compile(WORD.pattern + r"(?!\w|\s*[.(\[])")

IMPORTED = re.compile(r"\s*(from\b.*?)?\bimport\b(.*)", re.DOTALL)
# An assignment's `=`: no comparison, no `:=`, and no sign in front of it.
ASSIGN = re.compile(r"(?<![=!<>:+\-*/%&|^@])=(?!=)")
# The text in front of `=`: targets, and perhaps an annotation.
HEAD = re.compile(r"[\w\s.,*()\[\]]+")
WALRUS = re.compile(r"(?<!\.)\b([^\W\d]\w*)\s*:=")
DEFINED = re.compile(r"\s*(async\s+)?(def|class)\b\s*([^\W\d]\w*)?(.*)", re.DOTALL)
PARAMETER = re.compile(r"[\s*]*([^\W\d]\w*)")
LOOP = re.compile(r"\s*(?:async\s+)?for\b(.*?)(?:\bin\b|:|$)", re.DOTALL)
NAMED = re.compile(r"\bas\b[\s(]*([^\W\d]\w*)(?!\w|\s*[.(\[])")
# A part of a target that is looked up or called in front of an `=`.
PART = re.compile(r"(?<=[\w)\]])[\[(][^()\[\]]*[\])]")
RETURN = re.compile(r"\s*return\b\s*(\S)?")
DECLARED = re.compile(r"\s*(global|nonlocal)\b(.*)", re.DOTALL)
NEEDS = (("yield", "(yield)"), ("await", "await 0"))


def may_bind(line: str, before: str) -> list[str]:
    """The words that a line may bind which cannot be read: rather too many than too few. `before` stands in
    front of it: in the middle of a statement it is not known what its words are."""
    if BINDS_ANYWHERE.search(line) or before.rstrip().endswith(OPEN_ENDS):
        return WORD.findall(line)
    return [word for found in TARGETS.finditer(line) for word in TARGET.findall(found[0])]


def simple(statement: str) -> str:
    """A simple statement that binds what a broken one does, and needs what that needs around it; nothing if
    that is nothing."""
    code = without_comments(statement)
    value = next((stand_in for word, stand_in in NEEDS if re.search(rf"\b{word}\b", code)), "0")
    if (returned := RETURN.match(code)) is not None:
        return f"return {value}" if returned[1] else "return"
    if (declared := DECLARED.match(code)) is not None:
        listed = names(WORD.findall(declared[2]))
        return f"{declared[1]} {', '.join(listed)}" if listed else ""
    if targets := bound_names(code):
        return " = ".join([*targets, value])
    return value if value != "0" else ""


def bound_names(code: str) -> list[str]:
    """The names that a statement binds around it."""
    if (found := DEFINED.match(code)) is not None:
        return names([found[3] or ""])
    if LOOP.match(code) is not None:
        return loop_targets(code)
    if (brought := IMPORTED.match(code)) is not None:
        return [] if "__future__" in (brought[1] or "") else names(imported_names(brought[2]))
    return names([*assigned_targets(code), *WALRUS.findall(code), *NAMED.findall(code)])


def imported_names(listed: str) -> Iterator[str]:
    for one in listed.strip(" \t()\\\r\n").split(","):
        words = WORD.findall(one.replace("\\", " "))
        if words:
            yield words[-1] if "as" in words else words[0]


def assigned_targets(code: str) -> Iterator[str]:
    """The targets in front of an assignment's `=`, in no brackets."""
    start = depth = 0
    for index, character in enumerate(code):
        depth = max(0, depth + (character in "([{") - (character in ")]}"))
        if character == "=" and not depth and ASSIGN.match(code, index):
            head = code[start:index].partition(":")[0]
            start = index + 1
            if HEAD.fullmatch(head):
                yield from TARGET.findall(PART.sub("[]", head))


def header_again(header: str, word: str) -> str:
    """The header of a block that binds what a broken one does. `word` is what it begins with."""
    code = without_comments(header)
    match word:
        case "def" | "class" if (found := DEFINED.match(code)) is not None:
            sign = f"{'async ' if found[1] else ''}{word} {found[3] or '_'}"
            return f"{sign}({', '.join(names(parameters(found[4])))}):" if word == "def" else f"{sign}:"
        case "for" if targets := loop_targets(code):
            return f"for {', '.join(targets)} in 0:"
        case "for":
            return "while 1:"
        case "with" if targets := names(NAMED.findall(code)):
            return f"with {', '.join(f'0 as {name}' for name in targets)}:"
        case "except" if caught := names(NAMED.findall(code)):
            return f"except Exception as {caught[0]}:"
        case "case" if captured := names(TARGET.findall(code.partition("case")[2])):
            return f"case [{', '.join(captured)}]:"
        case "if" | "elif" | "while" if values := names(WALRUS.findall(code)):
            return f"{word} {' and '.join(f'({name} := 1)' for name in values)}:"
    return f"{word} 1:" if word in ("if", "elif", "while") else "if 1:"


def loop_targets(header: str) -> list[str]:
    """The names that a `for` binds."""
    found = LOOP.match(header)
    return names(TARGET.findall(found[1])) if found else []


def parameters(signature: str) -> Iterator[str]:
    """The names in the brackets behind a function's own, be they closed or not."""
    depth, piece = 0, ""
    for character in signature:
        depth += (character in "([{") - (character in ")]}")
        if depth == 1 and character in "([":
            piece = ""
        elif (depth == 1 and character == ",") or not depth:
            if (name := PARAMETER.match(piece)) is not None:
                yield name[1]
            piece = ""
            if character == ":":
                return
        else:
            piece += character
    if (name := PARAMETER.match(piece)) is not None:
        yield name[1]


def without_comments(code: str) -> str:
    """The lines of a text, each up to the first `#` behind which there is no quote."""
    return "\n".join(map(without_comment, code.split("\n")))


def without_comment(line: str) -> str:
    behind_quotes = max(line.rfind("'"), line.rfind('"')) + 1
    comment = line.find("#", behind_quotes)
    return line if comment < 0 else line[:comment]


def names(words: Iterable[str]) -> list[str]:
    """The words among some that are names, each once."""
    return [word for word in dict.fromkeys(words) if not keyword.iskeyword(word) and word.isidentifier()]
