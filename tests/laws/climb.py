"""`python -m tests.laws.climb`: climb towards the texts that cost the engine most.

No text of at most 1,000 bytes may cost a recognizer more than 50 ms of processor time or 50 MB, whatever it
is made of and whichever side of the hole it stands on. What costs most lies where nobody looks for it, so
texts are changed at random, and those that cost more than the best so far are kept. Exits with 1 where a
bound is missed.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from quotient import Language, NoCompletion

VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.12.10", "3.13", "3.14")
ALPHABET = ")]},'\"{fr\n"
MAX_LENGTH = 1_000
MAX_SECONDS = 0.050
MAX_BYTES = 50 << 20
# What stands on the other side: nothing, code, text, a field, a specification, in one and in two f-strings.
LEFTS = ("", "x = ", "x = f'a", 'x = f"{a', "x = f'''{a:", "x = f\"{f'{(a")
RIGHTS = ("", "\n", "}'\n", "'}\"\n")
# A step is a text; a climb that has found nothing for so many begins anew.
PATIENCE = 150


@dataclass(frozen=True, slots=True)
class Cost:
    """What a recognizer has cost."""

    seconds: float
    n_bytes: int

    @property
    def height(self) -> float:
        """How much of the bounds it is, the larger of both."""
        return max(self.seconds / MAX_SECONDS, self.n_bytes / MAX_BYTES)


def cost(language: Language, left: str, right: str) -> Cost:
    """Return what it costs to make a recognizer where nothing is known yet, and to ask it."""
    document = language.document(left + right)
    start = time.process_time()
    with suppress(NoCompletion):
        document.recognizer(len(left)).is_member()
    return Cost(time.process_time() - start, document.memory)


def steady_cost(language: Language, left: str, right: str) -> Cost:
    """Return the least of three measurements: a busy machine makes some of them larger."""
    return min((cost(language, left, right) for _ in range(3)), key=lambda found: found.seconds)


def mutated(text: str, random: Random) -> str:
    """Return a text with a few changes: characters, pieces moved, doubled and repeated."""
    for _ in range(random.choice((1, 1, 2, 4))):
        start = random.randrange(len(text) + 1)
        stop = min(len(text), start + int(2 ** random.uniform(0, 7)))
        piece = text[start:stop]
        match random.randrange(6):
            case 0:
                new = "".join(random.choices(ALPHABET, k=random.choice((1, 1, 2, 3, 5))))
            case 1:
                new = ""
            case 2:
                new = piece * random.choice((2, 2, 3, 10))
            case 3:
                new = piece[::-1]
            case 4:
                pattern = "".join(random.choices(ALPHABET, k=random.choice((2, 3, 4))))
                new = pattern * random.choice((3, 20, 100))
            case _:
                other = random.randrange(len(text) + 1)
                new = text[other : other + max(1, len(piece))]
        text = (text[:start] + new + text[stop:])[:MAX_LENGTH]
    return text


def climb(language: Language, n_steps: int, random: Random) -> Iterator[tuple[Cost, str, str]]:
    """Yield better and better texts with their costs."""
    best: Cost | None = None
    side, other, text, height, n_idle = 0, "", "", 0.0, PATIENCE
    for _ in range(n_steps):
        if n_idle >= PATIENCE:
            side = random.choice((0, 1, 1))
            other = random.choice(RIGHTS if side == 0 else LEFTS)
            text = "".join(random.choices(ALPHABET, k=random.choice((10, 50, 300))))
            height, n_idle = 0.0, 0
        changed = mutated(text, random)
        left, right = (changed, other) if side == 0 else (other, changed)
        if cost(language, left, right).height <= height:
            n_idle += 1
            continue
        found = steady_cost(language, left, right)
        if found.height <= height:
            n_idle += 1
            continue
        text, height, n_idle = changed, found.height, 0
        if best is None or found.height > best.height:
            best = found
            yield found, left, right


def highest(language: Language, n_steps: int, random: Random) -> tuple[Cost, str, str]:
    """Return where a climb ended."""
    *_, last = climb(language, n_steps, random)
    return last


def main(arguments: Sequence[str] | None = None) -> int:
    """Climb in each version and print the worst that was found."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.laws.climb", description="climb towards the texts that cost the engine most"
    )
    parser.add_argument("--versions", nargs="+", default=VERSIONS, choices=VERSIONS)
    parser.add_argument("--steps", type=int, default=20_000, help="texts to try in each version")
    parser.add_argument("--seed", default="1", help="names the run")
    options = parser.parse_args(arguments)
    is_fine = True
    for version in options.versions:
        language = Language.load("python", version=version)
        found, left, right = highest(language, options.steps, Random(f"{options.seed} {version}"))
        # What a busy machine made of it is measured again.
        found = min(found, steady_cost(language, left, right), key=lambda cost: cost.height)
        is_fine &= found.height <= 1
        size = f"{found.seconds * 1e3:.1f} ms, {found.n_bytes / (1 << 20):.1f} MB"
        print(f"{version}: {size}: {left!r} | {right!r}", flush=True)
    return 0 if is_fine else 1


if __name__ == "__main__":
    sys.exit(main())
