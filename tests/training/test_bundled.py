"""The bundled model: small, complete, licensed, prompted in its own format, and as good as its card says."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from transformers import AutoModelForCausalLM, AutoTokenizer

from fim_lsp.bundled_models import BUNDLED, BUNDLED_OF_BRACES
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.known_languages import language_named
from fim_lsp.models import model_at
from training.card import BEGIN, END, tables, update_card
from training.evaluate import Evaluation, Figures, evaluate, losses
from training.evaluate_languages import languages_table
from training.export import MAX_BYTES
from training.holes import held_out_package_texts
from training.picture import draw_losses
from training.progress import Progress

ROOT = Path(__file__).parents[2]
CARD = ROOT / "docs" / "model-card.md"
BOTH = pytest.mark.parametrize("folder", [BUNDLED, BUNDLED_OF_BRACES], ids=["python", "braces"])


@pytest.fixture(scope="module")
def model() -> Model:
    return load_model()


@pytest.fixture(scope="module")
def figures() -> Figures:
    read: Figures = json.loads((ROOT / "training" / "figures.json").read_text())
    return read


@BOTH
def test_it_is_small_and_complete(folder: Path) -> None:
    files = {path.name: path.stat().st_size for path in folder.iterdir()}
    wanted = {"config.json", "generation_config.json", "model.safetensors", "model.onnx", "tokenizer.json"}
    assert files.keys() == wanted | {"tokenizer_config.json", "LICENSE", "README.md"}
    assert sum(files.values()) <= MAX_BYTES == 32 * 2**20


@BOTH
def test_it_carries_its_licence_and_its_card(folder: Path) -> None:
    assert (folder / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()
    assert (folder / "README.md").read_bytes() == CARD.read_bytes()


@BOTH
def test_it_is_found_by_its_files_as_a_model_of_santacoders_format(folder: Path) -> None:
    found = model_at(folder / "config.json")
    assert found is not None
    assert (found.architecture, found.fim_format) == ("Qwen3ForCausalLM", "santacoder")


@BOTH
def test_transformers_loads_it_without_a_network_and_without_code_of_ours(folder: Path) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    network = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True)
    assert network.config.model_type == "qwen3"
    assert network.config.num_key_value_heads == 1
    assert 8192 <= len(tokenizer) == network.config.vocab_size <= 16384
    for token in ("<fim-prefix>", "<fim-middle>", "<fim-suffix>", "<fim-pad>", "<|endoftext|>"):
        assert tokenizer.encode(token) == [tokenizer.convert_tokens_to_ids(token)], token
    assert tokenizer.eos_token == "<|endoftext|>"
    assert network.generation_config.eos_token_id == tokenizer.eos_token_id


@BOTH
@pytest.mark.parametrize("text", ["def f(x):\n\treturn 'é€😀'\r\n", "", "\x00\x7f", "<fim-prefix", "   \n"])
def test_its_tokenizer_gives_texts_back(folder: Path, text: str) -> None:
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text


def nats(model: Model, ids: list[int], n_given: int) -> float:
    """The mean loss of the tokens behind the given ones."""
    return mean(losses(model, ids, n_given))


LEFT = """\
class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        """
MIDDLE = "self.balance = balance"
RIGHT = "\n\n    def deposit(self, amount):\n        self.balance += amount\n"


def test_a_likely_middle_costs_less_than_an_unlikely_one(model: Model) -> None:
    end = min(model.ends)
    prompt = [model.prefix, model.suffix, *model.encode(RIGHT), int(model.middle or 0), *model.encode(LEFT)]
    costs = {
        middle: nats(model, [*prompt, *model.encode(middle), end], len(prompt))
        for middle in (MIDDLE, "import balance")
    }
    assert costs[MIDDLE] < 0.7 * costs["import balance"]


def test_both_orders_are_understood(model: Model) -> None:
    """The loss is far from that of guessing, and of a model that has never seen the special tokens."""
    end = min(model.ends)
    left, right, middle = model.encode(LEFT), model.encode(RIGHT), [*model.encode(MIDDLE), end]
    mark = int(model.middle or 0)
    suffix_first = [model.prefix, model.suffix, *right, mark, *left]
    prefix_first = [model.prefix, *left, model.suffix, *right, mark]
    for prompt in (suffix_first, prefix_first):
        assert nats(model, [*prompt, *middle], len(prompt)) < 0.5 * math.log(len(model.vocabulary))


BRACES = {
    "go": ("package a\n\nfunc f() error {\n\tif err := g(); err != nil {\n\t\t", "return err", "\n\t}\n"),
    "java": ("class A {\n    int count;\n    int getCount() {\n        ", "return count;", "\n    }\n}\n"),
    "javascript": ("function add(a, b) {\n  ", "return a + b;", "\n}\n"),
    "typescript": ("export function add(a: number, b: number): number {\n  ", "return a + b;", "\n}\n"),
}


def cost(model: Model, left: str, middle: str, right: str) -> float:
    """The loss of a middle, in nats."""
    prompt = [model.prefix, model.suffix, *model.encode(right), int(model.middle or 0), *model.encode(left)]
    return sum(losses(model, [*prompt, *model.encode(middle)], len(prompt)))


@pytest.mark.parametrize("language", BRACES)
def test_the_other_one_knows_its_languages(language: str) -> None:
    """The likely line has a much smaller loss than a line of Python, and than with the model of Python."""
    left, middle, right = BRACES[language]
    model = load_model(known_language=language_named(language))
    found = cost(model, left, middle, right)
    assert found < 0.6 * cost(model, left, "def f(self):", right)
    assert found < cost(load_model(), left, middle, right)


def test_the_card_says_what_was_measured_of_the_other_one() -> None:
    read: Figures = json.loads((ROOT / "training" / "figures_braces.json").read_text())
    assert languages_table(read) in CARD.read_text()
    assert set(read) == set(BRACES)
    for row in read.values():
        assert row["bits per byte"] < 1.6
        assert row["exact match"] > 0.03


def test_the_card_says_what_was_measured(figures: Figures) -> None:
    assert tables(figures) in CARD.read_text()
    assert figures["standard library, constrained"]["holes"] == 500
    assert figures["HumanEval single line, none"]["holes"] == 1033


def test_the_grammar_keeps_every_file_parsing(figures: Figures) -> None:
    """Every offered completion; a hole that nothing fits would count as a failure, too."""
    for name, row in figures.items():
        if name.endswith("constrained") or name.startswith("package "):
            assert row["file parses"] == 1.0, name


def test_the_sources_are_listed_with_permissive_licences() -> None:
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \| \d+ \| \d+ \|$",
        (ROOT / "training" / "SOURCES.md").read_text(),
        re.MULTILINE,
    )
    assert len(rows) > 100
    assert not [row for row in rows if re.search(r"GPL|MPL|GNU", row[2])]


def test_a_small_evaluation_repeats_the_bits_per_byte(
    figures: Figures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first few windows only; all of them give the card's figure."""
    metadata, texts = tmp_path / "httpie-1.0.dist-info", Path(json.__file__).parent
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.4\nName: httpie\nVersion: 1.0\n")
    (metadata / "RECORD").write_text("".join(f"httpie/{name},,\n" for name in ("decoder.py", "tests/x.py")))
    (tmp_path / "httpie" / "tests").mkdir(parents=True)
    for path in ("decoder.py", "tests/x.py"):
        (tmp_path / "httpie" / path).write_text((texts / "decoder.py").read_text())
    assert [len(found) for found in held_out_package_texts(tmp_path, 5).values()] == [1]
    monkeypatch.setattr("training.evaluate.N_PACKAGE_HOLES", 2)
    measured = evaluate(Evaluation(BUNDLED, 2, 4, tmp_path / "missing", tmp_path), Progress("evaluate"))
    assert measured["standard library, constrained"]["holes"] == 2
    assert measured["package httpie 1.0"]["holes"] == 2
    assert 0.6 < measured["package httpie 1.0"]["bits per byte"] < 2.5
    assert measured["ends by itself"]["within tokens"] == 64
    assert f"| httpie 1.0 | {measured['package httpie 1.0']['bits per byte']:.3f} |" in tables(measured)
    assert "HumanEval single line, none" not in measured
    of_card = figures["bits per byte"]["left to right"]
    assert 0.6 * of_card < measured["bits per byte"]["left to right"] < 1.6 * of_card


def test_tables_are_written_between_the_marks_of_a_card(figures: Figures, tmp_path: Path) -> None:
    card = tmp_path / "card.md"
    card.write_text(f"before\n{BEGIN}\nold\n{END}\nbehind\n")
    update_card(card, tables(figures))
    update_card(card, tables(figures))
    assert card.read_text() == f"before\n{BEGIN}\n\n{tables(figures)}\n{END}\nbehind\n"
    card.write_text("a card without marks\n")
    with pytest.raises(ValueError, match="no place for figures"):
        update_card(card, tables(figures))


def test_the_same_losses_give_the_same_picture(tmp_path: Path) -> None:
    rows: list[dict[str, Any]] = [{"tokens": 4096 * step, "loss": 9.0 - step / 20} for step in range(1, 60)]
    (tmp_path / "losses.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    branch = [{"tokens": 4096 * step, "loss": 7.0} for step in range(40, 50)]
    (tmp_path / "branch.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in branch))
    (tmp_path / "joined.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in [*rows[:39], *branch]))
    pictures = [tmp_path / name for name in ("one.svg", "other.svg", "branch.svg", "joined.svg")]
    missing = tmp_path / "missing.jsonl"
    draw_losses(tmp_path / "losses.jsonl", missing, pictures[0])
    draw_losses(tmp_path / "losses.jsonl", missing, pictures[1])
    draw_losses(tmp_path / "losses.jsonl", tmp_path / "branch.jsonl", pictures[2])
    draw_losses(tmp_path / "joined.jsonl", missing, pictures[3])
    texts = [picture.read_bytes() for picture in pictures]
    assert texts[0] == texts[1] != texts[2] == texts[3]
    assert "millions of tokens" in pictures[0].read_text()
