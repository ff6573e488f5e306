"""Names that lines behind the hole use and nothing binds: a text that binds none is written once more.

    |                    `total` is used below, and nothing binds it: the second time the first statement
    print(total)         is one that does: `total = ...`, or a `for`, `with`, `import`, `def` or `class`

Where the statement is begun already, it goes on in such a way if it can: `to|` with `tal = `, and
`from shop |` with `import total`. Where a project is known to import a name from a module, that is how it is
imported. It is a preference. Where nothing like that comes out, the text stays as it was written first.
"""

from __future__ import annotations

import re
import string
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import ClassVar

from fim_lsp.decoding.choices.constraint import Constraint
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from quotient import Recognizer

# The most names that are wanted: where more is unbound, more than a statement is missing.
MOST_WANTED = 4
# A statement that is begun further than that is not read for what it may bind.
LONGEST_BEGUN = 1000
# The texts that stand in front of a name where the project imports it: `from shop import `.
Imports = Callable[[str], Sequence[str]]
# The parts of a way to bind a name: texts, which come as they are, and characters of which some may come.
BindingForm = tuple[bytes | re.Pattern[bytes], ...]
WORD_BYTES = string.ascii_letters.encode() + string.digits.encode() + b"_"
# The names that methods and class methods are called on.
RECEIVERS = b"self", b"cls"
MOST_PARAMETERS = 3
WORD, DOTTED, OPENED = re.compile(rb"\w+"), re.compile(rb"[\w.]+"), re.compile(rb"[^\n:]+")
# An annotation and a default, if there are any.
TYPED = re.compile(rb"[^,()\n]*")
# A statement that is begun in brackets, maybe in lines above, up to where a name may be bound, or a half one.
BEGUN_IN_BRACKETS = re.compile(
    r"[ \t]*((?:from [\w.]+ import \([\w\s,]*|(?:async )?def \w+\([^()]*)[\s,(*])\w*\Z"
)
# A statement that is begun up to where a name may be bound.
BEGUN_TO_NAME = re.compile(
    rb"""(?x: from\ [\w.]+\ import\ (?:[\w\ ]+,\ ?)*
    | import\ (?:[\w.\ ]+,\ )*(?:[\w.]+\ as\ )?
    | (?:async\ )?def\ (?:\w+\((?:[^()]*,\ )?\*{0,2})?
    | class\ | (?:async\ )?for\ (?:\w+,\ )* | (?:async\ )?with\ [^\n]+\ as\ | (?:\w+,\ )+ )\Z"""
)


@dataclass(frozen=True, slots=True)
class BindingSuffix:
    """Texts behind a name that is bound: the usual one, those that bind it, and those that still may."""

    usual: bytes
    binds: re.Pattern[bytes]
    may_bind: re.Pattern[bytes]


ASSIGNED = BindingSuffix(b" = ", re.compile(rb" *(=[^=]|:[^=]|,)"), re.compile(rb" *(=?|:)\Z"))
DEFINED = BindingSuffix(b"(", re.compile(rb"[(\[:]"), re.compile(rb"\Z"))
# `totals` is another name, and `total.tax` is none.
OTHERS = BindingSuffix(b"", re.compile(rb"\Z|[^\w.(\[]"), re.compile(rb"(?!)"))


@dataclass(frozen=True, slots=True)
class WantedBinding:
    """The binding that a hole should make: names, the part of its first statement left of it, and ways."""

    names: tuple[str, ...] = ()
    begun: bytes = b""
    ways: tuple[tuple[BindingForm, BindingSuffix], ...] = ()


NOTHING = WantedBinding()


@dataclass(frozen=True, slots=True)
class BindingProgress:
    """A statement's progress on the ways to bind a name: whether it does, and what may come as it is."""

    is_bound: bool
    rests: tuple[bytes, ...]


def no_imports(_name: str) -> Sequence[str]:
    """The imports of a text that stands alone: it is not known what its names are imported from."""
    return ()


@dataclass(slots=True)
class BindingConstraint(Constraint):
    """The first statement of a text is to bind one of the names."""

    why: ClassVar[str] = "member"
    gives_way: ClassVar[bool] = False
    wanted: WantedBinding
    _known: dict[bytes, BindingProgress | None] = field(default_factory=dict)

    def allows(self, hypothesis: Hypothesis, text: bytes) -> bool:
        """Whether a text may go on like that, as far as what it binds is concerned."""
        return self._progress(hypothesis.text + text) is not None

    def may_end(self, hypothesis: Hypothesis) -> bool:
        """Whether a text has bound one."""
        progress = self._progress(hypothesis.text)
        return progress is not None and progress.is_bound

    def rests(self, text: bytes) -> tuple[bytes, ...]:
        """The texts that may come behind a text as it is."""
        progress = self._progress(text)
        return () if progress is None else progress.rests

    def _progress(self, text: bytes) -> BindingProgress | None:
        """The progress of a text; None if it cannot bind any."""
        line, newline, _ = (text if self.wanted.begun else text.lstrip()).partition(b"\n")
        line = self.wanted.begun + line + newline
        if line not in self._known:
            self._known[line] = progress(line, self.wanted.ways)
        return self._known[line]


def progress(line: bytes, ways: Iterable[tuple[BindingForm, BindingSuffix]]) -> BindingProgress | None:
    """The progress of a statement on any of some ways; None if it is on none."""
    rests = [rest for way, behind in ways for rest in rests_of(line, way, behind)]
    return BindingProgress(None in rests, tuple({rest: None for rest in rests if rest})) if rests else None


def rests_of(line: bytes, way: BindingForm, behind: BindingSuffix) -> Iterator[bytes | None]:
    """The next texts of a statement that goes that way: a text's rest, empty where many may come; None where
    it has bound the name."""
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
    """The binding that is wanted of a hole that begins its line, or goes on with what may bind; none where
    that is too much."""
    line, (rest, _, lines) = left.rpartition("\n")[2], right.partition(b"\n")
    in_brackets = BEGUN_IN_BRACKETS.search(left[-LONGEST_BEGUN:])
    begun = (in_brackets[0] if in_brackets else line).lstrip().encode(errors="replace")
    if not recognizer.has_names or len(begun) > LONGEST_BEGUN or (rest.strip() and not begun):
        return NOTHING
    names = recognizer.wanted_names()
    # A file that uses elsewhere what nothing binds has its names from somewhere else, or is unfinished there.
    if not names or len(names) > MOST_WANTED or recognizer.is_wanted_elsewhere():
        return NOTHING
    next_line = next((one for one in lines.split(b"\n") if one.strip()), b"").decode(errors="replace")
    place = StatementStart(begun, column_of(line), column_of(next_line) > column_of(line))
    ways = [way for way in ways_of(names, place, imports) if progress(begun, [way]) is not None]
    return WantedBinding(tuple(names), begun, tuple(ways)) if ways else NOTHING


@dataclass(frozen=True, slots=True)
class StatementStart:
    """A statement that is begun, its column, and whether what is behind the hole is its block."""

    begun: bytes
    column: int
    is_header: bool


def ways_of(
    names: Sequence[str], place: StatementStart, imports: Imports
) -> Iterator[tuple[BindingForm, BindingSuffix]]:
    """The ways in which the statement at a place may bind names."""
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
        # Imports in functions are seldom.
        is_import = not known and (not place.column or bool(stem))
        yield from whole_statement(name.encode(), is_import)
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


def whole_statement(name: bytes, is_import: bool) -> Iterator[tuple[BindingForm, BindingSuffix]]:
    """A statement that binds a name; `is_import`: it is not known from where, but it may be imported."""
    yield (name,), ASSIGNED
    yield from definition(name)
    if is_import:
        yield (b"from ", DOTTED, b" import ", name), OTHERS


def column_of(line: str) -> int:
    expanded = line.expandtabs()
    return len(expanded) - len(expanded.lstrip())


def binds_any(recognizer: Recognizer | None, text: bytes, wanted: WantedBinding) -> bool:
    """Whether a text for the hole leaves fewer of these names unbound than there are."""
    if recognizer is None or not wanted.names:
        return False
    fork = recognizer.fork()
    return fork.advance(text) and len(fork.wanted_names()) < len(wanted.names)
