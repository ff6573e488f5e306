"""The report of a run: one line of JSON for programs, tables and a curve for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, ClassVar

from fim_lsp.replay.edits.filler import HunkCounts
from fim_lsp.replay.journal import Row, replace
from fim_lsp.replay.report.kept import KeptReport
from fim_lsp.replay.report.plots import has_plots, pyplot, svg
from fim_lsp.replay.report.tables import Table, percent
from fim_lsp.replay.report.writing import facts_and_tables, tables_for_terminal
from fim_lsp.replay.typing.figures import percentile

DATASET = "edits"
# The target: the share of hunks that are foreseen, and the share of shown edits that are right.
TARGET = (0.5, 0.8)
REASONS = {
    "annotated": "an annotation that others got",
    "is new, and": "a constructor that keeps what it takes",
    "gives back": "a value that is given back",
    "was put in": "lines that were put in elsewhere",
    "property": "a method that was made a property, or none",
    "is reached as": "a name that is reached otherwise",
    "became": "a substitution",
    "taken out": "a substitution",
    "is called": "a name that was changed",
    "takes other": "a header that was changed",
    "asynchronous": "a header that was changed",
    "nothing uses": "an import without a use",
    "not imported": "an import that is missing",
    "imported": "an import that was changed",
    "reached": "an import that was changed",
    "parse": "what does not parse",
    "belonged": "what does not parse",
}


@dataclass(frozen=True, slots=True)
class EditsReport(KeptReport):
    dataset: ClassVar[str] = DATASET

    def summary(self) -> Row:
        """The line of JSON."""
        counts = total(self.rows)
        return {
            **asdict(counts),
            "shown": counts.shown,
            "precision": ratio(counts.right, counts.shown),
            "precision_of_lines": ratio(counts.exact + counts.part, counts.shown),
            "exact_of_shown": ratio(counts.exact, counts.shown),
            "recall_of_repeated": ratio(counts.repeated_exact, counts.repeated),
            "recall_of_all": ratio(counts.exact + counts.covered, counts.hunks),
            "kept": ratio(counts.kept_characters, counts.shown_characters),
            "saved": ratio(counts.characters - counts.keys, counts.characters),
            "p50_ms": milliseconds(self.seconds, 0.5),
            "p95_ms": milliseconds(self.seconds, 0.95),
            "asked": len(self.seconds),
            "files": len(self.rows),
            "errors": self.n_errors,
            "excluded": len(self.excluded),
        }

    def facts(self) -> dict[str, str]:
        plan, settings = self.plan, self.plan["settings"]
        return {
            "Files": str(len(self.rows)),
            "From": str(plan["data"]),
            "Model": str(settings["model"] or "none"),
            "Least probability": str(settings["bar"]),
            "Names judged by": str(plan["names_judged_by"]),
            "Python": f"{settings['python_version']}, judged by {plan['python']}",
            "fim-lsp": str(plan["fim_lsp"]),
        }

    @property
    def tables(self) -> list[Table]:
        names = sorted({row["project"] for row in self.rows})
        groups = {"all": self.rows} | {
            name: [row for row in self.rows if row["project"] == name] for name in names
        }
        return [
            Table(
                "foreseen",
                "What is foreseen",
                [
                    "Project",
                    "Hunks",
                    "Made before",
                    "Foreseen",
                    "Of all",
                    "Shown",
                    "Right",
                    "Whole lines",
                    "Exact",
                    "Kept",
                    "Saved",
                ],
                [group_row(name, total(rows)) for name, rows in groups.items()],
                "Made before: hunks that are nothing but substitutions that were made before in the project;"
                " foreseen: those of them that were shown exactly before they were made; of all: the share of"
                " all hunks. Right: of what was shown, what stands like that in the next release, each symbol"
                " of it, and nothing has to be taken back; whole lines: each line that it leaves behind;"
                " exact: a whole hunk. Kept: characters of what was shown; saved: keys.",
            ),
            self.reasons_table(),
            self.taken_table(),
        ]

    def reasons_table(self) -> Table:
        found: dict[str, list[int]] = {}
        for kind, _, _, reason, _ in self.shown_rows():
            name = next((name for sign, name in REASONS.items() if sign in reason), reason)
            counts = found.setdefault(name, [0, 0])
            counts[0] += 1
            counts[1] += kind != "wrong"
        rows = [[name, str(n), percent(ratio(right, n))] for name, (n, right) in sorted(found.items())]
        return Table("reasons", "By what is said of them", ["Because of", "Shown", "Right"], rows)

    def taken_table(self) -> Table:
        counts, summary = total(self.rows), self.summary()
        rows = [
            ["Edits taken", str(counts.taken)],
            ["after which the file no longer compiles", str(counts.not_compiling)],
            ["that bring a name that is nowhere defined", str(counts.undefined)],
            ["that take back what was there before", str(counts.reversed)],
            ["Errors of ours", str(self.n_errors)],
            ["Files left out", str(len(self.excluded))],
        ]
        if summary["p50_ms"] is not None:
            rows.append(
                [
                    "Asked, and answered in (p50, p95)",
                    f"{summary['asked']}, {summary['p50_ms']:.0f} and {summary['p95_ms']:.0f} ms",
                ]
            )
        return Table("taken", "What was taken, and the clock", ["", ""], rows)

    def shown_rows(self) -> Iterable[tuple[str, str, str, str, float]]:
        for row in self.rows:
            for one in row["shown"]:
                kind, old, new, reason, probability = one
                yield kind, old, new, reason, probability

    def write(self, folder: Path) -> list[str]:
        """The report, and the curve where it can be drawn; their names."""
        written = ["report.md"]
        picture = self.picture()
        if picture is not None:
            replace(folder / "edits.svg", [picture.encode()])
            written.append("edits.svg")
        replace(folder / "report.md", [self.as_markdown().encode()])
        return written

    def picture(self) -> str | None:
        """The curve: the share of shown edits that are right, against the share of hunks foreseen, as the bar
        rises over the edits that the run has shown."""
        points = [*self.curve()]
        if not points or not has_plots():
            return None
        drawing, axis = pyplot().subplots(figsize=(7.5, 5), layout="constrained")
        axis.plot(
            [100 * x for x, _ in points],
            [100 * y for _, y in points],
            color="#0072b2",
            marker="o",
            label="without a model",
        )
        target = [100 * TARGET[0]], [100 * TARGET[1]]
        axis.scatter(*target, marker="*", s=120, color="#000000", label="target")
        axis.set(
            xlabel="hunks made before that are foreseen exactly, %",
            ylabel="of what is shown, right, %",
            xlim=(0, 100),
            ylim=(0, 100),
        )
        axis.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
        axis.legend(frameon=False)
        return svg(drawing)

    def curve(self) -> Iterable[tuple[float, float]]:
        counts, shown = total(self.rows), [*self.shown_rows()]
        for bar in sorted({round(one[4], 2) for one in shown}):
            left = [one for one in shown if one[4] >= bar]
            right = [one for one in left if one[0] != "wrong"]
            exact = [one for one in left if one[0] == "exact"]
            if left and counts.repeated:
                share = counts.repeated_exact * len(exact) / max(counts.exact, 1) / counts.repeated
                yield share, len(right) / len(left)

    def as_text(self) -> str:
        """The tables for a terminal."""
        return tables_for_terminal(self.tables)

    def as_markdown(self) -> str:
        return facts_and_tables(self.facts(), self.tables)


def total(rows: Sequence[Row]) -> HunkCounts:
    found = HunkCounts()
    for row in rows:
        for one in fields(HunkCounts):
            setattr(found, one.name, getattr(found, one.name) + row["counts"][one.name])
    return found


def group_row(name: str, counts: HunkCounts) -> list[str]:
    return [
        name,
        str(counts.hunks),
        str(counts.repeated),
        percent(ratio(counts.repeated_exact, counts.repeated)),
        percent(ratio(counts.exact + counts.covered, counts.hunks)),
        str(counts.shown),
        percent(ratio(counts.right, counts.shown)),
        percent(ratio(counts.exact + counts.part, counts.shown)),
        percent(ratio(counts.exact, counts.shown)),
        percent(ratio(counts.kept_characters, counts.shown_characters)),
        percent(ratio(counts.characters - counts.keys, counts.characters)),
    ]


def ratio(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def milliseconds(seconds: Sequence[float], share: float) -> float | None:
    found: Any = percentile(seconds, share)
    return None if found is None else round(1000 * found, 1)
