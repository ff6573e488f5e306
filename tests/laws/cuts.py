"""Where real files are cut: by the quotient paper's two rules, and between any two characters."""

from random import Random

from fim_lsp.replay.cuts import Cut, Symbol, cuts_between, span_cuts
from tests.laws.cases import Case


def hole(text: str, cut: Cut) -> Case:
    """Return the case of typing again what is cut out."""
    return Case(text[: cut.start], text[cut.start : cut.stop], text[cut.stop :])


def boundary_cut(random: Random, text: str, levels: list[list[Symbol]]) -> Case | None:
    """STACK-BOUNDARY, of a text with these symbols; None without two of one level."""
    return next((hole(text, cut) for cut in cuts_between(levels, 1, random)), None)


def span_cut(random: Random, text: str) -> Case:
    """STACK-RANDSPAN."""
    [cut] = span_cuts(text, 1, random)
    return hole(text, cut)


def anywhere_cut(random: Random, text: str, longest: int = 400) -> Case:
    """A hole between any two characters, half of the time a very short one."""
    start = random.randint(0, len(text))
    length = random.randint(0, 8) if random.random() < 0.5 else random.randint(0, longest)
    return hole(text, Cut(start, min(start + length, len(text))))


def cut(random: Random, text: str, levels: list[list[Symbol]], longest: int) -> tuple[str, Case]:
    """Return a cut by one of the three rules and the rule's name; middles above `longest` are drawn again."""
    for _ in range(20):
        rule = random.choice(("boundary", "span", "anywhere"))
        match rule:
            case "boundary":
                case = boundary_cut(random, text, levels)
            case "span":
                case = span_cut(random, text)
            case _:
                case = anywhere_cut(random, text)
        if case is not None and len(case.middle) <= longest:
            return rule, case
    return "anywhere", anywhere_cut(random, text, min(400, longest))
