"""The tables: those of the two papers in their layout, then ours. Each says how many cases it counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean, median

from fim_lsp.replay.outcome import CaseOutcome
from fim_lsp.replay.report.fits import TrendLine, one_times, overheads
from fim_lsp.replay.report.results import MODE_NAMES, Results
from fim_lsp.terminal import duration

# Tables I and II of the quotient paper: (unconstrained, only checked, neither) by (constrained or not).
PAPER = {
    "stack-boundary": ("I", ((65342, 11), (24833, 94), (490, 4620))),
    "stack-randspan": ("II", ((68570, 20), (22952, 112), (563, 3173))),
}
# The lines of figure 11.
PAPER_CHECKED = "y = 0.00037 x -0.177 ms (R² = 0.544)"
PAPER_FITS = "y = 9.54e-06 x +4.53 ms (R² = 0.00422)", "y = 0.283 x +270 ms (R² = 0.729)"
CONSTRAINED = ("paper", "constrained", "steered", "named", "served")
# The most failures that are listed; more are counted.
LISTED = 50


@dataclass(frozen=True, slots=True)
class Table:
    """`name` is for files and links. Cells are text as it is printed; the first column is a heading."""

    name: str
    title: str
    header: list[str]
    rows: list[list[str]]
    note: str = ""


def tables(results: Results) -> list[Table]:
    return [*_tables(results)]


def _tables(results: Results) -> Iterator[Table]:
    yield success(results)
    for mode in CONSTRAINED:
        if {"unconstrained", "checked", mode} <= set(results.modes):
            yield two_by_three(results, mode)
    if results.dataset in PAPER:
        yield paper_table(results.dataset)
    if results.is_left_to_right and "unconstrained" in results.modes:
        yield syntax_errors(results)
    yield quality(results)
    if results.dataset == "devbench":
        yield first_lines(results)
    yield escapes(results)
    yield cost(results)
    yield overhead(results)
    yield excluded_table(results)
    yield failures(results)


def percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"


def share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.2f} %" if whole else "-"


def success(results: Results) -> Table:
    rows = []
    for mode in results.modes:
        outcomes = results.outcomes(mode)
        n_good = sum(outcome.is_success for outcome in outcomes)
        stops = Counter(outcome.stopped_by or "-" for outcome in outcomes)
        rows.append(
            [
                MODE_NAMES[mode],
                str(len(outcomes)),
                str(n_good),
                share(n_good, len(outcomes)),
                str(sum(outcome.error is not None for outcome in outcomes)),
                ", ".join(f"{stop} {count}" for stop, count in stops.most_common()),
            ]
        )
    return Table(
        "success",
        "Does the file parse?",
        ["Mode", "Cases", "Parse", "Share", "Errors of ours", "Ended by"],
        rows,
        "A generation succeeds if the language's parser accepts the filled file: `ast.parse` for Python.",
    )


def two_by_three(results: Results, mode: str) -> Table:
    """The layout of the paper's tables I and II."""
    counts: Counter[tuple[int, bool]] = Counter()
    for result in results.results:
        group = 0 if result.outcomes["unconstrained"].is_success else 1
        group = 2 if group and not result.outcomes["checked"].is_success else group
        counts[group, result.outcomes[mode].is_success] += 1
    cells = tuple((counts[group, True], counts[group, False]) for group in range(3))
    name = MODE_NAMES[mode]
    return Table(f"table-{mode}", f"{results.dataset}: {name.lower()}", *layout(cells, name))


def layout(cells: tuple[tuple[int, int], ...], name: str) -> tuple[list[str], list[list[str]]]:
    heads = ("Unconstrained ✓", "Unconstrained ✗", "Checked Unconstrained ✗")
    rows = [
        [head, str(good), str(bad), str(good + bad)] for head, (good, bad) in zip(heads, cells, strict=True)
    ]
    n_good, n_bad = (sum(column) for column in zip(*cells, strict=True))
    rows.append(["Total", str(n_good), str(n_bad), str(n_good + n_bad)])
    return ["", f"{name} ✓", f"{name} ✗", "Total"], rows


def paper_table(dataset: str) -> Table:
    number, cells = PAPER[dataset]
    return Table(
        "table-paper",
        f"The paper's table {number}: {dataset.upper()} with SantaCoder",
        *layout(cells, "Constrained"),
        "10,000 files of the-stack-smol-xl, 95,390 cases. The second row is those that checking alone saves.",
    )


def syntax_errors(results: Results) -> Table:
    """SynCode's table 1: the errors that are left, and the share by which they fall."""
    modes = [mode for mode in CONSTRAINED if mode in results.modes]
    rows = []
    for title, kinds in (("Syntax", "other"), ("Indentation", "indentation"), ("Both", "any")):
        standard = n_faults(results.outcomes("unconstrained"), kinds)
        cells = [title, str(standard)]
        for mode in modes:
            left = n_faults(results.outcomes(mode), kinds)
            cells += [str(left), f"{100 * (standard - left) / standard:.2f} %" if standard else "-"]
        rows.append(cells)
    header = ["Error type", "Standard"] + [cell for mode in modes for cell in (MODE_NAMES[mode], "↓")]
    return Table(
        "syntax-errors",
        f"{results.dataset}: syntax and indentation errors, standard against constrained",
        header,
        rows,
        f"Of {len(results.results)} problems, one text each. SynCode reports a mean ↓ of 96.07 %.",
    )


def n_faults(outcomes: list[CaseOutcome], kinds: str) -> int:
    faults = [outcome.fault for outcome in outcomes if outcome.fault]
    n_indentation = sum(fault in ("IndentationError", "TabError") for fault in faults)
    return {"indentation": n_indentation, "other": len(faults) - n_indentation, "any": len(faults)}[kinds]


def quality(results: Results) -> Table:
    rows = []
    for mode in results.modes:
        outcomes = results.outcomes(mode)
        tested = [outcome for outcome in outcomes if outcome.passes is not None]
        n_tokens = sum(outcome.n_tokens for outcome in outcomes)
        n_forced = sum(outcome.n_forced for outcome in outcomes)
        n_exact = sum(outcome.is_exact for outcome in outcomes)
        n_passed = sum(bool(outcome.passes) for outcome in tested)
        rows.append(
            [
                MODE_NAMES[mode],
                f"{n_exact} ({share(n_exact, len(outcomes))})",
                f"{mean(outcome.similarity for outcome in outcomes):.3f}" if outcomes else "-",
                f"{n_passed} of {len(tested)} ({share(n_passed, len(tested))})" if tested else "-",
                str(n_tokens),
                f"{n_forced} ({share(n_forced, n_tokens)})",
            ]
        )
    return Table(
        "quality",
        "How close to what was there, and does it work?",
        ["Mode", "Exact match", "Edit similarity", "pass@1", "Tokens", "Forced"],
        rows,
        "Forced tokens are those that the engine chose alone.",
    )


def first_lines(results: Results) -> Table:
    """DevBench's own measure, by the kind of work: how often the first line is right."""
    kinds = sorted({kind_of(result.case) for result in results.results})
    rows = []
    for mode in results.modes:
        right = {kind: [0, 0] for kind in ("", *kinds)}
        for result in results.results:
            is_right = first_line(result.outcomes[mode].text) == first_line(result.middle)
            for kind in ("", kind_of(result.case)):
                right[kind][0] += is_right
                right[kind][1] += 1
        cells = [f"{n_right} of {n} ({share(n_right, n)})" for n_right, n in right.values()]
        rows.append([MODE_NAMES[mode], *cells])
    return Table(
        "first-lines",
        "Is the first line right?",
        ["Mode", "All", *kinds],
        rows,
        "The first line with anything in it, but for blanks around it, is the one that was cut out.",
    )


def kind_of(case: str) -> str:
    return case.partition("/")[0]


def first_line(text: str) -> str:
    return text.strip().partition("\n")[0].rstrip()


def escapes(results: Results) -> Table:
    def row(name: str, found: list[str | None]) -> list[str]:
        counts = Counter(found)
        n_escapes = counts["bracket"] + counts["block"]
        return [
            name,
            str(counts["bracket"]),
            str(counts["block"]),
            f"{n_escapes} ({share(n_escapes, len(found))})",
        ]

    rows = [row(MODE_NAMES[mode], [one.escape for one in results.outcomes(mode)]) for mode in results.modes]
    rows.append(row("What was there", [result.middle_escape for result in results.results]))
    return Table(
        "escapes",
        "Context escapes",
        ["Mode", "Out of brackets", "Out of blocks", "All"],
        rows,
        "A text escapes that closes what the left context opened, and opens what the right one closes.",
    )


def cost(results: Results) -> Table:
    rows = []
    for mode in results.modes:
        costs = results.costs(mode)
        if not costs:
            continue
        seconds = sorted(one.seconds for one in costs)
        n_checks = sum(one.n_checks for one in costs)
        n_tokens = sum(outcome.n_tokens for outcome in results.outcomes(mode))
        total = sum(seconds, 0.0)
        rows.append(
            [
                MODE_NAMES[mode],
                duration(median(seconds)),
                duration(seconds[min(len(seconds) - 1, len(seconds) * 95 // 100)]),
                f"{n_tokens / total:.1f}" if n_tokens and total else "-",
                duration(sum(one.checking for one in costs) / n_checks) if n_checks else "-",
                duration(median(one.once for one in costs)) if any(one.once for one in costs) else "-",
            ]
        )
    return Table(
        "cost",
        "What it costs",
        ["Mode", "Median", "95th percentile", "Tokens/s", "Overhead a token", "Once, median"],
        rows,
        "Overhead is the time spent on checks: `ast.parse` of the whole file, or the engine. Once is the time"
        " to read both contexts before the first token. The network reads a prompt once, in the first mode;"
        " the engine reads true middles by the character.",
    )


def overhead(results: Results) -> Table:
    """The lines of the paper's figure 11, and ours."""
    paper = ("the paper: checked unconstrained", PAPER_CHECKED, "-"), ("the paper: constrained", *PAPER_FITS)
    rows = [list(row) for row in paper]
    for mode in results.modes:
        lines = [TrendLine.of(found(results, mode)) for found in (overheads, one_times)]
        if any(lines):
            rows.append([MODE_NAMES[mode], *(str(line or "-") for line in lines)])
    return Table(
        "overhead",
        "Overhead over the size of the context (figure 11)",
        ["Mode", "A token", "Once"],
        rows,
        "Least-squares lines; x is the number of characters in the contexts.",
    )


def excluded_table(results: Results) -> Table:
    reasons = Counter(str(row["reason"]) for row in results.excluded)
    rows = [[reason, str(count)] for reason, count in sorted(reasons.items())]
    return Table("excluded", "Files that took no part", ["Reason", "Files"], rows or [["none", "0"]])


def failures(results: Results) -> Table:
    """The failing cases of the modes that should have none."""
    rows = []
    for mode in results.modes:
        if mode in ("unconstrained", "checked"):
            continue
        for result in results.results:
            outcome = result.outcomes[mode]
            if not outcome.is_success:
                why = outcome.error or f"{outcome.fault}: {outcome.message}"
                rows.append([result.case, MODE_NAMES[mode], why, str(outcome.stopped_by)])
    note = f"The first {LISTED} of {len(rows)}; rows.jsonl has all." if len(rows) > LISTED else ""
    return Table(
        "failures",
        "Failures with the engine",
        ["Case", "Mode", "Why", "Ended by"],
        rows[:LISTED] or [["none", "", "", ""]],
        note,
    )
