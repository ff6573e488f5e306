"""A run, ready to be counted: for each mode, the outcomes and the costs of the cases in one order."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fim_lsp.replay.journal import EXCLUDED, TIMINGS, NotResumable, Row, read_plan, read_rows
from fim_lsp.replay.outcome import CaseOutcome, Cost

# The column headings of the papers.
MODE_NAMES = {
    "truth": "True middle",
    "unconstrained": "Unconstrained",
    "checked": "Checked unconstrained",
    "paper": "The paper's loop",
    "constrained": "Constrained",
    "steered": "Constrained, in scope",
    "named": "Constrained, in scope, names that exist",
    "served": "Through the server",
}


@dataclass(frozen=True, slots=True)
class Result:
    """A case in all modes."""

    case: str
    n_characters: int
    middle: str
    middle_escape: str | None
    outcomes: dict[str, CaseOutcome]
    costs: dict[str, Cost]

    @classmethod
    def of(cls, row: Row, timing: Row | None) -> Result:
        costs: dict[str, Any] = {} if timing is None else timing["modes"]
        return cls(
            row["case"],
            row["n_left"] + row["n_right"],
            row["middle"],
            row["middle_escape"],
            {mode: CaseOutcome(**fields) for mode, fields in row["modes"].items()},
            {mode: Cost(**fields) for mode, fields in costs.items()},
        )


@dataclass(frozen=True, slots=True)
class Results:
    """A run. `plan` is its kept plan; `excluded` has the files that were left out."""

    plan: Row
    results: list[Result]
    excluded: list[Row]

    @classmethod
    def of(cls, folder: Path) -> Results:
        """Reads a folder, finished or not. Raises `NotResumable` if there is no run in it."""
        plan = read_plan(folder)
        try:
            timings = {row["case"]: row for row in read_rows(folder, TIMINGS)}
            rows = {row["case"]: row for row in read_rows(folder)}
            results = [Result.of(row, timings.get(case)) for case, row in rows.items()]
        except (KeyError, TypeError) as error:
            raise NotResumable(f"{folder}: a row of something else: {error!r}") from error
        return cls(plan, results, read_rows(folder, EXCLUDED))

    @property
    def dataset(self) -> str:
        return str(self.plan["selection"]["dataset"])

    @property
    def is_left_to_right(self) -> bool:
        return bool(self.plan["settings"]["task"] == "left to right")

    @property
    def modes(self) -> list[str]:
        return list(self.plan["settings"]["modes"])

    def outcomes(self, mode: str) -> list[CaseOutcome]:
        return [result.outcomes[mode] for result in self.results]

    def costs(self, mode: str) -> list[Cost]:
        return [result.costs[mode] for result in self.results if mode in result.costs]
