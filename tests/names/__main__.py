"""`python -m tests.names`: names that exist, and what compiles, on real files and on invented programs.

    python -m tests.names --jobs 2
    python -m tests.names --check middles --count 5000 --version 3.8 --seed 2

Without a count each check has its full count. The same command continues a stopped run. The table is written
to `target/names/report.md`. The exit status says whether too many cases failed.
"""

import argparse
import sys
from pathlib import Path

from tests.laws.cases import LOST, Outcome
from tests.laws.runs import Runs, exit_status
from tests.names.checks import CHECKS, QUOTAS, Share, check, versions
from tests.names.files import packages

REPORT = Path(__file__).parents[2] / "target" / "names" / "report.md"
# The share of each check's cases that may fail. Each refused true middle is printed, to be explained.
ALLOWED = {
    "a true middle is refused": 0.0005,
    "a witness does not fit": 0.005,
    "a witness does not compile": 0.005,
}
# The number of shares of each version, so that the line of progress moves.
SHARES = 4
SHOWN = 20


def main() -> int:
    """Runs the requested checks."""
    options = parsed()
    # The packages are fetched before processes start, which would all fetch them.
    packages()
    runs = Runs(options.jobs)
    rows = ["| check | counted | |", "|---|---|---|"]
    broken = 0
    for name in options.check or CHECKS:
        unit, _ = QUOTAS[name]
        cut = shares(name, options)
        outcome = runs.run(f"names {name}", check, cut, unit, repr(list(cut.values())))
        show(name, outcome)
        broken += too_many(outcome, unit)
        rows += [f"| {name} | {what} | {count:,} |" for what, count in sorted(outcome.tally.items())]
    runs.end()
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    REPORT.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return 1 if broken else 0


def shares(name: str, options: argparse.Namespace) -> dict[str, Share]:
    """Cuts a check's count into shares, each with its own seed."""
    total = options.count or QUOTAS[name][1]
    chosen = options.version or versions(name)
    n_shares = SHARES * len(chosen)
    found = {}
    for index in range(n_shares):
        count = total * (index + 1) // n_shares - total * index // n_shares
        seed = f"{options.seed} {name} {index}"
        if count:
            found[seed] = Share(name, chosen[index % len(chosen)], count, seed, options.largest)
    return found


def too_many(outcome: Outcome, unit: str) -> int:
    """The number of kinds with too many failures; lost chunks are one kind."""
    prefix = "failure: "
    counts = {name.removeprefix(prefix): n for name, n in outcome.tally.items() if name.startswith(prefix)}
    most = {kind: ALLOWED.get(kind, share_of(kind)) * outcome.tally[unit] for kind in counts}
    return sum(counts[kind] > most[kind] for kind in counts) + bool(outcome.tally[LOST])


def share_of(kind: str) -> float:
    """The share of verdicts on invented programs that may be wrong: rare cases, each of which is printed."""
    return 0.0002 if kind.startswith(("let through", "refused")) else 0


def show(name: str, outcome: Outcome) -> None:
    """Prints the counts and the smallest failures of each kind."""
    print(f"\n{name}")
    for what, count in sorted(outcome.tally.items()):
        print(f"  {count:>10,}  {what}")
    shown: dict[str, int] = {}
    for failure in sorted(outcome.failures, key=lambda failure: len(failure.case.whole)):
        shown[failure.kind] = shown.get(failure.kind, 0) + 1
        # Allowed failures are printed, too, because each should be explained.
        is_allowed = failure.kind.partition(" ")[2] in ALLOWED
        most = SHOWN if is_allowed or len(outcome.failures) <= SHOWN else 2
        if shown[failure.kind] > most:
            continue
        case = failure.case
        print(f"  FAILED: {failure.kind}: {failure.detail}\n    from {failure.origin}")
        for part, text in (
            ("left", case.left[-160:]),
            ("middle", shortened(case.middle)),
            ("right", case.right[:160]),
        ):
            print(f"    {part:>6} {text!r}")


def shortened(text: str) -> str:
    """The beginning and the end of a text, where most failures are."""
    return text if len(text) <= 320 else f"{text[:120]} ... {text[-200:]}"


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.names", description="names on real files")
    parser.add_argument(
        "--check", action="append", choices=CHECKS, help="a check; may be given several times"
    )
    parser.add_argument("--count", type=int, help="how much to check (default: the full count)")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--version", action="append", help="a version of Python (default: all that can be)")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    parser.add_argument("--largest", type=int, default=40_000, metavar="BYTES")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(exit_status(main))
