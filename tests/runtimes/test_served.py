"""Models behind servers: their texts fit as any others, and how they are named and recognized."""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest

from fim_lsp.decoding.choices.choice import Turn
from fim_lsp.decoding.endings.steering import N_STEERED, Steering
from fim_lsp.decoding.models.model import ModelError, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.hypothesis import Hypothesis
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.fim_formats import format_named_in
from fim_lsp.memory.workspace import Workspace
from fim_lsp.runtimes.served import llama_server
from fim_lsp.runtimes.served.address import KEY_VARIABLE, PLACE_VARIABLE, address_of
from fim_lsp.runtimes.served.finding import chosen_model
from fim_lsp.runtimes.served.ollama import N_POSITIONS, Ollama
from fim_lsp.runtimes.served.runtime import ServedRows, ServedRuntime
from fim_lsp.runtimes.served.spoken import Piece, Spelled, SpokenServer
from fim_lsp.server.worker.with_model import WithModel
from quotient import Language
from tests.models import tiny_model
from tests.runtimes.served_holes import HOLES, PATHS, SHORT, served, texts
from tests.served_models import Handler, Misbehaviour, ServedModel, serving
from tests.thoroughness import n_tries


def test_llama_server_writes_what_the_network_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    # A network that never ends is ended where an end is least unlikely, which requires all probabilities.
    monkeypatch.setattr(llama_server, "N_LIKELIEST", len(tiny_model().vocabulary))
    with served() as (server, model):
        for left, right in HOLES:
            assert texts(model, left, right) == texts(tiny_model(), left, right)
        assert server.n_written > 12


def test_a_project_is_remembered_without_asking_the_server() -> None:
    line = "result = compute(first, second)"
    lines = "".join(f"value_{number} = compute({number})\n" for number in range(50))
    with served() as (server, model):
        completer = WithModel("served", model, 1)
        memory = completer.memory
        n_asked = len(server.asked)
        memory.workspace = Workspace.of_texts(
            [("file:///b.py", lines + line + "\n")], memory.encode, memory.n_vocabulary
        )
        recall = memory.recall("file:///a.py", f"{lines}result =", "\n", 0)
        drafted = recall.draft([], 8)
        assert len(server.asked) == n_asked
        assert b"".join(model.token_bytes[token] for token in drafted).startswith(b" compute(")


@pytest.mark.parametrize("kind", ["completions", "ollama"])
def test_what_memory_is_sure_of_is_not_asked_for_where_a_server_tells_text_alone(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = "result = compute(first_value, second_value)\n"
    left, right = f"def f(first_value, second_value):\n    {line}    again = 1\n    result =", "\n"
    options = Options(max_tokens=24, multi_line=False)

    def written(is_asked: bool) -> tuple[list[str], int]:
        with served(kind, has_logprobs=False) as (server, model):
            memory = WithModel("served", model, 1).memory
            texts_of_project = [("file:///b.py", f"def g():\n    {line}" * 3)]
            memory.workspace = Workspace.of_texts(texts_of_project, memory.encode, memory.n_vocabulary)
            if is_asked:
                monkeypatch.setattr(ServedRows, "is_question", lambda _self, _index: False)
            found = texts(
                model, left, right, options, remembers=partial(memory.recall, "file:///a.py", left, right)
            )
            return found, sum(path == PATHS[kind] for path, _ in server.asked)

    told, n_asked = written(is_asked=False)
    assert told[0].startswith(" compute(first_value, second_value)")
    same, n_asked_for_each = written(is_asked=True)
    assert told == same
    # The random model never agrees, so each token of the line is a request of its own.
    assert n_asked <= n_asked_for_each - 4


def test_the_likeliest_tokens_are_mostly_enough() -> None:
    same: list[bool] = []
    with served() as (server, model):
        for left, right in HOLES:
            recognizer = Language.load("python", version="3.11").recognizer(left, right)
            _, there = DecodingSession(model).trace(CompletionRequest(left, right, recognizer, SHORT))
            _, here = DecodingSession(tiny_model()).trace(CompletionRequest(left, right, recognizer, SHORT))
            # A typed text that no likely token spells may be spelled otherwise, and then all differs.
            same += [ours.token == theirs.token for ours, theirs in zip(here, there, strict=False)]
    assert sum(same) >= len(same) * 2 // 3
    asked = [body for path, body in server.asked if path == "/completion"]
    drafts = [body for body in asked if body.get("stream")]
    assert all(body["n_probs"] <= len(tiny_model().vocabulary) for body in drafts)
    # A slot of the server keeps its cache, so a document stays with its slot.
    assert {body["id_slot"] for body in drafts} <= {0, 1}


@pytest.mark.parametrize("kind", ["llama-server", "completions", "ollama", "vllm"])
@pytest.mark.parametrize("has_logprobs", [True, False])
def test_everything_that_is_offered_parses(kind: str, has_logprobs: bool) -> None:
    n_offered = 0
    with served(kind, has_logprobs=has_logprobs) as (_, model):
        for left, right in HOLES[: n_tries(3, 6)]:
            for text in texts(model, left, right, Options(max_tokens=16)):
                n_offered += 1
                ast.parse(left + text + right)
    assert n_offered


def test_a_draft_is_held_to_all_that_has_to_come_first() -> None:
    """Its first token alone is not enough: `\\n` must be followed by the blanks left of the cursor."""
    tokens = {5: b"\n", 6: b"\n ", 7: b"\n  return"}
    held = llama_server.begun_with_one_of(tokens, b"\n  ")["grammar"]
    assert held == r'root ::= (<[5]> "\U00000020\U00000020" | <[6]> "\U00000020" | <[7]>) [^\x00]*'
    assert llama_server.beginning_grammar("é".encode()[:1]) == {}


@pytest.mark.parametrize(
    ("n_told", "pending", "is_enough"),
    [(N_STEERED, b"", True), (N_STEERED - 1, b"", False), (20, b" ", False)],
)
def test_the_way_out_asks_for_no_more_tokens_than_it_tries(
    n_told: int, pending: bytes, is_enough: bool
) -> None:
    model, options = tiny_model(), Options(max_tokens=4)
    hypothesis = Hypothesis(Language.load("python").recognizer("x = (", "\n"), pending)
    steering = Steering.of(hypothesis, options, model, None)
    row = np.full(len(model.vocabulary), -np.inf, np.float32)
    # The value for all other tokens, and the reported ones.
    row[: 1 + n_told] = -1.0
    turn = Turn(hypothesis, row, is_member=False)
    assert not steering.has_tried_enough(turn)
    steering.is_connecting = True
    assert steering.has_tried_enough(turn) == is_enough


def test_a_draft_that_is_refused_is_not_written_on() -> None:
    left, right = HOLES[0]
    with served() as (server, model):
        texts(model, left, right, Options(max_tokens=2))
        time.sleep(0.2)
        n_written = server.n_written
        time.sleep(0.2)
        assert server.n_written == n_written
    n_asked = sum(path == "/completion" for path, _ in server.asked)
    assert n_written < n_asked * llama_server.N_DRAFTED


def test_a_key_goes_to_the_server_and_is_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "hunter2")
    with served(key="hunter2") as (_, model):
        assert texts(model, *HOLES[0])
        assert "hunter2" not in repr(model.runtime) + model.name
        monkeypatch.setenv(KEY_VARIABLE, "")
        with pytest.raises(ModelError, match="401 no key"):
            load_model(model.name)


def test_a_key_that_is_for_one_server_goes_to_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "hunter2")
    with served(key="hunter2") as (server, model):
        for meant in (model.name, f"{model.name}/v1#coder", f" {model.name.replace('http', 'HTTP')} "):
            monkeypatch.setenv(PLACE_VARIABLE, meant)
            assert texts(load_model(model.name), *HOLES[0])
        server.key = ""
        for meant in ("https://127.0.0.1", "http://127.0.0.1", model.name.replace("127.0.0.1", "localhost")):
            monkeypatch.setenv(PLACE_VARIABLE, meant)
            assert address_of(model.name).key == ""
    for meant in ("models.example", "http://models.example:99999", "ftp://models.example", "key"):
        monkeypatch.setenv(PLACE_VARIABLE, meant)
        with pytest.raises(ModelError, match="FIM_LSP_API_KEY_FOR is no server's address"):
            address_of("https://models.example")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("http://localhost:11434/v1/#qwen2.5-coder:1.5b", "http://localhost:11434#qwen2.5-coder:1.5b"),
        ("https://models.example/base/", "https://models.example:443/base"),
        ("http://[::1]:80", "http://[::1]:80"),
    ],
)
def test_addresses(name: str, shown: str) -> None:
    assert str(address_of(name)) == shown
    assert address_of(name).is_local == ("models.example" not in name)


@pytest.mark.parametrize(
    "name", ["http://", "http://user:secret@host", "http://host:99999", "http://host/?a=b"]
)
def test_what_is_no_address_is_refused_in_a_sentence(name: str) -> None:
    with pytest.raises(ModelError, match="address"):
        load_model(name)


def test_the_model_is_named_where_there_are_several() -> None:
    assert (
        chosen_model(address_of("http://h#qwen2.5-coder"), ["llama3:8b", "qwen2.5-coder:1.5b"])
        == "qwen2.5-coder:1.5b"
    )
    assert chosen_model(address_of("http://h"), ["only"]) == "only"
    with pytest.raises(ModelError, match="several models"):
        chosen_model(address_of("http://h"), ["one", "two"])
    with pytest.raises(ModelError, match="has one, two"):
        chosen_model(address_of("http://h#three"), ["one", "two"])


def test_a_model_that_cannot_fill_in_is_refused() -> None:
    with serving(ServedModel(tiny_model(), "completions", name="gpt-oss")) as address:
        with pytest.raises(ModelError, match="gpt-oss"):
            load_model(address)
        assert load_model(address, fim={"format": "santacoder"}).name == address


@pytest.mark.parametrize(
    ("name", "family"),
    [
        ("Qwen2.5-Coder-1.5B-Q8_0.gguf", "qwen"),
        ("qwen2.5-coder:1.5b", "qwen"),
        ("bigcode/starcoder2-3b", "starcoder2"),
        ("starcoder:7b", "starcoder"),
        ("deepseek-coder:1.3b-base", "deepseek"),
        ("llama3:8b", None),
    ],
)
def test_families_by_name(name: str, family: str | None) -> None:
    found = format_named_in(name)
    assert (found and found.name) == family


def test_signs_for_the_model_in_a_file_are_text() -> None:
    left, right = "sign = '<fim-middle>", "'\n"
    with served("completions") as (server, model):
        texts(model, left, right)
        prompts = [body["prompt"] for path, body in server.asked if path == "/v1/completions"]
    assert all(prompt.count("<fim-middle>") == 1 for prompt in prompts[1:])


@pytest.mark.parametrize("has_logprobs", [True, False])
def test_ollama_writes_what_is_likeliest_also_again(has_logprobs: bool) -> None:
    """By default Ollama penalizes recent tokens, even at temperature 0."""
    for hole in HOLES[: n_tries(3, 6)]:
        found = []
        for kind in ("ollama", "completions"):
            with served(kind, has_logprobs=has_logprobs) as (server, model):
                found.append(
                    (texts(model, *hole), [path == PATHS[kind] for path, _ in server.asked].count(True))
                )
        (ours, n_asked), (theirs, n_asked_there) = found
        # Each server was asked once whether it reports probabilities.
        assert (ours, n_asked) == (theirs, n_asked_there)


def test_an_answer_of_ollama_is_read_to_its_end_and_the_next_one_asked_for_behind_it() -> None:
    """Ollama may block for good if a client disconnects while a token is sent."""
    under_way: list[str] = []
    n_at_once: list[int] = []
    n_whole: list[str] = []

    def answer(handler: Handler) -> None:
        def lines() -> Iterator[bytes]:
            for _ in range(10):
                n_at_once.append(len(under_way))
                yield b'{"response": "a"}'

        under_way.append(handler.path)
        handler.send_lines(lines())
        n_whole.append(handler.path)
        under_way.remove(handler.path)

    with served("ollama") as (server, model):
        server.misbehaviours[PATHS["ollama"]] = answer
        server.asked.clear()
        teller = Ollama(address_of(model.name), "santacoder:latest", 512)
        first, second, third = (teller.pieces("x", 40, None) for _ in range(3))
        assert next(first).text == b"a"
        first.close()
        with ThreadPoolExecutor(2) as threads:
            rest = [threads.submit(list, one) for one in (second, third)]
            # It was cancelled before its turn.
            second.close()
            assert [piece.text for piece in first] == [b"a"] * 9
            assert [len(one.result()) for one in rest] == [0, 10]
    assert (len(server.asked), len(n_whole), max(n_at_once)) == (2, 2, 1)


@pytest.mark.parametrize(("window", "expected"), [(512, 512), (32_768, N_POSITIONS), (None, N_POSITIONS)])
def test_ollama_is_told_no_more_than_its_model_reads(window: int | None, expected: int) -> None:
    """Ollama would silently cut the prompt: a model of 1,024 tokens then wrote an end."""

    def show(handler: Handler) -> None:
        told = {"general.architecture": "qwen2", "qwen2.context_length": window}
        handler.send_json({"model_info": told if window else {}})

    def end(handler: Handler) -> None:
        handler.send_lines(iter([b'{"response": "", "done": true}']))

    misbehaviours: dict[str, Misbehaviour] = {"/api/show": show, PATHS["ollama"]: end}
    served_model = ServedModel(tiny_model(), "ollama", misbehaviours=misbehaviours)
    with serving(served_model) as address:
        model = load_model(address)
        assert model.n_positions == expected
        texts(model, "value = compute(first, second)\n" * 2000 + "x = ", "\n")
    _, body = served_model.asked[-1]
    assert body["options"]["num_ctx"] == expected
    assert expected // 2 < len(model.encode(body["prompt"])) <= expected


def test_an_end_that_a_server_spells_is_an_end_and_other_signs_are_no_text() -> None:
    """Ollama spells an end among the likely tokens; read as text, it would be a `<`, and texts would not end
    in time."""
    with served("ollama") as (_, model):
        assert isinstance(model.runtime, ServedRuntime)
        server = model.runtime.server
        assert isinstance(server, SpokenServer)
        told = [(b"<|endoftext|>", -0.1), (b"<fim-prefix>", -0.5), (b"x", -3.0)]
        (drafted,) = Spelled(server.spelling, iter([Piece(b"x", told)]), server.fim_format)  # type: ignore[arg-type]
        likeliest = dict(drafted.likeliest)
        (x,) = server.spelling.spelling_tokens(b"x")
        assert likeliest == {server.spelling.end: -0.1, x: -3.0}
