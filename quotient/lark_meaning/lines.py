"""Lines: a rule with texts that end a line and texts that do not becomes two rules.

The engine must know from the rules alone where a line begins. Grammars for Lark's indenters need not say so:

    module: (import | function | _NEWLINE)*      a function ends with its suite, an import inside its line

    Key idea: a body has three kinds of texts: the empty one, those that end inside a line, and those that end
    a line. The last part of a sequence or a repetition decides. A whole text always ends its last line,
    because the layout adds a line break.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from quotient.compiler.rules import Body, choice, sequence
from quotient.lark_meaning.lr_states import is_nullable, nullable_rules

LAYOUT = frozenset({"NEWLINE", "INDENT", "DEDENT"})


@dataclass(frozen=True, slots=True)
class Parts:
    """The texts of a body by their ends; None if there are none."""

    is_nullable: bool
    inside: Body | None
    ending: Body | None

    def whole(self) -> Body:
        """The body with all texts."""
        parts = [part for part in (self.inside, self.ending) if part is not None]
        body: Body = choice(parts) if parts else {"seq": []}
        return {"opt": body} if parts and self.is_nullable else body


def with_lines_told_apart(bodies: Mapping[str, Body], start: str) -> tuple[dict[str, Body], str]:
    """The rules, each of which always or never ends a line, and the start rule, which may be new."""
    lines = _Lines(bodies)
    if all(len(kinds) < 2 for kinds in lines.kinds.values()):
        return dict(bodies), start
    found: dict[str, Body] = {}
    for name, body in bodies.items():
        parts = lines.parts(body)
        if name not in lines.split:
            found[name] = parts.whole()
            continue
        if parts.inside is not None:
            found[name] = parts.inside
        if parts.ending is not None:
            found[f"{name}/line"] = parts.ending
    parts = lines.parts(start)
    ended = [sequence([parts.inside, "NEWLINE"])] if parts.inside is not None else []
    ended += [parts.ending] if parts.ending is not None else []
    text = f"{start}/text"
    found[text] = Parts(parts.is_nullable, None, choice(ended) if ended else None).whole()
    return found, text


class _Lines:
    """The ends of the rules' texts."""

    def __init__(self, bodies: Mapping[str, Body]) -> None:
        self.bodies = bodies
        self.nullable = nullable_rules(bodies)
        self.kinds: dict[str, set[bool]] = {name: set() for name in bodies}
        is_changed = True
        while is_changed:
            is_changed = False
            for name, body in bodies.items():
                fresh = self.last(body) - self.kinds[name]
                self.kinds[name] |= fresh
                is_changed |= bool(fresh)
        # The rules that become two; if a rule may be empty, neither of them has the empty text.
        self.split = {name for name, kinds in self.kinds.items() if len(kinds) > 1 or name in self.nullable}

    def last(self, body: Body) -> set[bool]:
        """Whether the last terminals of a body end lines: true, false, or both."""
        if isinstance(body, str):
            return self.kinds.get(body, {body in LAYOUT})
        if "seq" in body:
            found: set[bool] = set()
            for part in reversed(body["seq"]):
                found |= self.last(part)
                if not is_nullable(part, self.nullable):
                    break
            return found
        if "alt" in body:
            return set().union(*map(self.last, body["alt"]))
        if "opt" in body:
            return self.last(body["opt"])
        return self.last(body["star"] if "star" in body else body["plus"])

    def parts(self, body: Body) -> Parts:
        if isinstance(body, str):
            kinds = self.last(body)
            ending = f"{body}/line" if body in self.split else body
            return Parts(
                body in self.nullable, body if False in kinds else None, ending if True in kinds else None
            )
        if "seq" in body:
            return self.parts_of_sequence(body["seq"])
        if "alt" in body:
            options = [self.parts(option) for option in body["alt"]]
            return _either(
                any(option.is_nullable for option in options),
                [option.inside for option in options if option.inside is not None],
                [option.ending for option in options if option.ending is not None],
            )
        if "opt" in body:
            part = self.parts(body["opt"])
            return Parts(True, part.inside, part.ending)
        part = self.parts(body["star"] if "star" in body else body["plus"])
        before: Body = {"star": Parts(False, part.inside, part.ending).whole()}
        return Parts(
            "star" in body or part.is_nullable,
            None if part.inside is None else sequence([before, part.inside]),
            None if part.ending is None else sequence([before, part.ending]),
        )

    def parts_of_sequence(self, bodies: list[Body]) -> Parts:
        certain = [number for number, body in enumerate(bodies) if not is_nullable(body, self.nullable)]
        n_before = certain[-1] if certain else 0
        found = Parts(True, None, None)
        for body in bodies[n_before:]:
            found = _joined_bodies(found, self.parts(body))
        before = [self.parts(body).whole() for body in bodies[:n_before]]
        return Parts(
            found.is_nullable,
            None if found.inside is None else sequence([*before, found.inside]),
            None if found.ending is None else sequence([*before, found.ending]),
        )


def _joined_bodies(one: Parts, other: Parts) -> Parts:
    """The concatenation of two bodies."""
    first = one.whole()
    inside: list[Body] = [] if other.inside is None else [sequence([first, other.inside])]
    ending: list[Body] = [] if other.ending is None else [sequence([first, other.ending])]
    if other.is_nullable:
        inside += [] if one.inside is None else [one.inside]
        ending += [] if one.ending is None else [one.ending]
    return _either(one.is_nullable and other.is_nullable, inside, ending)


def _either(is_nullable: bool, inside: list[Body], ending: list[Body]) -> Parts:
    return Parts(is_nullable, choice(inside) if inside else None, choice(ending) if ending else None)
