"""The costs of processes, as Linux reports them in files; None on systems without these.

Linux counts the processor's time in ticks of ten milliseconds, so only the sum of many keys says much.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

PROC = Path("/proc")


def family(pid: int, proc: Path = PROC) -> Iterator[int]:
    """A process and its descendants."""
    yield pid
    for path in sorted(proc.glob(f"{pid}/task/*/children")):
        try:
            children = [int(word) for word in path.read_text().split()]
        except OSError:  # it has ended meanwhile
            continue
        for child in children:
            yield from family(child, proc)


def processor_seconds(pid: int, proc: Path = PROC) -> float | None:
    """The seconds that a process and its descendants have computed so far, ended ones included."""
    found = [seconds for one in family(pid, proc) if (seconds := own_seconds(one, proc)) is not None]
    return sum(found) if found else None


def own_seconds(pid: int, proc: Path) -> float | None:
    try:
        # The program's name is in brackets, and may hold anything.
        words = (proc / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    # utime, stime, cutime and cstime. The first word here is the state, the third field of the file.
    return sum(map(int, words[11:15])) / os.sysconf("SC_CLK_TCK")


def machine_seconds(proc: Path = PROC) -> float | None:
    """The seconds that all processors of the machine have computed so far."""
    try:
        words = (proc / "stat").read_text().split("\n", 1)[0].split()
    except OSError:
        return None
    # user, nice, system, irq, softirq and steal: all but idling and waiting for a disk.
    return sum(int(words[place]) for place in (1, 2, 3, 6, 7, 8)) / os.sysconf("SC_CLK_TCK")


def peak_megabytes(pid: int, proc: Path = PROC) -> float | None:
    """The most that any child of a process has held, the worker among them."""
    found = [size for one in family(pid, proc) if one != pid and (size := own_peak(one, proc)) is not None]
    return max(found, default=None)


def own_peak(pid: int, proc: Path) -> float | None:
    try:
        status = (proc / str(pid) / "status").read_text()
    except OSError:
        return None
    for line in status.splitlines():
        name, _, value = line.partition(":")
        if name == "VmHWM":
            return int(value.split()[0]) / 1000
    return None
