"""Plugins of others, unchanged, typed with in front of the endpoint: every text that it sends them parses.

A few places each; `make plugins` plays 200. Where a plugin is not in target/plugins, its test says how it
can be had.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from tests.plugins.__main__ import FOLDER, PLUGINS, played, sources, why_not
from tests.plugins.places import N_KEYS, place_in, places
from tests.plugins.played import Played, can_be_filled, parses, row
from tests.plugins.recorder import Exchange, texts_of
from tests.plugins.servers import BARE, ENDPOINT

N_PLACES = {"llama.vscode": 2}


@pytest.mark.parametrize(
    "plugin",
    [pytest.param(name, marks=pytest.mark.editors) if name == "llama.vscode" else name for name in PLUGINS],
)
def test_every_text_that_a_plugin_is_sent_parses(plugin: str) -> None:
    if (why := why_not(plugin, FOLDER)) is not None:
        pytest.skip(why)
    found = played(plugin, FOLDER, N_PLACES.get(plugin, 4), None, "tests")
    assert found.of(ENDPOINT), "it has asked nothing"
    assert found.refused == []
    fitting = [(one, text) for one, text in found.texts(ENDPOINT) if can_be_filled(one)]
    assert [one for one in fitting if not parses(one[0].hole.left + one[1] + one[0].hole.right)] == []


def test_places_are_such_that_the_file_parses_with_something_there() -> None:
    found = places(sources(), 30, "places")
    assert len(set(found)) == 30
    assert all(len(place.keys) == N_KEYS and place.keys.isascii() for place in found)
    assert place_in(Random(1), "x\n") is None


def exchange(server: str, text: str, seconds: float) -> Exchange:
    body = {"input_prefix": "x = f(", "prompt": "", "input_suffix": ")\n"}
    content = b'{"content":"' + text.encode() + b'"}'
    return Exchange(server, 0, "/infill", body, 200, content, seconds, True)


def test_a_text_that_breaks_the_file_is_seen_and_times_are_compared() -> None:
    found = Played(1, [exchange(ENDPOINT, "1", 0.3), exchange(BARE, "1)", 0.2)], Counter(), Counter())
    assert found.broken(ENDPOINT) == []
    assert [text for _, text in found.broken(BARE)] == ["1)"]
    assert found.times == [(0.3, 0.2)]
    assert row("a plugin", "1", found).endswith("| 1 of 1 | 0 of 1 | 0 of 0 | 0 of 0 | 1.50, 1.50 (1) |")
    found.exchanges[0] = exchange(ENDPOINT, "1]", 0.3)
    assert [text for _, text in found.broken(ENDPOINT)] == ["1]"]


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
