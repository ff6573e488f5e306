"""The model card's tables, written from the figures that an evaluation has measured."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from training.evaluate import Figures

# The prefix of the rows of packages in the figures.
PACKAGE = "package "
BEGIN, END = "<!-- figures: written by `python -m training evaluate` -->", "<!-- end of figures -->"
BEGIN_BRACES = BEGIN.replace("evaluate", "evaluate --braces")


def update_card(card: Path, written: str, begin: str = BEGIN) -> None:
    """Writes tables between one mark of the card and the next mark that ends figures."""
    text = card.read_text(encoding="utf-8")
    between = re.compile(re.escape(begin) + ".*?" + re.escape(END), re.DOTALL)
    if not between.search(text):
        raise ValueError(f"{card} has no place for figures: {begin}")
    whole = f"{begin}\n\n{written}\n{END}"
    card.write_text(between.sub(lambda _: whole, text), encoding="utf-8")


def tables(figures: Figures) -> str:
    return "\n".join(
        [
            *bits_table(figures),
            "",
            *holes_table(figures),
            "",
            *ending(figures),
            *packages_table(figures),
            measured_with(figures),
            "",
        ]
    )


def bits_table(figures: Figures) -> Iterator[str]:
    bits = figures["bits per byte"]
    yield "| Held-out standard library | Bits per byte |"
    yield "|---|---|"
    yield f"| whole files, left to right ({bits['windows']} windows) | {bits['left to right']:.3f} |"
    both_sides, left_side = bits["middle, given both sides"], bits["middle, given the left side"]
    yield f"| the middle of a hole, given both sides ({bits['cuts']} cuts) | {both_sides:.3f} |"
    yield f"| the same middles, given the left side alone | {left_side:.3f} |"


def holes_table(figures: Figures) -> Iterator[str]:
    yield "| Single-line holes | Grammar | Holes | Exact match | Edit similarity | File parses | Median |"
    yield "|---|---|---|---|---|---|---|"
    for name, row in figures.items():
        if "exact match" not in row or name.startswith(PACKAGE):
            continue
        holes, _, constraint = name.rpartition(", ")
        switch = "on" if constraint == "constrained" else "off"
        yield (
            f"| {holes} | {switch} | {row['holes']} | {row['exact match']:.1%} | {row['edit similarity']:.3f}"
            f" | {row['file parses']:.1%} | {row['median seconds'] * 1000:.0f} ms |"
        )


def ending(figures: Figures) -> Iterator[str]:
    row = figures.get("ends by itself")
    if row is not None:
        share, n_tokens = row["share"], row["within tokens"]
        yield f"Without the grammar, {share:.1%} of its texts for these {row['holes']} holes of the standard"
        yield f"library end by themselves within {n_tokens} tokens."
        yield ""


def packages_table(figures: Figures) -> Iterator[str]:
    rows = {name.removeprefix(PACKAGE): row for name, row in figures.items() if name.startswith(PACKAGE)}
    if not rows:
        return
    yield "| Held-out package | Bits per byte | Single lines exact, grammar on |"
    yield "|---|---|---|"
    for name, row in rows.items():
        yield f"| {name} | {row['bits per byte']:.3f} | {row['exact match']:.1%} of {row['holes']} |"
    bits, exact = (mean(row[key] for row in rows.values()) for key in ("bits per byte", "exact match"))
    yield f"| mean | {bits:.3f} | {exact:.1%} |"
    yield ""


def measured_with(figures: Figures) -> str:
    setting = figures["measured with"]
    return (
        f"Measured with Python {setting['Python']}, whose standard library it is, and PyTorch\n"
        f"{setting['PyTorch']} on the device `{setting['device']}`; times are of two busy cores."
    )
