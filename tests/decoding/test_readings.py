"""A file is read once: prompts are right after any edit, and a jump reads next to nothing."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from fim_lsp.decoding.models.model import Model
from fim_lsp.decoding.prompts.prompt import Prompt
from fim_lsp.decoding.prompts.reader import PromptReader
from fim_lsp.decoding.prompts.readings import FEWEST_SHOWN, FIRST_PIECE, N_FIRST, N_RIGHT, PIECE, Readings
from fim_lsp.decoding.prompts.several_files import NOTHING_TOLD, CrossFileTokens
from fim_lsp.runtimes.runtime import Beams, GivenUp, KeptCache, Rows
from fim_lsp.runtimes.speed import Speed
from tests.models import corpus, tiny_model
from tests.thoroughness import n_tries

ROOM = 2048
FILE = corpus()[0][:12_000]


@dataclass
class Machine:
    """A simulated network: it reads at a given speed, counts tokens, and can be interrupted."""

    speed: Speed
    n_read: int = 0
    n_moved: int = 0
    # The number of tokens in each reading for which no request waited.
    ahead: list[int] = field(default_factory=list)
    is_given_up: Callable[[], bool] = lambda: False
    can_move: bool = True
    caches: list[Kept] = field(default_factory=list)
    name, device, n_positions, n_parameters, has_drafts = "kept", "cpu", 4096, 0, True

    def cache(self) -> Kept:
        return Kept(self, [])


@dataclass(eq=False)
class Kept:
    """A cache that records its tokens."""

    machine: Machine
    held: list[int]

    @property
    def speed(self) -> Speed:
        return self.machine.speed

    @property
    def n_held(self) -> int:
        return len(self.held)

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        if self.machine.is_given_up():
            raise GivenUp
        self.held.extend(tokens)
        self.machine.n_read += len(tokens)
        if not n_last:
            self.machine.ahead.append(len(tokens))
        return [np.zeros(1, np.float32)] * n_last

    def crop(self, n_tokens: int) -> None:
        del self.held[n_tokens:]

    def beams(self) -> Beams:
        raise NotImplementedError

    def branch(self, n_tokens: int) -> Kept:
        assert n_tokens <= len(self.held)
        return Kept(self.machine, self.held[:n_tokens])

    def splice(self, start: int, n_removed: int, tokens: Sequence[int]) -> bool:
        assert start + n_removed <= len(self.held)
        if not self.machine.can_move:
            return False
        self.machine.n_moved += len(self.held) - start - n_removed
        self.machine.n_read += len(tokens)
        self.held[start : start + n_removed] = tokens
        return True

    def attend(self, is_given_up: Callable[[], bool]) -> None:
        self.machine.is_given_up = is_given_up


@dataclass
class Editor:
    """An editor with a document, and the readings of it."""

    file: str
    model: Model
    machine: Machine
    readings: Readings
    reader: PromptReader
    told: CrossFileTokens = NOTHING_TOLD

    @classmethod
    def of(cls, file: str, tokens_per_second: float = 100.0, *, can_move: bool = True) -> Editor:
        machine = Machine(Speed(each_of_many=1 / tokens_per_second), can_move=can_move)
        made = replace(tiny_model(), runtime=machine)
        model = replace(made, fim_format=replace(made.fim_format, order="prefix-suffix-middle"))
        reader = PromptReader(machine)
        return cls(file, model, machine, Readings(model, reader, machine.speed), reader)

    def ask(self, place: int, seconds: float | None = 0.8) -> tuple[Prompt, int]:
        """The prompt of a place, which the cache then holds, and the number of tokens that were read for
        it."""
        left, right = self.file[:place], self.file[place:]
        n_before = self.machine.n_read
        prompt = self.readings.prompt(left, right, ROOM, self.told, seconds)
        self.check(prompt, left, right)
        wanted = [*prompt.tokens, *prompt.pending]
        self.reader.prompt(wanted, 1, lambda: False)
        kept: Any = self.reader._cache
        assert kept.held == wanted == self.reader.tokens
        return prompt, self.machine.n_read - n_before

    def check(self, prompt: Prompt, left: str, right: str) -> None:
        """Checks that a prompt shows the end of the left side and the beginning of the right one."""
        model, tokens = self.model, prompt.tokens
        middle_at, suffix_at = tokens.index(model.middle or 0), tokens.index(model.suffix)
        prefix_at = tokens.index(model.prefix)
        shown = self.spelled([*tokens[prefix_at + 1 : suffix_at], *tokens[middle_at + 1 :], *prompt.pending])
        assert left.encode().endswith(shown)
        assert len(shown) >= min(len(left), FEWEST_SHOWN // 2)
        suffix = self.spelled(tokens[suffix_at + 1 : middle_at])
        # The prompt may leave out closers that an editor has put in front.
        assert right.encode().startswith(suffix) or suffix in right.encode()[:400]

    def spelled(self, tokens: Sequence[int]) -> bytes:
        return b"".join(self.model.token_bytes[token] for token in tokens)

    def rest(self, *, is_place_alone: bool = False) -> int:
        """Reads everything ahead, and returns the number of tokens."""
        n_before = self.machine.n_read
        for _ in range(1000):
            if not self.readings.read_ahead(is_place_alone):
                return self.machine.n_read - n_before
        raise AssertionError("reading ahead has no end")

    def edit(self, start: int, stop: int, new: str) -> None:
        self.file = self.file[:start] + new + self.file[stop:]


def line_ends(text: str) -> list[int]:
    return [place for place, sign in enumerate(text) if sign == "\n"]


def test_a_cold_place_is_shown_what_there_is_time_for() -> None:
    editor = Editor.of(FILE)
    _, n_read = editor.ask(9_000, seconds=0.8)
    assert FEWEST_SHOWN // 2 <= n_read <= FEWEST_SHOWN + 8
    _, n_slowly = Editor.of(FILE).ask(9_000, seconds=8.0)
    assert n_slowly > 300


def test_a_jump_in_a_file_that_was_read_reads_its_line_and_a_short_right_side() -> None:
    editor = Editor.of(FILE)
    editor.ask(3_000)
    editor.rest()
    for place in (2_000, 3_500, 1_200, 2_800):
        prompt, n_read = editor.ask(place)
        assert n_read <= 60
        assert len(prompt.tokens) > 200


def test_a_place_gets_more_once_no_request_waits() -> None:
    editor = Editor.of(FILE)
    poor, _ = editor.ask(9_000)
    editor.rest()
    rich, n_read = editor.ask(9_000)
    assert len(rich.tokens) > 5 * len(poor.tokens)
    assert n_read <= 8


def test_typing_reads_what_was_typed() -> None:
    editor = Editor.of(FILE)
    editor.ask(3_000)
    editor.rest()
    place = 3_000
    for sign in "value = other(thing":
        editor.edit(place, place, sign)
        place += 1
        _, n_read = editor.ask(place)
        assert n_read <= 12


def test_what_is_told_of_other_files_changes_behind_the_scenes() -> None:
    editor = Editor.of(FILE)
    editor.told = CrossFileTokens(editor.model.encode("class A: ...\n"), [], ())
    ends = line_ends(FILE)
    editor.ask(ends[100])
    editor.rest()
    n_front = len(editor.told.front)
    old, editor.told = editor.told, CrossFileTokens(editor.model.encode("class Other: ...\n"), [], ())
    prompt, n_read = editor.ask(ends[110])
    assert (prompt.tokens[:n_front], n_read < 200) == (old.front, True)
    assert editor.rest() > 500
    prompt, n_read = editor.ask(ends[60])
    assert (prompt.tokens[: len(editor.told.front)], n_read < 200) == (editor.told.front, True)
    # The old reading is dropped, and reading ahead ends.
    assert editor.rest() < 400
    assert {tuple(one.head[:-1]) for one in editor.readings._readings} == {tuple(editor.told.front)}


def test_a_cold_place_is_not_told_of_other_files_in_a_hurry() -> None:
    editor = Editor.of(FILE)
    editor.told = CrossFileTokens(editor.model.encode("class A: ...\n" * 40), [], ())
    prompt, n_read = editor.ask(9_000)
    assert (prompt.tokens[0], n_read < 60) == (editor.model.prefix, True)
    prompt, _ = editor.ask(5_000, seconds=None)
    assert prompt.tokens[: len(editor.told.front)] == editor.told.front


def test_where_the_user_rests_is_read_before_they_ask() -> None:
    editor = Editor.of(FILE)
    place = line_ends(FILE)[100]
    editor.readings.rests_at(FILE[:place], FILE[place:])
    assert editor.rest() > 500
    assert editor.ask(place)[1] < 200


def test_a_closer_that_the_editor_puts_in_has_nothing_read_again() -> None:
    editor = Editor.of(FILE)
    editor.ask(3_000)
    editor.rest()
    editor.ask(3_000)
    editor.edit(3_000, 3_000, "()")
    _, n_read = editor.ask(3_001)
    assert n_read <= 8


def test_what_stands_behind_an_edit_is_moved() -> None:
    editor = Editor.of(FILE)
    editor.ask(3_000)
    editor.rest()
    first = line_ends(FILE)[10]
    editor.edit(first, first, "\nadded = 1")
    _, n_read = editor.ask(3_500)
    assert editor.machine.n_moved > 300
    assert n_read <= 100


def test_where_nothing_can_be_moved_a_place_is_still_shown_something() -> None:
    editor = Editor.of(FILE, can_move=False)
    editor.ask(3_000)
    editor.rest()
    first = line_ends(FILE)[10]
    editor.edit(first, first, "\nadded = 1")
    _, n_read = editor.ask(3_500)
    assert n_read <= FEWEST_SHOWN + 60


def test_reading_ahead_has_an_end_and_is_bounded() -> None:
    editor = Editor.of(corpus()[0])
    editor.ask(40_000)
    assert editor.rest() <= 2_300
    assert editor.rest() == 0


def test_reading_ahead_is_given_up_and_goes_on() -> None:
    editor = Editor.of(FILE)
    editor.ask(3_000)
    editor.machine.is_given_up = lambda: True
    with pytest.raises(GivenUp):
        editor.readings.read_ahead()
    editor.machine.is_given_up = lambda: False
    editor.rest()
    _, n_read = editor.ask(2_000)
    assert n_read <= 60


def test_who_types_has_nothing_read_but_what_this_place_wants() -> None:
    editor = Editor.of(FILE)
    editor.ask(3_000)
    assert editor.rest(is_place_alone=True) > 0
    editor.told = CrossFileTokens(editor.model.encode("class A: ...\n"), [], ())
    editor.ask(3_000)
    (reading,) = editor.readings._readings
    assert (editor.rest(is_place_alone=True), reading.stop) == (0, FILE.rfind("\n", 0, 3_000) + 1)
    assert editor.rest() > 0
    anew = [one for one in editor.readings._readings if one.head[:-1] == editor.told.front]
    assert [one.stop > 3_000 for one in anew] == [True]


def test_what_is_read_ahead_begins_with_small_pieces_behind_each_key() -> None:
    """A key would interrupt a large piece and lose it; large pieces are cheaper while the user rests."""
    editor = Editor.of(FILE)
    editor.ask(3_000)
    pieces = editor.machine.ahead
    for comes in ("nothing", "a rest", "a key"):
        pieces.clear()
        for _ in range(6):
            editor.readings.read_ahead()
        assert pieces == [FIRST_PIECE] * N_FIRST + [PIECE] * (6 - N_FIRST), comes
        if comes == "nothing":
            editor.readings.rests_at(FILE[:3_000], FILE[3_000:])
        if comes == "a rest":
            editor.machine.is_given_up = lambda: True
            with pytest.raises(GivenUp):
                editor.readings.read_ahead()
            editor.machine.is_given_up = lambda: False


def test_a_text_that_lost_its_memory_is_chosen_anew() -> None:
    editor = Editor.of(FILE)
    editor.ask(3_000)
    editor.rest()
    editor.ask(3_000)
    kept: Any = editor.reader._cache
    kept.held.clear()
    prompt, n_read = editor.ask(3_000)
    assert n_read <= 100
    assert len(prompt.tokens) > 200


def test_in_a_patient_request_everything_is_read() -> None:
    editor = Editor.of(FILE)
    prompt, _ = editor.ask(9_000, seconds=None)
    assert len(prompt.tokens) > 800
    assert (
        prompt.tokens.index(editor.model.middle or 0) - prompt.tokens.index(editor.model.suffix) > N_RIGHT[1]
    )


@pytest.mark.parametrize("seed", range(n_tries(3, 6)))
def test_prompts_are_right_whatever_is_done(seed: int) -> None:
    rng = random.Random(seed)
    editor = Editor.of(rng.choice(corpus())[:9_000], rng.choice([40.0, 200.0]), can_move=rng.random() < 0.8)
    place = rng.randrange(len(editor.file))
    for _ in range(60):
        match rng.randrange(7):
            case 0:
                place = rng.randrange(len(editor.file) + 1)
            case 1 | 2:
                new = rng.choice(["x", "\n    ", "naïve = 'ü€😀'\n", "(", "    if a:\n        b()\n"])
                editor.edit(place, place, new)
                place += len(new)
            case 3:
                start = max(0, place - rng.choice([1, 5, 400]))
                editor.edit(start, place, "")
                place = start
            case 4:
                somewhere = rng.randrange(len(editor.file) + 1)
                editor.edit(somewhere, min(len(editor.file), somewhere + rng.choice([0, 30])), "y = 1\n")
                place = min(place, len(editor.file))
            case 5:
                for _ in range(rng.randrange(n_tries(3, 6))):
                    editor.readings.read_ahead()
            case _:
                for kept in [one.cache for one in editor.readings._readings if rng.random() < 0.3]:
                    assert isinstance(kept, Kept)
                    kept.held.clear()
        editor.ask(place, rng.choice([0.2, 0.8, 3.0, None]))
        for reading in editor.readings._readings:
            assert editor.spelled(reading.tokens).decode() == reading.text
            assert (
                editor.file[reading.start : reading.stop] == reading.text
                or editor.readings._file != editor.file
            )
            n_behind_head = max(0, reading.cache.n_held - len(reading.head))
            held: Any = reading.cache
            assert held.held[len(reading.head) :] == reading.tokens[:n_behind_head]


def test_the_stub_is_one_of_those_that_are_kept() -> None:
    assert isinstance(Editor.of(FILE).machine.cache(), KeptCache)
