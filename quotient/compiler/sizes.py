"""Oversized grammars, which are short but huge when expanded, found before the expansion.

T0: T1 T1
T1: T2 T2      forty lines like these make a terminal of a million million letters

Terminals are expanded inside terminals. `compiler/rules.py` counts those in rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from quotient.compiler.faults import GrammarFault, SymbolLocations

MOST_PARTS = 20_000


def size_faults(places: SymbolLocations) -> Iterator[GrammarFault]:
    """The terminals that are too long when expanded; of those that use each other, the innermost."""
    uses: dict[str, list[str]] = {}
    for use in places.uses:
        uses.setdefault(use.around.partition(" ")[2], []).append(str(use.symbol))
    sizes = _sizes(uses)
    for name, size in sizes.items():
        inner = (sizes.get(used, 1) for used in uses.get(name, ()) if _is_written_in(used))
        if size > MOST_PARTS and all(one <= MOST_PARTS for one in inner):
            what = f"`{name}` has more than {MOST_PARTS} parts when all that it uses is written out"
            yield places.fault(what, places.of(name))


def _is_written_in(name: str) -> bool:
    return name.lstrip("_").isupper()


def _sizes(uses: Mapping[str, list[str]]) -> dict[str, int]:
    """The number of parts of definitions. In a cycle, each counts once."""
    sizes: dict[str, int] = {}
    begun: set[str] = set()
    for start in uses:
        todo = [start]
        while todo:
            name = todo[-1]
            inner = [used for used in uses.get(name, ()) if _is_written_in(used)]
            waiting = [used for used in inner if used not in sizes and used not in begun]
            if name in sizes or (name in begun and not waiting):
                todo.pop()
                sizes.setdefault(
                    name, 1 + sum(sizes.get(used, 1) for used in inner) + len(uses.get(name, ()))
                )
                continue
            begun.add(name)
            todo.extend(waiting)
    return sizes
