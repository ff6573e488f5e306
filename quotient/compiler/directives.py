"""Directives: the lines of our grammars beyond Lark's own syntax, in comments that Lark skips.

    // @start file_input             the start rule
    // @layout python                the layout that makes the %declare'd terminals
    // @emits TOKEN = FIRST "else"   a terminal that stands for several symbols
    // @error TOKEN                  a terminal that is an error as soon as it is the longest match
    // @without rule TOKEN OTHER     the rule, and the rules below it, without texts that have these terminals
    // @same NAME AGAIN = TOKEN ...  declared terminals, each spelled as one of these: a rule's name, which
                                     AGAIN repeats in that rule or directly below it
    // @arguments NAME = A B C       a name for several arguments or parameters of templates: `rule{NAME, D}`
    // @never TOKEN                  a declared terminal that no text has; what needs it is left out
    // @since 3.12 ... // @end       lines for this version and later ones
    // @before 3.12 ... // @end      lines for earlier versions
    // @only NAME ... // @end        lines for one language, in a file for several
    // @except NAME ... // @end      lines for the others

`branching.py` has those for decisions of the parser: `@line_break`, `@inserted`, `@unbroken`, `@broken`,
`@contextual`, `@line_start`, `@text_start`. `frames.py` has the one for strings with fields: `@frames`.

Lines of other versions and languages are blanked, so that messages keep their line numbers. So are comments,
which may then stand between the alternatives of a rule. Other words behind an `@` are ignored.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from quotient.compiler.branching import Branching, BranchingError
from quotient.compiler.frames import Frames, FramesError

DIRECTIVE = re.compile(r"\s*//\s*@(\w+)\s*(.*?)\s*$")
EMITS = re.compile(r'(\w+)\s*=\s*((?:\w+|"[^"]*")(?:\s+(?:\w+|"[^"]*"))*)$')
# An argument, or a literal, in which there is none.
ARGUMENT = re.compile(r'"(?:[^"\\]|\\.)*"|(?<=[{ ])\w+(?=[,}])')
ARGUMENTS = re.compile(r"(\w+)\s*=\s*(\w+(?:\s+\w+)*)$")
SAME = re.compile(r'(\w+)\s+(\w+)\s*=\s*((?:\w+|"[^"]*")(?:\s+(?:\w+|"[^"]*"))*)$')
Version = tuple[int, ...]


class DirectiveError(ValueError):
    """A directive that is invalid at its place."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Same:
    """Two declared terminals, a name and its repetition, and the symbols that spell both."""

    first: str
    again: str
    written: tuple[str, ...]


@dataclass(slots=True)
class Directives:
    """The directives of one grammar text."""

    start: str | None = None
    layout: str | None = None
    emits: dict[str, list[str]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    without: dict[str, frozenset[str]] = field(default_factory=dict)
    never: set[str] = field(default_factory=set)
    same: Same | None = None
    arguments: dict[str, str] = field(default_factory=dict)
    branching: Branching = field(default_factory=Branching)
    frames: Frames = field(default_factory=Frames)

    def spelled_out_line(self, line: str) -> str:
        """The line with `@arguments` names expanded."""
        return ARGUMENT.sub(lambda found: self.arguments.get(found[0], found[0]), line)


def version_number(text: str) -> Version:
    """`3.9` comes before `3.11`, so versions compare as numbers."""
    if not re.fullmatch(r"\d+(\.\d+)*", text):
        raise DirectiveError(f"`{text}` is not a version")
    return tuple(map(int, text.split(".")))


def directives_and_text(text: str, version: str | None, name: str = "") -> tuple[Directives, str]:
    """The directives for a version of a language, and the grammar's lines for it."""
    directives = Directives()
    open_sections: list[bool] = []
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        match = DIRECTIVE.match(line)
        try:
            if match:
                _follow(directives, open_sections, match[1], match[2], version, name, number)
        except (DirectiveError, BranchingError, FramesError) as error:
            raise DirectiveError(str(error), number) from None
        is_comment = line.lstrip().startswith("//")
        lines.append(directives.spelled_out_line(line) if all(open_sections) and not is_comment else "")
    if open_sections:
        raise DirectiveError("a section for some versions or languages has no `// @end`")
    return directives, "\n".join(lines)


def _follow(
    directives: Directives,
    open_sections: list[bool],
    word: str,
    rest: str,
    version: str | None,
    name: str,
    number: int,
) -> None:
    if word in ("only", "except"):
        open_sections.append((name in rest.split()) == (word == "only"))
        return
    if word in ("since", "before"):
        if version is None:
            raise DirectiveError("this grammar has parts for some versions: say which one to read")
        is_since = version_number(version) >= version_number(rest)
        open_sections.append(is_since == (word == "since"))
        return
    if word == "end":
        if not open_sections:
            raise DirectiveError("`@end` without `@since`, `@before`, `@only` or `@except`")
        open_sections.pop()
        return
    if not all(open_sections):
        return
    match word:
        case "start":
            directives.start = rest
        case "layout":
            directives.layout = rest
        case "error":
            directives.errors.extend(rest.split())
        case "without":
            rule, *terminals = rest.split() or [""]
            if not terminals:
                raise DirectiveError("`@without` wants `rule TERMINAL ...`")
            directives.without[rule] = frozenset(terminals)
        case "never":
            directives.never.update(rest.split())
        case "same":
            same = SAME.match(rest)
            if not same or directives.same:
                raise DirectiveError('one `@same` is possible, and wants `NAME AGAIN = TOKEN "text" ...`')
            directives.same = Same(same[1], same[2], tuple(same[3].split()))
        case "arguments":
            arguments = ARGUMENTS.match(rest)
            if not arguments:
                raise DirectiveError("`@arguments` wants `NAME = A B ...`")
            directives.arguments[arguments[1]] = ", ".join(arguments[2].split())
        case "frames":
            directives.frames.follow(rest, number)
        case "emits":
            emits = EMITS.match(rest)
            if not emits:
                raise DirectiveError('`@emits` wants `TERMINAL = FIRST "second"`')
            directives.emits[emits[1]] = emits[2].split()
        case _:
            directives.branching.follow(word, rest)
