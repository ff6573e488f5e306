"""The report of a run in real time: for each model the figures of `replay typing`, and times."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, ClassVar

from fim_lsp.replay.journal import Row, replace
from fim_lsp.replay.report.kept import KeptReport
from fim_lsp.replay.report.tables import Table, percent
from fim_lsp.replay.report.writing import facts_and_tables, tables_for_terminal
from fim_lsp.replay.typing.clock.filler import timed_requests
from fim_lsp.replay.typing.clock.typist import TimedRequest
from fim_lsp.replay.typing.figures import N_SAMPLES, Interval, middle, percentile, tally, total
from fim_lsp.replay.typing.filler import Tally
from fim_lsp.replay.typing.regions import KINDS
from fim_lsp.replay.typing.report import HEADER, TypingReport, group_row

DATASET = "typing-clock"
# The time of an answer that came too late: longer than any wait.
NEVER = float("inf")


@dataclass(frozen=True, slots=True)
class ClockReport(KeptReport):
    dataset: ClassVar[str] = DATASET

    @property
    def labels(self) -> list[str]:
        return [*self.plan["settings"]["labels"]]

    def rows_of(self, label: str) -> list[Row]:
        """A model's rows, in the form of those of a typist with endless patience."""
        empty: Row = {"curve": [], "parts": {}, "reasons": {}}
        return [{**empty, **row, **row["models"][label]} for row in self.rows]

    # --- for programs ------------------------------------------------------------------------------------

    def summary(self) -> Row:
        """The line of JSON: the first model's figures, and those of each."""
        models = {label: self.summary_of(label) for label in self.labels}
        first, *others = self.labels
        against = {other: self._difference(first, other) for other in others}
        return {**models[first], "models": models, "against": against}

    def summary_of(self, label: str) -> Row:
        rows = self.rows_of(label)
        clock = Clock.of(rows)
        plan = {**self.plan, "settings": {**self.plan["settings"], "model": label, "parts": ()}}
        base = TypingReport(plan, rows, clock.key_to_offer, self.excluded).summary()
        for name in ("curve", "area", "parts", "oracle_saved"):
            del base[name]
        patient = self._patient(label)
        return {**base, "asked": len(clock.asked), "clock": clock.as_json(), "patient": patient}

    def _patient(self, label: str) -> Row | None:
        """The keys that are saved with endless patience, and the share of them that is kept on the clock."""
        pairs = [
            (tally(row), tally(row["patient"]))
            for row in self.rows_of(label)
            if row.get("patient") is not None
        ]
        if not pairs:
            return None
        whole = total(after for _, after in pairs)
        kept = sampled_interval(pairs, share_kept)
        return {
            "saved": rounded_value(whole.saved),
            "useful": rounded_value(whole.share_useful),
            "kept": rounded_value(share_kept(pairs)),
            "kept_interval": as_list(kept),
        }

    def _difference(self, first: str, other: str) -> Row:
        """The percentage points saved above the first model, over the same regions."""
        pairs = [
            (tally(one), tally(two))
            for one, two in zip(self.rows_of(first), self.rows_of(other), strict=True)
        ]
        return {
            "saved": rounded_value(gained_share(pairs)),
            "saved_interval": as_list(sampled_interval(pairs, gained_share)),
        }

    # --- for people --------------------------------------------------------------------------------------

    def facts(self) -> dict[str, str]:
        plan, settings = self.plan, self.plan["settings"]
        warm = settings["warm"]
        return {
            "Regions": str(len(self.rows)),
            "From": str(plan["data"]),
            "Models": ", ".join(settings["models"]),
            "Eagerness": str(settings["eagerness"]),
            "Opened": f"{warm:g} s before the jump" if warm else "at the jump",
            "Seed": str(plan["selection"]["seed"]),
            "Names judged by": str(plan["names_judged_by"]),
            "Python": f"{settings['python_version']}, judged by {plan['python']}",
            "fim-lsp": str(plan["fim_lsp"]),
        }

    @property
    def tables(self) -> list[Table]:
        return [*self._tables()]

    def _tables(self) -> Iterator[Table]:
        yield Table(
            "worth",
            "What the offers are worth on the clock",
            ["Model", *HEADER],
            [row for label in self.labels if (row := group_row(label, self.rows_of(label))) is not None],
            "Saved: 1 - keys / characters. Useful: of the offers that were seen, those from which anything"
            " was accepted; whole: all of it. Intervals over regions.",
        )
        if table := self._patient_table():
            yield table
        if len(self.labels) > 1:
            yield self._against_table()
        yield self._clock_table()
        yield self._groups_table()

    def _patient_table(self) -> Table | None:
        found = [(label, self._patient(label)) for label in self.labels]
        rows = [
            [
                label,
                percent(patient["saved"]),
                percent(patient["useful"]),
                percent(patient["kept"]),
                in_words(patient["kept_interval"]),
            ]
            for label, patient in found
            if patient is not None
        ]
        header = ["Model", "Saved", "Useful", "Kept on the clock", "95 %"]
        return Table("patient", "With endless patience, the same regions", header, rows) if rows else None

    def _against_table(self) -> Table:
        first, *others = self.labels
        rows = []
        for other in others:
            found = self._difference(first, other)
            rows.append([other, signed_number(found["saved"]), in_words(found["saved_interval"])])
        return Table("against", f"Points saved more than by {first}", ["Model", "Saved", "95 %"], rows)

    def _clock_table(self) -> Table:
        clocks = [Clock.of(self.rows_of(label)).as_json() for label in self.labels]
        lines = [[name, *(show(clock) for clock in clocks)] for name, show in SHOWN.items()]
        return Table(
            "clock",
            "What came in time, and what it cost",
            ["", *self.labels],
            lines,
            "To an offer: of those that came, where none was on the screen. To an answer: also those without"
            " an offer; what the next key made useless counts as never.",
        )

    def _groups_table(self) -> Table:
        kinds = [("kind", kind) for kind in KINDS]
        projects = [("project", name) for name in sorted({row["project"] for row in self.rows})]
        lines = []
        for field, value in (*kinds, *(projects if len(projects) > 1 else [])):
            n_regions = sum(row[field] == value for row in self.rows)
            if n_regions:
                found = [
                    total(tally(row) for row in self.rows_of(label) if row[field] == value)
                    for label in self.labels
                ]
                cells = [f"{percent(one.saved)}, {percent(one.share_useful)}" for one in found]
                lines.append([value, str(n_regions), *cells])
        return Table("groups", "Saved and useful, by kind and project", ["", "Regions", *self.labels], lines)

    def write(self, folder: Path) -> list[str]:
        replace(folder / "report.md", [self.as_markdown().encode()])
        return ["report.md"]

    def as_text(self) -> str:
        return tables_for_terminal(self.tables)

    def as_markdown(self) -> str:
        return facts_and_tables(self.facts(), self.tables)


@dataclass(frozen=True, slots=True)
class Clock:
    """The part of a model's rows that depends on the clock."""

    rows: Sequence[Row]
    by_region: list[list[TimedRequest]]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Clock:
        on_clock = [row for row in rows if "clock" in row]
        return cls([row["clock"] for row in on_clock], [timed_requests(row) for row in on_clock])

    @property
    def asked(self) -> list[TimedRequest]:
        return [one for region in self.by_region for one in region]

    @property
    def key_to_offer(self) -> list[float]:
        return offers(one for region in self.by_region for one in region[1:])

    def as_json(self) -> Row:
        asked, jumps = self.asked, [region[0] for region in self.by_region if region]
        keys = [one for region in self.by_region for one in region[1:]]
        late = [one for one in asked if one.fate == "late"]
        minutes = sum(row["seconds"] for row in self.rows) / 60
        spent, wasted = (
            known_sum([row["processor"] for row in self.rows]),
            known_sum([one.processor for one in late]),
        )
        in_time = [(len(region), sum(one.in_time for one in region)) for region in self.by_region]
        share = sampled_interval(in_time, share_in_time) if in_time else None
        peaks = [row["peak_mb"] for row in self.rows if row["peak_mb"] is not None]
        opening = known_sum([row["opening_processor"] for row in self.rows])
        return {
            "positions": len(asked),
            "in_time": rounded_value(share_in_time(in_time)),
            "in_time_interval": as_list(share),
            "jumps": len(jumps),
            "jumps_in_time": rounded_value(ratio(sum(one.in_time for one in jumps), len(jumps))),
            "jump_to_offer_ms": two_percentiles(offers(jumps)),
            "jump_to_answer_ms": two_percentiles(answers(jumps)),
            "key_to_offer_ms": two_percentiles(offers(keys)),
            "key_to_answer_ms": two_percentiles(answers(keys)),
            "minutes": round(minutes, 3),
            "processor_s_per_minute": per_minute(spent, minutes),
            "opening_processor_s": None if opening is None else round(opening / max(len(self.rows), 1), 2),
            "peak_mb": max(peaks, default=None),
            "requests": len(asked),
            "late": len(late),
            "late_s": round(sum(one.seconds for one in late), 2),
            "late_processor_s": None if wasted is None else round(wasted, 2),
            "unseen": sum(one.is_unseen for one in asked),
            "others_s_per_minute": per_minute(known_sum([row["others"] for row in self.rows]), minutes),
            "delay_ms": round(1000 * max((row["delay"] for row in self.rows), default=0.0), 1),
        }


def offers(asked: Any) -> list[float]:
    """Seconds to the offers that came where none was on the screen."""
    return [one.seconds for one in asked if one.fate == "offered" and not one.was_offered]


def answers(asked: Any) -> list[float]:
    """Seconds to the answers where no offer was on the screen; one that came too late never came."""
    return [NEVER if one.fate == "late" else one.seconds for one in asked if not one.was_offered]


def two_percentiles(seconds: Sequence[float]) -> Row:
    """Two percentiles in milliseconds; None if unknown, `never` if no answer came in time."""
    found = {name: percentile(seconds, share) for name, share in (("p50", 0.5), ("p95", 0.95))}
    return {
        name: "never" if value == NEVER else None if value is None else round(1000 * value, 1)
        for name, value in found.items()
    }


def in_milliseconds(name: str) -> Callable[[Row], str]:
    def shown(clock: Row) -> str:
        values = [clock[name][share] for share in ("p50", "p95")]
        if None in values:
            return "-"
        return " and ".join(value if isinstance(value, str) else f"{value:.0f}" for value in values) + " ms"

    return shown


SHOWN: dict[str, Callable[[Row], str]] = {
    "Positions": lambda clock: str(clock["positions"]),
    "with an offer in time": lambda clock: percent(clock["in_time"]),
    "95 %": lambda clock: in_words(clock["in_time_interval"]),
    "Jumps with an offer in time": lambda clock: percent(clock["jumps_in_time"]),
    "Jump to offer, p50 and p95": in_milliseconds("jump_to_offer_ms"),
    "Jump to answer, p50 and p95": in_milliseconds("jump_to_answer_ms"),
    "Key to offer, p50 and p95": in_milliseconds("key_to_offer_ms"),
    "Key to answer, p50 and p95": in_milliseconds("key_to_answer_ms"),
    "Minutes of typing": lambda clock: f"{clock['minutes']:.1f}",
    "Processor seconds a minute": lambda clock: number(clock["processor_s_per_minute"], ".1f"),
    "Processor seconds from opening to the jump": lambda clock: number(clock["opening_processor_s"], ".2f"),
    "Peak of the worker, MB": lambda clock: number(clock["peak_mb"], ".0f"),
    "Requests thrown away": lambda clock: percent(ratio(clock["late"], clock["requests"])),
    "Seconds under way, thrown away": lambda clock: number(clock["late_s"], ".1f"),
    "Processor seconds, thrown away": lambda clock: number(clock["late_processor_s"], ".1f"),
    "Keys that fell before an offer was seen": lambda clock: str(clock["unseen"]),
    "Processor seconds of other programs a minute": lambda clock: number(clock["others_s_per_minute"], ".1f"),
    "The latest key fell late by": lambda clock: f"{clock['delay_ms']:.0f} ms",
}


def sampled_interval(
    parts: Sequence[Any], figure: Callable[[Sequence[Any]], float | None]
) -> Interval | None:
    """The interval of a figure over regions, by each region's own values (`figures.interval`)."""
    random = Random(0)
    samples = (random.choices(parts, k=len(parts)) for _ in range(N_SAMPLES))
    return middle([value for sample in samples if (value := figure(sample)) is not None])


def share_kept(pairs: Sequence[tuple[Tally, Tally]]) -> float | None:
    """The share of the keys saved with endless patience that is saved on the clock."""
    clock, patient = (total(pair[place] for pair in pairs).saved for place in (0, 1))
    return clock / patient if clock is not None and patient else None


def gained_share(pairs: Sequence[tuple[Tally, Tally]]) -> float | None:
    first, second = (total(pair[place] for pair in pairs).saved for place in (0, 1))
    return None if first is None or second is None else second - first


def share_in_time(counts: Sequence[tuple[int, int]]) -> float | None:
    return ratio(sum(count for _, count in counts), sum(count for count, _ in counts))


def ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def known_sum(values: Sequence[float | None]) -> float | None:
    """The sum of the known values; None if there is none."""
    found = [value for value in values if value is not None]
    return sum(found) if found or not values else None


def per_minute(seconds: float | None, minutes: float) -> float | None:
    return None if seconds is None or not minutes else round(seconds / minutes, 2)


def rounded_value(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def as_list(found: Interval | None) -> list[float] | None:
    return None if found is None else [round(found.low, 4), round(found.high, 4)]


def in_words(found: Sequence[float] | None) -> str:
    return "-" if found is None else str(Interval(*found))


def signed_number(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:+.1f}"


def number(value: float | None, form: str) -> str:
    return "-" if value is None else format(value, form)
