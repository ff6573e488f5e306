"""The report of a run: one line of JSON for programs, tables for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from fim_lsp.replay.journal import Row, replace
from fim_lsp.replay.report.kept import KeptReport
from fim_lsp.replay.report.tables import Table, percent
from fim_lsp.replay.report.writing import facts_and_tables, tables_for_terminal
from fim_lsp.replay.typing.figures import area, curve, interval, percentile, points_of, tally, total
from fim_lsp.replay.typing.filler import Tally
from fim_lsp.replay.typing.picture import drawn_curves
from fim_lsp.replay.typing.regions import KINDS

DATASET = "typing"
HEADER = [
    "Regions",
    "Saved",
    "95 %",
    "Shown",
    "Useful",
    "95 %",
    "Whole",
    "Wrong / 100 keys",
    "In vain / 100 keys",
]


@dataclass(frozen=True, slots=True)
class TypingReport(KeptReport):
    dataset: ClassVar[str] = DATASET

    def summary(self) -> Row:
        """The line of JSON."""
        tallies = [tally(row) for row in self.rows]
        whole = total(tallies)
        points = curve(self.rows)
        judged = [row for row in self.rows if row["new_undefined"] is not None]
        saved, useful = (
            interval(tallies, figure) for figure in (lambda sum_: sum_.saved, lambda sum_: sum_.share_useful)
        )
        return {
            "saved": rounded_value(whole.saved),
            "useful": rounded_value(whole.share_useful),
            "whole": rounded_value(whole.share_whole),
            "shown": whole.shown,
            "keys": whole.keys,
            "characters": whole.characters,
            "new_undefined": sum(row["new_undefined"] for row in judged) if judged else None,
            "not_compiling": sum(row["not_compiling"] for row in self.rows),
            "judged": sum(row["n_judged"] or 0 for row in judged),
            "p50_ms": milliseconds(self.seconds, 0.5),
            "p95_ms": milliseconds(self.seconds, 0.95),
            "asked": len(self.seconds),
            "regions": len(self.rows),
            "errors": self.n_errors,
            "excluded": len(self.excluded),
            "saved_interval": saved and [rounded_value(saved.low), rounded_value(saved.high)],
            "useful_interval": useful and [rounded_value(useful.low), rounded_value(useful.high)],
            "wrong_per_100_keys": per_100_keys(whole, whole.shown - whole.useful),
            "in_vain_per_100_keys": per_100_keys(whole, whole.in_vain),
            "curve": [
                {
                    "bar": point.bar,
                    "saved": rounded_value(point.saved),
                    "useful": rounded_value(point.useful),
                    "shown": point.shown,
                }
                for point in points
            ],
            "area": rounded_value(area(points)),
            "parts": {
                part: {
                    "saved": rounded_value(sum_.saved),
                    "useful": rounded_value(sum_.share_useful),
                    "shown": sum_.shown,
                }
                for part, sum_ in self._without_parts()
            },
            "oracle_saved": rounded_value(self.oracle.saved) if self.oracle else None,
            "kinds": {
                kind: {
                    "saved": rounded_value(sum_.saved),
                    "useful": rounded_value(sum_.share_useful),
                    "regions": n,
                }
                for kind, sum_, n in self._by_kind()
            },
        }

    @property
    def oracle(self) -> Tally | None:
        """The tally if only right offers were shown."""
        found = [Tally(*row["oracle"]) for row in self.rows if row.get("oracle")]
        return total(found) if found else None

    def _without_parts(self) -> Iterator[tuple[str, Tally]]:
        """The tally without each part, at the setting's bar."""
        for part in self.plan["settings"].get("parts", ()):
            yield part, total(Tally(*row["parts"][part][0][1:]) for row in self.rows if row["parts"])

    def _by_kind(self) -> Iterator[tuple[str, Tally, int]]:
        for kind in KINDS:
            of_kind = [tally(row) for row in self.rows if row["kind"] == kind]
            if of_kind:
                yield kind, total(of_kind), len(of_kind)

    def facts(self) -> dict[str, str]:
        """The facts of the run, so that anyone can run it again."""
        plan, settings = self.plan, self.plan["settings"]
        language = plan["selection"].get("language")
        parsed_by = {"Parsed by": str(plan["selection"]["parsed_by"])} if language else {}
        return {
            **({"Language": str(language)} if language else {}),
            **parsed_by,
            "Regions": str(len(self.rows)),
            "From": str(plan["data"]),
            "Model": str(settings["model"] or "none"),
            "Eagerness": str(settings["eagerness"]),
            "Seed": str(plan["selection"]["seed"]),
            "Names judged by": str(plan["names_judged_by"]),
            "Python": f"{settings['python_version']}, judged by {plan['python']}",
            "fim-lsp": str(plan["fim_lsp"]),
        }

    @property
    def tables(self) -> list[Table]:
        rows = self.rows
        groups = {"all": rows}
        groups |= {kind: [row for row in rows if row["kind"] == kind] for kind in KINDS}
        groups["the text stands elsewhere in the file"] = [row for row in rows if row["is_repeated"]]
        groups["it does not"] = [row for row in rows if not row["is_repeated"]]
        projects = sorted({row["project"] for row in rows})
        if len(projects) > 1:
            groups |= {name: [row for row in rows if row["project"] == name] for name in projects}
        found = [group_row(name, some) for name, some in groups.items()]
        yielded = [row for row in found if row is not None]
        return [
            Table(
                "worth",
                "What the offers are worth",
                ["Kind", *HEADER],
                yielded,
                "Saved: 1 - keys / characters. Useful: of the offers that were shown, those from which"
                " anything was accepted; whole: all of it. Intervals over regions.",
            ),
            self.curve_table(),
            *self.parts_tables(),
            self.judged_table(),
        ]

    def curve_table(self) -> Table:
        points = curve(self.rows)
        n_keys = {point.bar: point.shown / max(len(self.rows), 1) for point in points}
        rows = [
            [f"{point.bar:.2f}", percent(point.saved), f"{n_keys[point.bar]:.2f}", percent(point.useful)]
            for point in points
        ]
        return Table(
            "curve",
            "Saved against useful, as the bar moves",
            ["Bar", "Saved", "Shown a region", "Useful"],
            rows,
            f"Area under the curve: {area(points):.4f}. A judge that shows right offers alone would save"
            f" {percent(self.oracle.saved if self.oracle else None)}.",
        )

    def parts_tables(self) -> Iterator[Table]:
        settings = self.plan["settings"]
        if not settings.get("parts") or not self.rows:
            return
        whole = total(map(tally, self.rows))
        found = [("all parts", whole), *((f"without {part}", sum_) for part, sum_ in self._without_parts())]
        yield Table(
            "parts",
            f"What each part does, where the setting is `{settings['eagerness']}`",
            ["", "Saved", "Shown a region", "Useful", "Wrong / 100 keys", "In vain / 100 keys", "Keys"],
            [part_row(name, sum_, whole, len(self.rows)) for name, sum_ in found],
            "Keys: how many more, or fewer, were needed without the part.",
        )
        curves = {"All parts": points_of(self.rows)}
        curves |= {f"Without {part}": points_of(self.rows, part) for part in settings["parts"]}
        curves = {name: points for name, points in curves.items() if points}
        bars = sorted(set.intersection(*map(set, curves.values()))) if len(curves) > 1 else []
        if bars:
            yield Table(
                "curves",
                "Saved and useful with and without the large parts, as the bar moves",
                ["Bar", *curves],
                [[f"{bar:.2f}", *(both(points[bar]) for points in curves.values())] for bar in bars],
            )

    def write(self, folder: Path) -> list[str]:
        """The report, and the curve where it can be drawn; their names."""
        written = ["report.md"]
        picture = drawn_curves(self.rows, self.oracle)
        if picture is not None:
            replace(folder / "curve.svg", [picture.encode()])
            written.append("curve.svg")
        replace(folder / "report.md", [self.as_markdown().encode()])
        return written

    def judged_table(self) -> Table:
        summary = self.summary()
        p50, p95 = summary["p50_ms"], summary["p95_ms"]
        rows = [
            ["Offers judged", str(summary["judged"])],
            ["bring a name that is nowhere defined", str(summary["new_undefined"])],
            ["do not compile", str(summary["not_compiling"])],
            ["Answers worked out", str(summary["asked"])],
            ["Errors of ours", str(summary["errors"])],
            ["Files left out", str(summary["excluded"])],
        ]
        if p50 is not None:
            rows.append(["Key to answer, p50 and p95", f"{p50:.0f} and {p95:.0f} ms"])
        return Table("judged", "A second judge, and the clock", ["", ""], rows)

    def as_text(self) -> str:
        """The tables for a terminal."""
        return tables_for_terminal(self.tables)

    def as_markdown(self) -> str:
        return facts_and_tables(self.facts(), self.tables)


def group_row(name: str, rows: Sequence[Row]) -> list[str] | None:
    if not rows:
        return None
    tallies = [tally(row) for row in rows]
    sum_ = total(tallies)
    saved = interval(tallies, lambda one: one.saved)
    useful = interval(tallies, lambda one: one.share_useful)
    return [
        name,
        str(len(rows)),
        percent(sum_.saved),
        str(saved or "-"),
        str(sum_.shown),
        percent(sum_.share_useful),
        str(useful or "-"),
        percent(sum_.share_whole),
        f"{per_100_keys(sum_, sum_.shown - sum_.useful):.1f}",
        f"{per_100_keys(sum_, sum_.in_vain):.0f}",
    ]


def part_row(name: str, found: Tally, whole: Tally, n_regions: int) -> list[str]:
    return [
        name,
        percent(found.saved),
        f"{found.shown / n_regions:.2f}",
        percent(found.share_useful),
        f"{per_100_keys(found, found.shown - found.useful):.1f}",
        f"{per_100_keys(found, found.in_vain):.0f}",
        f"{100 * (found.keys / max(whole.keys, 1) - 1):+.1f} %",
    ]


def both(found: Tally) -> str:
    return f"{percent(found.saved)}, {percent(found.share_useful)}"


def per_100_keys(tally: Tally, count: int) -> float:
    return round(100 * count / tally.keys, 2) if tally.keys else 0.0


def rounded_value(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def milliseconds(seconds: Sequence[float], share: float) -> float | None:
    found: Any = percentile(seconds, share)
    return None if found is None else round(1000 * found, 1)
