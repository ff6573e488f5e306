"""`python -m tests.laws.climb`: climbs towards the texts that cost the engine most.

    python -m tests.laws.climb --languages javascript
    python -m tests.laws.climb --versions 3.8 3.14 --steps 2000

No text of at most 1,000 bytes may cost a recognizer of Python more than 50 ms of processor time or 50 MB,
whatever it consists of and on whichever side of the hole it stands; `MATERIALS` has the bounds of other
languages. The most expensive texts are unexpected ones, so texts are changed at random, and those that cost
more than the best so far are kept. Python's texts consist of characters, those of other languages of the
pieces of their chains and nests. The exit code is 1 if a bound is missed. The same command continues an
interrupted run.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from quotient import Language, NoCompletion, TooCostly
from tests.laws.cases import LOST, Case, Failure, Outcome, Tally
from tests.laws.runs import Runs, exit_status

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
# The most texts in one chunk of a run.
CHUNK = 500


@dataclass(frozen=True, slots=True)
class Cost:
    """The cost of a recognizer."""

    seconds: float
    n_bytes: int
    is_refused: bool = False

    def __str__(self) -> str:
        size = f"{self.seconds * 1e3:.1f} ms, {self.n_bytes / (1 << 20):.1f} MB"
        return f"{size}, refused as too costly" if self.is_refused else size

    def height(self, material: Material) -> float:
        """The cost as a share of the bounds, the larger of both."""
        return max(self.seconds / material.max_seconds, self.n_bytes / material.max_bytes)


def cost(language: Language, left: str, right: str) -> Cost:
    """The cost of a recognizer with empty caches, and of questions to it."""
    document = language.document(left + right)
    is_refused = False
    start = time.process_time()
    try:
        document.recognizer(len(left)).is_member()
    except NoCompletion:
        pass
    except TooCostly:
        is_refused = True
    return Cost(time.process_time() - start, document.memory, is_refused)


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
    """Yield better and better texts with their costs. The last climb goes on for some texts more, so that it
    comes near its end."""
    best: Cost | None = None
    side, other, text, height, n_idle, step = 0, "", "", 0.0, PATIENCE, 0
    while step < n_steps or (n_idle < PATIENCE and step < n_steps + PATIENCE):
        step += 1
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


@dataclass(frozen=True, slots=True)
class Search:
    """A share of a search, with its own seed."""

    language: str
    version: str | None
    n_steps: int
    seed: str


def highest(search: Search) -> Outcome:
    """The highest place of some climbs, which end where a bound is missed."""
    language = Language.load(search.language, version=search.version)
    material = MATERIALS[search.language]
    outcome = Outcome(Tally(texts=search.n_steps))
    for found, left, right in climb(language, material, search.n_steps, Random(search.seed)):
        height = found.height(material)
        if height > 1:
            # A high cost is measured again, because the machine may be busy.
            found = min(found, steady_cost(language, left, right), key=lambda cost: cost.height(material))
            height = found.height(material)
        outcome.failures = [Failure("cost", f"{height:.4f}", Case(left, "", right), str(found))]
        if height > 1:
            outcome.tally["failures"] += 1
            break
    return outcome


def searches(language: str, version: str | None, n_steps: int, seed: str) -> dict[str, Search]:
    """A search, cut into shares."""
    title = version or language
    found = {}
    for first in range(0, n_steps, CHUNK):
        name = f"{seed} {title} {first}"
        found[name] = Search(language, version, min(CHUNK, n_steps - first), name)
    return found


def main() -> int:
    """Climbs in each language and version and prints the worst text found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.laws.climb", description="climb towards the texts that cost the engine most"
    )
    parser.add_argument("--languages", nargs="+", default=["python"], choices=MATERIALS)
    parser.add_argument("--versions", nargs="+", default=VERSIONS, choices=VERSIONS, help="those of Python")
    parser.add_argument("--steps", type=int, default=20_000, help="texts to try in each")
    parser.add_argument("--seed", default="1", help="names the run")
    options = parser.parse_args()
    n_missed = 0
    # One process: another one beside it would make texts dearer.
    runs = Runs(1)
    for name in options.languages:
        for version in options.versions if name == "python" else (None,):
            title = version or name
            shares = searches(name, version, options.steps, options.seed)
            outcome = runs.run(f"climb {title}", highest, shares, "texts", repr(list(shares.values())))
            n_missed += outcome.n_failures
            for worst in sorted(outcome.failures, key=lambda one: -float(one.kind))[:1]:
                print(f"{title}: {worst.detail}: {worst.case.left!r} | {worst.case.right!r}", flush=True)
            if outcome.tally[LOST]:
                print(f"{title}: {outcome.tally[LOST]} shares lost with their process", flush=True)
    runs.end()
    return 1 if n_missed else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
