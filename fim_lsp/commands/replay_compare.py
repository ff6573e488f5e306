"""`fim-lsp replay compare A B`: exit code 0 if nothing got worse, 1 if something did."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from fim_lsp.cli import CommandError
from fim_lsp.replay.compare import ChangedAnswer, Comparison, comparison
from fim_lsp.replay.journal import NotResumable
from fim_lsp.replay.report import Results

SUMMARY = "say what got better and what got worse between two runs, case by case"
LONGEST_TEXT = 70


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("before", type=Path, metavar="A", help="the folder of a run (--out)")
    parser.add_argument(
        "after", type=Path, metavar="B", help="the folder of another run of the same data set"
    )
    parser.add_argument("--json", action="store_true", help="print the comparison as JSON")


def run(arguments: argparse.Namespace) -> int:
    try:
        found = comparison(Results.of(arguments.before), Results.of(arguments.after))
    except NotResumable as error:
        raise CommandError(str(error)) from error
    if found.n_compared == 0:
        raise CommandError("the runs have no case and mode in common")
    print(json.dumps(asdict(found), indent=2) if arguments.json else "\n".join(lines(found)))
    return 1 if found.worse else 0


def lines(found: Comparison) -> Iterator[str]:
    yield from (f"differs: {difference}" for difference in found.plan)
    for title, some in (("worse", found.worse), ("better", found.better)):
        yield from (f"{title}: {described_change(change)}" for change in some)
    counts = Counter((change.is_better, change.question) for change in found.changes)
    for (is_better, question), count in sorted(counts.items()):
        yield f"{count} {'now' if is_better else 'no longer'}: {question}"
    yield (
        f"{found.n_compared} compared: {len(found.better)} better, {len(found.worse)} worse,"
        f" {found.n_texts} with another text; {found.only_before} only in A, {found.only_after} only in B"
    )


def described_change(change: ChangedAnswer) -> str:
    what = f"{'now' if change.is_better else 'no longer'} {change.question}"
    return f"{change.case} ({change.mode}) {what}: {short(change.before)} -> {short(change.after)}"


def short(text: str) -> str:
    return repr(text if len(text) <= LONGEST_TEXT else f"{text[:LONGEST_TEXT]}…")
