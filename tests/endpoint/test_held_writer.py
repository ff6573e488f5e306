"""One of our models behind the endpoint: the other files in its prompt, and what it reads between
requests."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.endpoint import held_writer
from fim_lsp.endpoint.dialects import EndpointRequest, read_infill
from fim_lsp.endpoint.held_writer import GrammarHeldWriter, LanguageWriter
from fim_lsp.endpoint.hole import AskedHole, SentFile
from fim_lsp.endpoint.part import FillablePart, part_of
from fim_lsp.endpoint.turns import Turns
from fim_lsp.fim_formats import FIM_FORMATS
from fim_lsp.runtimes.speed import Speed
from tests.decoding.test_readings import Machine
from tests.endpoint.served_gate import LEFT, RIGHT
from tests.models import tiny_model

OTHERS = [
    {"filename": "old.py", "text": "class Forgotten:\n    pass\n"},
    {"filename": "shop/prices.py", "text": "class Prices:\n    def net_of_all(self):\n        pass\n"},
]


def model_of_files(runtime: Any = None) -> Model:
    """A model that was trained on several files, with a large enough window."""
    small = tiny_model(n_positions=8192)
    qwen = next(known for known in FIM_FORMATS if known.name == "qwen")
    return replace(
        small,
        runtime=small.runtime if runtime is None else runtime,
        fim_format=replace(small.fim_format, files=qwen.files, order="prefix-suffix-middle"),
        file_signs=dict.fromkeys(qwen.files.tokens, small.prefix),
    )


class Recording:
    """A runtime that records all its tokens."""

    def __init__(self, inner: Any, read: list[int]) -> None:
        self._inner, self._read = inner, read

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def cache(self) -> Recording:
        return Recording(self._inner.cache(), self._read)

    def read(self, tokens: Sequence[int], n_last: int) -> Any:
        self._read.extend(tokens)
        return self._inner.read(tokens, n_last)


def part_at(left: str, right: str) -> FillablePart:
    part = part_of(left, right, None)
    assert part is not None
    return part


def read_texts(others: object, **said: object) -> str:
    """All text that a model reads for a request with other files."""
    tokens: list[int] = []
    model = model_of_files()
    model = replace(model, runtime=Recording(model.runtime, tokens))
    body = {"input_prefix": LEFT, "input_suffix": RIGHT, "input_extra": others, "n_predict": 4, **said}
    writer = GrammarHeldWriter(model, None)
    writer.texts("/infill", read_infill(body), lambda: part_at(LEFT, RIGHT), lambda: True)
    writer.close()
    return b"".join(model.token_bytes[token] for token in tokens).decode()


def test_a_model_in_this_process_writes_a_token_before_it_is_asked() -> None:
    tokens: list[int] = []
    model = model_of_files()
    model = replace(model, runtime=Recording(model.runtime, tokens))
    for local, is_read in ((replace(model, has_remote_tokens=True), False), (model, True)):
        writer = GrammarHeldWriter(local, "some")
        writer.prepare(lambda: True)
        writer.close()
        assert bool(tokens) == is_read
    GrammarHeldWriter(model, "some").prepare(lambda: False)


def test_a_model_is_told_of_the_files_that_are_sent_along() -> None:
    read = read_texts(OTHERS)
    assert "shop/prices.py\nclass Prices:" in read
    assert "class Forgotten:" in read
    assert LEFT.split("\n")[0] in read
    assert "Prices" not in read_texts([])


def test_its_lines_end_as_those_of_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    written = Completion("a,\n    b", "eos", 3, 0, -1.0, 0.0)
    monkeypatch.setattr(held_writer, "effective_completions", lambda *_: [written])
    writer = GrammarHeldWriter(tiny_model(), None)
    for end in ("\n", "\r\n"):
        left, right = f"x = f({end}    ", f"{end}){end}"
        asked = read_infill({"input_prefix": left, "input_suffix": right})
        [told] = writer.texts("/infill", asked, partial(part_at, left, right), lambda: True)
        assert told.text == f"a,{end}    b"
    writer.close()


def test_the_last_of_the_files_count_where_there_is_no_room_for_all() -> None:
    long = "".join(f"def forgotten_{number}():\n    return {number}\n" for number in range(400))
    read = read_texts([{"filename": "old.py", "text": long}, OTHERS[1]])
    assert "class Prices:" in read
    assert "forgotten_300" not in read


def test_a_place_that_nothing_is_wanted_at_yet_is_read_behind_what_is_told() -> None:
    machine = Machine(Speed(each_of_many=1 / 1000))
    model = model_of_files(machine)
    writer = LanguageWriter(model)
    others = tuple(SentFile(one["filename"], one["text"]) for one in OTHERS)
    writer.rest_at(AskedHole(LEFT, RIGHT, others=others), part_at(LEFT, RIGHT))
    while writer.read_ahead(lambda: False):
        pass
    assert sum(machine.ahead) == machine.n_read > len(model.encode("".join(one.text for one in others)))
    n_read = machine.n_read
    # Without a new request, what was read stays, and there is nothing more to read.
    writer.rest_at(AskedHole("", "", others=others), part_at("x = ", ""))
    assert not writer.read_ahead(lambda: False)
    assert machine.n_read == n_read


def waited(event: threading.Event) -> bool:
    return event.wait(60)


def test_reading_gives_way_to_a_request_and_goes_on_behind_it() -> None:
    turns, is_reading, is_read = Turns(), threading.Event(), threading.Event()
    n_pieces: list[int] = []

    def read(is_given_up: Callable[[], bool]) -> bool:
        is_reading.set()
        n_pieces.append(1)
        if len(n_pieces) > 1:
            is_read.set()
            return False
        # Reading ahead stops at a request; it would never end by itself.
        while not is_given_up():
            threading.Event().wait(0.001)
        return True

    with turns.request():
        turns.read_later(read)
        assert not is_reading.wait(0.05), "a request has the model to itself"
    assert waited(is_reading)
    with turns.request():
        assert len(n_pieces) == 1
    assert waited(is_read)
    turns.end()


def test_reading_that_fails_is_not_tried_again_and_harms_no_request() -> None:
    turns, n_tries, has_failed = Turns(), [], threading.Event()

    def read(_: Callable[[], bool]) -> bool:
        n_tries.append(1)
        has_failed.set()
        raise OSError("no memory")

    with turns.request():
        turns.read_later(read)
    assert waited(has_failed)
    with turns.request():
        pass
    turns.end()
    assert len(n_tries) == 1


def test_nothing_is_read_on_battery(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, is_tried = threading.Event(), threading.Event()

    def try_reading(_: Callable[[], bool]) -> bool:
        is_tried.set()
        return False

    def is_on_battery() -> bool:
        asked.set()
        return True

    monkeypatch.setattr("fim_lsp.endpoint.turns.is_on_battery", is_on_battery)
    turns = Turns()
    with turns.request():
        turns.read_later(try_reading)
    assert waited(asked)
    turns.end()
    assert not is_tried.is_set()


@pytest.mark.parametrize(
    ("limits", "seconds"),
    [
        ({"t_max_prompt_ms": 500, "t_max_predict_ms": 1500}, 2.0),
        ({"t_max_predict_ms": 1}, 1.0),
        ({"t_max_prompt_ms": 500}, None),
        ({"t_max_predict_ms": 0}, None),
        ({"t_max_predict_ms": "soon"}, None),
        ({"t_max_predict_ms": 10**9, "t_max_prompt_ms": []}, 10.0),
    ],
)
def test_a_client_says_how_long_it_waits(limits: dict[str, object], seconds: float | None) -> None:
    asked: EndpointRequest = read_infill({"input_prefix": LEFT, "input_suffix": RIGHT, **limits})
    assert asked.seconds == seconds


def test_clients_of_ollama_see_that_a_suffix_may_be_sent() -> None:
    writer = GrammarHeldWriter(tiny_model(), None)
    about = writer.about_model("/api/show", {"name": "any"})
    assert isinstance(about, dict)
    assert ".Suffix" in about["template"]
    assert "insert" in about["capabilities"]
    writer.close()
