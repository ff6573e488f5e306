"""What the lines behind the hole use and nothing binds: a text that binds none of it is written once more.

    |                    `total` is used below, and nothing binds it: the second time the first statement
    print(total)         is one that can, `total = ...`, or a `for`, a `with`, an import, a `def` or a `class`

It is a preference. Where nothing like that comes out, the text stays as it was written first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from quotient import Recognizer

if TYPE_CHECKING:
    from fim_lsp.decoding.choice import Chooser
    from fim_lsp.decoding.ends import Written

# Where more is unbound, more than a statement is missing.
MOST_WANTED = 4
# What may stand behind a name that is bound: `=`, `:` of an annotation, `,` of further targets.
BINDS = re.compile(rb"\s*($|=(?!=)|:(?!=)|,)")
DEFINITIONS = (b"def ", b"class ", b"async def ")
# Statements that bind somewhere further on, and what ends the part of them that does.
OTHERS = {b"for ": b" in ", b"with ": b":", b"from ": b"\n", b"import ": b"\n"}


@dataclass(frozen=True, slots=True)
class Binding:
    """The first statement of a text is to bind one of these names."""

    names: tuple[bytes, ...]

    def allow(self, text: bytes, added: bytes) -> bool:
        """Whether a text may go on like that, as far as what it binds is concerned."""
        begun = text.lstrip()
        if b"\n" in begun or not (text + added).strip():
            return True
        line, newline, _ = (text + added).lstrip().partition(b"\n")
        return any(may_bind(line + newline, name) for name in self.names)


def may_bind(line: bytes, name: bytes) -> bool:
    """Whether a statement, as far as it is written, binds a name or may come to it."""
    for word in (b"", *DEFINITIONS):
        whole = word + name
        if whole.startswith(line):
            return True
        behind = line[len(whole) :]
        if line.startswith(whole) and (BINDS.match(behind) if not word else not is_of_name(behind[:1])):
            return True
    for word, end in OTHERS.items():
        if word.startswith(line):
            return True
        if line.startswith(word) and (
            end not in line or re.search(rb"\b%s\b" % name, line.partition(end)[0])
        ):
            return True
    return False


def is_of_name(character: bytes) -> bool:
    return re.match(rb"\w", character) is not None


def wanted(recognizer: Recognizer, left: str, right: bytes) -> list[str]:
    """The names that a hole should bind which is a line of its own, or more; none where they are too many."""
    is_line = not left.rpartition("\n")[2].strip() and not right.partition(b"\n")[0].strip()
    if not is_line or not recognizer.has_names:
        return []
    names = recognizer.wanted()
    return names if len(names) <= MOST_WANTED else []


def write_binding(
    write: Callable[[], Written | None],
    chooser: Chooser,
    recognizer: Recognizer,
    names: list[str],
    is_short_of_time: Callable[[], bool],
) -> Written | None:
    """A text, and if it binds none of the names, another one that binds some, where there is one."""
    written = write()
    if written is None or not names or binds_any(recognizer, written.text, names) or is_short_of_time():
        return written
    rule = Binding(tuple(name.encode() for name in names))
    chooser.members.append(rule)
    again = write()
    chooser.members.remove(rule)
    if again is None or again.is_poor or not binds_any(recognizer, again.text, names):
        return written
    return again


def binds_any(recognizer: Recognizer, text: bytes, names: list[str]) -> bool:
    """Whether a text for the hole leaves fewer of these names unbound than there are."""
    fork = recognizer.fork()
    return fork.advance(text) and len(fork.wanted()) < len(names)
