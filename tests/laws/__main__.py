"""`python -m tests.laws`: check laws by the thousand, print counts, shrink and show what fails.

    python -m tests.laws --law a --count 20000 --seed 1
    python -m tests.laws --all --jobs 2
    python -m tests.laws --all --language go

A run is cut into chunks, each with a seed of its own and each in a worker process, so the result does not
depend on the number of jobs, and a worker that crashes loses one chunk, which is named. The same command
continues an interrupted run.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from tests.laws.cases import Failure, Outcome
from tests.laws.chunks import Chunk, check
from tests.laws.domains import DOMAINS
from tests.laws.laws import LAWS, OF_EVERY_LANGUAGE
from tests.laws.runs import Runs, exit_status

# The number of chunks, which keep the progress line moving; the most failures that a person reads.
CHUNKS = 40
SHOWN = 12


def chunks(law: str, options: argparse.Namespace) -> Iterator[Chunk]:
    """Cut a law's count into chunks."""
    total = options.count or max(1, int(LAWS[law].quota[1] * options.scale))
    n_chunks = min(CHUNKS, total)
    for index in range(n_chunks):
        count = total * (index + 1) // n_chunks - total * index // n_chunks
        seed = f"{options.seed} {law} {index}"
        yield Chunk(law, count, seed, options.largest, options.shrink, options.language)


def run(runs: Runs, law: str, options: argparse.Namespace) -> Outcome:
    """Check one law."""
    cut = {chunk.seed: chunk for chunk in chunks(law, options)}
    title = f"law {law}" if options.language == "python" else f"law {law} {options.language}"
    return runs.run(title, check, cut, LAWS[law].unit, repr(list(cut.values())))


def show(law: str, outcome: Outcome) -> None:
    """Print the counts of a law and its smallest failures."""
    print(f"\nlaw {law}: {LAWS[law].statement}")
    show_failures(outcome)


def show_failures(outcome: Outcome) -> None:
    """Print counts and the smallest failures."""
    for name, count in sorted(outcome.tally.items()):
        print(f"  {count:>12,}  {name}")
    for failure in smallest(outcome.failures)[:SHOWN]:
        print(f"  FAILED: {failure.kind} {failure.detail[:200]}\n    from {failure.origin}")
        for part in ("left", "middle", "right"):
            text = getattr(failure.case, part)
            print(
                f"    {part:>6} {text!r}"
                if len(text) < 500
                else f"    {part:>6} {len(text)} characters, ...{text[-200:]!r}"
            )


def smallest(found: list[Failure]) -> list[Failure]:
    """Return the failures of different cases, smallest first."""
    unique = {(failure.kind, failure.case): failure for failure in found}
    return sorted(unique.values(), key=lambda failure: len(failure.case.whole))


def save(path: Path, found: list[Failure]) -> None:
    """Append the failures to a file of JSON lines."""
    with path.open("a", encoding="utf-8") as file:
        for failure in smallest(found):
            file.write(json.dumps(asdict(failure)) + "\n")


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m tests.laws", description="check the engine's laws")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--law", choices=LAWS, action="append", help="a law; may be given several times")
    which.add_argument("--all", action="store_true", help="every law of the language")
    parser.add_argument(
        "--language", choices=DOMAINS, default="python", help="whose files and parser (%(default)s)"
    )
    parser.add_argument(
        "--count", type=int, help="how much to check, in the law's unit (default: the full count)"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="share of the full counts to check")
    parser.add_argument("--seed", default="1", help="names the run")
    parser.add_argument("--jobs", type=int, default=1, help="worker processes")
    parser.add_argument("--largest", type=int, default=60_000, help="largest file to cut, in bytes")
    parser.add_argument(
        "--shrink", type=float, default=20.0, help="seconds to spend on making a failure small"
    )
    parser.add_argument("--save", type=Path, help="append failures to this file as JSON lines")
    return parser.parse_args()


def main() -> int:
    """Check the laws asked for; the exit status says whether all held."""
    chosen = options()
    broken = 0
    runs = Runs(chosen.jobs)
    of_language = tuple(LAWS) if chosen.language == "python" else OF_EVERY_LANGUAGE
    for law in of_language if chosen.all else chosen.law:
        outcome = run(runs, law, chosen)
        broken += outcome.n_failures
        show(law, outcome)
        if chosen.save is not None:
            save(chosen.save, outcome.failures)
    runs.end()
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(exit_status(main))
