"""Plays a plugin at places, with each server in turn, and counts the results.

Every text that the endpoint sent is put into the hole that the plugin asked about, and CPython parses the
result. The servers take turns, so other work on the machine slows both down. A time is the plugin's wait from
the last key to the first answer for the text at that time. Times are compared at places where the plugin
asked both servers the same up to then: which keys cause earlier requests, which delay or hasten this answer,
is chance.
"""

from __future__ import annotations

import ast
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

from quotient import Language, NoCompletion
from tests.plugins.places import Place
from tests.plugins.recorder import Exchange, Recorder
from tests.plugins.rows import PlayedPlace
from tests.plugins.servers import BARE, ENDPOINT, VERSION

PYTHON = Language.load("python", VERSION)
# The seconds to wait for a request that may not come, and for another one behind an answer: the plugins ask
# at most 0.15 seconds after a key.
FIRST_SECONDS, QUIET_SECONDS = 3.0, 0.3
# The quiet seconds between two places. A request that comes later is recorded with the next place.
BETWEEN_SECONDS = 0.15


class Typist(Protocol):
    """A typist with a plugin."""

    @property
    def asks_later(self) -> bool:
        """Whether the plugin may ask after `type`, which otherwise returns with its answer."""

    def open(self, name: str, left: str, right: str) -> None: ...

    def type(self, keys: str) -> None: ...

    def text(self) -> str: ...

    def accepted(self) -> str | None:
        """The file after accepting the offer; None if nothing is offered."""


@dataclass(slots=True)
class Played:
    """The results at a plugin's places."""

    places: list[PlayedPlace] = field(default_factory=list)

    @property
    def exchanges(self) -> list[Exchange]:
        return [exchange for place in self.places for exchange in place.exchanges]

    def of(self, server: str) -> list[Exchange]:
        """The plugin's requests for texts whose answers it waited for."""
        return [one for one in self.exchanges if one.server == server and one.is_whole and not one.is_warming]

    def texts(self, server: str) -> list[tuple[Exchange, str]]:
        return [(one, text) for one in self.of(server) for text in one.texts]

    def apart(self) -> list[tuple[Exchange, str]]:
        """Texts for holes that no text fits, such as a plugin's own guess of the next place.

        For these, the endpoint promises that a part of the file parses.
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

    def taken(self, server: str) -> list[bool]:
        """Whether the file parsed, for each place at which an offer was accepted."""
        return [place.taken[server] for place in self.places if server in place.taken]

    @property
    def times(self) -> list[tuple[float, float]]:
        """The seconds with the endpoint and without it, for each place at which the plugin did the same."""
        both = (place.waits for place in self.places if len(place.waits) == 2 and place.is_same)
        return [(waits[ENDPOINT], waits[BARE]) for waits in both]


def marker(server: str) -> str:
    """The last line of a file, which differs for each server."""
    return f"# {server[:3]}\n"


def file_name(number: int, server: str) -> str:
    return f"place{number}{server[:3]}.py"


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


def play(typist: Typist, recorder: Recorder, key: str, number: int, place: Place) -> PlayedPlace:
    """Types at a place with both servers, which take turns in being first."""
    found = PlayedPlace(key)
    asked = []
    for server in (ENDPOINT, BARE)[:: 1 if number % 2 else -1]:
        n_before = len(recorder.exchanges)
        last_key, text = taken_text(typist, recorder, number, place, server)
        if text is not None:
            found.taken[server] = parses(text)
        exchanges = recorder.exchanges[n_before:]
        found.exchanges += exchanges
        if (seconds := wait(place, last_key, exchanges)) is not None:
            found.waits[server] = seconds
        asked.append(asked_until_answer(place, number, server, exchanges))
    found.is_same = asked[0] == asked[1]
    return found


def taken_text(
    typist: Typist, recorder: Recorder, number: int, place: Place, server: str
) -> tuple[float, str | None]:
    """The time of the last key, and the file after accepting the offer, if there is one."""
    # Plugins remember answers by the text around the cursor.
    right = place.right + marker(server)
    recorder.turn_to(server, number)
    n_before = recorder.n_begun
    typist.open(file_name(number, server), place.left, right)
    typist.type(place.keys)
    last_key = time.monotonic()
    if typist.asks_later:
        recorder.wait_until_quiet(n_before, FIRST_SECONDS, QUIET_SECONDS)
    assert typist.text() == place.whole_left + right, f"place {number} was typed otherwise"
    text = typist.accepted()
    recorder.wait_until_quiet(n_before, 0, BETWEEN_SECONDS)
    return last_key, text


def wait(place: Place, last_key: float, exchanges: Sequence[Exchange]) -> float | None:
    """The plugin's wait for an answer to the typed text; None if it did not ask, or hung up.

    The typist in Continue returns only with the answer, so a request begins before the last key there.
    """
    line = place.whole_left.rpartition("\n")[2]
    answers = (one for one in exchanges if one.is_whole and not one.is_warming)
    typed = [one for one in answers if one.hole.left.rpartition("\n")[2].endswith(line)]
    if not typed:
        return None
    first = min(typed, key=lambda one: one.began)
    return first.began + first.seconds - min(first.began, last_key)


def asked_until_answer(
    place: Place, number: int, server: str, exchanges: Sequence[Exchange]
) -> list[tuple[str, str, bool]]:
    """The holes that a plugin asked about up to the typed text's answer, without the server's name in them,
    and whether it waited for each.

    A plugin that waits a moment for another key asks once more or once less by chance, and a server has then
    read more or less of the prompt.
    """
    found = []
    line = place.whole_left.rpartition("\n")[2]
    for one in sorted(exchanges, key=lambda one: one.began):
        sides = (one.hole.left, one.hole.right)
        left, right = (
            side.replace(file_name(number, server), "").replace(marker(server).rstrip(), "") for side in sides
        )
        found.append((left, right, one.is_whole))
        if one.is_whole and not one.is_warming and left.rpartition("\n")[2].endswith(line):
            break
    return found


def interval_of_median(values: Sequence[float]) -> tuple[float, float]:
    """The interval that contains the median in 95 of 100 samples, by the ranks of the values."""
    ordered, half = sorted(values), 0.98 * math.sqrt(len(values))
    first, last = math.floor(len(values) / 2 - half), math.ceil(len(values) / 2 + half)
    return ordered[max(first, 0)], ordered[min(last, len(values) - 1)]


def row(plugin: str, version: str, played: Played) -> str:
    """A plugin's row of the table in docs/plugins.md."""
    texts, bare = played.texts(ENDPOINT), played.texts(BARE)
    times = played.times
    apart = len(played.apart())
    fitting = [(one, text) for one, text in texts if can_be_filled(one)]
    n_parsed = sum(parses(one.hole.left + text + one.hole.right) for one, text in fitting)
    ours, theirs = played.taken(ENDPOINT), played.taken(BARE)
    cells = [
        f"{plugin}, {version}",
        f"{len(played.places)}",
        f"{len(played.of(ENDPOINT)):,}",
        f"{n_parsed:,} of {len(fitting):,}" + (f", {apart} apart" if apart else ""),
        f"{len(bare) - len(played.broken(BARE)):,} of {len(bare):,}",
        f"{sum(ours)} of {len(ours)}",
        f"{sum(theirs)} of {len(theirs)}",
    ]
    if times:
        ratios = [one / other for one, other in times]
        low, high = interval_of_median(ratios)
        whole = sum(one for one, _ in times) / sum(other for _, other in times)
        cells += [f"{median(ratios):.2f} ({low:.2f} to {high:.2f}), {whole:.2f}", f"{len(times)}"]
    return "| " + " | ".join(cells) + " |"


HEAD = (
    "| plugin | places | requests | texts that parse | the same, bare llama-server "
    "| files that parse once it is taken | the same, bare "
    "| time beside bare: median by place (95% interval), all | places compared |\n"
    "|---|---|---|---|---|---|---|---|---|"
)
