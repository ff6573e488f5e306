"""The report as files: Markdown and HTML for people, CSV for spreadsheets, JSON and parquet for programs."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from fim_lsp.known_languages import PYTHON, language_named
from fim_lsp.replay.corpus import NoData
from fim_lsp.replay.journal import read_rows, replace
from fim_lsp.replay.judges import NAMES
from fim_lsp.replay.report.plots import Figure, figures, has_plots
from fim_lsp.replay.report.results import Results
from fim_lsp.replay.report.tables import Table, tables

NO_PLOTS = "Figures need matplotlib: pip install 'fim-lsp[replay]', then `fim-lsp replay report`."
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; margin: .5rem 0; font-variant-numeric: tabular-nums }
th, td { padding: .25rem .8rem; border-bottom: 1px solid #ddd; text-align: right }
th:first-child, td:first-child { text-align: left }
thead th { border-bottom: 2px solid #888 }
figure { margin: 1rem 0 } svg { max-width: 100%; height: auto }
.note { color: #555; font-size: .9rem; white-space: pre-line } .wide { overflow-x: auto }
"""


def judging_versions(plan: Mapping[str, Any]) -> dict[str, str]:
    """The facts on the language of the files, and on the version of their judge."""
    language = plan["selection"].get("language", PYTHON.name)
    if language != PYTHON.name:
        return {"Language": f"{language_named(language).title}, judged by {NAMES[language]}"}
    return {"Python": f"{plan['settings']['python_version']}, judged by {plan['python']}"}


@dataclass(frozen=True, slots=True)
class Report:
    results: Results
    tables: list[Table]

    @classmethod
    def of(cls, folder: Path) -> Report:
        results = Results.of(folder)
        return cls(results, tables(results))

    @property
    def n_errors(self) -> int:
        """Outcomes in which something of ours went wrong."""
        return sum(
            one.error is not None for result in self.results.results for one in result.outcomes.values()
        )

    @property
    def title(self) -> str:
        return f"Replay of {self.results.dataset}"

    def facts(self) -> dict[str, str]:
        """The facts of the run, so that anyone can run it again."""
        plan = self.results.plan
        settings, selection = plan["settings"], plan["selection"]
        return {
            "Cases": str(len(self.results.results)),
            "From": str(plan["data"]),
            "Model": str(settings["model"] or "none"),
            "Limit": f"{settings['max_tokens']} tokens, greedy",
            "Scope when steered": str(settings["scope"] or "as in an editor"),
            "Seed": str(selection["seed"]),
            **judging_versions(plan),
            "fim-lsp": str(plan["fim_lsp"]),
        }

    def as_json(self) -> dict[str, Any]:
        return {
            "facts": self.facts(),
            "tables": {
                table.name: [dict(zip(table.header, row, strict=True)) for row in table.rows]
                for table in self.tables
            },
        }

    def as_text(self) -> str:
        """The tables for a terminal."""
        return "\n\n".join(f"{table.title}\n{aligned_table(table)}" for table in self.tables)


def write_report(report: Report, folder: Path, *, has_parquet: bool = False) -> list[Path]:
    """Writes all files of the report into the run's folder; their names."""
    drawn = figures(report.results)
    files = {
        "report.md": markdown(report, drawn),
        "report.html": web_page(report, drawn),
        "tables.csv": tables_csv(report),
        "cases.csv": cases_csv(report.results),
    } | {f"{figure.name}.svg": figure.svg for figure in drawn}
    for name, content in files.items():
        replace(folder / name, [content.encode("utf-8")])
    names = list(files)
    if has_parquet:
        write_parquet(folder)
        names.append("rows.parquet")
    return [folder / name for name in names]


def put_into(path: Path, report: Report) -> None:
    """Puts a data set's tables between its two marks in a Markdown file."""
    # Other modes than ours have many failures; the run's own report lists them.
    tables = [table for table in report.tables if table.name != "failures"]
    put_between(path, report.results.dataset, facts_and_tables(report.facts(), tables))


def facts_and_tables(facts: Mapping[str, str], tables: Iterable[Table]) -> str:
    """The facts of a run in a sentence, and tables below it, in Markdown."""
    said = "; ".join(f"{name.lower()}: {fact}" for name, fact in facts.items())
    parts = [part for table in tables for part in documented_columns(table)]
    return "\n\n".join([f"{said[0].upper()}{said[1:]}.", *parts]) + "\n"


def tables_for_terminal(tables: Iterable[Table]) -> str:
    """Tables with their titles and notes."""
    return "\n\n".join(
        f"{table.title}\n{aligned_table(table)}" + (f"\n{table.note}" if table.note else "")
        for table in tables
    )


def put_between(path: Path, dataset: str, content: str) -> None:
    """Puts a text between the two marks of a data set in a Markdown file."""
    begin, end = (f"<!-- {edge} {dataset} -->" for edge in ("begin", "end"))
    try:
        before, rest = path.read_text(encoding="utf-8").split(begin)
        _, behind = rest.split(end)
    except ValueError as error:
        raise NoData(f"{path}: has no place for these tables, between {begin} and {end}") from error
    replace(path, [f"{before}{begin}\n\n{content.strip()}\n\n{end}{behind}".encode()])


def documented_columns(table: Table) -> list[str]:
    return [f"**{table.title}**", markdown_table(table), *([table.note] if table.note else [])]


def aligned_table(table: Table) -> str:
    lines = [table.header, *table.rows]
    widths = [max(len(cells[idx]) for cells in lines) for idx in range(len(table.header))]

    def row(cells: list[str]) -> str:
        first, *others = [
            cell.rjust(width) if idx else cell.ljust(width)
            for idx, (cell, width) in enumerate(zip(cells, widths, strict=True))
        ]
        return "  ".join([f"  {first}", *others]).rstrip()

    return "\n".join(map(row, lines))


def markdown(report: Report, drawn: list[Figure]) -> str:
    parts = [f"# {report.title}", "\n".join(f"- {name}: {fact}" for name, fact in report.facts().items())]
    for table in report.tables:
        parts += [f"## {table.title}", markdown_table(table)]
        parts += [table.note] if table.note else []
    for figure in drawn:
        parts += [f"## {figure.title}", f"![{figure.title}]({figure.name}.svg)"]
        parts += ["\n".join(f"- {line}" for line in figure.note.splitlines())] if figure.note else []
    if not has_plots():
        parts.append(NO_PLOTS)
    return "\n\n".join(parts) + "\n"


def markdown_table(table: Table) -> str:
    def row(cells: list[str]) -> str:
        inside = " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells)
        return f"| {inside} |"

    rule = "|" + "|".join(["---", *["---:"] * (len(table.header) - 1)]) + "|"
    return "\n".join([row(table.header), rule, *map(row, table.rows)])


def web_page(report: Report, drawn: list[Figure]) -> str:
    """The page with everything in one file, to be opened from the disk or sent to a user."""
    facts = "".join(f"<li>{text(name)}: {text(fact)}</li>" for name, fact in report.facts().items())
    plots = "".join(map(web_figure, drawn))
    missing = "" if has_plots() else f"<p>{text(NO_PLOTS)}</p>"
    counts = "".join(map(web_table, report.tables))
    body = f"<h1>{text(report.title)}</h1><ul>{facts}</ul>{counts}{plots}{missing}"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{text(report.title)}</title>'
        f"<style>{STYLE}</style>{body}</html>\n"
    )


def web_figure(figure: Figure) -> str:
    caption = f"<figcaption class=note>{text(figure.note)}</figcaption>"
    return f"<h2>{text(figure.title)}</h2><figure>{figure.svg}{caption}</figure>"


def web_table(table: Table) -> str:
    def row(cells: list[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{text(cell)}</{tag}>' for cell in cells)}</tr>"

    head = row(table.header, "th")
    body = "".join(row(cells, "td") for cells in table.rows)
    note = f"<p class=note>{text(table.note)}</p>" if table.note else ""
    return (
        f"<h2>{text(table.title)}</h2><div class=wide><table><thead>{head}</thead>"
        f"<tbody>{body}</tbody></table></div>{note}"
    )


def text(plain: str) -> str:
    return html.escape(plain)


def tables_csv(report: Report) -> str:
    """The tables in one file, a cell a line."""
    cells = (
        (table.name, row[0], column, cell)
        for table in report.tables
        for row in table.rows
        for column, cell in zip(table.header[1:], row[1:], strict=True)
    )
    return csv_text(["table", "row", "column", "value"], cells)


def cases_csv(results: Results) -> str:
    """A line for each case and mode, with everything but the texts."""
    header = [
        "case",
        "mode",
        "n_characters",
        "parses",
        "fault",
        "error",
        "stopped_by",
        "n_tokens",
        "n_forced",
    ]
    header += [
        "is_exact",
        "similarity",
        "escape",
        "passes",
        "raised",
        "seconds",
        "once",
        "checking",
        "n_checks",
    ]
    return csv_text(header, case_lines(results))


def case_lines(results: Results) -> Iterator[tuple[object, ...]]:
    for result in results.results:
        for mode, one in result.outcomes.items():
            cost = result.costs.get(mode)
            spent = (cost.seconds, cost.once, cost.checking, cost.n_checks) if cost else (None,) * 4
            counted = (one.parses, one.fault, one.error, one.stopped_by, one.n_tokens, one.n_forced)
            judged = (one.is_exact, one.similarity, one.escape, one.passes, one.raised)
            yield (result.case, mode, result.n_characters, *counted, *judged, *spent)


def csv_text(header: list[str], lines: Iterator[tuple[object, ...]]) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(lines)
    return buffer.getvalue()


def write_parquet(folder: Path) -> None:
    """The rows as a table, the modes' fields as columns such as `constrained.text`."""
    if find_spec("pyarrow") is None:
        raise NoData("parquet needs pyarrow; pip install 'fim-lsp[replay]'")
    rows = [flat(row) for row in read_rows(folder)]
    # The values by column: a column that is empty at first then gets the type of its later values.
    columns = {name: [row.get(name) for row in rows] for name in (rows[0] if rows else {})}
    beside = folder / "rows.parquet.new"
    import_module("pyarrow.parquet").write_table(import_module("pyarrow").table(columns), beside)
    beside.replace(folder / "rows.parquet")


def flat(row: dict[str, Any]) -> dict[str, Any]:
    fields = {name: value for name, value in row.items() if name != "modes"}
    return fields | {
        f"{mode}.{name}": value for mode, outcome in row["modes"].items() for name, value in outcome.items()
    }
