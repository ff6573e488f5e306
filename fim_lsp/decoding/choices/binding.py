"""Unbound names that lines behind the hole use: a text that binds none of them is written a second time.

    |                    `total` is used below, and nothing binds it: in the second text the first statement
    print(total)         binds it: `total = ...`, or a `for`, `with`, `import`, `def` or `class`

A statement that is begun already is continued to a binding if possible: `to|` with `tal = `, and `from shop
|` with `import total`. If the project imports the name from a module, that import is written. This is only a
preference: if no such text is found, the first one stays.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import permutations
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from quotient import Recognizer

# The most wanted names: if more are unbound, more than a statement is missing.
MOST_WANTED = 4
# The longest part of a statement that is read for the names that it may bind.
LONGEST_BEGUN = 1000
# The texts in front of a name in the project's imports of it: `from shop import `.
Imports = Callable[[str], Sequence[str]]
# The parts of a form that binds a name: fixed texts, and patterns for free characters.
BindingForm = tuple[bytes | re.Pattern[bytes], ...]
WORD_BYTES = string.ascii_letters.encode() + string.digits.encode() + b"_"
# The names that methods and class methods are called on.
RECEIVERS = b"self", b"cls"
MOST_PARAMETERS = 3
IMPORTED = re.compile(rb"\s*import ([A-Za-z_][\w.]*)")
WORD, DOTTED, OPENED = re.compile(rb"\w+"), re.compile(rb"[\w.]+"), re.compile(rb"[^\n:]+")
# An annotation and a default, if there are any.
TYPED = re.compile(rb"[^,()\n]*")
# A statement begun in brackets, perhaps in lines above, up to a place for a bound name, or half of the name.
BEGUN_IN_BRACKETS = re.compile(
    r"[ \t]*((?:from [\w.]+ import \([\w\s,]*|(?:async )?def \w+\([^()]*)[\s,(*])\w*\Z"
)
# A statement begun up to a place for a bound name.
BEGUN_TO_NAME = re.compile(
    rb"""(?x: from\ [\w.]+\ import\ (?:[\w\ ]+,\ ?)*
    | import\ (?:[\w.\ ]+,\ )*(?:[\w.]+\ as\ )?
    | (?:async\ )?def\ (?:\w+\((?:[^()]*,\ )?\*{0,2})?
    | class\ | (?:async\ )?for\ (?:\w+,\ )* | (?:async\ )?with\ [^\n]+\ as\ | (?:\w+,\ )+ )\Z"""
)


@dataclass(frozen=True, slots=True)
class BindingSuffix:
    """Texts behind a name: the usual one that binds it, all that bind it, and all that still may."""

    usual: bytes
    binds: re.Pattern[bytes]
    may_bind: re.Pattern[bytes]


ASSIGNED = BindingSuffix(b" = ", re.compile(rb" *(=[^=]|:[^=]|,)"), re.compile(rb" *(=?|:)\Z"))
DEFINED = BindingSuffix(b"(", re.compile(rb"[(\[:]"), re.compile(rb"\Z"))
# `totals` is another name, and `total.tax` binds no name.
OTHERS = BindingSuffix(b"", re.compile(rb"\Z|[^\w.(\[]"), re.compile(rb"(?!)"))


@dataclass(frozen=True, slots=True)
class WantedBinding:
    """The binding that a hole should make: names, the statement's part left of the hole, and binding
    forms."""

    names: tuple[str, ...] = ()
    begun: bytes = b""
    ways: tuple[tuple[BindingForm, BindingSuffix], ...] = ()


NOTHING = WantedBinding()


@dataclass(frozen=True, slots=True)
class BindingProgress:
    """A statement's progress in its binding forms: whether it binds a name, and the fixed texts that may
    follow."""

    is_bound: bool
    rests: tuple[bytes, ...]


def no_imports(_name: str) -> Sequence[str]:
    """No imports, for a text without a project: the sources of its names are not known."""
    return ()


@dataclass(slots=True)
class BindingConstraint(Constraint):
    """The first statement of a text must bind one of the names."""

    why: ClassVar[str] = "binding"
    gives_way: ClassVar[bool] = False
    is_selective: ClassVar[bool] = True
    wanted: WantedBinding
    _known: dict[bytes, BindingProgress | None] = field(default_factory=dict)

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text may still bind one of the names if it goes on with `text`."""
        if not (hypothesis.text + text).strip() and not self.wanted.begun:
            return self.is_in_front(hypothesis, text)
        return self._progress(hypothesis.text + text) is not None

    def is_in_front(self, hypothesis: Hypothesis, blanks: bytes) -> bool:
        """Whether blanks may stand in front of the statement: a model that wants no binding would write only
        line breaks, or blanks behind which no statement begins."""
        if b"\n" in hypothesis.text and b"\n" in blanks:
            return False
        recognizer = hypothesis.recognizer
        return recognizer is None or any(recognizer.fork().advance(blanks + rest) for rest in self.rests(b""))

    def may_end(self, hypothesis: Hypothesis) -> bool:
        """Whether a text has bound one of the names."""
        progress = self._progress(hypothesis.text)
        return progress is not None and progress.is_bound

    def rests(self, text: bytes) -> tuple[bytes, ...]:
        """The fixed texts that may follow a text."""
        progress = self._progress(text)
        return () if progress is None else progress.rests

    def _progress(self, text: bytes) -> BindingProgress | None:
        """The progress of a text; None if it cannot bind any name."""
        line, newline, _ = (text if self.wanted.begun else text.lstrip()).partition(b"\n")
        line = self.wanted.begun + line + newline
        if line not in self._known:
            self._known[line] = progress(line, self.wanted.ways)
        return self._known[line]


def progress(line: bytes, ways: Iterable[tuple[BindingForm, BindingSuffix]]) -> BindingProgress | None:
    """The progress of a statement in any of the forms; None if it matches none."""
    rests = [rest for way, behind in ways for rest in rests_of(line, way, behind)]
    return BindingProgress(None in rests, tuple({rest: None for rest in rests if rest})) if rests else None


def rests_of(line: bytes, way: BindingForm, behind: BindingSuffix) -> Iterator[bytes | None]:
    """The next fixed texts of a statement in one form; empty if many texts may follow; None if the name is
    bound."""
    if not way:
        if behind.binds.match(line):
            yield None
        elif behind.may_bind.match(line):
            yield behind.usual[len(line) :] if behind.usual.startswith(line) else b""
        return
    part, *others = way
    rest = tuple(others)
    if isinstance(part, bytes):
        if line.startswith(part):
            yield from rests_of(line[len(part) :], rest, behind)
        elif part.startswith(line):
            yield part[len(line) :]
        return
    found = part.match(line)
    length = 0 if found is None else found.end()
    if length == len(line):
        yield b""
    for n_bytes in range(0 if part.match(b"") else 1, length + 1):
        yield from rests_of(line[n_bytes:], rest, behind)


def wanted_binding(recognizer: Recognizer, left: str, right: bytes, imports: Imports) -> WantedBinding:
    """The binding that a hole should make if it begins its line or continues a statement that can bind;
    without names if too many are unbound."""
    line, (rest, _, lines) = left.rpartition("\n")[2], right.partition(b"\n")
    in_brackets = BEGUN_IN_BRACKETS.search(left[-LONGEST_BEGUN:])
    begun = (in_brackets[0] if in_brackets else line).lstrip().encode(errors="replace")
    if not recognizer.has_law or len(begun) > LONGEST_BEGUN or (rest.strip() and not begun):
        return NOTHING
    names = recognizer.wanted_names()
    # A file that uses unbound names elsewhere, too, gets them from outside, or is unfinished there.
    if not names or len(names) > MOST_WANTED or recognizer.is_wanted_elsewhere():
        return NOTHING
    next_line = next((one for one in lines.split(b"\n") if one.strip()), b"").decode(errors="replace")
    column, next_column = column_of(line), column_of(next_line)
    # At the left margin, the next line shows where the statement stands, unless it is its block.
    if not line and next_column in recognizer.nesting().columns:
        column = next_column
    values = frozenset(name for name in names if is_value(name, right))
    place = StatementStart(begun, column, next_column > column, values)
    ways = [way for way in ways_of(names, place, imports) if progress(begun, [way]) is not None]
    return WantedBinding(tuple(names), begun, tuple(ways)) if ways else NOTHING


@dataclass(frozen=True, slots=True)
class StatementStart:
    """A begun statement, its column, whether the lines behind the hole are its block, and the names of
    values: those that no function has."""

    begun: bytes
    column: int
    is_header: bool
    values: frozenset[str] = frozenset()


def ways_of(
    names: Sequence[str], place: StatementStart, imports: Imports
) -> Iterator[tuple[BindingForm, BindingSuffix]]:
    """The forms in which the statement at a place may bind names."""
    stem = place.begun.rstrip(WORD_BYTES)
    own = [name.encode() for name in names]
    is_open = BEGUN_IN_BRACKETS.fullmatch(place.begun.decode(errors="replace")) is not None
    if stem and (is_open or BEGUN_TO_NAME.fullmatch(stem)):
        yield from (((stem, name), OTHERS) for name in own if name not in RECEIVERS or len(own) == 1)
    if place.is_header or place.begun:
        yield from parameters(own)
    if place.is_header:
        for bound in own:
            yield from header(bound)
        return
    openings: dict[str, list[str]] = {}
    for name in names:
        known = imports(name) or ["import "] * (name in sys.stdlib_module_names)
        # Imports in functions are rare.
        is_value = name in place.values
        is_import = not known and not is_value and (not place.column or bool(stem))
        yield from whole_statement(name.encode(), is_import, not is_value)
        for opening in known:
            openings.setdefault(opening, []).append(name)
    for opening, found in openings.items():
        yield (opening.encode(), ", ".join(sorted(found)).encode()), OTHERS


def parameters(names: Sequence[bytes]) -> Iterator[tuple[BindingForm, BindingSuffix]]:
    """A function whose parameters are the names."""
    others = [name for name in names if name not in RECEIVERS]
    for order in permutations(others[:MOST_PARAMETERS]):
        listed: list[bytes | re.Pattern[bytes]] = []
        for name in order:
            listed += [b", ", name] if not listed else [TYPED, b", ", name]
        for word in (b"def ", b"async def "):
            for receiver in RECEIVERS:
                yield (word, WORD, b"(" + receiver, *listed), OTHERS
            if order and len(others) == len(names):
                yield (word, WORD, b"(", *listed[1:]), OTHERS


def header(name: bytes) -> Iterator[tuple[BindingForm, BindingSuffix]]:
    """A line that binds a name and has a block."""
    if name in RECEIVERS:
        return
    yield (b"for ", name), OTHERS
    yield (b"for ", WORD, b", ", name), OTHERS
    yield (b"with ", OPENED, b" as ", name), OTHERS
    yield (b"except ", OPENED, b" as ", name), OTHERS
    yield from definition(name)


def definition(name: bytes) -> Iterator[tuple[BindingForm, BindingSuffix]]:
    for word in (b"class ",) if name[:1].isupper() else (b"def ", b"async def "):
        yield (word, name), DEFINED


def whole_statement(
    name: bytes, is_import: bool, may_be_defined: bool
) -> Iterator[tuple[BindingForm, BindingSuffix]]:
    """A statement that binds a name; `is_import`: it may be imported from an unknown source."""
    yield (name,), ASSIGNED
    if may_be_defined:
        yield from definition(name)
    if is_import:
        yield (b"from ", DOTTED, b" import ", name), OTHERS


def is_value(name: str, right: bytes) -> bool:
    """Whether the right context compares a name, computes with it or looks into it, as with no function."""
    if name[:1].isupper() or name in sys.stdlib_module_names:
        return False
    used = re.escape(name).encode()
    return re.search(rb"(?<![\w.])%s[ \t]*(?:\[|[=!<>]=|[-+*/%%<>]|(?:in|is)\b)" % used, right) is not None


def column_of(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def binds_any(recognizer: Recognizer | None, text: bytes, wanted: WantedBinding) -> bool:
    """Whether a text for the hole binds at least one of these names."""
    if recognizer is None or not wanted.names or imports_no_module(wanted.begun + text):
        return False
    fork = recognizer.fork()
    return fork.advance(text) and len(fork.wanted_names()) < len(wanted.names)


def imports_no_module(statement: bytes) -> bool:
    """Whether a statement imports a name of one of Python's own modules as if it were a module:
    `import os.environ`."""
    found = IMPORTED.match(statement)
    name = "" if found is None else found[1].decode()
    top = name.partition(".")[0]
    if top == name or name in sys.modules or top not in sys.stdlib_module_names:
        return False
    spec = find_spec(top)
    return spec is not None and spec.submodule_search_locations is None
