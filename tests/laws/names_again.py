"""Names that must be repeated, such as a constructor's: holes around them, and nearly equal names."""

import re
from collections.abc import Iterator
from random import Random

from tests.laws.cases import Case

# The most characters beside a name in its hole.
MARGIN = 4


def holes(random: Random, text: str, said: re.Pattern[str], count: int) -> Iterator[Case]:
    """Cuts out an occurrence of a name that `said` finds, in part or with text beside it."""
    names = sorted(set(said.findall(text)))
    places = [match for name in names for match in re.finditer(rf"\b{re.escape(name)}\b", text)]
    for _ in range(count if places else 0):
        start, stop = random.choice(places).span()
        if random.random() < 0.5:
            start, stop = sorted(random.randint(start, stop) for _ in range(2))
        else:
            start = max(0, start - random.randint(0, MARGIN))
            stop = min(len(text), stop + random.randint(0, MARGIN))
        yield Case(text[:start], text[start:stop], text[stop:])


def middles(random: Random, case: Case, said: re.Pattern[str]) -> Iterator[str]:
    """The true middle, and others with another name, or with more or less of this one."""
    others = [*said.findall(case.whole), "A"]
    middle = case.middle
    yield middle
    yield re.sub(r"\w+", random.choice(others), middle, count=1)
    yield middle + random.choice(("x", "1", " ", " x", *others))
    yield middle[: random.randint(0, len(middle))]
    yield middle[random.randint(0, len(middle)) :]
    name = random.choice(others)
    yield f"{middle} {{ {random.choice(others)}() {{ }} }} class {name}"
    yield f"{random.choice(others)}(int x) {{ }} {name}"
