"""The values that a place may have: values that were seen there, and values that the schema names.

A default comes last, because files seldom contain it. A value that has the name of something beside it
belongs to that:

requires = ["setuptools"]
build-backend = |               "setuptools.build_meta"
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from fim_lsp.schemas.schema import LEAST, Node, Schema, fits_pattern, keys, kinds, values
from fim_lsp.schemas.usual import UNSEEN, usual_values

ANY = "*"
# The most values that a schema names, and none of which was seen, of which the first may be meant.
FEW = 3
# The probability of a value of which only the kind is known, for a user who asks.
OF_A_KIND = 0.1
# The weight of a value that has the name of something beside it.
BESIDE = 20.0
WORD = re.compile(r"[\w-]{3,}")
DOTTED = re.compile(r"([\w-]{3,})\.[\w.-]+")
QUOTED = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'")
Steps = tuple[str | int, ...]


def general(schema: Schema, path: Steps) -> Steps:
    """The name under which a place is counted: names that the schema does not know are all the same."""
    return tuple(
        step if isinstance(step, int) or step in keys(schema.at(path[:number])) else ANY
        for number, step in enumerate(path)
    )


def likely_values(schema: Schema, name: str, path: Steps, beside: str = "") -> list[tuple[Any, float]]:
    """Values (not their spellings) with their weights, the heaviest first.

    `beside` is the text in front of it in its table or object.
    """
    # Others' values say nothing of a key that the schema does not know at all.
    is_known = not path or isinstance(path[-1], int) or bool(schema.at(path))
    seen: Mapping[str, int] = usual_values(name, general(schema, path)) if is_known else {}
    # Ones and truths are the same to Python.
    some: dict[str, float] = {text: float(count) for text, count in seen.items()}
    for value in values(schema.at(path)):
        some.setdefault(json.dumps(value), UNSEEN)
    words = {normal(word) for word in WORD.findall(beside)}
    named = {text for text in some if (found := DOTTED.match(text.strip('"'))) and normal(found[1]) in words}
    weighed = {text: share * (BESIDE if text in named else 1.0) for text, share in some.items()}
    return [(json.loads(text), weighed[text]) for text in sorted(weighed, key=lambda one: -weighed[one])]


def normal(word: str) -> str:
    return word.replace("-", "_").lower()


def least(schema: Schema, name: str, path: Steps, beside: str = "", *, is_plain: bool = False) -> str:
    """The value that a key mostly has, as JSON; else one of few that the schema names, or the shortest one.

    `is_plain`: lists and objects are not written so.
    """
    nodes = schema.at(path)
    some = likely_values(schema, name, path, beside)
    if is_plain:
        some = [(one, share) for one, share in some if plain(one)]
    is_seen = bool(some) and some[0][1] >= 1.0
    if some and (not is_of_another(some[0][0], beside) if is_seen else len(some) <= FEW):
        return json.dumps(some[0][0])
    return least_of_kind(nodes)


def is_of_another(value: Any, beside: str) -> bool:
    """Whether a value belongs to a package that is not named beside it."""
    found = DOTTED.fullmatch(value) if isinstance(value, str) else None
    named = {normal(word) for text in QUOTED.findall(beside) for word in WORD.findall(text)}
    return found is not None and bool(named) and normal(found[1]) not in named


def least_of_kind(nodes: Sequence[Node]) -> str:
    """The shortest value of the first kind."""
    return next((LEAST[kind] for kind in kinds(nodes) if kind in LEAST), '""')


def plain(value: Any) -> bool:
    """Whether a value is a word in TOML, too."""
    return isinstance(value, (str, bool, int, float))


def begun_like(value: str, begun: str, nodes: Sequence[Node]) -> str | None:
    """The rest of a value that is begun, as it is written: `es20` with `22`, if the schema lets it have small
    letters. None for another one."""
    if value.startswith(begun):
        return value[len(begun) :]
    lower = value.lower()
    patterns = [node["pattern"] for node in nodes if isinstance(node.get("pattern"), str)]
    if lower.startswith(begun) and any(fits_pattern(one, lower.strip("\"'")) for one in patterns):
        return lower[len(begun) :]
    return None
