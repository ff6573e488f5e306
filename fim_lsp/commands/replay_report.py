"""`fim-lsp replay report DIR`: the reports of a run, finished or not, written anew."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path

from fim_lsp.cli import CommandError
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.edits import report as on_edits
from fim_lsp.replay.journal import NotResumable, read_plan
from fim_lsp.replay.report import Report, put_between, put_into, write_report
from fim_lsp.replay.typing.clock import report as on_clock
from fim_lsp.replay.typing.report import DATASET, TypingReport

TABLES: dict[str, Callable[[Path], TypingReport | on_clock.ClockReport | on_edits.EditsReport]] = {
    DATASET: TypingReport.of,
    on_clock.DATASET: on_clock.ClockReport.of,
    on_edits.DATASET: on_edits.EditsReport.of,
}
SUMMARY = "write the reports of a run again"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="DIR", help="the folder of a run (--out)")
    parser.add_argument("--parquet", action="store_true", help="write the rows as rows.parquet, too")
    parser.add_argument(
        "--into", type=Path, metavar="FILE", help="put the tables between their marks in a Markdown file, too"
    )
    parser.add_argument("--json", action="store_true", help="print the tables as JSON")


def run(arguments: argparse.Namespace) -> int:
    try:
        dataset = read_plan(arguments.folder)["selection"].get("dataset")
        if dataset in TABLES:
            return with_tables(arguments, dataset)
        report = Report.of(arguments.folder)
        write_report(report, arguments.folder, has_parquet=arguments.parquet)
        if arguments.into is not None:
            put_into(arguments.into, report)
    except (NotResumable, NoData) as error:
        raise CommandError(str(error)) from error
    print(json.dumps(report.as_json(), indent=2) if arguments.json else report.as_text())
    return 0


def with_tables(arguments: argparse.Namespace, dataset: str) -> int:
    """Writes the report of a run with tables of its own, without its rows, which are as large."""
    report = TABLES[dataset](arguments.folder)
    report.write(arguments.folder)
    if arguments.into is not None:
        put_between(arguments.into, dataset, report.as_markdown())
    print(json.dumps(report.summary()) if arguments.json else report.as_text())
    return 0
