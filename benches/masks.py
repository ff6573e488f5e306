"""`python -m benches.masks`: masks over whole vocabularies, beside llguidance and xgrammar in the same run.

Programs are replayed token by token, and the mask in front of each token is timed; ours must allow the token.
The other engines (`make bench` installs them) get the same texts, tokens and grammars in their dialects
(`benches.peer_grammars`), which check less for Python and Go. Before the measurement only
`Vocabulary.prepare` runs.

Writes a table with the targets to the terminal and to `benches/results/masks.md`, the figures to
`benches/results/masks.json`, and a plot.
"""

import argparse
import json
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import numpy as np

from benches import mask_report, plots
from benches.mask_peers import peers
from benches.mask_programs import N_TEXTS, programs, segmented
from benches.mask_times import Row, Times
from benches.origin import origin, origin_sentence
from benches.workloads import SIZES, workload
from quotient import Language, Recognizer, Vocabulary
from tests.masks import vocabularies

COMPARED = {"flat": "Python without layout", "go": "Go", "java": "Java", "json": "JSON"}
"""What others are compared on. Ours read the texts of `flat` as the Python that they are."""


def loaded(language: str) -> Language:
    """Our language for programs of this kind."""
    return Language.load("python", "3.11") if language in ("python", "flat") else Language.load(language)


class Ours:
    """Our engine's masks."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.mask = np.zeros(vocabulary.n_words, np.uint32)

    def replay(self, recognizer: Recognizer, tokens: list[int], times: Times) -> None:
        """Masks in front of each token."""
        for token in tokens:
            times.measure(lambda: recognizer.mask(self.vocabulary, self.mask))
            if not int(self.mask[token // 32]) >> (token % 32) & 1:
                if recognizer.has_law and recognizer.without_names().fork().advance_token(
                    self.vocabulary, token
                ):
                    # A name that nothing binds, or that only a later line of the hole binds.
                    times.n_denied += 1
                    return
                raise AssertionError(f"{self.vocabulary.token(token)!r} is not allowed")
            recognizer.advance_token(self.vocabulary, token)


def preparation(fresh: Callable[[], Vocabulary], language: Language) -> Row:
    """Milliseconds and megabytes of a vocabulary's preparation."""
    with tempfile.TemporaryDirectory() as directory:
        cache = Path(directory)
        begin, processor = time.perf_counter(), time.process_time()
        cold = fresh()
        cold.prepare(language, cache)
        prepared, processor = time.perf_counter(), time.process_time() - processor
        warm = fresh()
        again, processor_again = time.perf_counter(), time.process_time()
        if not warm.prepare(language, cache):
            raise AssertionError("the cache was not used")
        read, processor_read = time.perf_counter(), time.process_time() - processor_again
    return {
        "cold, ms": (prepared - begin) * 1e3,
        "cold, processor, ms": processor * 1e3,
        "from the cache, ms": (read - again) * 1e3,
        "from the cache, processor, ms": processor_read * 1e3,
        "memory, MB": warm.memory / 1e6,
    }


def holes(tokens: list[int], vocabulary: Vocabulary) -> tuple[bytes, list[int], bytes]:
    """The middle of a text as a hole."""
    start, stop = len(tokens) // 3, len(tokens) // 3 + 150
    left, right = (b"".join(map(vocabulary.token, part)) for part in (tokens[:start], tokens[stop:]))
    return left, tokens[start:stop], right


def measured(name: str, with_peers: bool, n_texts: int) -> Iterator[tuple[str, Row]]:
    """The figures of a vocabulary."""
    known = vocabularies.load(name)
    tokens = [known.token(token) for token in range(len(known))]
    special = [token for token, text in enumerate(tokens) if not text and token not in known.eos]

    def fresh() -> Vocabulary:
        return Vocabulary(tokens, eos=known.eos, special=special)

    yield "preparation for Python", preparation(fresh, loaded("python"))
    cut = segmented(known)
    for language, title in COMPARED.items():
        vocabulary = fresh()
        vocabulary.prepare_tables(loaded(language)._native)
        texts = [cut(text) for text in programs(language)[:n_texts]]
        times, ours = Times(), Ours(vocabulary)
        for text in texts:
            ours.replay(loaded(language).recognizer(), text, times)
        yield f"{title}: ours", times.row()
        for peer, made in peers(name, vocabulary) if with_peers else []:
            times, engine = Times(), made("python" if language == "flat" else language)
            for text in texts:
                engine.replay(text, times)
            yield f"{title}: {peer}", times.row()
    vocabulary = fresh()
    vocabulary.prepare_tables(loaded("python")._native)
    yield from measured_python(Ours(vocabulary), cut, n_texts)


def measured_python(ours: Ours, cut: Callable[[bytes], list[int]], n_texts: int) -> Iterator[tuple[str, Row]]:
    """Python with its layout, in whole files and in holes, which only our engine can do."""
    python, vocabulary = loaded("python"), ours.vocabulary
    whole, in_holes, named, candidates = Times(), Times(), Times(), Times()
    for text in map(cut, programs("python")[:n_texts]):
        ours.replay(python.recognizer(), text, whole)
        left, middle, right = holes(text, vocabulary)
        ours.replay(python.recognizer(left, right), middle, in_holes)
        ours.replay(python.recognizer(left, right, names=()), middle, named)
        recognizer = python.recognizer(left, right)
        for token in middle:
            ids = [token]
            candidates.measure(lambda: recognizer.first_allowed(vocabulary, ids))  # noqa: B023
            recognizer.advance_token(vocabulary, token)
    yield "Python, left to right", whole.row()
    yield "Python, in holes", in_holes.row()
    yield "Python, in holes, with names", named.row()
    yield "Python, first_allowed of the true token", candidates.row()
    for size in SIZES:
        times = Times()
        for seed in range(3):
            load = workload(size, seed)
            ours.replay(python.recognizer(load.left, load.right), cut(load.middle.encode())[:150], times)
        yield f"Python, in holes of files of {size // 1000} kB", times.row()


def main() -> None:
    """Prints the figures and writes them."""
    parser = argparse.ArgumentParser(prog="python -m benches.masks", description=__doc__.partition("\n")[0])
    parser.add_argument("--vocabulary", action="append", choices=vocabularies.available())
    parser.add_argument("--no-peers", action="store_true", help="measure only our masks")
    parser.add_argument("--texts", type=int, default=N_TEXTS, help="how many of each kind, at most")
    parser.add_argument(
        "--results", type=Path, default=Path("benches/results"), help="the folder to write to"
    )
    parser.add_argument("--plot", type=Path, default=Path("docs/figures/masks.svg"))
    options = parser.parse_args()
    names = options.vocabulary or vocabularies.available()[1:] or ["made"]
    if not options.no_peers:
        for peer in {"llguidance", "xgrammar"} - {
            peer for peer, _ in peers(names[0], vocabularies.load(names[0]))
        }:
            print(f"{peer} is not measured: it is not installed, or there is no real tokenizer to give it")
    figures: mask_report.Figures = {}
    for name in names:
        title = f"{name}, {len(vocabularies.load(name)):,} tokens"
        print(title, flush=True)
        figures[title] = {}
        for kind, row in measured(name, not options.no_peers, options.texts):
            figures[title][kind] = row
            shown = "  ".join(f"{label} {value:.4g}" for label, value in row.items())
            print(f"  {kind:<44} {shown}", flush=True)
    measured_on = origin()
    report = {**measured_on, "unit": "microseconds of the processor", "figures": figures}
    options.results.mkdir(parents=True, exist_ok=True)
    (options.results / "masks.json").write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    table = mask_report.table(figures)
    (options.results / "masks.md").write_text(
        f"# Masks\n\nOn {origin_sentence(measured_on)}.\n\n{table}", "utf-8"
    )
    plots.write(options.plot, partial(mask_report.drawing, figures))
    print(table)


if __name__ == "__main__":
    main()
