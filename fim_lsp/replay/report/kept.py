"""What the reports of kept runs have in common: a run's rows, read from its folder."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from fim_lsp.replay.journal import Row, read_run

if TYPE_CHECKING:
    from typing import Self


@dataclass(frozen=True, slots=True)
class KeptReport:
    """A run of one data set, ready to be reported."""

    dataset: ClassVar[str]
    plan: Row
    rows: list[Row]
    seconds: list[float]
    excluded: list[Row]
    timings: list[Row] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path) -> Self:
        """Reads a folder, finished or not. Raises `NotResumable` if it has no run of this data set."""
        kept = read_run(folder, cls.dataset)
        rows, timings = [*kept.rows.values()], [*kept.timings.values()]
        return cls(kept.plan, rows, kept.seconds, kept.excluded, timings)

    @property
    def n_errors(self) -> int:
        return sum(row["error"] is not None for row in self.rows)
