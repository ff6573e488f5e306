"""`python -m benches.decoding`: what the engine, the cache and the drafts do to the speed of a model.

Each cost is compared with a step of the network in the same run. The networks are SantaCoder's architecture
at its full size, with random weights, and the bundled model. The networks are led, so that the engine sees
real code whatever the weights are: they compute as usual, and then the next token of the true middle is made
the most probable one. Times are processor times of the one thread that decodes, because other programs use
the machine.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import torch

from benches.report import reported
from benches.targets import Target
from fim_lsp.bundled_models import BUNDLED
from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.models.runtime_wishes import RuntimeWishes
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.prompts.prompt import Window
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.runtimes.pytorch import TorchRuntime
from fim_lsp.runtimes.runtime import Beams, Cache, Rows, Runtime
from quotient import Language, Vocabulary
from tests.laws.sources import library_text

Figures = dict[str, tuple[float, str]]
# SantaCoder, from its published configuration.
SANTACODER = {"n_embd": 2048, "n_layer": 24, "n_head": 16, "n_positions": 2048, "n_inner": 8192}
TARGETS = (
    Target("constraint, share of a step of SantaCoder's architecture", "%", 3),
    Target("constraint, share of a step of the bundled model", "%", 10),
    Target("prompt computed again after 5 characters, worst", "%", 10),
    Target("tokens a second without drafts, times model.generate", "x", 0.97, at_least=True),
    Target("tokens a second with drafts on repetitive code, times model.generate", "x", 1.3, at_least=True),
)
CODE = """class Settings:
    def __init__(self, values):
        self.name = values.get("name", None)
        self.title = values.get("title", None)
        self.width = values.get("width", None)
        self.height = values.get("height", None)
"""
REPETITIVE = """\
        self.colour = values.get("colour", None)
        self.border = values.get("border", None)
"""
BEHIND = "\n    def area(self):\n        return self.width * self.height\n"


@dataclass(slots=True)
class Led:
    """A runtime that computes as another one does and then prefers the tokens of a given text. It records the
    other's time."""

    runtime: Runtime
    n_prompt: int
    wanted: list[int]
    seconds: float = 0.0
    name: str = "led"
    device: str = "cpu"
    has_drafts: bool = True

    @property
    def n_positions(self) -> int:
        return self.runtime.n_positions

    @property
    def n_parameters(self) -> int:
        return self.runtime.n_parameters

    def cache(self) -> Cache:
        return LedCache(self, self.runtime.cache())


@dataclass(slots=True)
class LedCache:
    led: Led
    cache: Cache
    n_tokens: int = 0

    def read(self, tokens: Sequence[int], n_last: int) -> Rows:
        start = time.thread_time()
        computed = self.cache.read(tokens, n_last)
        rows = [computed[index].copy() for index in range(len(computed))]
        self.led.seconds += time.thread_time() - start
        self.n_tokens += len(tokens)
        for index, row in enumerate(rows):
            place = self.n_tokens - len(rows) + index + 1 - self.led.n_prompt
            if 0 <= place < len(self.led.wanted):
                row[self.led.wanted[place]] = 1e4
        return rows

    def crop(self, n_tokens: int) -> None:
        self.cache.crop(n_tokens)
        self.n_tokens = n_tokens

    def beams(self) -> Beams:
        return self.cache.beams()


@dataclass(frozen=True, slots=True)
class CompletionSeconds:
    """Processor seconds of a completion: of the network, of everything, and of everything behind the
    prompt."""

    network: float
    total: float
    n_tokens: int

    @property
    def beside(self) -> float:
        """Seconds per token outside the network."""
        return (self.total - self.network) / self.n_tokens


def led_run(
    model: Model, left: str, middle: str, right: str, constraint: Any, context: int, n_tokens: int = 200
) -> CompletionSeconds:
    """Decodes a true middle token by token, behind a prompt that was read before."""
    options = Options(constraint=constraint, scope="free", drafts=False)
    options = replace(options, context_tokens=context, max_tokens=min(200, model.n_positions // 2))
    recognizer = None
    if constraint != "none":
        recognizer = Language.load("python", version="3.11").recognizer(left, right)
    n_shown = min(context, model.n_positions - options.max_tokens - 8) - 4
    prompt = Window(model).prompt(left, right, n_shown)
    wanted = [*prompt.pending, *model.encode(middle)][: options.max_tokens]
    options = replace(options, max_tokens=min(n_tokens, len(wanted)))
    led = Led(model.runtime, len(prompt.tokens), wanted)
    session = DecodingSession(replace(model, runtime=led))
    session.reader.prompt([*prompt.tokens, *prompt.pending], 1, lambda: False)
    led.seconds, n_read = 0.0, session.reader.n_computed
    start = time.thread_time()
    session.complete(CompletionRequest(left, right, recognizer, options))
    total = time.thread_time() - start
    # Steps are counted, not tokens of the answer: a text that ends before its last tokens has paid for them,
    # too.
    return CompletionSeconds(led.seconds, total, max(1, session.reader.n_computed - n_read))


def constraint_costs(model: Model, name: str, n_runs: int, context: int) -> Figures:
    """The cost of the same middles with the engine and without it."""
    shares, steps = [], []
    for seed in range(n_runs):
        text = library_text(6_000, seed=seed)
        start = text.index("\n", len(text) // 2) + 1
        stop = text.index("\n", start + 120)
        parts = text[:start], text[start:stop], text[stop:]
        kept = led_run(model, *parts, "constrained", context)
        # Both middles are equally long, because work that is done once per text weighs more in a shorter one.
        free = led_run(model, *parts, "none", context, kept.n_tokens)
        step = kept.network / kept.n_tokens
        shares.append((kept.beside - free.beside) / step)
        steps.append(step)
    return {
        f"a step of {name}": (median(steps) * 1e3, "ms"),
        f"constraint, share of a step of {name}": (median(shares) * 100, "%"),
    }


def santacoder(model: Model) -> Model:
    """SantaCoder's architecture and size with random weights. It writes the tokens of a smaller model."""
    from transformers import GPTBigCodeConfig, GPTBigCodeForCausalLM

    config: Any = GPTBigCodeConfig
    described = config(vocab_size=49_280, bos_token_id=0, eos_token_id=0, **SANTACODER)
    with torch.device("meta"):
        network: Any = GPTBigCodeForCausalLM(described)
    network.to_empty(device="cpu").tie_weights()
    # Drawing a thousand million random numbers would take longer than the bench, so they are drawn once and
    # repeated.
    drawn = torch.randn(1 << 20, generator=torch.Generator().manual_seed(0)) * 0.02
    for weights in network.parameters():
        flat = weights.data.view(-1)
        for start in range(0, len(flat), len(drawn)):
            part = flat[start : start + len(drawn)]
            part.copy_(drawn[: len(part)])
    texts = [model.vocabulary.token(index) for index in range(len(model.vocabulary))]
    texts += [b""] * (49_280 - len(texts))
    signs = [index for index, text in enumerate(texts) if not text and index not in model.ends]
    vocabulary = Vocabulary(texts, sorted(model.ends), signs)
    return replace(model, runtime=TorchRuntime(network.eval(), "cpu"), vocabulary=vocabulary)


def typing_costs(model: Model) -> Figures:
    """The share of a prompt that is computed again after five typed characters."""
    shares = []
    for seed in range(6):
        text = library_text(12_000, seed=50 + seed)
        at = text.index("\n", len(text) // 2) + 1
        session, options = DecodingSession(model), Options(max_tokens=1, constraint="none", drafts=False)
        session.complete(CompletionRequest(text[:at], text[at:], None, options))
        n_prompt = session.reader.n_computed
        for typed in range(5, 51, 5):
            before = session.reader.n_computed
            session.complete(CompletionRequest(text[: at + typed], text[at:], None, options))
            shares.append((session.reader.n_computed - before) / n_prompt)
    return {
        "prompt computed again after 5 characters, median": (median(shares) * 100, "%"),
        "prompt computed again after 5 characters, worst": (max(shares) * 100, "%"),
    }


def endless(model: Model) -> Model:
    """The model with its end token disabled, like `generate` with `min_new_tokens`."""
    texts = [model.vocabulary.token(index) for index in range(len(model.vocabulary))]
    return replace(model, vocabulary=Vocabulary(texts, [], sorted(model.ends)))


def speeds(model: Model, n_runs: int, n_tokens: int = 96) -> Figures:
    """Tokens per second, prompt included, beside `generate` of transformers."""
    model = endless(model)
    left, right = CODE + "        self.depth =", BEHIND
    prompt = Window(model).prompt(left, right, 300)
    ids = torch.tensor([[*prompt.tokens, *prompt.pending]])
    runtime = model.runtime
    assert isinstance(runtime, TorchRuntime)
    named = {"do_sample": False, "min_new_tokens": n_tokens, "max_new_tokens": n_tokens, "pad_token_id": 0}

    def generate() -> None:
        with torch.inference_mode():
            runtime.network.generate(ids, attention_mask=torch.ones_like(ids), **named)

    def ours(drafts: bool) -> Callable[[], None]:
        options = Options(max_tokens=n_tokens, constraint="none", drafts=drafts, context_tokens=304)
        return lambda: check_length(
            DecodingSession(model).complete(CompletionRequest(left, right, None, options))[0].n_tokens,
            n_tokens,
        )

    led_text = REPETITIVE * 3
    plain, drafted = [], []
    for _ in range(n_runs):
        base = processor_seconds(generate)
        plain.append(base / processor_seconds(ours(False)))
        drafted.append(drafted_gain(model, led_text) * plain[-1])
    return {
        "tokens a second without drafts, times model.generate": (median(plain), "x"),
        "tokens a second with drafts on repetitive code, times model.generate": (median(drafted), "x"),
    }


def drafted_gain(model: Model, text: str) -> float:
    """The gain in speed from drafts in a repetitive text."""
    seconds = []
    for drafts in (False, True):
        window = Window(model).prompt(CODE, BEHIND, 300)
        wanted = [*window.pending, *model.encode(text)]
        led = Led(model.runtime, len(window.tokens), wanted)
        options = Options(max_tokens=len(wanted), constraint="none", drafts=drafts, context_tokens=304)
        options = replace(options, max_tokens=min(len(wanted) - 2, model.n_positions // 2))
        session = DecodingSession(replace(model, runtime=led))
        request = CompletionRequest(CODE, BEHIND, None, options)
        seconds.append(processor_seconds(partial(session.complete, request)))
    return seconds[0] / seconds[1]


def check_length(n_tokens: int, expected: int) -> None:
    if n_tokens < expected - 4:
        raise AssertionError(f"{n_tokens} tokens, not {expected}")


def processor_seconds(action: Callable[[], object]) -> float:
    start = time.thread_time()
    action()
    return time.thread_time() - start


def main() -> int:
    """Runs the benches. The exit status says whether every target is met."""
    parser = argparse.ArgumentParser(prog="python -m benches.decoding", description=__doc__.split("\n")[0])
    parser.add_argument("--results", type=Path, default=Path("benches/results/decoding.json"))
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--without-santacoder", action="store_true", help="leave out what needs 5 GB")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    if not BUNDLED.is_dir():
        print("no model is bundled: nothing is measured")
        return 1
    model = load_model(wishes=RuntimeWishes(device="cpu"))
    torch.set_num_threads(1)
    figures = constraint_costs(model, "the bundled model", chosen.runs, 300)
    # `generate` belongs to PyTorch, so PyTorch also computes what it is compared with.
    beside = load_model(wishes=RuntimeWishes(runtime="torch", device="cpu"))
    figures |= typing_costs(model) | speeds(beside, chosen.runs)
    if not chosen.without_santacoder:
        name = "SantaCoder's architecture"
        figures |= constraint_costs(santacoder(model), name, 2, 100)
    return reported(figures, TARGETS, chosen.results, may_leave_out=True)


if __name__ == "__main__":
    sys.exit(main())
