"""The plot like the paper's figure 11: cost against context length over real files, both axes logarithmic.

The upper panel shows the overhead of a typed character, beside the paper's alternative of parsing the whole
file again ("checked unconstrained generation"); the lower one the one-time cost of a recognizer. Lines are
fitted as in the paper.
"""

import ast
from functools import partial
from random import Random
from statistics import mean
from typing import Any

from benches.timing import FittedLine, fitted, seconds
from quotient import Language
from tests.laws.cases import Case
from tests.laws.cuts import span_cut
from tests.laws.sources import Sources

N_FILES = 150
# A point: context length in characters, then milliseconds.
Point = tuple[int, float]
Points = dict[str, list[Point]]

CHECKED = "parse again after each character"
CONSTRAINED = "advance and is_member"
ONE_TIME = "recognizer"
PARSE = "ast.parse once"


def points(language: Language) -> Points:
    """Measures real files of all sizes, with one STACK-RANDSPAN cut in each."""
    random = Random(11)
    sources = Sources(random, largest=400_000)
    found: Points = {CHECKED: [], CONSTRAINED: [], ONE_TIME: [], PARSE: []}
    for _ in range(N_FILES):
        text = sources.next().text
        case = span_cut(random, text)
        length = len(case.left) + len(case.right)
        if length < 200 or not case.middle:
            continue
        parse = seconds(partial(ast.parse, text))
        cold = seconds(partial(language.recognizer, case.left, case.right))
        step = step_cost(language, case)
        found[CHECKED].append((length, parse * 1e3))
        found[CONSTRAINED].append((length, step * 1e3))
        found[ONE_TIME].append((length, cold * 1e3))
        found[PARSE].append((length, parse * 1e3))
    return found


def step_cost(language: Language, case: Case) -> float:
    """The mean cost of typing a character of the middle and asking whether to stop."""
    recognizer = language.recognizer(case.left, case.right)

    def type_one(character: str) -> bool:
        return bool(recognizer.advance(character)) and recognizer.is_member()

    return mean(seconds(partial(type_one, character)) for character in case.middle)


def line(series: list[Point]) -> FittedLine:
    """The line through one series."""
    return fitted([float(x) for x, _ in series], [y for _, y in series])


def fits(found: Points) -> str:
    """The fitted lines in words: milliseconds against characters."""
    rows = []
    for name, series in found.items():
        fit = line(series)
        rows.append(
            f"  {name:<34} y = {fit.slope:.3g} x + {fit.intercept:.3g} ms   (R2 = {fit.r_squared:.3f})"
        )
    return "fits over real files\n" + "\n".join(rows) + "\n"


def drawing(found: Points, pyplot: Any) -> Any:
    """Draws the two panels."""
    panels = (
        ("overhead per typed character", (CHECKED, CONSTRAINED)),
        ("one-time overhead", (ONE_TIME, PARSE)),
    )
    figure, axes = pyplot.subplots(2, 1, figsize=(6, 7), sharex=True, layout="constrained")
    for axis, (title, names) in zip(axes, panels, strict=True):
        for name in names:
            axis.scatter(*zip(*found[name], strict=True), s=8, label=name)
        axis.set(xscale="log", yscale="log", ylabel="ms", title=title)
        axis.legend()
    axes[-1].set_xlabel("context length in characters")
    return figure
