"""A replayed editing session, as a quick sample; `make verify` runs a long one."""

from __future__ import annotations

import asyncio
import json
import random
from itertools import islice
from pathlib import Path

import pytest

from benches.server import TARGETS, main
from tests.scripted.worker import WITNESS
from tests.sessions.client import SCRIPTED, Client
from tests.sessions.editor import Editor
from tests.sessions.large import Typist, large_source
from tests.sessions.play import VERSION, Played, Player
from tests.sessions.report import Sample, growth, latency_table, quantile
from tests.sessions.script import functions, sources
from tests.thoroughness import n_tries

N_KEYSTROKES = n_tries(60, 150, least=60)


def played(n_keystrokes: int, encoding: str, seed: int) -> Played:
    async def session() -> Played:
        client = await Client.start(command=SCRIPTED, stderr=asyncio.subprocess.DEVNULL)
        await client.initialize(
            {"model": WITNESS, "pythonVersion": VERSION},
            {"general": {"positionEncodings": [encoding]}, "textDocument": {"inlineCompletion": {}}},
        )
        player = Player(client, Editor(client, encoding), random.Random(seed))
        result = await player.play(sources(), n_keystrokes)
        assert await client.stop() == 0
        return result

    return asyncio.run(session())


@pytest.mark.parametrize(("encoding", "seed"), [("utf-8", 1), ("utf-16", 2), ("utf-32", 3)])
def test_a_session_keeps_every_promise(encoding: str, seed: int) -> None:
    """The promises are checked during the session; see tests/sessions/play.py."""
    result = played(N_KEYSTROKES, encoding, seed)
    print(latency_table(result))
    assert result.n_keystrokes == N_KEYSTROKES
    assert result.counts["offered"] > n_tries(1, 20)


@pytest.mark.long
@pytest.mark.parametrize(("encoding", "seed"), [("utf-8", 11), ("utf-16", 12), ("utf-32", 13)])
def test_a_long_session_keeps_every_promise(encoding: str, seed: int) -> None:
    result = played(2_000, encoding, seed)
    print(latency_table(result))
    assert result.n_keystrokes == 2_000


def test_the_five_files_have_every_kind_of_line_end_and_character() -> None:
    texts = [source.text for source in sources()]
    assert len(texts) == 5
    everything = "".join(texts)
    for needed in ("\r\n", "\f", "\u2028", "😀"):
        assert needed in everything
    assert any("\r" in text and "\n" not in text for text in texts)
    assert all(len(functions(text)) > 3 for text in texts)


def test_growth_and_quantiles_are_counted_right() -> None:
    samples = [Sample(float(second), 100, 100 if second < 20 else 110) for second in range(30)]
    assert growth(samples) == pytest.approx(0.05)
    assert quantile([3.0, 1.0, 2.0], 0.5) == 2.0
    assert quantile([1.0], 0.99) == 1.0


def test_the_keys_in_a_large_file_are_those_of_one_text() -> None:
    source = large_source()
    assert source.text.count("\n") >= 5_000
    typist = Typist(source.text, random.Random(4))
    text = source.text
    for key in islice(typist.day(), 700):
        assert 0 <= key.start <= key.stop <= len(text)
        text = text[: key.start] + key.new + text[key.stop :]
        assert text == typist.text
        assert 0 <= key.cursor <= len(text)
    # All text that is open at the end was begun in the last round.
    assert len(text) - len(source.text) < 500


def test_the_server_s_bench_measures_every_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    results = tmp_path / "server.json"
    # The figures are those of a busy machine, so the targets are not checked here.
    assert main(["--keys", "130", "--starts", "2", "--results", str(results)]) in (0, 1)
    figures = json.loads(results.read_text("utf-8"))["figures"]
    assert {target.name for target in TARGETS} <= set(figures)
    assert figures["a key, over all, number"][0] == 130
    assert all(value > 0 for value, _ in figures.values())
    assert "a key, over all, p95" in capsys.readouterr().out
