"""Plots as files that are the same for the same figures; none where matplotlib is not installed."""

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any


def write(path: Path, drawn: Callable[[Any], Any]) -> None:
    """Write what `drawn` makes of pyplot, a figure, to an SVG file."""
    if find_spec("matplotlib") is None:
        print("no plot: matplotlib is not installed")
        return
    import_module("matplotlib").use("svg")
    pyplot = import_module("matplotlib.pyplot")
    # Neither a date nor random names, which would make each file another one.
    pyplot.rcParams["svg.hashsalt"] = "fim-lsp"
    path.parent.mkdir(parents=True, exist_ok=True)
    drawn(pyplot).savefig(path, metadata={"Date": None})
