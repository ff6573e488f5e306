"""The model card's figures: how well the model predicts code that it has not seen, and how well it fills
holes.

Bits per byte measure prediction independently of the tokenizer: left to right over whole files, and for the
middle of a hole given both sides. Exact match and edit similarity compare the first line of a completion with
the true line, with the grammar's constraint and without. The completion is made by the same `DecodingSession`
as in the server. Whether the model knows where to stop is measured on the model alone.
"""

from __future__ import annotations

import math
import multiprocessing
import platform
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from statistics import mean, median
from typing import Any

import torch

from fim_lsp.decoding.models.model import Model, load_model
from fim_lsp.decoding.options import Options
from fim_lsp.decoding.texts.completion import Completion
from fim_lsp.decoding.writing.request import CompletionRequest
from fim_lsp.decoding.writing.session import DecodingSession
from fim_lsp.replay.judge import ParserJudge
from fim_lsp.runtimes.logits import logsumexp
from quotient import Language, NoCompletion, Recognizer
from training.cuts import cut
from training.holes import (
    MeasuredHole,
    held_out_package_texts,
    held_out_texts,
    human_eval_holes,
    library_holes,
    line_holes,
)
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
# The windows and holes of each held-out package.
N_PACKAGE_WINDOWS, N_PACKAGE_HOLES = 24, 50
# Only the model ends a text: without a grammar, and without the stop at repetitions.
ALONE = Options(max_tokens=64, constraint="none", scope="free", steer=False)

# The measured figures, under the name of each part. Values are numbers, except those that name the setting.
Figures = dict[str, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Evaluation:
    folder: Path
    n_holes: int
    # The number of windows for bits per byte left to right; infilling takes twice as many cuts.
    n_windows: int
    # HumanEval's file. Without it, the figures have no entry for HumanEval.
    human_eval: Path
    # The folder with the packages of `held-out.txt`; without it, the figures have no entries for them.
    packages: Path
    n_processes: int = 1


def evaluate(evaluation: Evaluation, progress: Progress) -> Figures:
    model = load_model(str(evaluation.folder))
    packages = held_out_package_texts(evaluation.packages, N_PACKAGE_WINDOWS // 2)
    figures: Figures = {
        "measured with": {
            "Python": platform.python_version(),
            "PyTorch": torch.__version__,
            "device": model.device,
            "parameters": model.n_parameters,
        },
        "bits per byte": bits_per_byte(model, evaluation.n_windows, progress),
    }
    library = library_holes(evaluation.n_holes)
    sets = {"standard library": library}
    if evaluation.human_eval.exists():
        sets["HumanEval single line"] = list(human_eval_holes(evaluation.human_eval))
    with scoring(evaluation) as score:
        for name, holes in sets.items():
            for constraint in ("constrained", "none"):
                options = Options(max_tokens=MAX_TOKENS, constraint=constraint, multi_line=False)
                scores = score(holes, options)
                title = f"{name}, {constraint}"
                figures[title] = filled(scores, len(holes), title, progress)
        figures["ends by itself"] = ended(score(library, ALONE), len(library), progress)
        for name, texts in packages.items():
            holes = line_holes(texts, N_PACKAGE_HOLES)
            options = Options(max_tokens=MAX_TOKENS, multi_line=False)
            row = filled(score(holes, options), len(holes), name, progress)
            figures[f"package {name}"] = {"bits per byte": left_to_right(model, texts, progress), **row}
    return figures


@contextmanager
def scoring(evaluation: Evaluation) -> Iterator[Callable[[list[MeasuredHole], Options], Iterable[Score]]]:
    """The function that scores holes, in this process or in several."""
    if evaluation.n_processes == 1:
        scorer = Scorer(evaluation.folder)
        yield lambda holes, options: map(scorer.score, holes, repeat(options))
        return
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(evaluation.n_processes, spawning, begin, (evaluation.folder,)) as pool:
        yield lambda holes, options: pool.map(scored, holes, repeat(options), chunksize=4)


def bits_per_byte(model: Model, n_windows: int, progress: Progress) -> dict[str, float | int]:
    alone, between = HoleTally(), HoleTally()
    for before, with_suffix, middle in cut_windows(model, 2 * n_windows):
        alone.add(model, [*before, *middle], len(before))
        between.add(model, [*with_suffix, *middle], len(with_suffix))
        progress.show(0.0, "infilling")
    return {
        "left to right": left_to_right(model, held_out_texts(n_windows // 2), progress),
        "middle, given both sides": between.bits_per_byte(),
        "middle, given the left side": alone.bits_per_byte(),
        "windows": n_windows,
        "cuts": 2 * n_windows,
    }


def left_to_right(model: Model, texts: Sequence[str], progress: Progress) -> float:
    tally = HoleTally()
    for ids in windows(model, texts):
        tally.add(model, ids, 1)
        progress.show(0.0, "left to right")
    return tally.bits_per_byte()


@dataclass(slots=True)
class HoleTally:
    bits: float = 0.0
    n_bytes: int = 0

    def add(self, model: Model, ids: Sequence[int], n_given: int) -> None:
        """Records tokens behind the given ones."""
        self.bits += sum(losses(model, ids, n_given)) / math.log(2)
        self.n_bytes += sum(len(model.token_bytes[index]) for index in ids[n_given:])

    def bits_per_byte(self) -> float:
        return round(self.bits / self.n_bytes, 4)


def losses(model: Model, ids: Sequence[int], n_given: int) -> list[float]:
    """The losses of the tokens behind the given ones, in nats."""
    following = ids[n_given:]
    rows = model.runtime.cache().read(ids[:-1], len(following))
    return [logsumexp(rows[place]) - float(rows[place][token]) for place, token in enumerate(following)]


def windows(model: Model, texts: Sequence[str]) -> Iterator[list[int]]:
    """The first and the middle window of each file, as wide as the model can read, behind the token that
    begins texts in the training: attention rests on it, and without it every loss is higher."""
    for text in texts:
        ids = model.encode(text)
        width = model.n_positions - 1
        middle = max(0, len(ids) // 2 - width // 2)
        yield [min(model.ends), *ids[:width]]
        yield [min(model.ends), *ids[middle : middle + width]]


def cut_windows(model: Model, n_cuts: int) -> Iterator[tuple[list[int], list[int], list[int]]]:
    """The tokens before the middle without and with the right side, and the middle, cut as in training."""
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
        # With an empty left side, no token would predict the first one.
        without = [end, *left]
        yield without, [model.prefix, model.suffix, *right, int(model.middle or 0), *left], middle


@dataclass(frozen=True, slots=True)
class Score:
    """The score of one hole. `text` is None if nothing was offered."""

    text: str | None
    is_exact: bool
    similarity: float
    does_parse: bool
    does_end: bool
    seconds: float


class Scorer:
    """Completes holes; one in each process."""

    def __init__(self, folder: Path) -> None:
        self.model = load_model(str(folder))
        self.language = Language.load("python", version="3.11")

    def score(self, hole: MeasuredHole, options: Options) -> Score:
        start = time.perf_counter()
        found = completion(self.model, self.language, hole, options)
        seconds = time.perf_counter() - start
        text = None if found is None else found.text
        made, wanted = first_line(text or "").strip(), hole.middle.strip()
        return Score(
            text=text,
            is_exact=made == wanted,
            similarity=edit_similarity(made, wanted),
            does_parse=text is not None and ParserJudge().accepts(hole.left + text + hole.right),
            does_end=found is not None and found.stopped_by == "eos",
            seconds=seconds,
        )


def filled(scores: Iterable[Score], n_holes: int, name: str, progress: Progress) -> dict[str, float | int]:
    """The figures of one set of holes, computed as the scores arrive."""
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


def ended(scores: Iterable[Score], n_holes: int, progress: Progress) -> dict[str, float | int]:
    """The share of texts that the model ends by itself."""
    ends: list[bool] = []
    for score in scores:
        ends.append(score.does_end)
        progress.show(len(ends) / n_holes, f"ends by itself: {sum(ends)} of {len(ends)}")
    return {"holes": n_holes, "within tokens": ALONE.max_tokens, "share": round(mean(ends), 4)}


# The scorer of a worker process, which does nothing else.
_scorers: list[Scorer] = []


def begin(folder: Path) -> None:
    _scorers[:] = [Scorer(folder)]


def scored(hole: MeasuredHole, options: Options) -> Score:
    return _scorers[0].score(hole, options)


def completion(model: Model, language: Language, hole: MeasuredHole, options: Options) -> Completion | None:
    """The completion for a hole, as the server would offer it; None if there is none."""
    recognizer: Recognizer | None = None
    if options.constraint != "none":
        try:
            recognizer = language.recognizer(hole.left, hole.right)
        except NoCompletion:
            return None
    found = DecodingSession(model).complete(CompletionRequest(hole.left, hole.right, recognizer, options))
    return found[0] if found else None


def first_line(text: str) -> str:
    """The line that is compared: without a constraint, a model continues behind it."""
    return text.lstrip("\n").split("\n", 1)[0]
