"""`python -m tests.laws.derived --language java`: texts derived from a grammar, whole and damaged, judged.

Damaged real files stay close to what people write. Here a rule of the grammar is drawn, and a text around it
is derived at random, as short as possible except for the rule itself. In every other text a symbol or two are
left out, inserted or exchanged. The engine and the language's parser should agree on each. If they differ,
symbols are left out while they still differ, and the rest is printed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

from fim_lsp.replay.judges import NoJudge
from quotient import Language, NoCompletion
from quotient.compiler.description import from_json
from tests.laws.domains import DOMAINS, Domain
from tests.laws.oracle import Verdict

GRAMMARS = Path(__file__).parents[2] / "quotient" / "grammars"
# Texts of the terminals that are expressions. Declared names have a single text, so that all are equal.
TEXTS: dict[str, dict[str, Sequence[str]]] = {
    "java": {
        "NAME": ("a", "b", "c", "A", "B"),
        "CLASS_NAME": ("A",),
        "CONSTRUCTOR_NAME": ("A",),
        "LITERAL": ("1", "'c'", '"d"', "1.5", "2L"),
    },
    "json": {"NUMBER": ("1", "-1.5e3"), "STRING": ('"a"', '""')},
}
# The height that a rule may exceed its least height by, and the probability of optional parts.
HEIGHTS = (1, 2, 3, 4, 6)
LIKELY = 0.4
LONGEST = 40
NEVER = 1_000

# A body in a compiled grammar: the name of a rule or a terminal, or an operator with its operands.
Body: TypeAlias = str | dict[str, Any]


class Derivations:
    """A compiled grammar, and the height of each rule's lowest tree."""

    def __init__(self, language: str, random: Random) -> None:
        described = from_json((GRAMMARS / f"{language}.json").read_text("utf-8"))
        self.start: str = described["start"]
        self.rules: dict[str, Body] = {rule["name"]: rule["body"] for rule in described["rules"]}
        literals = {
            terminal["name"]: (terminal["pattern"],)
            for terminal in described["terminals"]
            if terminal["kind"] == "literal"
        }
        self.texts: dict[str, Sequence[str]] = literals | TEXTS[language]
        self.symbols = sorted({text for texts in self.texts.values() for text in texts})
        self.random = random
        # By the identity of a part of a rule: the rules that it names, and the height of its lowest tree.
        self.named: dict[int, frozenset[str]] = {}
        self.least: dict[int, int] = {}
        self.parts: dict[int, Body] = {}
        for body in self.rules.values():
            self.learn(body)
        self.steps: dict[str, dict[str, int]] = {}
        self.heights = dict.fromkeys(self.rules, NEVER)
        while True:
            heights = {name: 1 + self.height(body) for name, body in self.rules.items()}
            if heights == self.heights:
                break
            self.heights = heights
        self.least = {part: self.height(body) for part, body in self.parts.items()}

    def learn(self, body: Body) -> frozenset[str]:
        """The names in a part of a rule."""
        if isinstance(body, str):
            return frozenset([body])
        inner = [one for value in body.values() for one in (value if isinstance(value, list) else [value])]
        found = frozenset[str]().union(*map(self.learn, inner))
        self.parts[id(body)] = body
        self.named[id(body)] = found & self.rules.keys()
        return found

    def height(self, body: Body) -> int:
        """The least nesting depth of rules in a part."""
        if id(body) in self.least:
            return self.least[id(body)]
        match body:
            case str():
                return self.heights.get(body, 0 if body in self.texts else NEVER)
            case {"alt": list(bodies)}:
                return min(map(self.height, bodies))
            case {"seq": list(bodies)}:
                return max(map(self.height, bodies), default=0)
            case {"plus": inner}:
                return self.height(inner)
        return 0

    def around(self, target: str) -> list[str]:
        """A derived text that contains a rule."""
        return list(self.derive(self.rules[self.start], 0, self.leading_to(target)))

    def leading_to(self, target: str) -> dict[str, int]:
        """The number of steps from each rule to a given one."""
        if target in self.steps:
            return self.steps[target]
        steps = {target: 0}
        for distance in range(1, len(self.rules)):
            steps |= {
                name: distance
                for name, body in self.rules.items()
                if name not in steps and self.distance(body, steps) == distance - 1
            }
        return self.steps.setdefault(target, steps)

    def distance(self, body: Body, steps: dict[str, int]) -> int:
        named = (body,) if isinstance(body, str) else self.named[id(body)]
        return min((steps.get(name, NEVER) for name in named), default=NEVER)

    def derive(self, body: Body, height: int, steps: dict[str, int]) -> Iterator[str]:
        """The symbols of a text, no higher than necessary; `steps` lead to the rule that may be higher."""
        match body:
            case str() if body in self.rules:
                is_there = steps.get(body) == 0
                left = self.random.choice(HEIGHTS) + self.heights[body] if is_there else height - 1
                nearer = (
                    {} if is_there else {name: at for name, at in steps.items() if at < steps.get(body, 0)}
                )
                yield from self.derive(self.rules[body], left, nearer)
            case str():
                yield self.random.choice(self.texts[body])
            case {"alt": list(bodies)}:
                yield from self.derive(self.chosen(bodies, height, steps), height, steps)
            case {"seq": list(bodies)}:
                distances = [self.distance(one, steps) for one in bodies]
                way = distances.index(min(distances)) if bodies else 0
                for at, one in enumerate(bodies):
                    yield from self.derive(one, height, steps if at == way else {})
            case {"opt": inner} | {"star": inner}:
                if self.distance(inner, steps) < NEVER or self.may(inner, height):
                    yield from self.derive(inner, height, steps)
                    while "star" in body and self.may(inner, height):
                        yield from self.derive(inner, height, {})
            case {"plus": inner}:
                yield from self.derive(inner, height, steps)
                while self.may(inner, height):
                    yield from self.derive(inner, height, {})

    def may(self, body: Body, height: int) -> bool:
        return self.height(body) <= height and self.random.random() < LIKELY

    def chosen(self, bodies: list[Body], height: int, steps: dict[str, int]) -> Body:
        """An alternative that leads to the rule, or one that is low enough, or the lowest."""
        leading = [one for one in bodies if self.distance(one, steps) < NEVER]
        low = [one for one in bodies if self.height(one) <= height]
        # Most of the words that may be names behave alike.
        if not leading and low and "NAME" in low and all(isinstance(one, str) for one in low):
            return self.random.choice(["NAME", "NAME", self.random.choice(low)])
        return self.random.choice(leading or low or [min(bodies, key=self.height)])

    def spoilt(self, symbols: list[str]) -> list[str]:
        """The symbols with one or two left out, inserted or exchanged."""
        spoilt = list(symbols)
        for _ in range(self.random.choice((1, 1, 2))):
            at = self.random.randrange(len(spoilt) + 1)
            put = [] if self.random.random() < 1 / 3 else [self.random.choice(self.symbols)]
            spoilt[at : at + self.random.randrange(2)] = put
        return spoilt


def differ(domain: Domain, language: Language, symbols: Sequence[str]) -> bool:
    """Whether the engine and the parser disagree on a text that the judge does not leave open."""
    text = " ".join(symbols)
    verdict = domain.judge(text)
    if verdict is Verdict.BEYOND_LIMITS:
        return False
    try:
        return language.recognizer(text).is_member() is not (verdict is Verdict.VALID)
    except NoCompletion:
        return verdict is Verdict.VALID


def shrunk(domain: Domain, language: Language, symbols: list[str]) -> list[str]:
    """The symbols without those that the disagreement does not need."""
    width = len(symbols)
    while width:
        at = 0
        while at < len(symbols):
            fewer = symbols[:at] + symbols[at + width :]
            if differ(domain, language, fewer):
                symbols = fewer
            else:
                at += 1
        width //= 2
    return symbols


def differences(domain: Domain, count: int, seed: str) -> Iterator[str]:
    """The derived texts that are still read differently. Raises `NoJudge`."""
    language, random = domain.language, Random(f"{seed} {domain.known_language.name}")
    derivations = Derivations(domain.known_language.name, random)
    targets = sorted(derivations.rules)
    for number in range(count):
        symbols = derivations.around(random.choice(targets))
        if number % 2:
            symbols = derivations.spoilt(symbols)
        if len(symbols) <= LONGEST and differ(domain, language, symbols):
            yield " ".join(shrunk(domain, language, symbols))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.laws.derived", description="texts derived from a grammar, judged"
    )
    parser.add_argument("--language", choices=sorted(TEXTS), default="java")
    parser.add_argument("--count", type=int, default=5_000, help="texts to derive (%(default)s)")
    parser.add_argument("--seed", default="1", help="names the run")
    options = parser.parse_args(arguments)
    found: set[str] = set()
    try:
        for text in differences(DOMAINS[options.language], options.count, options.seed):
            if text not in found:
                print(text, flush=True)
            found.add(text)
    except NoJudge as why:
        print(f"tests.laws.derived: {why}", file=sys.stderr)
        return 2
    print(f"{options.count:,} texts, {len(found)} read differently")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
