"""Plots as files, which are equal for equal figures. None is written if matplotlib is not installed."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def write(path: Path, drawn: Callable[[Any], Any]) -> None:
    """Writes the figure that `drawn` makes with pyplot to an SVG file."""
    if find_spec("matplotlib") is None:
        print("no plot: matplotlib is not installed")
        return
    import_module("matplotlib").use("svg")
    pyplot = import_module("matplotlib.pyplot")
    # No date and no random names, which would make each file different.
    pyplot.rcParams["svg.hashsalt"] = "fim-lsp"
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn(pyplot).savefig(path, metadata={"Date": None})
