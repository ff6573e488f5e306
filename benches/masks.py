"""`python -m benches.masks`: masks over whole vocabularies, beside llguidance and xgrammar in the same run.

Real files of the standard library and made-up JSON are replayed token by token, left to right and in holes;
at each token the mask is timed, and must allow the token. The others are measured if they are installed (`pip
install llguidance xgrammar`), on the same texts and tokens; llguidance also on our Python grammar without its
layout (`benches.flat_lark`), which is less to check.

Times are of the wall clock. Where other programs use the machine, its scheduler makes the greatest of
them; so the greatest processor time is given too.
"""

import argparse
import ast
import json
import tempfile
import time
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benches.flat_lark import flat_lark
from benches.workloads import SIZES, workload
from quotient import Language, Recognizer, Vocabulary
from tests.masks import states, vocabularies

# llguidance's default limits are too low for grammars of this size.
LIMITS = {
    "max_items_in_row": 20_000,
    "initial_lexer_fuel": 100_000_000,
    "step_lexer_fuel": 10_000_000,
    "step_max_items": 5_000_000,
    "max_lexer_states": 1_000_000,
    "max_grammar_size": 5_000_000,
}
PLAIN_NAME = {"NAME": r"[A-Za-z_\u0080-\U0010FFFF][A-Za-z0-9_\u0080-\U0010FFFF]*"}


KINDS = {"json": "JSON", "flat": "Python, the texts that need no layout"}


@dataclass(slots=True)
class Times:
    """Times of one kind, in seconds, and how many texts were left early."""

    wall: list[float] = field(default_factory=list)
    processor: list[float] = field(default_factory=list)
    n_denied: int = 0

    def measure(self, run: Callable[[], object]) -> None:
        """Times a call."""
        processor = time.thread_time()
        wall = time.perf_counter()
        run()
        self.wall.append(time.perf_counter() - wall)
        self.processor.append(time.thread_time() - processor)

    def microseconds(self, share: float) -> float:
        """A quantile of the wall times."""
        ordered = sorted(self.wall)
        return ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1e6

    def row(self) -> dict[str, float]:
        """The figures that are reported, in microseconds."""
        return {
            "n": len(self.wall),
            "p50": self.microseconds(0.5),
            "p90": self.microseconds(0.9),
            "p99": self.microseconds(0.99),
            "max": max(self.wall) * 1e6,
            "max of processor time": max(self.processor) * 1e6,
            "texts left early": self.n_denied,
        }


def segmented(vocabulary: Vocabulary) -> Callable[[bytes], list[int]]:
    """Cuts texts into the longest tokens, which needs no tokenizer package."""
    index = {vocabulary.token(token): token for token in range(len(vocabulary))}
    longest = min(max(map(len, index)), 64)

    def cut(text: bytes) -> list[int]:
        found: list[int] = []
        at = 0
        while at < len(text):
            ends = range(min(at + longest, len(text)), at, -1)
            end = next(end for end in ends if text[at:end] in index)
            found.append(index[text[at:end]])
            at = end
        return found

    return cut


def python_texts() -> list[bytes]:
    """Files of some kilobytes."""
    texts = [text for text in states.python_files() if 3_000 < len(text) < 10_000]
    return Random(1).sample(texts, 24)


def flat_texts() -> list[bytes]:
    """Pieces of files in which no brackets hold a line break, as the grammar without layout needs them."""
    texts = [text.replace(b"\r", b"") for text in states.python_files()]
    pieces = [piece + b"\n" for text in texts for piece in text.split(b"\n\n\n")]
    found = [piece for piece in pieces if 300 < len(piece) < 2_000 and is_flat(piece)]
    return Random(1).sample(found, 24)


def is_flat(text: bytes) -> bool:
    """Whether these are statements without comments and line breaks in brackets."""
    try:
        symbols = list(tokenize.tokenize(BytesIO(text).readline))
        ast.parse(text)
    except (SyntaxError, tokenize.TokenError):
        return False
    depth = 0
    for symbol in symbols:
        depth += (symbol.string in "([{") - (symbol.string in ")]}") if symbol.type == tokenize.OP else 0
        if symbol.type == tokenize.COMMENT or (symbol.type == tokenize.NL and depth):
            return False
    return b"\\\n" not in text


def json_texts() -> list[bytes]:
    """Documents, nested at random, on one line or indented."""
    random = Random(1)

    def value(depth: int) -> object:
        kind = random.random()
        if depth > 3 or kind < 0.3:
            return random.choice([1, 2.5, True, None, "some text", 'a "quoted" é', -100, "2024-01-02T00:00"])
        if kind < 0.65:
            names = [random.choice(["name", "id", "some_key", "Tags"]) + str(index) for index in range(5)]
            return {name: value(depth + 1) for name in names[: random.randrange(6)]}
        return [value(depth + 1) for _ in range(random.randrange(5))]

    texts = [json.dumps([value(0) for _ in range(8)], indent=random.choice([None, 2])) for _ in range(24)]
    return [text.encode() for text in texts]


class Ours:
    """Our masks."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.mask = np.zeros(vocabulary.n_words, np.uint32)

    def replay(self, recognizer: Recognizer, tokens: list[int], times: Times) -> None:
        """Masks in front of each token."""
        for token in tokens:
            times.measure(lambda: recognizer.mask(self.vocabulary, self.mask))
            if not int(self.mask[token // 32]) >> (token % 32) & 1:
                raise AssertionError(f"{self.vocabulary.token(token)!r} is not allowed")
            recognizer.advance_token(self.vocabulary, token)


class Llguidance:
    """llguidance on a grammar of ours, in its dialect."""

    def __init__(self, name: str, grammar: str) -> None:
        self._module: Any = import_module("llguidance")
        self._fill: Any = import_module("llguidance.numpy").fill_next_token_bitmask
        self._tokenizer = self._module.LLTokenizer(vocabularies.description(name))
        self._grammar = self._module.LLMatcher.grammar_from_lark(grammar)

    def replay(self, tokens: list[int], times: Times) -> None:
        """Masks in front of each token, until one is denied."""
        limits = self._module.LLParserLimits(**LIMITS)
        matcher = self._module.LLMatcher(self._tokenizer, self._grammar, limits=limits)
        if matcher.get_error():
            raise ValueError(matcher.get_error())
        mask = np.zeros((1, (self._tokenizer.vocab_size + 31) // 32), np.int32)
        for token in tokens:
            times.measure(lambda: self._fill(matcher, mask))
            if matcher.is_error() or not int(mask[0, token // 32]) >> (token % 32) & 1:
                times.n_denied += 1
                return
            matcher.consume_token(token)


class Xgrammar:
    """xgrammar on its own grammar of JSON."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._module: Any = import_module("xgrammar")
        tokens = [vocabulary.token(token) for token in range(len(vocabulary))]
        info = self._module.TokenizerInfo(tokens, stop_token_ids=vocabulary.eos)
        self._grammar = self._module.GrammarCompiler(info).compile_builtin_json_grammar()
        self._mask = self._module.allocate_token_bitmask(1, len(vocabulary))

    def replay(self, tokens: list[int], times: Times) -> None:
        """Masks in front of each token, until one is denied."""
        matcher = self._module.GrammarMatcher(self._grammar)
        for token in tokens:
            times.measure(lambda: matcher.fill_next_token_bitmask(self._mask))
            if not matcher.accept_token(token):
                times.n_denied += 1
                return


def preparation(vocabulary: Callable[[], Vocabulary], language: Language) -> dict[str, float]:
    """Milliseconds for what is known of a vocabulary ahead of masks, and megabytes for it."""
    with tempfile.TemporaryDirectory() as directory:
        cache = Path(directory)
        begin = time.perf_counter()
        cold = vocabulary()
        made = time.perf_counter()
        cold.prepare(language, cache)
        prepared = time.perf_counter()
        warm = vocabulary()
        again = time.perf_counter()
        if not warm.prepare(language, cache):
            raise AssertionError("the cache was not used")
        read = time.perf_counter()
    return {
        "tokens as bytes, ms": (made - begin) * 1e3,
        "prepare, ms": (prepared - made) * 1e3,
        "prepare from the cache, ms": (read - again) * 1e3,
        "memory, MB": warm.memory / 1e6,
    }


def holes(tokens: list[int], vocabulary: Vocabulary) -> tuple[bytes, list[int], bytes]:
    """The middle of a text as a hole."""
    start, stop = len(tokens) // 3, len(tokens) // 3 + 150
    left, right = (b"".join(map(vocabulary.token, part)) for part in (tokens[:start], tokens[stop:]))
    return left, tokens[start:stop], right


def measured(name: str, peers: bool) -> Iterator[tuple[str, dict[str, float]]]:
    """All figures of a vocabulary."""
    python, json_ = Language.load("python", "3.11"), Language.load("json")
    vocabulary = vocabularies.load(name)
    tokens = [vocabulary.token(token) for token in range(len(vocabulary))]
    special = [token for token, text in enumerate(tokens) if not text and token not in vocabulary.eos]

    def fresh() -> Vocabulary:
        return Vocabulary(tokens, eos=vocabulary.eos, special=special)

    yield "preparation for Python", preparation(fresh, python)
    vocabulary.prepare_tables(python._native)
    vocabulary.prepare_tables(json_._native)
    cut, ours = segmented(vocabulary), Ours(vocabulary)
    made = {"python": python_texts(), "flat": flat_texts(), "json": json_texts()}
    texts = {kind: [cut(text) for text in found] for kind, found in made.items()}
    # Once unmeasured: tables of f-strings are made when they are first met.
    for is_measured in (False, True):
        whole, in_holes, candidates = Times(), Times(), Times()
        for text in texts["python"]:
            ours.replay(python.recognizer(), text, whole)
            left, middle, right = holes(text, vocabulary)
            ours.replay(python.recognizer(left, right), middle, in_holes)
            recognizer = python.recognizer(left, right)
            for token in middle:
                ids = [token]
                candidates.measure(lambda: recognizer.first_allowed(vocabulary, ids))  # noqa: B023
                recognizer.advance_token(vocabulary, token)
        if is_measured:
            yield "Python, left to right", whole.row()
            yield "Python, in holes", in_holes.row()
            yield "Python, first_allowed of the true token", candidates.row()
    for size in SIZES:
        times = Times()
        for seed in range(3):
            load = workload(size, seed)
            ours.replay(python.recognizer(load.left, load.right), cut(load.middle.encode())[:150], times)
        yield f"Python, in holes of files of {size // 1000} kB", times.row()
    for kind, language in (("json", json_), ("flat", python)):
        times = Times()
        for text in texts[kind]:
            ours.replay(language.recognizer(), text, times)
        yield KINDS[kind], times.row()
    if peers:
        yield from measured_peers(name, vocabulary, texts)


def measured_peers(
    name: str, vocabulary: Vocabulary, texts: dict[str, list[list[int]]]
) -> Iterator[tuple[str, dict[str, float]]]:
    """The others' figures, as far as they are installed."""
    if find_spec("llguidance") and name != "made":
        for language, file_name in (("json", "json.json"), ("flat", "python-3.11.json")):
            description = json.loads((files("quotient") / "grammars" / file_name).read_text("utf-8"))
            peer = Llguidance(name, flat_lark(description, PLAIN_NAME))
            times = Times()
            for text in texts[language]:
                peer.replay(text, times)
            yield f"llguidance, {KINDS[language]}", times.row()
    if find_spec("xgrammar") and find_spec("torch"):
        other, times = Xgrammar(vocabulary), Times()
        for text in texts["json"]:
            other.replay(text, times)
        yield "xgrammar, JSON", times.row()


def plotted(figures: dict[str, dict[str, dict[str, float]]], path: Path) -> None:
    """A plot of p50 and p99 of everything that was measured, if matplotlib is there."""
    pyplot: Any = import_module("matplotlib.pyplot")
    rows = [
        (f"{kind} ({name})", row["p50"], row["p99"])
        for name, kinds in figures.items()
        for kind, row in kinds.items()
        if "p50" in row
    ]
    figure, axes = pyplot.subplots(figsize=(9, 0.4 * len(rows) + 1), layout="constrained")
    places = range(len(rows))
    axes.hlines(places, [p50 for _, p50, _ in rows], [p99 for _, _, p99 in rows])
    axes.plot([p50 for _, p50, _ in rows], places, "o", label="p50")
    axes.plot([p99 for _, _, p99 in rows], places, "|", label="p99")
    axes.set_yticks(places, [label for label, _, _ in rows])
    axes.set_xscale("log")
    axes.set_xlabel("microseconds per mask")
    axes.invert_yaxis()
    axes.legend()
    figure.savefig(path)


def main() -> None:
    """Prints the figures; writes them as JSON and as a plot where asked to."""
    parser = argparse.ArgumentParser(prog="python -m benches.masks", description=__doc__.partition("\n")[0])
    parser.add_argument("--vocabulary", action="append", choices=vocabularies.available())
    parser.add_argument("--no-peers", action="store_true", help="measure only our masks")
    parser.add_argument("--json", type=Path, help="write the figures here")
    parser.add_argument("--plot", type=Path, help="write a plot here")
    options = parser.parse_args()
    names = options.vocabulary or vocabularies.available()[1:] or ["made"]
    figures: dict[str, dict[str, dict[str, float]]] = {}
    for name in names:
        print(
            f"{name}: {len(vocabularies.load(name))} tokens; microseconds unless said otherwise", flush=True
        )
        figures[name] = {}
        for kind, row in measured(name, not options.no_peers):
            figures[name][kind] = row
            shown = "  ".join(f"{label} {value:.4g}" for label, value in row.items())
            print(f"  {kind:<52} {shown}", flush=True)
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    if options.plot:
        plotted(figures, options.plot)


if __name__ == "__main__":
    main()
