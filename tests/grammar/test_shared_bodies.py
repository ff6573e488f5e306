"""Parts of rules that stand in several places are written once, and the engine puts them back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from quotient import GrammarError, Language
from quotient.compiler.description import as_json, from_json
from quotient.compiler.reader import description
from quotient.compiler.shared_bodies import WrittenBody, share, spread

NAMES: WrittenBody = {"alt": ["NAME", "as", "async", "from"]}
OPTION: WrittenBody = {"opt": {"seq": [":", NAMES]}}
PAIR: WrittenBody = {"seq": [NAMES, OPTION]}
GRAMMAR = """
start: (first | second)*
first: "(" ("left" | "right" | "middle") [":" ("left" | "right" | "middle")] ")"
second: "[" ("left" | "right" | "middle") [":" ("left" | "right" | "middle")] "]"
%ignore " "
"""


def test_a_part_that_stands_in_several_places_is_written_once() -> None:
    shared, bodies = share([PAIR, {"star": PAIR}, "NAME", NAMES])
    assert shared == [NAMES, {"seq": [{"shared": 0}, {"opt": {"seq": [":", {"shared": 0}]}}]}]
    assert bodies == [{"shared": 1}, {"star": {"shared": 1}}, "NAME", {"shared": 0}]
    assert spread(shared, bodies) == [PAIR, {"star": PAIR}, "NAME", NAMES]


def test_what_stands_once_or_is_short_stays() -> None:
    bodies: list[WrittenBody] = [OPTION, {"seq": ["a", "b"]}, {"alt": [{"seq": ["a", "b"]}, "c"]}]
    shared, referring = share(bodies)
    assert (shared, referring) == ([], bodies)


def test_the_engine_reads_what_is_shared() -> None:
    compiled = description(GRAMMAR)
    text = as_json(compiled)
    assert json.loads(text)["shared"]
    assert from_json(text) == compiled
    language = Language(text)
    plain = Language(json.dumps(compiled))
    for left, right, middle in (("(left", ")", ": right"), ("", "]", "[middle"), ("[left:", "]", " left")):
        for one in (language, plain):
            recognizer = one.recognizer(left, right)
            assert recognizer.advance(middle)
            assert recognizer.is_member()
            assert not one.recognizer(left, right).advance("; ")


@pytest.mark.parametrize(
    "shared", [[], [{"opt": {"shared": 0}}], [{"shared": 1}, {"opt": "A"}], [{"shared": -1}]]
)
def test_a_part_refers_to_those_in_front_of_it(shared: list[object]) -> None:
    described = {**description('start: A?\nA: "a"'), "shared": shared}
    described["rules"] = [{"name": "start", "body": {"shared": 0}}]
    with pytest.raises(GrammarError):
        Language(json.dumps(described))


def test_the_files_are_small() -> None:
    grammars = Path(__file__).parents[2] / "quotient" / "grammars"
    assert sum(path.stat().st_size for path in grammars.glob("*.json")) < 2.5e6
