"""A region's row: the region is typed in real time with each model in turn, each time with a new server.

A row depends on its region alone. So nothing that a server has learnt from one region may help it with the
next: each region has a server that was just started, in a folder without the region.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from fim_lsp.bundled_models import BUNDLED_NAME, NO_MODEL
from fim_lsp.cli import CommandError
from fim_lsp.own_process import python_command
from fim_lsp.positions import Lines
from fim_lsp.replay.typing.clock.conversation import Conversation
from fim_lsp.replay.typing.clock.editor import RealEditor
from fim_lsp.replay.typing.clock.person import intervals
from fim_lsp.replay.typing.clock.processes import machine_seconds, peak_megabytes
from fim_lsp.replay.typing.clock.project_copy import ProjectCopy
from fim_lsp.replay.typing.clock.typist import TimedRequest, TypedOnClock, typed_on_clock
from fim_lsp.replay.typing.drawing import TypedProject, Typing
from fim_lsp.replay.typing.filler import RegionTyper, Row, Tally, TypingSettings, failed_row, row_of

# The distance in lines from the place where the user was before, if the file is long enough.
FAR = 20


@dataclass(frozen=True, slots=True)
class ClockSettings:
    """The settings of typing on the clock. Part of a run's plan."""

    models: tuple[str | None, ...] = (None,)
    device: str | None = None
    python_version: str | None = None
    eagerness: str = "balanced"
    max_tokens: int = 64
    seed: int = 0
    # Seconds from opening the file to the jump; 0 if it is opened where the user types at once.
    warm: float = 10.0
    # Whether each region is typed with endless patience, too.
    patient: bool = False
    # Settings of the server, by name, in place of its own.
    server: tuple[tuple[str, Any], ...] = ()

    @property
    def labels(self) -> list[str]:
        """Short names of the models: those of their files and folders, if these differ."""
        names = [model or BUNDLED_NAME for model in self.models]
        short = [Path(name).name if Path(name).exists() else name for name in names]
        return short if len(set(short)) == len(short) else names

    def of_editor(self, model: str | None) -> dict[str, Any]:
        """The settings as an editor sends them; the server chooses those that are left out."""
        return {
            "model": model_setting(model),
            "device": self.device or "auto",
            "pythonVersion": self.python_version or "",
            "maxTokens": self.max_tokens,
            "eagerness": self.eagerness,
            **dict(self.server),
        }

    def patiently(self, model: str | None) -> TypingSettings:
        """The settings for a typist with endless patience."""
        return TypingSettings(
            model=model,
            device=self.device,
            python_version=self.python_version,
            eagerness=self.eagerness,
            max_tokens=self.max_tokens,
        )


@dataclass(slots=True)
class ClockFiller:
    """Types regions in real time, one after the other; it needs a machine that does nothing else."""

    settings: ClockSettings
    projects: dict[str, TypedProject]
    # The folder with the copies of projects; the command that made it removes it.
    folder: Path
    copies: dict[str, ProjectCopy] = field(default_factory=dict)
    patient: dict[str, RegionTyper] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        settings: ClockSettings,
        projects: Sequence[TypedProject],
        folder: Path,
        n_threads: int | None = None,
    ) -> ClockFiller:
        """`n_threads` is ignored: the server chooses it."""
        del n_threads
        return cls(settings, {one.name: one for one in projects}, folder)

    def rows(self, case: Typing) -> tuple[Row, Row]:
        """The region's row and its timing, ready for the journal."""
        row: Row = {
            "case": case.id,
            "project": case.project,
            "kind": case.region.kind,
            "is_repeated": case.is_repeated,
            "typed": case.region.typed,
            "models": {},
        }
        pairs = list(zip(self.settings.labels, self.settings.models, strict=True))
        # The first model may find a colder machine, so the models take turns.
        for label, model in pairs if is_even(case) else reversed(pairs):
            row["models"][label] = self._model_row(case, label, model)
        found = row["models"].values()
        errors = [one["error"] for one in found if one["error"]]
        return row | {"error": "; ".join(errors) or None}, {"case": case.id}

    def _model_row(self, case: Typing, label: str, model: str | None) -> Row:
        try:
            done, costs = asyncio.run(self._typed_case(case, model))
        except CommandError:
            raise
        except Exception as error:  # a crash of ours is reported, and the run goes on
            return own_part(failed_row(case, f"{type(error).__name__}: {error}"))
        row = own_part(row_of(case, done.typed)) | {"clock": clock_row(done) | costs}
        if self.settings.patient:
            row["patient"] = self._patient_row(case, label, model)
        return row

    def _patient_row(self, case: Typing, label: str, model: str | None) -> Row:
        if label not in self.patient:
            projects = [*self.projects.values()]
            self.patient[label] = RegionTyper.of(self.settings.patiently(model), projects)
        row, _ = self.patient[label].rows(case)
        return {name: row[name] for name in (*asdict(Tally()), "error")}

    async def _typed_case(self, case: Typing, model: str | None) -> tuple[TypedOnClock, Row]:
        region, settings = case.region, self.settings
        text = region.text[: region.start] + region.text[region.stop :]
        copy = self._copy(case.project)
        with copy.with_text(case.file, text) as path:
            conversation = await Conversation.begin(python_command("fim_lsp.cli", "serve"), copy.folder)
            try:
                editor = RealEditor(conversation)
                complaint = await editor.begin(copy.folder, settings.of_editor(model))
                if complaint and model != NO_MODEL:
                    raise CommandError(complaint)
                before = editor.processor_seconds()
                editor.open(path.as_uri(), text)
                if settings.warm:
                    editor.go(resting_place(text, region.start, f"{settings.seed} {case.id}"))
                    editor.ask()
                    await asyncio.sleep(settings.warm)
                after = editor.processor_seconds()
                editor.go(region.start)
                busy = machine_seconds(), process_time()
                pace = intervals(region.typed, f"{settings.seed} {case.id}")
                done = await typed_on_clock(region.typed, pace, editor)
                editor.close()
                peak = peak_megabytes(conversation.process.pid)
                opening = None if before is None or after is None else round(after - before, 3)
                others = seconds_of_others(busy, (machine_seconds(), process_time()), done.processor)
                return done, {"peak_mb": peak, "opening_processor": opening, "others": others}
            finally:
                await conversation.end()

    def _copy(self, name: str) -> ProjectCopy:
        if name not in self.copies:
            self.copies[name] = ProjectCopy.write_copy(self.folder.resolve(), self.projects[name])
        return self.copies[name]


def seconds_of_others(
    before: tuple[float | None, float], after: tuple[float | None, float], served: float | None
) -> float | None:
    """The seconds that the machine has computed for others than the server and the typist."""
    (machine, own), (machine_after, own_after) = before, after
    if machine is None or machine_after is None or served is None:
        return None
    return round(max(machine_after - machine - (own_after - own) - served, 0.0), 2)


def model_setting(model: str | None) -> str:
    """A model as the setting names it. A path is made absolute, since the server runs in another folder."""
    if model is None:
        return ""
    path = Path(model).expanduser()
    return str(path.resolve()) if path.exists() else model


def is_even(case: Typing) -> bool:
    return sum(case.id.encode("utf-8", "surrogatepass")) % 2 == 0


def own_part(row: Row) -> Row:
    """The part of a row that belongs to the model, and not to the region."""
    regions = ("case", "project", "kind", "is_repeated", "typed", "reasons", "curve", "parts")
    return {name: value for name, value in row.items() if name not in regions}


def clock_row(done: TypedOnClock) -> Row:
    return {
        "asked": [[rounded_value(value) for value in asdict(one).values()] for one in done.asked],
        "seconds": round(done.seconds, 3),
        "processor": rounded_value(done.processor),
        "delay": round(done.delay, 4),
    }


def rounded_value(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def timed_requests(row: Row) -> list[TimedRequest]:
    """The requests of a row, read back from it."""
    return [TimedRequest(*one) for one in row["clock"]["asked"]] if "clock" in row else []


def resting_place(text: str, place: int, seed: str) -> int:
    """The place where the user was before the jump: at the end of a line, far away if the file is long."""
    lines = Lines(text)
    here = lines.line_at(place)
    written = [line for line in range(len(lines.starts)) if lines.content(line).strip()]
    far = [line for line in written if abs(line - here) >= FAR]
    choice = far or written
    if not choice:
        return 0
    line = Random(f"{seed} rest").choice(choice)
    return lines.starts[line] + len(lines.content(line))
