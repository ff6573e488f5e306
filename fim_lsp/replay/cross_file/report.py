"""The report of a run: how often the next name and the rest of a line are right, by what the model saw.

An interval is where 95 of 100 runs on other holes of the same kind would lie (the bootstrap). The gain from a
condition is compared hole by hole: the holes that are right and were wrong without it, and the other way
round.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from fim_lsp.replay.cross_file.filler import CONDITIONS
from fim_lsp.replay.journal import Row, replace
from fim_lsp.replay.report.kept import KeptReport
from fim_lsp.replay.report.tables import Table, percent
from fim_lsp.replay.report.writing import aligned_table, markdown_table

DATASET = "cross-file"
N_SAMPLES = 1000
# The condition that each one is compared with: a memory of the project with one of the file, context beside a
# memory with the memory alone; all others with nothing.
BASES = {"memory of": "nothing", "memory and": "memory", "memory": "memory of the file"}
HEADER = ["Told", "Holes", "Next name", "95 %", "Rest of the line", "Better", "Worse", "Oracle", "Tokens"]


@dataclass(frozen=True, slots=True)
class CrossFileReport(KeptReport):
    dataset: ClassVar[str] = DATASET

    @property
    def filled(self) -> list[Row]:
        return [row for row in self.rows if row["error"] is None]

    def summary(self) -> Row:
        """The line of JSON."""
        kinds = {name: figures(rows) for name, rows in self._groups()}
        return {"holes": len(self.rows), "errors": self.n_errors, "excluded": len(self.excluded)} | kinds

    def facts(self) -> dict[str, str]:
        """The facts of the run, so that anyone can run it again."""
        settings = self.plan["settings"]
        return {
            "Holes": f"{len(self.rows)}, of which {self.n_errors} failed",
            "From": str(self.plan["data"]),
            "Model": str(settings["model"]),
            "Budget": f"{settings['budget']} tokens for other files",
            "Found by": str(self.plan["found_by"]),
        }

    def _groups(self) -> Iterator[tuple[str, list[Row]]]:
        rows = self.filled
        yield "all", rows
        yield "names", [row for row in rows if row["kind"] == "name"]
        yield "members", [row for row in rows if row["kind"] == "member"]
        yield "used elsewhere in the file", [row for row in rows if row["is_used_elsewhere"]]
        yield "used nowhere else in the file", [row for row in rows if not row["is_used_elsewhere"]]

    def write(self, folder: Path) -> list[str]:
        replace(folder / "report.md", [self.as_markdown().encode()])
        return ["report.md"]

    def as_markdown(self) -> str:
        facts = "".join(f"- {name}: {value}\n" for name, value in self.facts().items())
        found = "".join(f"\n## {table.title}\n\n{markdown_table(table)}\n" for table in self.tables())
        return f"# Cross-file holes\n\n{facts}{found}"

    def as_text(self) -> str:
        facts = [f"{name}: {value}" for name, value in self.facts().items()]
        return "\n".join([*facts, *(f"\n{table.title}\n{aligned_table(table)}" for table in self.tables())])

    def tables(self) -> list[Table]:
        return [Table(name, name, HEADER, lines_of(rows)) for name, rows in self._groups() if rows]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    return {
        name: {
            "holes": len(rows),
            "next": share(rows, name, "is_next"),
            "exact": share(rows, name, "is_exact"),
            "oracle": share(rows, name, "is_shown"),
        }
        for name in conditions(rows)
    }


def conditions(rows: Sequence[Row]) -> list[str]:
    return [one.name for one in CONDITIONS if rows and one.name in rows[0]["filled"]]


def share(rows: Sequence[Row], condition: str, what: str) -> float | None:
    return round(sum(row["filled"][condition][what] for row in rows) / len(rows), 4) if rows else None


def lines_of(rows: Sequence[Row]) -> list[list[str]]:
    return [line_of(rows, name) for name in conditions(rows)]


def line_of(rows: Sequence[Row], name: str) -> list[str]:
    right = [row["filled"][name]["is_next"] for row in rows]
    base = next((base for begun, base in BASES.items() if name.startswith(begun)), "nothing")
    before = [row["filled"][base]["is_next"] for row in rows] if base in rows[0]["filled"] else right
    better = sum(now and not then for now, then in zip(right, before, strict=True))
    worse = sum(then and not now for now, then in zip(right, before, strict=True))
    low, high = interval(right)
    told = sum(row["filled"][name]["n_told"] for row in rows) / len(rows)
    return [
        name,
        str(len(rows)),
        percent(share(rows, name, "is_next")),
        f"{percent(low)} to {percent(high)}",
        percent(share(rows, name, "is_exact")),
        str(better) if name != base else "",
        str(worse) if name != base else "",
        percent(share(rows, name, "is_shown")),
        f"{told:.0f}",
    ]


def interval(right: Sequence[bool]) -> tuple[float, float]:
    random = Random(0)
    found = sorted(sum(random.choices(right, k=len(right))) / len(right) for _ in range(N_SAMPLES))
    n_cut = int(0.025 * N_SAMPLES)
    return found[n_cut], found[-1 - n_cut]
