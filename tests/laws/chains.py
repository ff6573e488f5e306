"""`python -m tests.laws.chains`: chains of 10,000 links cost time linear in their length, alone and two in
turns.

    python -m tests.laws.chains --languages java
    python -m tests.laws.chains --links 2000 --pairs 20

A chain is a text that nests without brackets, such as `if (a) b; else if (a) b; else ...` or `A | A | A`, or
a sequence. Each chain is cut in its middle, behind its last link, and in front of it. A recognizer is made
with empty caches, and asked for a witness, a mask, and whether the removed text fits. Random texts are in
`climb.py`. The exit code is 1 if a link costs too much, a text is refused, or nothing was checked.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from random import Random

from quotient import Language, NoCompletion, TooCostly, Vocabulary

N_LINKS = 10_000
# 100 ms for 10,000 links on a quiet machine, with a reserve for a busy one.
MAX_SECONDS_A_LINK = 10e-6
BUSY = 4.0
# The seconds that short chains cost.
LEAST_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class Kind:
    """Links that may follow each other in any order, and the texts around them and at their end."""

    left: str
    links: tuple[str, ...]
    core: str
    right: str

    def text(self, links: Sequence[str], n_links: int) -> list[str]:
        """A chain with these links in turns."""
        return [links[index % len(links)] for index in range(n_links)]


_SCRIPT = (
    Kind(
        "x=",
        ("a?b:", "a=>", "(a)=>", "async a=>", "a=", "a+", "a?.b+", "f(a)+", "!", "a?b=>c:", "[a]+"),
        "a",
        ";",
    ),
    Kind(
        "",
        (
            "if(a);else ",
            "if(a)",
            "while(a)",
            "for(;;)",
            "for(a of b)",
            "for(a in b)",
            "with(a)",
            "a:",
            "a;",
            "{}",
            "a=b\n",
            "let a;",
        ),
        "b;",
        "",
    ),
)
_ELEMENTS = (Kind("x=<a>", ("<b/>", "{a}", "t ", "<b>c</b>", "\n"), "", "</a>;"),)
_TYPES = (
    Kind("let x:", ("A|", "A&", "A\n|", "()=>", "(a:B)=>", "new()=>", "keyof ", "A extends B?C:"), "A", ";"),
    Kind(
        "x=",
        ("a?b:", "a?(b):c=>", "a=>", "(a)=>", "(a):A=>", "a=", "a as A+", "a<", "f<A>(b)+", "a!+"),
        "a",
        ";",
    ),
    _SCRIPT[1],
)
KINDS = {
    "go": (
        Kind("package p;var x=", ("- ", "*", "& ", "!", "a+", "f(a)+", "a||"), "a", "\n"),
        Kind("package p;func f(){", ("a();", "a:=b;", "if a{}else ", "a:", "b()\n"), "{}", "}"),
        Kind("package p;var x ", ("*", "[]", "[a]", "map[A]", "chan ", "<-chan ", "func()"), "A", "\n"),
    ),
    "java": (
        Kind(
            "class X{int x=", ("a->", "(a)->", "(A a)->", "a?b:", "a=", "- ", "(A)", "a+", "f(a)+"), "a", ";}"
        ),
        Kind(
            "class X{void f(){",
            ("if(a)b();else ", "if(a)", "while(a)", "for(;;)", "for(A a:b)", "a:", "b();", ";"),
            "b();",
            "}}",
        ),
        Kind("class X{", ("int a;", "void f(){}", "@A class B{}", "static{}"), "int x;", "}"),
        Kind("class X{", ("A.", "@B A."), "A", " x;}"),
    ),
    "javascript": _SCRIPT,
    "javascriptreact": (*_SCRIPT, *_ELEMENTS),
    "json": (Kind("[", ("1,", '"a",', "{},", "\n"), "1", "]"),),
    "python": (
        Kind("x=", ("-", "not ", "a if b else ", "lambda:", "a+", "a,"), "a", "\n"),
        Kind("", ("a\n", "if a: b\n", "a=b\n", "@a\ndef f(): b\n", "a;"), "a", "\n"),
    ),
    "toml": (Kind("", ("a.", '"a".'), "a", "=1\n"), Kind("", ("a=1\n", "[a]\n", "#a\n"), "a=1", "\n")),
    "typescript": _TYPES,
    "typescriptreact": (*_TYPES, *_ELEMENTS),
}

VOCABULARY = Vocabulary(
    [bytes([byte]) for byte in range(256)] + [b"else ", b"=>", b" => ", b"</a>", b"if (", b"->"]
)


@dataclass(frozen=True, slots=True)
class Chain:
    """Links in turns, and the place of the hole."""

    kind: Kind
    links: tuple[str, ...]
    place: str

    def hole(self, n_links: int) -> tuple[str, str, str]:
        """The texts in front of the hole, in it and behind it."""
        kind, links = self.kind, self.kind.text(self.links, n_links)
        match self.place:
            case "middle":
                half = n_links // 2
                behind = "".join(links[half + 1 :]) + kind.core + kind.right
                return kind.left + "".join(links[:half]), links[half], behind
            case "behind":
                return kind.left + "".join(links), kind.core, kind.right
            case _:
                return "", kind.left, "".join(links) + kind.core + kind.right

    def seconds(self, language: Language, n_links: int) -> float:
        """The processor time. Raises `NoCompletion` if the text does not fit, and `TooCostly`."""
        left, middle, right = self.hole(n_links)
        document = language.document(left + middle + right)
        start = time.process_time()
        recognizer = document.recognizer(len(left), len(left) + len(middle))
        witness = recognizer.fork()
        if not witness.advance(recognizer.witness()) or not witness.is_member():
            raise AssertionError(f"{self}: the witness {recognizer.witness()!r} does not fit")
        recognizer.mask(VOCABULARY)
        if not recognizer.advance(middle) or not recognizer.is_member():
            raise AssertionError(f"{self}: what was there does not fit")
        return time.process_time() - start


def is_text(language: str, kind: Kind, links: Sequence[str]) -> bool:
    """Whether links may stand in turns: behind some, others would have to be in brackets."""
    recognizer = Language.load(language).recognizer()
    text = "".join((kind.left, *kind.text(links, 4), kind.core, kind.right))
    return recognizer.advance(text) and recognizer.is_member()


def chains(language: str, n_pairs: int, random: Random) -> Iterator[Chain]:
    """Yields all chains of a language, with `n_pairs` pairs of each kind."""
    for kind in KINDS[language]:
        pairs = [pair for pair in combinations(kind.links, 2) if is_text(language, kind, pair)]
        for links in [*((link,) for link in kind.links), *random.sample(pairs, min(n_pairs, len(pairs)))]:
            for place in ("middle", "behind", "front"):
                yield Chain(kind, links, place)


def is_dear(seconds: float, n_links: int) -> bool:
    """Whether a chain costs more than it may."""
    return seconds > LEAST_SECONDS + BUSY * MAX_SECONDS_A_LINK * n_links


def check(language: Language, chain: Chain, n_links: int) -> str | None:
    """What is wrong with a chain's cost, by the least of three measurements, because machines are busy."""
    # Costs that grow are not measured to the end.
    for n in (n_links // 16, n_links):
        seconds = min(chain.seconds(language, n) for _ in range(3 if n < n_links else 1))
        for _ in range(2):
            if is_dear(seconds, n):
                seconds = min(seconds, chain.seconds(language, n))
        if is_dear(seconds, n):
            return f"{n} links cost {seconds * 1e3:.0f} ms"
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Check the chains of each language and print those that cost too much."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.laws.chains", description="chains cost what they are long"
    )
    parser.add_argument("--languages", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--links", type=int, default=N_LINKS, help="of each chain (%(default)s)")
    parser.add_argument("--pairs", type=int, default=1_000, help="of links in turns, of each kind")
    parser.add_argument("--seed", default="1", help="names the run")
    options = parser.parse_args(arguments)
    n_wrong = 0
    for name in options.languages:
        language = Language.load(name)
        VOCABULARY.prepare_tables(language._native)
        n_chains = 0
        for chain in chains(name, options.pairs, Random(options.seed)):
            n_chains += 1
            try:
                wrong = check(language, chain, options.links)
            except (AssertionError, NoCompletion, TooCostly) as error:
                wrong = f"{type(error).__name__}: {error}"
            if wrong is not None:
                n_wrong += 1
                print(f"{name}: {chain.links} {chain.place}: {wrong}", flush=True)
        print(f"{name}: {n_chains} chains", flush=True)
    return 1 if n_wrong else 0


if __name__ == "__main__":
    sys.exit(main())
