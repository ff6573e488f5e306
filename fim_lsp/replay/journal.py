"""A run's folder: a plan, and two files that grow by one line for each case and survive a kill.

    plan.json       what the run is; only the same run may continue in the folder
    rows.jsonl      a row for each case: what each mode made of it. Same plan, same bytes, when done
    timings.jsonl   a row for each case: how long it took, which differs from run to run
    excluded.jsonl  the files that were left out, and why

A line is written to the operating system as soon as its case is done, so a process that is killed loses only
the case under way. It is synced to the disk in batches, against a loss of power. A torn last line is cut off
when a run resumes. Lines come in the order in which cases are done, and are sorted into the data set's order
at the end.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, BinaryIO

from fim_lsp.replay.case import Excluded
from fim_lsp.system.files import is_locked, put_in_place

Row = dict[str, Any]
PLAN, ROWS, TIMINGS, EXCLUDED = "plan.json", "rows.jsonl", "timings.jsonl", "excluded.jsonl"
# The parts that every plan has.
PARTS = ("selection", "settings")
BATCH = 32
ANOTHER_FOLDER = "name another folder with --out, or let go of what is there with --fresh"


class NotResumable(Exception):
    """A folder cannot be written to by this run; the message says why and what to do."""


class Journal:
    """An open run folder. Use as a context manager; one process at a time. `is_fresh`: its contents are
    forgotten first."""

    def __init__(self, folder: Path, plan: Row, is_fresh: bool = False) -> None:
        self.folder = folder
        self.plan = plan
        self.is_fresh = is_fresh
        self.done: set[str] = set()
        self._n_unsynced = 0
        self._files: dict[str, BinaryIO] = {}

    def __enter__(self) -> Journal:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except FileExistsError as error:
            raise NotResumable(f"{self.folder} is a file; a run is kept in a folder") from error
        lock = (self.folder / "lock").open("wb")
        self._files["lock"] = lock
        if not is_locked(lock):
            self.close()
            raise NotResumable(f"{self.folder}: another process is writing there")
        if self.is_fresh:
            clear(self.folder)
        try:
            check_plan(self.folder, self.plan)
            self.done = {row["case"] for row in heal_journal(self.folder / ROWS)}
            heal_journal(self.folder / TIMINGS)
        except NotResumable:
            self.close()
            raise
        for name in (ROWS, TIMINGS):
            self._files[name] = (self.folder / name).open("ab", buffering=0)
        return self

    def __exit__(self, *_: object) -> None:
        self.sync()
        self.close()

    def append(self, row: Row, timing: Row) -> None:
        """Keeps a case. The timing goes first: a case counts as done when its row is there."""
        self._files[TIMINGS].write(line(timing))
        self._files[ROWS].write(line(row))
        self.done.add(row["case"])
        self._n_unsynced += 1
        if self._n_unsynced >= BATCH:
            self.sync()

    def sync(self) -> None:
        for name in (TIMINGS, ROWS):
            if name in self._files:
                os.fsync(self._files[name].fileno())
        self._n_unsynced = 0

    def close(self) -> None:
        for file in self._files.values():
            file.close()
        self._files.clear()

    def finish(self, order: Sequence[str], excluded: Iterable[Excluded]) -> None:
        """Puts both files into the order of the cases, each by one rename."""
        self.sync()
        place = {case: idx for idx, case in enumerate(order)}
        for name in (ROWS, TIMINGS):
            self._files.pop(name).close()
            # A case killed between its two lines has two timings: the one of its row is the last.
            latest = {row["case"]: row for row in heal_journal(self.folder / name)}
            rows = sorted(latest.values(), key=lambda row: place.get(row["case"], len(place)))
            replace(self.folder / name, (line(row) for row in rows if row["case"] in self.done))
        replace(self.folder / EXCLUDED, (line(asdict(one)) for one in excluded))


def check_plan(folder: Path, plan: Row) -> None:
    """Writes the plan of a new run, or compares it with that of an old one that has rows."""
    path = folder / PLAN
    wanted = json.loads(json.dumps(plan))
    if not any((folder / name).exists() and (folder / name).stat().st_size for name in (ROWS, TIMINGS)):
        # An earlier run may have left no rows, for want of a model, say.
        replace(path, [json.dumps(wanted, indent=2, sort_keys=True).encode() + b"\n"])
        return
    if not path.exists():
        raise NotResumable(
            f"{folder}: holds rows but no {PLAN}, so it is not known of what; {ANOTHER_FOLDER}"
        )
    if differing := [*plan_differences(kept_plan(folder), wanted)]:
        what = "; ".join(f"{name} was {old!r}, is {new!r}" for name, old, new in differing)
        raise NotResumable(f"{folder} holds another run ({what}); {ANOTHER_FOLDER}")


def plan_differences(old: Row, new: Row) -> Iterator[tuple[str, Any, Any]]:
    """The differences between two plans: name, then, now."""
    before, after = flat(old), flat(new)
    for name in sorted({**before, **after}):
        if before.get(name) != after.get(name):
            yield name, before.get(name), after.get(name)


def flat(plan: Row) -> Row:
    """A plan without its inner grouping. A setting in two groups, such as the seed, is equal in both."""
    found: Row = {}
    for name, value in plan.items():
        found |= value if isinstance(value, dict) else {name: value}
    return found


def read_plan(folder: Path) -> Row:
    """The plan of the run in a folder. Raises `NotResumable` if there is none."""
    plan = kept_plan(folder)
    if not all(isinstance(plan.get(part), dict) for part in PARTS):
        raise NotResumable(f"{folder / PLAN}: not the plan of a run: it has no {' and '.join(PARTS)}")
    return plan


def kept_plan(folder: Path) -> Row:
    path = folder / PLAN
    try:
        plan = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise NotResumable(f"{folder}: no run is kept there ({PLAN}: {error.strerror})") from error
    except ValueError as error:
        raise NotResumable(f"{path}: not JSON: {error}") from error
    return plan if isinstance(plan, dict) else {}


def read_rows(folder: Path, name: str = ROWS) -> list[Row]:
    """The rows of a folder so far, also while another process writes to it."""
    path = folder / name
    return [row for row, _ in whole_rows(path.read_bytes())] if path.exists() else []


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A kept run, as its folder has it; if a case was done twice, the last row counts."""

    plan: Row
    rows: dict[str, Row]
    timings: dict[str, Row]
    excluded: list[Row]

    @property
    def seconds(self) -> list[float]:
        """The seconds of all answers, in the order of the rows."""
        timings = (self.timings.get(case, {}) for case in self.rows)
        return [second for timing in timings for second in timing.get("seconds", [])]


def read_run(folder: Path, dataset: str) -> KeptRun:
    """A folder, finished or not. Raises `NotResumable` if there is no run of that data set in it."""
    plan = read_plan(folder)
    if plan["selection"].get("dataset") != dataset:
        raise NotResumable(f"{folder}: holds another kind of run")
    rows, timings = ({row["case"]: row for row in read_rows(folder, name)} for name in (ROWS, TIMINGS))
    return KeptRun(plan, rows, timings, read_rows(folder, EXCLUDED))


def heal_journal(path: Path) -> list[Row]:
    """The rows of a file, without a torn last line, which is cut off."""
    if not path.exists():
        return []
    content = path.read_bytes()
    rows = list(whole_rows(content))
    size = rows[-1][1] if rows else 0
    if size != len(content):
        with path.open("r+b") as file:
            file.truncate(size)
    return [row for row, _ in rows]


def whole_rows(content: bytes) -> Iterator[tuple[Row, int]]:
    """The rows, each with the offset of its end, up to the first that is not whole."""
    stop = 0
    for part in content.split(b"\n")[:-1]:
        stop += len(part) + 1
        try:
            row = json.loads(part)
        except ValueError:
            return
        yield row, stop


def line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"


def replace(path: Path, lines: Iterable[bytes]) -> None:
    """Writes a file beside the old one and puts it into its place, whole or not at all."""
    beside = path.with_name(path.name + ".new")
    try:
        with beside.open("wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(file.fileno())
        put_in_place(beside, path)
    except OSError as error:
        beside.unlink(missing_ok=True)
        # The error names the user's file, not the temporary one beside it.
        raise OSError(error.errno, error.strerror, str(path)) from error


def clear(folder: Path) -> None:
    """Forgets the run in a folder, and nothing else that lies there."""
    for name in (PLAN, ROWS, TIMINGS, EXCLUDED):
        (folder / name).unlink(missing_ok=True)
