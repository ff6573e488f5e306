"""`python -m tests.laws.climb`: climbs towards the texts that cost the engine most.

No text of at most 1,000 bytes may cost a recognizer of Python more than 50 ms of processor time or 50 MB,
whatever it consists of and on whichever side of the hole it stands; `MATERIALS` has the bounds of other
languages. The most expensive texts are unexpected ones, so texts are changed at random, and those that cost
more than the best so far are kept. Python's texts consist of characters, those of other languages of the
pieces of their chains and nests. The exit code is 1 if a bound is missed.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random

from quotient import Language, NoCompletion

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.12.10", "3.13", "3.14", "3.15")
MAX_LENGTH = 1_000
MAX_SECONDS = 0.050
MAX_BYTES = 50 << 20
# The texts on the other side: nothing, code, text, a field, a specification, in one and in two f-strings.
LEFTS = ("", "x = ", "x = f'a", 'x = f"{a', "x = f'''{a:", "x = f\"{f'{(a")
RIGHTS = ("", "\n", "}'\n", "'}\"\n")


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a language's texts: their pieces, their contexts, and the most that they may cost."""

    pieces: tuple[str, ...]
    lefts: tuple[str, ...] = ("",)
    rights: tuple[str, ...] = ("",)
    max_seconds: float = MAX_SECONDS
    max_bytes: int = MAX_BYTES


_SCRIPT = (
    *")]}({[;,:?.=>a1",
    "a=>",
    "a=>{",
    "a?b:",
    "a=",
    "{a:",
    "if(a)",
    "else ",
    "if(a);else ",
    "f(",
    "`${",
    "}`",
    "/",
    "\n",
)
_TYPES = (*_SCRIPT, "A<", ">", ">>>", "<A>", "a as ", "A extends B?C:", "()=>")
_ELEMENTS = ("<a>", "</a>", "<a b={", "<>", "</>", "{", "}")
_JAVA = (
    *")]}({[;,:?.=>a1",
    "a->",
    "a->{",
    "a?b:",
    "a=",
    "{",
    "if(a)",
    "else ",
    "if(a)b();else ",
    "f(",
    "A<",
    "(A)",
    "new A(){",
)
_GO = (
    *")]}({[;,:.=*&a1",
    "func(){",
    "if a{",
    "}else ",
    "[]",
    "map[a]",
    "f(",
    "a:=",
    "<-",
    "chan ",
    "struct{",
    "\n",
)
# A closing brace may close a hundred kinds of things in each context of `yield`: a thousand cost a second.
_SCRIPTS = Material(_SCRIPT, ("", "x=", "function f(){"), ("", ";", "}"), 2.0, 100 << 20)

MATERIALS = {
    "python": Material(tuple(")]},'\"{fr\n"), LEFTS, RIGHTS),
    "go": Material(_GO, ("package p\n", "package p;func f(){", "package p;var x="), ("", "}", "\n")),
    "java": Material(_JAVA, ("", "class A{", "class A{void f(){", "class A{int x="), ("", "}", "}}", ";}")),
    "javascript": _SCRIPTS,
    "javascriptreact": replace(_SCRIPTS, pieces=(*_SCRIPT, *_ELEMENTS)),
    "typescript": replace(_SCRIPTS, pieces=_TYPES),
    "typescriptreact": replace(_SCRIPTS, pieces=(*_TYPES, *_ELEMENTS)),
    "json": Material((*"[]{},:1", '"a"', '"a":', "\n"), ("", "["), ("", "]")),
    "toml": Material((*"[]{}=,.a1", "a=", "a.", "[[", "]]", '"', "\n"), ("", "a="), ("", "\n")),
}
# The most texts in a row without a success before a climb begins anew.
PATIENCE = 150


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a recognizer."""

    seconds: float
    n_bytes: int

    def height(self, material: Material) -> float:
        """The cost as a share of the bounds, the larger of both."""
        return max(self.seconds / material.max_seconds, self.n_bytes / material.max_bytes)


def cost(language: Language, left: str, right: str) -> Cost:
    """The cost of a recognizer with empty caches, and of questions to it."""
    document = language.document(left + right)
    start = time.process_time()
    with suppress(NoCompletion):
        document.recognizer(len(left)).is_member()
    return Cost(time.process_time() - start, document.memory)


def steady_cost(language: Language, left: str, right: str) -> Cost:
    """The least of three measurements, because a busy machine increases some."""
    return min((cost(language, left, right) for _ in range(3)), key=lambda found: found.seconds)


def mutated(text: str, pieces: Sequence[str], random: Random) -> str:
    """A text with a few changes: new pieces, parts moved, doubled and repeated."""
    for _ in range(random.choice((1, 1, 2, 4))):
        start = random.randrange(len(text) + 1)
        stop = min(len(text), start + int(2 ** random.uniform(0, 7)))
        piece = text[start:stop]
        match random.randrange(6):
            case 0:
                new = "".join(random.choices(pieces, k=random.choice((1, 1, 2, 3, 5))))
            case 1:
                new = ""
            case 2:
                new = piece * random.choice((2, 2, 3, 10))
            case 3:
                new = piece[::-1]
            case 4:
                pattern = "".join(random.choices(pieces, k=random.choice((1, 2, 3, 4))))
                new = pattern * random.choice((3, 20, 100, 300))
            case _:
                other = random.randrange(len(text) + 1)
                new = text[other : other + max(1, len(piece))]
        text = (text[:start] + new + text[stop:])[:MAX_LENGTH]
    return text


def climb(
    language: Language, material: Material, n_steps: int, random: Random
) -> Iterator[tuple[Cost, str, str]]:
    """Yield better and better texts with their costs."""
    best: Cost | None = None
    side, other, text, height, n_idle = 0, "", "", 0.0, PATIENCE
    for _ in range(n_steps):
        if n_idle >= PATIENCE:
            side = random.choice((0, 1, 1))
            other = random.choice(material.rights if side == 0 else material.lefts)
            text = "".join(random.choices(material.pieces, k=random.choice((10, 50, 300))))[:MAX_LENGTH]
            height, n_idle = 0.0, 0
        changed = mutated(text, material.pieces, random)
        left, right = (changed, other) if side == 0 else (other, changed)
        if cost(language, left, right).height(material) <= height:
            n_idle += 1
            continue
        found = steady_cost(language, left, right)
        if found.height(material) <= height:
            n_idle += 1
            continue
        text, height, n_idle = changed, found.height(material), 0
        if best is None or found.height(material) > best.height(material):
            best = found
            yield found, left, right


def highest(language: Language, material: Material, n_steps: int, random: Random) -> tuple[Cost, str, str]:
    """The end of a climb."""
    *_, last = climb(language, material, n_steps, random)
    return last


def main(arguments: Sequence[str] | None = None) -> int:
    """Climbs in each language and version and prints the worst text found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.laws.climb", description="climb towards the texts that cost the engine most"
    )
    parser.add_argument("--languages", nargs="+", default=["python"], choices=MATERIALS)
    parser.add_argument("--versions", nargs="+", default=VERSIONS, choices=VERSIONS, help="those of Python")
    parser.add_argument("--steps", type=int, default=20_000, help="texts to try in each")
    parser.add_argument("--seed", default="1", help="names the run")
    options = parser.parse_args(arguments)
    is_fine = True
    for name in options.languages:
        material = MATERIALS[name]
        for version in options.versions if name == "python" else (None,):
            language, title = Language.load(name, version=version), version or name
            random = Random(f"{options.seed} {title}")
            found, left, right = highest(language, material, options.steps, random)
            # A high cost is measured again, because the machine may be busy.
            again = steady_cost(language, left, right)
            found = min(found, again, key=lambda cost: cost.height(material))
            is_fine &= found.height(material) <= 1
            size = f"{found.seconds * 1e3:.1f} ms, {found.n_bytes / (1 << 20):.1f} MB"
            print(f"{title}: {size}: {left!r} | {right!r}", flush=True)
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
