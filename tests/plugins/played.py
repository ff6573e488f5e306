"""A plugin plays places, at each server in turn, and what came of it is counted.

Every text that the endpoint sent is put into the hole that the plugin asked about, and CPython parses the
whole. Times are compared for holes that both servers were asked about, in turns, so that other work on the
machine slows both down.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

from quotient import Language, NoCompletion
from tests.plugins.places import Place
from tests.plugins.recorder import Exchange, Recorder
from tests.plugins.servers import BARE, ENDPOINT

PYTHON = Language.load("python")
# How long is waited for a request that may not come, and for one that may follow an answer.
FIRST_SECONDS, QUIET_SECONDS = 6.0, 0.4


class Typist(Protocol):
    """A typist with a plugin."""

    def open(self, name: str, left: str, right: str) -> None: ...

    def type(self, keys: str) -> None: ...

    def text(self) -> str: ...

    def accepted(self) -> str | None:
        """The file once what is offered was taken; None where nothing is offered."""


@dataclass(slots=True)
class Played:
    """The results at a plugin's places."""

    n_places: int = 0
    exchanges: list[Exchange] = field(default_factory=list)
    # For each server: how often something was taken, and how often the file parsed then.
    taken: Counter[str] = field(default_factory=Counter)
    parsed: Counter[str] = field(default_factory=Counter)

    def of(self, server: str) -> list[Exchange]:
        """Its requests for texts whose answers the plugin waited for."""
        return [one for one in self.exchanges if one.server == server and one.is_whole and not one.is_warming]

    def texts(self, server: str) -> list[tuple[Exchange, str]]:
        return [(one, text) for one in self.of(server) for text in one.texts]

    def apart(self) -> list[tuple[Exchange, str]]:
        """Texts for holes that no text fits, as a plugin's own guess of what comes next may make them.

        The endpoint promises something about a part of them alone.
        """
        return [(one, text) for one, text in self.texts(ENDPOINT) if not can_be_filled(one)]

    def broken(self, server: str) -> list[tuple[Exchange, str]]:
        return [
            (one, text)
            for one, text in self.texts(server)
            if not parses(one.hole.left + text + one.hole.right)
        ]

    @property
    def refused(self) -> list[Exchange]:
        return [one for one in self.of(ENDPOINT) if one.status != 200]

    @property
    def times(self) -> list[tuple[float, float]]:
        """For each hole that both servers were asked about: seconds at the endpoint, and without it."""
        bare = {same_hole(one): one.seconds for one in reversed(self.of(BARE))}
        ours = {same_hole(one): one.seconds for one in reversed(self.of(ENDPOINT))}
        return [(ours[hole], bare[hole]) for hole in ours if hole in bare]


def file_name(number: int, server: str) -> str:
    return f"place{number}{server[:3]}.py"


def same_hole(exchange: Exchange) -> tuple[int, str]:
    """The key that two requests of one hole share: some plugins say the name of the file in a request."""
    return exchange.place, exchange.hole.left.replace(file_name(exchange.place, exchange.server), "")


def can_be_filled(exchange: Exchange) -> bool:
    try:
        PYTHON.recognizer(exchange.hole.left, exchange.hole.right)
    except NoCompletion:
        return False
    return True


def parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return False
    return True


def play(typist: Typist, recorder: Recorder, places: Sequence[Place]) -> Played:
    """Types at all places, at each with both servers, whichever was second last time being first."""
    found = Played(len(places), recorder.exchanges)
    for number, place in enumerate(places):
        for server in (ENDPOINT, BARE)[:: 1 if number % 2 else -1]:
            play_one(typist, recorder, found, number, place, server)
        if sys.stderr.isatty() or (number + 1) % 20 == 0:
            print(f"{number + 1} of {len(places)} places", file=sys.stderr, flush=True)
    return found


def play_one(
    typist: Typist, recorder: Recorder, found: Played, number: int, place: Place, server: str
) -> None:
    # Plugins remember answers by what stands around the cursor.
    right = f"{place.right}# {server[:3]}\n"
    recorder.turn_to(server, number)
    n_before = recorder.n_begun
    typist.open(file_name(number, server), place.left, right)
    typist.type(place.keys)
    recorder.wait_until_quiet(n_before, FIRST_SECONDS, QUIET_SECONDS)
    assert typist.text() == place.whole_left + right, f"place {number} was typed otherwise"
    text = typist.accepted()
    if text is not None:
        found.taken[server] += 1
        found.parsed[server] += parses(text)


def row(plugin: str, version: str, played: Played) -> str:
    """A plugin's row of the table in docs/plugins.md."""
    texts, bare, times = played.texts(ENDPOINT), played.texts(BARE), played.times
    apart = len(played.apart())
    fitting = [(one, text) for one, text in texts if can_be_filled(one)]
    n_parsed = sum(parses(one.hole.left + text + one.hole.right) for one, text in fitting)
    whole = sum(ours for ours, _ in times) / max(sum(theirs for _, theirs in times), 1e-9)
    each = median([ours / theirs for ours, theirs in times]) if times else 0.0
    cells = [
        f"{plugin}, {version}",
        f"{played.n_places}",
        f"{len(played.of(ENDPOINT)):,}",
        f"{n_parsed:,} of {len(fitting):,}" + (f", {apart} apart" if apart else ""),
        f"{len(bare) - len(played.broken(BARE)):,} of {len(bare):,}",
        f"{played.parsed[ENDPOINT]} of {played.taken[ENDPOINT]}",
        f"{played.parsed[BARE]} of {played.taken[BARE]}",
        f"{each:.2f}, {whole:.2f} ({len(times)})",
    ]
    return "| " + " | ".join(cells) + " |"


HEAD = (
    "| plugin | places | requests | texts that parse | the same, bare llama-server "
    "| files that parse once it is taken | the same, bare | time beside bare: median, all (holes) |\n"
    "|---|---|---|---|---|---|---|---|"
)
