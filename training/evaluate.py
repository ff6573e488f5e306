"""The model card's figures: how well the model knows code that it has not seen, and how well it fills holes.

Bits per byte say how well it predicts, whatever the tokenizer: left to right over whole files, and for
the middle of a hole given both sides. Exact match and edit similarity compare the first line of a
completion, made by the same `Session` that the server uses, with the line that was there; once with the
grammar's constraint and once without.
"""

from __future__ import annotations

import math
import multiprocessing
import platform
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from statistics import mean, median
from typing import Any

import torch

from fim_lsp.decoding.logits import logsumexp
from fim_lsp.decoding.model import Model, load_model
from fim_lsp.decoding.options import Constraint, Options
from fim_lsp.decoding.session import Session
from fim_lsp.replay.judge import Judge
from quotient import Language, NoCompletion, Recognizer
from training.cuts import cut
from training.holes import Hole, held_out_texts, human_eval_holes, library_holes
from training.progress import Progress
from training.samples import trimmed
from training.similarity import edit_similarity

HUMAN_EVAL_HOLES = (
    Path(__file__).parent.parent
    / "datasets"
    / "human-eval-infilling"
    / "HumanEval-SingleLineInfilling.jsonl.gz"
)
# A line of code has seldom more tokens than this.
MAX_TOKENS = 48

# What was measured, under the name of each part. Values are numbers, but for what names the setting.
Figures = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    folder: Path
    n_holes: int
    # So many windows for bits per byte left to right, and twice as many cuts for infilling.
    n_windows: int
    # Where it is missing HumanEval is left out, and the figures say so by not having it.
    human_eval: Path
    n_processes: int = 1


def evaluate(evaluation: Evaluation, progress: Progress) -> Figures:
    scorer = Scorer(evaluation.folder)
    model = scorer.model
    figures: Figures = {
        "measured with": {
            "Python": platform.python_version(),
            "PyTorch": torch.__version__,
            "device": model.device,
            "parameters": model.n_parameters,
        },
        "bits per byte": bits_per_byte(model, evaluation.n_windows, progress),
    }
    sets = {"standard library": library_holes(evaluation.n_holes)}
    if evaluation.human_eval.exists():
        sets["HumanEval single line"] = list(human_eval_holes(evaluation.human_eval))
    constraints: tuple[Constraint, ...] = ("constrained", "none")
    runs = [(name, holes, constraint) for name, holes in sets.items() for constraint in constraints]
    if evaluation.n_processes == 1:
        for name, holes, constraint in runs:
            scores: Iterable[Score] = map(scorer.score, holes, repeat(constraint))
            figures[f"{name}, {constraint}"] = filled(scores, len(holes), f"{name}, {constraint}", progress)
        return figures
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(evaluation.n_processes, spawning, begin, (evaluation.folder,)) as pool:
        for name, holes, constraint in runs:
            scores = pool.map(scored, holes, repeat(constraint), chunksize=4)
            figures[f"{name}, {constraint}"] = filled(scores, len(holes), f"{name}, {constraint}", progress)
    return figures


def bits_per_byte(model: Model, n_windows: int, progress: Progress) -> dict[str, float | int]:
    left_to_right = Tally()
    for ids in windows(model, n_windows):
        left_to_right.add(model, ids, 1)
        progress.show(0.0, "left to right")
    alone, between = Tally(), Tally()
    for before, with_suffix, middle in cut_windows(model, 2 * n_windows):
        alone.add(model, [*before, *middle], len(before))
        between.add(model, [*with_suffix, *middle], len(with_suffix))
        progress.show(0.0, "infilling")
    return {
        "left to right": left_to_right.bits_per_byte(),
        "middle, given both sides": between.bits_per_byte(),
        "middle, given the left side": alone.bits_per_byte(),
        "windows": n_windows,
        "cuts": 2 * n_windows,
    }


@dataclass(slots=True)
class Tally:
    bits: float = 0.0
    n_bytes: int = 0

    def add(self, model: Model, ids: Sequence[int], n_given: int) -> None:
        """Adds the tokens behind the given ones."""
        self.bits += sum(losses(model, ids, n_given)) / math.log(2)
        self.n_bytes += sum(len(model.token_bytes[index]) for index in ids[n_given:])

    def bits_per_byte(self) -> float:
        return round(self.bits / self.n_bytes, 4)


def losses(model: Model, ids: Sequence[int], n_given: int) -> list[float]:
    """How little each of the tokens behind the given ones was expected, in nats."""
    following = ids[n_given:]
    rows = model.runtime.cache().read(ids[:-1], len(following))
    return [logsumexp(rows[place]) - float(rows[place][token]) for place, token in enumerate(following)]


def windows(model: Model, n_windows: int) -> Iterator[list[int]]:
    """The first and the middle window of each file, as wide as the model can read."""
    texts = held_out_texts(n_windows // 2)
    for text in texts:
        ids = model.encode(text)
        middle = max(0, len(ids) // 2 - model.n_positions // 2)
        yield ids[: model.n_positions]
        yield ids[middle : middle + model.n_positions]


def cut_windows(model: Model, n_cuts: int) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """What precedes the middle without and with the right side, and the middle. Cut as in the training."""
    rng = random.Random(0)
    end = min(model.ends)
    texts = held_out_texts(n_cuts // 2)
    for index in range(n_cuts):
        text = texts[index % len(texts)]
        start = text.rfind("\n", 0, rng.randint(0, max(1, len(text) - 2000))) + 1
        parts = cut(text[start : start + 2000], rng)
        left, middle, right = (model.encode(part) for part in parts)
        middle = [*middle[: model.n_positions // 4], end]
        left, right = trimmed(left, right, model.n_positions - len(middle) - 8)
        # A left side of nothing would leave nothing to predict the first token from.
        without = [end, *left]
        yield without, [model.prefix, model.suffix, *right, int(model.middle or 0), *left], middle


@dataclass(frozen=True, slots=True)
class Score:
    """How one hole went. `text` is None where nothing was offered."""

    text: str | None
    is_exact: bool
    similarity: float
    does_parse: bool
    seconds: float


class Scorer:
    """Completes holes; one in each process."""

    def __init__(self, folder: Path) -> None:
        self.model = load_model(str(folder))
        self.language = Language.load("python", version="3.11")

    def score(self, hole: Hole, constraint: Constraint) -> Score:
        options = Options(max_tokens=MAX_TOKENS, constraint=constraint, multi_line=False)
        start = time.perf_counter()
        text = completion(self.model, self.language, hole, options)
        seconds = time.perf_counter() - start
        made, wanted = first_line(text or "").strip(), hole.middle.strip()
        return Score(
            text=text,
            is_exact=made == wanted,
            similarity=edit_similarity(made, wanted),
            does_parse=text is not None and Judge().accepts(hole.left + text + hole.right),
            seconds=seconds,
        )


def filled(scores: Iterable[Score], n_holes: int, name: str, progress: Progress) -> dict[str, float | int]:
    """The figures of one set of holes, as the scores come in."""
    done: list[Score] = []
    for score in scores:
        done.append(score)
        n_exact = sum(one.is_exact for one in done)
        progress.show(len(done) / n_holes, f"{name}: {n_exact} of {len(done)} exact")
    return {
        "holes": n_holes,
        "exact match": round(mean(score.is_exact for score in done), 4),
        "edit similarity": round(mean(score.similarity for score in done), 4),
        "file parses": round(mean(score.does_parse for score in done), 4),
        "nothing offered": sum(score.text is None for score in done),
        "median seconds": round(median(score.seconds for score in done), 3),
    }


# The scorer of a process of the pool, which lives for nothing else.
_scorers: list[Scorer] = []


def begin(folder: Path) -> None:
    _scorers[:] = [Scorer(folder)]


def scored(hole: Hole, constraint: Constraint) -> Score:
    return _scorers[0].score(hole, constraint)


def completion(model: Model, language: Language, hole: Hole, options: Options) -> str | None:
    """What is offered for a hole, as the server would; None if nothing is."""
    recognizer: Recognizer | None = None
    if options.constraint != "none":
        try:
            recognizer = language.recognizer(hole.left, hole.right)
        except NoCompletion:
            return None
    found = Session(model).complete(hole.left, hole.right, recognizer, options)
    return found[0].text if found else None


def first_line(text: str) -> str:
    """What is compared: without a constraint a model writes on."""
    return text.lstrip("\n").split("\n", 1)[0]
