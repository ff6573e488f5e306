"""Invented programs with a hole and texts for it: all kinds of code that compilers refuse and parsers accept.

The programs are unlikely: scopes, loops, comprehensions, patterns and declarations are combined at random,
with so few names that they collide. A hole is a statement or an expression; its texts are others of the same
kind, made for the same place. Faults that docs/names.md leaves to the compiler are not made.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random

NAMES = ("a", "b", "c")
# Every name that the programs use exists, so only other faults are left for compilers.
KNOWN = (*NAMES, "T", "C", "f", "n")
TEXTS_PER_HOLE = 6
HOLE = "\0"


@dataclass(frozen=True, slots=True)
class Program:
    """A hole, and texts that the grammar may accept."""

    left: str
    right: str
    texts: tuple[str, ...]


def programs(random: Random, version: str, count: int) -> Iterator[Program]:
    """Yield invented programs."""
    for _ in range(count):
        yield Inventor(random, tuple(map(int, version.split(".")))).program()


class Inventor:
    """Writes statements and expressions, one of which is the hole."""

    def __init__(self, random: Random, version: tuple[int, ...]) -> None:
        self.random = random
        self.version = version
        self.fillers: list[Callable[[], str]] = []
        self.scopes = ["module"]

    def program(self) -> Program:
        """A program that contains a hole."""
        while True:
            program = self.program_if_it_has_a_hole()
            if program is not None:
                return program

    def program_if_it_has_a_hole(self) -> Program | None:
        """A program, if one of its parts became the hole."""
        self.fillers, self.scopes = [], ["module"]
        text = self.suite(0, 0, self.random.randint(1, 3))
        if HOLE not in text:
            return None
        [fill] = self.fillers
        texts = tuple(fill().rstrip("\n") for _ in range(TEXTS_PER_HOLE))
        left, right = text.split(HOLE)
        if self.random.random() < 0.1:
            left = self.future() + left
        return Program(left, right, texts)

    def maybe_hole(self, write: Callable[[], str], chance: float) -> str:
        """The written text, or the hole in its place."""
        if not self.fillers and self.random.random() < chance:
            scopes = list(self.scopes)

            def again() -> str:
                self.scopes = list(scopes)
                return write()

            self.fillers.append(again)
            return HOLE
        return write()

    def name(self) -> str:
        return self.random.choice(NAMES)

    def future(self) -> str:
        feature = self.random.choice(("annotations", "division", "generator_stop", "braces"))
        return f"from __future__ import {feature}\n"

    # --- statements -----------------------------------------------------------------------------------

    def suite(self, depth: int, indent: int, count: int) -> str:
        return "".join(self.line(depth, indent) for _ in range(count))

    def line(self, depth: int, indent: int) -> str:
        """A statement with its line break; a hole is the statement without its indentation."""
        space = "    " * indent
        return space + self.maybe_hole(lambda: self.statement(depth, indent), 0.12).rstrip("\n") + "\n"

    def body(self, depth: int, indent: int, scope: str | None = None) -> str:
        """The suite of a header, which may open a scope."""
        self.scopes.append(scope or self.scopes[-1])
        try:
            return self.suite_of(depth, indent)
        finally:
            self.scopes.pop()

    def suite_of(self, depth: int, indent: int) -> str:
        return ":\n" + self.suite(depth + 1, indent + 1, self.random.choice((1, 1, 2)))

    def statement(self, depth: int, indent: int) -> str:
        if depth > 3 or self.random.random() < 0.55:
            return self.simple()
        return self.compound(depth, indent)

    def simple(self) -> str:
        expression, name = self.expression, self.name
        kinds: list[Callable[[], str]] = [
            lambda: f"return {expression(0)}",
            lambda: "return",
            lambda: f"return {self.stars()}",
            lambda: "break",
            lambda: "continue",
            lambda: f"{name()} = {expression(0)}",
            lambda: f"{self.target()} = {expression(0)}",
            lambda: f"{self.target()} = {self.target()} = {expression(0)}",
            lambda: f"{name()} += {expression(0)}",
            lambda: f"{name()}: {name()}",
            lambda: f"{name()}: {name()} = {expression(0)}",
            lambda: f"({name()}): {name()}",
            lambda: f"del {name()}",
            lambda: f"del {name()}, ({name()}, [{name()}])",
            lambda: f"{expression(0)}",
            lambda: f"{expression(0)}",
            lambda: f"{self.stars()}",
            lambda: f"{name()} = {self.stars()}",
            lambda: f"yield {self.stars()}",
            lambda: "pass",
            lambda: f"import {name()}",
            lambda: f"from {name()} import {name()} as {name()}",
            lambda: f"from {name()} import *",
            lambda: self.future().rstrip("\n"),
            lambda: f"raise {expression(0)}",
            lambda: f"assert {expression(0)}, {expression(0)}",
            lambda: f"a.b.{name()} = {expression(0)}",
            lambda: "__debug__ = 1",
            lambda: "import __debug__",
            lambda: "'text'",
            lambda: f"{name()}; {name()} = 1",
        ]
        if self.scopes[-1] == "function":
            kinds += [
                lambda: f"global {name()}",
                lambda: f"nonlocal {name()}",
                lambda: f"global {name()}, {name()}",
            ]
        if self.version >= (3, 12):
            kinds.append(lambda: f"type {name()}{self.type_parameters()} = {expression(0)}")
        if self.version >= (3, 15):
            kinds += [
                lambda: f"lazy import {name()}",
                lambda: f"lazy from {name()} import {self.random.choice((*NAMES, '*'))}",
                lambda: f"lazy = {name()}",
            ]
        return self.random.choice(kinds)()

    def compound(self, depth: int, indent: int) -> str:
        expression, name = self.expression, self.name
        space = "    " * indent

        def body() -> str:
            return self.body(depth, indent)

        def maybe(text: Callable[[], str], chance: float = 0.3) -> str:
            return text() if self.random.random() < chance else ""

        def is_async() -> str:
            return maybe(lambda: "async ", 0.4)

        def function() -> str:
            decorator = maybe(lambda: f"@{name()}({expression(0)})\n{space}", 0.1)
            result = maybe(lambda: f" -> {expression(0)}", 0.2)
            head = f"{is_async()}def {name()}{self.type_parameters()}({self.parameters()}){result}"
            return decorator + head + self.body(depth, indent, "function")

        def handlers() -> str:
            star = "*" if self.version >= (3, 11) and self.random.random() < 0.3 else ""
            text = ""
            for _ in range(self.random.choice((1, 1, 2))):
                bound = maybe(lambda: f" as {name()}", 0.4)
                kind = f"{star} {expression(0)}{bound}" if star or self.random.random() < 0.7 else ""
                text += f"{space}except{kind if star else ' ' + kind if kind else ''}" + body()
            return text

        def cases() -> str:
            inner = "    " * (indent + 1)
            text = ""
            for _ in range(self.random.choice((1, 2, 3))):
                guard = maybe(lambda: f" if {expression(0)}", 0.2)
                pattern = self.maybe_hole(lambda: self.pattern(0), 0.05)
                text += f"{inner}case {pattern}{guard}" + self.body(depth, indent + 1)
            return text

        kinds: list[Callable[[], str]] = [
            function,
            function,
            function,
            lambda: (
                f"class {name()}{self.type_parameters()}{maybe(lambda: f'({self.arguments()})')}"
                + self.body(depth, indent, "class")
            ),
            lambda: f"if {expression(0)}" + body() + maybe(lambda: f"{space}else" + body()),
            lambda: f"while {expression(0)}" + body() + maybe(lambda: f"{space}else" + body()),
            lambda: (
                f"{is_async()}for {self.target()} in {expression(0)}"
                + body()
                + maybe(lambda: f"{space}else" + body())
            ),
            lambda: f"{is_async()}with {expression(0)}{maybe(lambda: f' as {self.target()}')}" + body(),
            lambda: "try" + body() + f"{space}finally" + body(),
            lambda: "try" + body() + handlers() + maybe(lambda: f"{space}finally" + body()),
        ]
        if self.version >= (3, 10):
            kinds += [lambda: f"match {expression(0)}:\n" + cases()] * 2
        return self.random.choice(kinds)()

    def type_parameters(self) -> str:
        if self.version < (3, 12) or self.random.random() < 0.8:
            return ""
        kinds = ["T", "a", "*b", "**c", "T: int", "T: (a := 1)", "T: (yield)", "T: [a for a in b]"]
        if self.version >= (3, 13) and self.random.random() < 0.2:
            return self.random.choice(("[T = int]", "[a = (yield)]"))
        return "[" + ", ".join(self.random.choice(kinds) for _ in range(self.random.choice((1, 1, 2)))) + "]"

    def parameters(self) -> str:
        parts = []
        for _ in range(self.random.choice((0, 0, 1, 2))):
            annotation = f": {self.expression(1)}" if self.random.random() < 0.2 else ""
            parts.append(self.name() + annotation)
        if self.random.random() < 0.2:
            parts.append(f"*{self.name()}")
        if self.random.random() < 0.2:
            parts.append(f"{self.name()}={self.expression(1)}")
        if self.random.random() < 0.1:
            parts.append(f"**{self.name()}")
        return ", ".join(parts)

    def target(self) -> str:
        name = self.name
        kinds = (
            f"{name()}, {name()}",
            f"*{name()}, {name()}",
            f"*{name()}, *{name()}",
            f"*{name()}",
            f"[{name()}, *{name()}]",
            f"({name()}, (*{name()}, {name()}))",
            f"{name()}.{name()}",
            f"{name()}[{name()}]",
            name(),
            name(),
            name(),
            "*a.b,",
            "()",
        )
        return self.random.choice(kinds)

    # --- expressions ----------------------------------------------------------------------------------

    def expression(self, depth: int) -> str:
        return self.maybe_hole(lambda: self.value(depth), 0.06)

    def stars(self) -> str:
        name = self.name()
        return self.random.choice((f"*{name}", f"*{name},", f"{name}, *{name}", f"*{name}, *{name}"))

    def value(self, depth: int) -> str:
        if depth > 2 or self.random.random() < 0.45:
            return self.random.choice((*NAMES, "1", "'b'", "...", "None", "a.b", "__debug__"))

        def inner() -> str:
            return self.expression(depth + 1)

        name = self.name
        kinds: list[Callable[[], str]] = [
            lambda: f"(yield {inner()})",
            lambda: "(yield)",
            lambda: f"(yield from {inner()})",
            lambda: f"await {name()}",
            lambda: f"(await {inner()})",
            lambda: f"({name()} := {inner()})",
            lambda: f"[{inner()} {self.clauses(depth)}]",
            lambda: f"({inner()} {self.clauses(depth)})",
            lambda: f"{{{inner()} {self.clauses(depth)}}}",
            lambda: f"{{{inner()}: {inner()} {self.clauses(depth)}}}",
            lambda: f"{name()}({inner()} {self.clauses(depth)})",
            lambda: f"(lambda {self.lambda_parameters()}: {inner()})",
            lambda: f"{name()}({self.arguments()})",
            lambda: f"[{inner()}, *{inner()}]",
            lambda: f"({inner()}, {inner()})",
            lambda: f"{name()}[{inner()}]",
            lambda: f"{inner()} if {inner()} else {inner()}",
            lambda: f"{inner()} + {inner()}",
            lambda: f"not {inner()}",
            lambda: f"f'{{{name()}}}'",
            lambda: f"(*{name()}, {inner()})",
        ]
        if self.version >= (3, 15):
            kinds += [
                lambda: f"[*({inner()}) {self.clauses(depth)}]",
                lambda: f"(*{name()} {self.clauses(depth)})",
                lambda: f"{{**({inner()}) {self.clauses(depth)}}}",
                lambda: f"{name()}(*{name()} {self.clauses(depth)})",
            ]
        return self.random.choice(kinds)()

    def clauses(self, depth: int) -> str:
        text = ""
        for _ in range(self.random.choice((1, 1, 1, 2))):
            # Those inside others are compiled since 3.11 only.
            may_wait = self.version >= (3, 11) or depth == 0
            is_async = "async " if may_wait and self.random.random() < 0.2 else ""
            name = self.name
            target = self.random.choice((name(), name(), f"{name()}, {name()}", f"*{name()}"))
            text += f"{is_async}for {target} in {self.iterable(depth)} "
            if self.random.random() < 0.25:
                text += f"if {self.iterable(depth)} "
        return text.rstrip()

    def iterable(self, depth: int) -> str:
        """An expression that may stand without brackets behind `in` and `if`."""
        text = self.expression(depth + 1)
        return f"({text})" if " if " in text and not text.startswith("(") else text

    def lambda_parameters(self) -> str:
        return ", ".join(self.name() for _ in range(self.random.choice((0, 1, 1, 2))))

    def arguments(self) -> str:
        parts = [self.expression(2) for _ in range(self.random.choice((0, 0, 1)))]
        parts += [f"*{self.expression(2)}" for _ in range(self.random.choice((0, 0, 0, 1)))]
        parts += [f"{self.name()}={self.expression(2)}" for _ in range(self.random.choice((0, 1, 1, 2)))]
        parts += [f"**{self.expression(2)}" for _ in range(self.random.choice((0, 0, 0, 1)))]
        return ", ".join(parts)

    # --- patterns -------------------------------------------------------------------------------------

    def pattern(self, depth: int) -> str:

        def inner() -> str:
            return self.pattern(depth + 1)

        name = self.name
        if depth > 2:
            return self.random.choice((name(), "_", "1", "'b'", "a.b", "None"))
        kinds: list[Callable[[], str]] = [
            name,
            lambda: "_",
            lambda: "1",
            lambda: "a.b",
            lambda: f"{inner()} | {inner()}",
            lambda: f"({inner()} | {inner()})",
            lambda: f"({inner()})",
            lambda: f"[{inner()}, {inner()}]",
            lambda: f"[{inner()}, *{name()}]",
            lambda: f"[*{name()}, *_]",
            lambda: f"{inner()}, *_",
            lambda: f"({inner()}) as {name()}",
            lambda: f"C({inner()}, {name()}={inner()})",
            lambda: f"C({name()}={inner()}, {name()}={inner()})",
            lambda: f"{{'k': {inner()}, 'b': {inner()}}}",
            lambda: f"{{'k': {inner()}, **{name()}}}",
        ]
        return self.random.choice(kinds)()
