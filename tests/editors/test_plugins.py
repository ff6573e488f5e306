"""Other people's plugins, unchanged, used with the endpoint: every text that it sends them parses.

Each plugin completes at a few places; `make plugins` plays 200. A plugin's test is skipped if target/plugins
lacks it, and says how to get it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tests.plugins.__main__ import FOLDER, PLUGINS, played, sources, why_not
from tests.plugins.places import N_KEYS, Place, place_in, places
from tests.plugins.played import (
    Played,
    asked_until_answer,
    can_be_filled,
    file_name,
    interval_of_median,
    marker,
    parses,
    row,
    wait,
)
from tests.plugins.recorder import Exchange, texts_of
from tests.plugins.rows import PlayedPlace, place_key, save_row, saved_rows
from tests.plugins.servers import BARE, ENDPOINT

N_PLACES = {"llama.vscode": 2}


@pytest.mark.parametrize(
    "plugin",
    [pytest.param(name, marks=pytest.mark.editors) if name == "llama.vscode" else name for name in PLUGINS],
)
def test_every_text_that_a_plugin_is_sent_parses(plugin: str) -> None:
    if (why := why_not(plugin, FOLDER)) is not None:
        pytest.skip(why)
    found = played(plugin, FOLDER, places(sources(), N_PLACES.get(plugin, 4), "tests"), None)
    assert found.of(ENDPOINT), "it has asked nothing"
    assert found.refused == []
    fitting = [(one, text) for one, text in found.texts(ENDPOINT) if can_be_filled(one)]
    assert [one for one in fitting if not parses(one[0].hole.left + one[1] + one[0].hole.right)] == []


def test_places_are_such_that_the_file_parses_with_something_there() -> None:
    found = places(sources(), 30, "places")
    assert len(set(found)) == 30
    assert all(len(place.keys) == N_KEYS and place.keys.isascii() for place in found)
    assert place_in(Random(1), "x\n") is None


def exchange(
    server: str, text: str, seconds: float, began: float = 0.0, left: str = "x = f(", right: str = ")\n"
) -> Exchange:
    body = {"input_prefix": left, "prompt": "", "input_suffix": right}
    content = b'{"content":"' + text.encode() + b'"}'
    return Exchange(server, 0, "/infill", body, 200, content, seconds, True, began)


def test_a_text_that_breaks_the_file_is_seen_and_times_are_compared() -> None:
    ours, bare = exchange(ENDPOINT, "1", 0.3), exchange(BARE, "1)", 0.2)
    waits = {ENDPOINT: 0.3, BARE: 0.2}
    found = Played([PlayedPlace("", [ours, bare], {ENDPOINT: True, BARE: False}, waits, True)])
    assert found.broken(ENDPOINT) == []
    assert [text for _, text in found.broken(BARE)] == ["1)"]
    assert found.times == [(0.3, 0.2)]
    wanted = "| 1 of 1 | 0 of 1 | 1 of 1 | 0 of 1 | 1.50 (1.50 to 1.50), 1.50 | 1 |"
    assert row("a plugin", "1", found).endswith(wanted)
    found.places.append(PlayedPlace("", [], {}, {ENDPOINT: 9.0, BARE: 0.2}))
    assert found.times == [(0.3, 0.2)], "where the plugin asked otherwise, times say nothing"
    found.places[0].exchanges[0] = exchange(ENDPOINT, "1]", 0.3)
    assert [text for _, text in found.broken(ENDPOINT)] == ["1]"]


def test_a_plugin_waits_for_what_was_typed_last() -> None:
    place = Place("a\nx = ", "f(", ")\n")
    early = exchange(BARE, "1", 0.5, began=9.0, left="a\nx = f")
    typed = exchange(BARE, "1", 0.3, began=9.6, left="a\nx = f(")
    later = exchange(BARE, "1", 0.3, began=10.5, left="a\nx = f(1")
    assert wait(place, 9.2, [later, typed, early]) == pytest.approx(0.7)
    assert wait(place, 11.0, [typed]) == pytest.approx(0.3)
    assert wait(place, 9.2, [early, later]) is None


def test_what_a_plugin_asked_is_compared_up_to_the_answer_that_it_waits_for() -> None:
    place = Place("a\nx = ", "f(", ")\n")

    def asked(server: str, *begun: tuple[str, bool]) -> list[tuple[str, str, bool]]:
        right = f")\n{marker(server)}".rstrip()
        exchanges = [
            replace(
                # Some plugins send no line break at the end.
                exchange(server, "1", 0.1, float(number), f"# {file_name(3, server)}\n{left}", right),
                is_whole=is_whole,
            )
            for number, (left, is_whole) in enumerate(begun)
        ]
        return asked_until_answer(place, 3, server, exchanges)

    typed = ("a\nx = f(", True)
    ours = asked(ENDPOINT, ("a\nx = f", False), typed, ("a\nx = f(1", True))
    assert ours == asked(BARE, ("a\nx = f", False), typed)
    assert ours != asked(BARE, ("a\nx = f", True), typed)
    assert ours != asked(BARE, typed)


def test_the_interval_of_a_median_holds_95_of_100_medians() -> None:
    random = Random(1)
    n_inside = 0
    for _ in range(400):
        low, high = interval_of_median([random.lognormvariate(0, 1) for _ in range(41)])
        n_inside += low <= 1 <= high
    assert 0.93 <= n_inside / 400 <= 0.99
    assert interval_of_median([3.0]) == (3.0, 3.0)


def test_a_run_goes_on_behind_the_places_that_are_kept(tmp_path: Path) -> None:
    rows = tmp_path / "rows" / "a.jsonl"
    assert saved_rows(rows) == {}
    first = PlayedPlace("first", [exchange(BARE, "\u00e9", 0.2)], {BARE: True}, {BARE: 0.5}, True)
    save_row(rows, first)
    save_row(rows, PlayedPlace("second"))
    with rows.open("a", encoding="utf-8") as file:
        file.write('{"key": "third", "exch')
    assert saved_rows(rows) == {"first": first, "second": PlayedPlace("second")}
    one, other = places(sources(), 2, "keys")
    keys = {place_key("a", "1", "m", one), place_key("a", "2", "m", one), place_key("a", "1", "m", other)}
    assert len(keys) == 3


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        ('{"content":"a"}', ["a"]),
        ('[{"index":0,"content":"a"},{"index":0,"content":"b"}]', ["a", "b"]),
        ('data: {"content":"a"}\n\ndata: {"content":"b"}\n\n', ["ab"]),
        ('data: {"choices":[{"text":"a","index":1}]}\n\ndata: [DONE]\n\n', ["a"]),
        ('{"response":"a"}\n{"response":"b"}\n', ["ab"]),
    ],
)
def test_texts_are_read_in_everybody_s_words(content: str, texts: list[str]) -> None:
    assert texts_of(content) == texts
